# SPDX-License-Identifier: MIT
"""Faults: processes killed, disks full, traces cut off, clocks turned back, plug-ins that do what they must not.

The moments that are tried here are few; fault_table.py tries all of them.

Usage: test_faults.py SLIDEBENCH CXX plain|sanitized
"""

import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest

import faults
from faults import HERE, ROOT, rows_of

PROGRAM, COMPILER = sys.argv[1], sys.argv[2]
SANITIZED = sys.argv[3] == "sanitized"


def hostile_module(folder, name, changes=""):
    """Compiles the hostile plug-in; returns its path."""
    module = folder / f"{name}.so"
    flags = ["-fsanitize=address,undefined"] if SANITIZED else []
    flags += [f"-DHOSTILE_CHANGES={changes}"] if changes else []
    subprocess.run([COMPILER, "-std=c++20", "-shared", "-fPIC", *flags, "-I", str(ROOT), str(HERE / "hostile_method.cpp"),
                    "-o", str(module)], check=True)
    return module


class FaultTest(faults.BenchTest):
    def assert_refused(self, done, *words, status=2):
        """The command ended with this status, and its last line on standard error has the words."""
        self.assertEqual(done.returncode, status, (done.stdout, done.stderr))
        line = (done.stderr.splitlines() or [""])[-1]
        self.assertTrue(line.startswith("slidebench: "), done.stderr)
        for word in words:
            self.assertIn(str(word), line)


@unittest.skipIf(SANITIZED, "the sanitizers' runtime wants to be loaded before the library that makes the faults")
class Disturbed(FaultTest):
    def test_killed_or_on_a_full_disk_and_taken_up_again(self):
        for number, (kind, moments) in enumerate((
            (faults.TraceBuildPacked, {"kill": ["rename t.trace.zst"], "full": ["write t.trace.zst.partial"]}),
            (faults.Simulate, {"kill": ["rename out/run.json"], "full": []}),
            (faults.Run, {"kill": ["write out/samples.csv", "write out/unfinished.jsonl", "write out/run.json.partial"],
                          "full": ["write out/samples.csv", "sync out/unfinished.jsonl"]}),
        )):
            work = kind(self.bench)
            reference = self.path(f"{number}.reference")
            stages = dict(faults.stages_of(faults.reference_of(work, reference)))
            for fault, operations in moments.items():
                for operation in operations:
                    moment = stages[operation][len(stages[operation]) // 2]
                    with self.subTest(work=work.name, fault=fault, operation=operation):
                        faults.disturb(work, f"{fault}:{moment}", self.path(f"{number}.{fault}.{moment}"), reference)

    def test_what_counts_is_synced_first(self):
        """A power cut takes what is not on the disk: of a run no slice that its journal has, and nothing of a result."""
        def operations_of(kind):
            operations = faults.reference_of(kind(self.bench), self.path(kind.__name__))
            self.assertNotIn(operations[-1].split()[0], ("write", "rename"))
            return operations

        operations = operations_of(faults.Run)
        note = "write out/unfinished.jsonl"  # a long line may take several
        noted = [i for i, operation in enumerate(operations) if operation == note != operations[i - 1]]
        self.assertEqual(len(noted), faults.Run.process_runs)
        for moment in noted:
            self.assertEqual(faults.unsynced_at(operations, moment), (set(), set()))
            self.assertEqual(next(o for o in operations[moment:] if o != note), "sync out/unfinished.jsonl")
        self.assertEqual(faults.unsynced_at(operations, operations.index("rename out/run.json"))[0], set())
        self.assertEqual(faults.unsynced_at(operations, operations.index("rename out/finished.jsonl")), (set(), set()))

        operations = operations_of(faults.Simulate)
        self.assertEqual(faults.unsynced_at(operations, operations.index("rename out/run.json"))[0], set())
        self.assertEqual(faults.unsynced_at(operations, len(operations)), (set(), set()))
        operations = operations_of(faults.MagicsFind)
        self.assertEqual(faults.unsynced_at(operations, operations.index("rename factors.hpp"))[0], set())
        self.assertEqual(faults.unsynced_at(operations, len(operations)), (set(), set()))
        # A trace is not synced: its digest tells, and it can be built again. That this notices shows that the check can fail.
        operations = faults.reference_of(faults.TraceBuild(self.bench), self.path("trace"))
        self.assertEqual(faults.unsynced_at(operations, len(operations)), ({"t.trace"}, {"t.trace"}))

    def test_a_clock_that_steps_back(self):
        work = faults.Run(self.bench)
        folder = self.path("run")
        folder.mkdir()
        done = self.bench.with_fault("clock", folder, *work.command(folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        record = json.loads((folder / "out/run.json").read_text())
        self.assertLess(record["finished"], record["started"], "the clock did not step back")
        self.assertTrue(all(float(row["time_ns"]) > 0 for row in rows_of(folder / "out/samples.csv")))
        self.assertEqual(self.bench.run("show", folder / "out", "--all").returncode, 0)

    def test_a_clock_that_stands_or_steps_back(self):
        """Nothing can be timed by it; a search for so many seconds ends after as many of CPU time."""
        for fault in ("stands", "back"):
            folder = self.path(fault)
            folder.mkdir()
            for words in (faults.Run(self.bench).command(folder), ["ladder", "--seconds", "0.1", "--max-bytes", "64K"]):
                done = self.bench.with_fault(fault, folder, *words)
                self.assert_refused(done, "clock stands still or steps back")
            for variant, seconds in (("fixed_shift", 1), ("black", 0.2), ("dense", 0.01)):
                with self.subTest(fault=fault, variant=variant):
                    out = folder / f"{variant}.hpp"
                    done = self.bench.with_fault(fault, folder, "magics", "find", "--variant", variant, "--seconds", seconds, "--jobs",
                                                 "2", "--out", out)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(self.bench.run("magics", "check", out).returncode, 0)


class Outputs(FaultTest):
    def commands(self, folder):
        """Every command that writes, into a folder."""
        return [["trace", "build", "--out", folder / "t.trace", self.bench.pgn],
                ["trace", "import", "--out", folder / "i.trace", self.bench.log],
                ["trace", "random", "--nodes", "64", "--out", folder / "r.trace.zst"],
                ["trace", "positions", "--count", "2", "--out", folder / "p.fen", self.bench.pgn],
                ["magics", "find", "--variant", "fancy", "--out", folder / "f.hpp"],
                ["export", "hyperbola", "--out", folder / "h.hpp"],
                ["simulate", "--trace", self.bench.trace, "--no-random", "--method", "hyperbola", "--out", folder / "s"],
                ["run", "--trace", self.bench.trace, "--no-random", "--workload", "latency", "--method", "hyperbola",
                 "--out", folder / "run"]]

    def mounted(self, *options):
        """A small file system in memory; skips the test where none may be mounted."""
        point = self.path("mount")
        point.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "none", point], capture_output=True,
                                 check=False)
        if mounted.returncode != 0:
            self.skipTest("mounting needs rights that this user does not have")
        self.addCleanup(subprocess.run, ["umount", point], check=True)
        return point

    def test_a_read_only_file_system(self):
        folder = self.mounted("ro")
        for command in self.commands(folder):
            with self.subTest(command[:2]):
                self.assert_refused(self.bench.run(*command), "cannot", folder)

    def test_a_full_file_system(self):
        """Truly full: what the system says, not what a library makes of it."""
        folder = self.mounted("size=16k")
        (folder / "filler").write_bytes(b"x" * 12288)
        done = self.bench.run("trace", "random", "--nodes", "4096", "--out", folder / "r.trace")
        self.assert_refused(done, "cannot write", "No space left")
        work = faults.Run(self.bench)
        done = self.bench.run(*work.command(folder))
        self.assert_refused(done, "cannot write")
        self.assertTrue((folder / "out/unfinished.jsonl").exists())
        (folder / "filler").unlink()
        subprocess.run(["mount", "-o", "remount,size=16m", folder], check=True)
        resumed = self.bench.run(*work.again(folder))
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertTrue(json.loads((folder / "out/run.json").read_text())["complete"])

    def test_two_at_once(self):
        """Two runs into one folder, and two writers of one file: the second is told in one line, and the first goes on."""
        work = faults.Run(self.bench)
        work.process_runs = 12
        folder = self.path("two")
        folder.mkdir()
        words = list(map(str, work.command(folder)))
        words[words.index("--rounds") + 1] = "40"
        first = subprocess.Popen([PROGRAM, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        deadline = time.time() + 120
        while time.time() < deadline and not (folder / "out/unfinished.jsonl").exists():
            time.sleep(0.01)
        self.assert_refused(self.bench.run("run", "--resume", folder / "out"), "another process is writing into", folder / "out")
        self.assert_refused(self.bench.run(*words), "--resume")
        self.assert_refused(self.bench.run("simulate", "--trace", self.bench.trace, "--out", folder / "out"), folder / "out")
        _, stderr = first.communicate(timeout=300)
        self.assertEqual(first.returncode, 0, stderr)
        self.assertEqual(len({row["process_run"] for row in rows_of(folder / "out/samples.csv")}), 12)

        out = self.path("t.trace")
        read, write = os.pipe()
        slow = subprocess.Popen([PROGRAM, "trace", "import", "--out", out, "-"], stdin=read, stderr=subprocess.PIPE, text=True)
        os.close(read)
        partial = pathlib.Path(f"{out}.partial")
        while time.time() < deadline and not partial.exists():
            time.sleep(0.01)
        second = self.bench.run("trace", "import", "--out", out, self.bench.log)
        self.assert_refused(second, out, "another process is writing it")
        with os.fdopen(write, "w") as log:
            log.write(faults.LOG)
        _, stderr = slow.communicate(timeout=60)
        self.assertEqual(slow.returncode, 0, stderr)
        self.assertEqual(self.bench.run("trace", "info", out).returncode, 0)


    def test_two_searches_of_one_file(self):
        """The second would write over what the first finds."""
        out = self.path("factors.hpp")
        first = subprocess.Popen([PROGRAM, "magics", "find", "--variant", "dense", "--seconds", "3600", "--out", out],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(first.wait)
        self.addCleanup(first.kill)
        lock, deadline = pathlib.Path(f"{out}.lock"), time.time() + 60
        while time.time() < deadline and not lock.exists():
            time.sleep(0.01)
        self.assert_refused(self.bench.run("magics", "find", "--variant", "fancy", "--out", out), out, "another process is writing it")
        first.send_signal(signal.SIGINT)  # it ends, and what it has found is written
        self.assertEqual(first.wait(timeout=300), 0)
        self.assertFalse(lock.exists())
        self.assertEqual(self.bench.run("magics", "check", out).returncode, 0)

    def test_files_that_must_not_grow(self):
        """`ulimit -f`: one line, and nothing half written."""
        folder = self.path("small")
        folder.mkdir()
        for command in (["trace", "random", "--nodes", "65536", "--out", folder / "r.trace"],
                        ["trace", "build", "--kind", "search", "--positions", "2", "--out", folder / "s.trace", self.bench.pgn]):
            done = subprocess.run(["sh", "-c", 'ulimit -f 16; exec "$@"', "sh", PROGRAM, *map(str, command)],
                                  capture_output=True, text=True, check=False)
            self.assert_refused(done, "cannot write", "File too large")
            self.assertEqual(list(folder.iterdir()), [])

    def test_files_that_are_none(self):
        """A pipe that nobody writes into, and a device without an end, would be read for ever."""
        pipe, run = self.path("pipe"), self.path("run")
        os.mkfifo(pipe)
        run.mkdir()
        os.mkfifo(run / "run.json")
        for command in (["magics", "check", pipe], ["magics", "check", "/dev/zero"], ["trace", "info", pipe], ["show", run]):
            self.assert_refused(self.bench.run(*command, timeout=60), "not a regular file")


class LongSearches(FaultTest):
    """A search of factors that is killed goes on from what it has saved."""

    def find(self, variant, out, seconds, *options):
        return ["magics", "find", "--variant", variant, "--seconds", str(seconds), *options, "--out", str(out)]

    def entries(self, factors):
        """Proves the factors; returns how many entries their tables have."""
        done = self.bench.run("magics", "check", factors)
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(re.search(r"; ([0-9,]+) entries", done.stdout)[1].replace(",", ""))

    def killed(self, out, times, words):
        """Begins a search, and kills it when it has saved so often; returns the entries that it has saved."""
        process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        saved, deadline = set(), time.time() + 240
        while len(saved) < times and process.poll() is None and time.time() < deadline:
            if out.exists():
                saved.add(out.stat().st_mtime_ns)
            time.sleep(0.01)
        process.kill()
        self.assertEqual(process.wait(), -9, "it has ended by itself")
        self.assertEqual(len(saved), times)
        return self.entries(out)

    def test_an_overlapped_table(self):
        out, fresh = self.path("black.hpp"), self.path("fresh.hpp")
        saved = self.killed(out, 2, self.find("black", out, 3600, "--jobs", "1", "--save-every", "0.01"))
        for factors in (out, fresh):
            done = self.bench.run(*self.find("black", factors, 0.01, "--jobs", "1"))
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(saved, self.entries(fresh), "nothing better was saved than what a search begins with")
        self.assertLessEqual(self.entries(out), saved)

    def test_square_by_square(self):
        for variant in ("dense", "fixed_shift"):
            with self.subTest(variant):
                out = self.path(f"{variant}.hpp")
                words = self.find(variant, out, 600, "--jobs", "2")
                first = self.killed(out, 1, words)
                second = self.killed(out, 2, words)  # what was saved the first time, and something better
                self.assertLess(second, first)
                done = self.bench.run(*self.find(variant, out, 0.01, "--jobs", "2"))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertLessEqual(self.entries(out), second)


class Traces(FaultTest):
    def disturbed(self, change, *command):
        """A command whose trace is changed once it has it; waits for words of the command's."""
        trace = self.path("big.trace")
        built = self.bench.run("trace", "random", "--nodes", "400000", "--out", trace)
        self.assertEqual(built.returncode, 0, built.stderr)
        words = [str(trace if word is None else word) for word in command]
        process = subprocess.Popen([PROGRAM, *words, "--out", self.path("out")], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        try:
            self.wait_until(process, trace)
            change(trace)
            _, stderr = process.communicate(timeout=300)
        finally:
            process.kill()
        lines = [line for line in stderr.splitlines() if line.startswith("slidebench: ") and "simulating" not in line]
        self.assertEqual(process.returncode, 2, stderr)
        self.assertEqual(len(lines), 1, stderr)
        self.assertIn(str(trace), lines[0])
        self.assertFalse((self.path("out") / "run.json").exists())
        return lines[0]

    def wait_until(self, process, trace):
        """Until a measuring process or a simulation has checked the trace, and works with it."""
        deadline = time.time() + 120
        out = self.path("out")
        while time.time() < deadline and process.poll() is None:
            if (out / "tables.csv").exists() and "simulating" in process.stderr.readline():
                return
            if any(trace.name in maps for maps in measuring_maps(process.pid)):
                return
            time.sleep(0.005)
        self.fail("nothing began")

    SIMULATE = ("simulate", "--trace", None, "--no-random", "--method", "hyperbola", "--method", "magic_fancy", "--cache",
                faults.CACHE, "--segment-queries", "0")

    def test_cut_off_while_it_is_simulated(self):
        line = self.disturbed(lambda trace: os.truncate(trace, 4096), *self.SIMULATE)
        self.assertIn("cut off while it was read", line)

    def test_written_into_while_it_is_simulated(self):
        def change(trace):
            with trace.open("r+b") as file:
                file.seek(-1, os.SEEK_END)
                file.write(b"}")
        self.assertIn("was changed while it was read", self.disturbed(change, *self.SIMULATE))

    def test_cut_off_while_it_is_measured(self):
        line = self.disturbed(lambda trace: os.truncate(trace, 4096), "run", "--trace", None, "--no-random", "--workload",
                              "throughput", "--method", "ray_walk", "--process-runs", "8", "--rounds", "50")
        self.assertRegex(line, "cut off while it was read|truncated")


    def test_changed_while_it_is_described(self):
        """The command is stopped as soon as it has mapped the trace, and goes on when that has changed."""
        def touch(trace):
            with trace.open("r+b") as file:
                file.seek(-1, os.SEEK_END)
                file.write(b"}")

        trace = self.path("long.trace")
        built = self.bench.run("trace", "random", "--nodes", "1000000", "--out", trace)
        self.assertEqual(built.returncode, 0, built.stderr)
        for change, words in ((touch, "was changed while it was read"),
                              (lambda trace: os.truncate(trace, 4096), "cut off while it was read")):
            process = subprocess.Popen([PROGRAM, "trace", "info", trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            maps = pathlib.Path(f"/proc/{process.pid}/maps")
            while process.poll() is None and trace.name not in maps.read_text():
                pass
            process.send_signal(signal.SIGSTOP)
            change(trace)
            process.send_signal(signal.SIGCONT)
            stdout, stderr = process.communicate(timeout=300)
            self.assertEqual(stdout, "")
            self.assert_refused(subprocess.CompletedProcess([], process.returncode, stdout, stderr), trace, words)
            self.assertEqual(len(stderr.splitlines()), 1, stderr)


def measuring_maps(parent):
    """What the measuring processes of a run have mapped."""
    maps = []
    for process in faults.children(parent):
        try:
            maps.append(pathlib.Path(f"/proc/{process}/maps").read_text())
        except OSError:
            continue
    return maps


def processes_with(module):
    """The processes that have a file mapped."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and str(module) in (folder / "maps").read_text():
                found.append(folder.name)
        except OSError:
            continue
    return found


class EmptyTrace(FaultTest):
    def test_a_trace_without_blocks(self):
        """It is one by the format; nothing can be asked of it."""
        provenance = b'{"kind":"random","name":"none","recipe":"x"}'
        digest = 0xA5E6AF8A8132347B  # XXH3-64 of the provenance, and of the header without it
        header = struct.pack("<8s4I3Q5Q", b"SLTRACE\n", 0x01020304, 2, 128, 0, 0, len(provenance), *[0] * 6)
        trace = self.path("trace")
        trace.write_bytes(header + struct.pack("<Q", digest) + bytes(32) + provenance)
        self.assertEqual(self.bench.run("trace", "info", trace).returncode, 0)
        for words in (["kernel"], ["kernel", "--format", "path"], ["run", "--no-random", "--method", "hyperbola", "--out", self.path("run")],
                      ["verify", "--method", "ray_walk"]):
            self.assert_refused(self.bench.run(*words, "--trace", trace), "none" if words[0] == "run" else trace)


class Hostile(FaultTest):
    """A plug-in that does what it must not, place by place."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.module = hostile_module(cls.folder, "hostile")

    def run_hostile(self, order, *command, most=None, **environment):
        """A command with the plug-in under orders: "query:hang"."""
        environment["SLIDEBENCH_HOSTILE"] = order
        if most is not None:
            environment |= {"SLIDEBENCH_HOSTILE_COUNT": str(self.path(f"{order}.count")), "SLIDEBENCH_HOSTILE_MOST": str(most)}
        return self.bench.run(*command, "--plugin", self.module, "--method", "first_rank_rays", environment=environment)

    def test_a_query_without_end(self):
        done = self.run_hostile("query:hang", "verify", "--time-limit", "2s", "--boards", "100", "--method", "ray_walk")
        self.assert_refused(done, "method first_rank_rays", "hostile.so", "did not end within 2 s", status=1)
        self.assertRegex(done.stdout, r"(?m)^ray_walk +v\d  right")
        self.assertRegex(done.stdout, r"(?m)^first_rank_rays +v\d  WRONG")
        self.assert_refused(self.run_hostile("init:hang", "verify", "--time-limit", "1"), "did not end within 1 s", status=1)
        self.assert_refused(self.bench.run("verify", "--time-limit", "soon"), "--time-limit")

    def test_a_query_that_ends_the_process(self):
        done = self.run_hostile("query:exit", "verify", "--boards", "100")
        self.assert_refused(done, "method first_rank_rays", "hostile.so", "ended its process", status=1)
        self.assert_refused(self.run_hostile("query:kill", "verify"), "first_rank_rays", "Killed", status=1)

    @unittest.skipIf(SANITIZED, "sanitizers tell of a crash in their own way")
    def test_a_crash_before_there_is_a_method(self):
        self.assert_refused(self.run_hostile("load:crash", "list"), "hostile.so", "crashed while it was loaded")
        self.assert_refused(self.run_hostile("init:crash", "attacks"), "hostile.so", "crashed while it was loaded")

    def test_a_plug_in_that_hangs_before_there_is_a_method(self):
        for order, command in (("load:hang", "list"), ("load:hang", "verify"), ("init:hang", "attacks")):
            done = self.run_hostile(order, command, SLIDEBENCH_LOAD_LIMIT="1")
            self.assert_refused(done, "hostile.so", "hangs while it is loaded", "SLIDEBENCH_LOAD_LIMIT")
        self.assertEqual(self.run_hostile("none", "list", SLIDEBENCH_LOAD_LIMIT="0").returncode, 0)
        for limit in ("soon", "-1", "", "1e3", "99999999999"):
            self.assert_refused(self.run_hostile("none", "list", SLIDEBENCH_LOAD_LIMIT=limit), "SLIDEBENCH_LOAD_LIMIT", limit)

    def test_a_plug_in_that_ends_or_changes_the_process_that_loads_it(self):
        """It is loaded into a process of its own first."""
        for deed, words in (("exit", "ended its process while it was loaded"), ("fork", "starts a process"),
                            ("late", "hangs while it is loaded"), ("locale", "sets another locale"), ("folder", "goes to another folder"),
                            ("environment", "changes the environment"), ("signal", "takes a signal"), ("streams", "closes a standard stream")):
            with self.subTest(deed):
                done = self.run_hostile(f"load:{deed}", "verify", SLIDEBENCH_LOAD_LIMIT="10" if SANITIZED else "2")
                self.assert_refused(done, "hostile.so", words)
                self.assertEqual(processes_with(self.module), [])

    def test_a_folder_of_plug_ins(self):
        """Given by --plugin, or instead of the program's own: loaded into another process first, and the bad one is named."""
        folder = self.path("plugins")
        folder.mkdir()
        for name in ("a", "b"):
            shutil.copy(self.module, folder / f"{name}.so")
        for words, environment in (["list", "--plugin", folder], {}), (["list"], {"SLIDEBENCH_PLUGINS": str(folder)}):
            done = self.bench.run(*words, environment={"SLIDEBENCH_HOSTILE": "load:exit", **environment})
            self.assert_refused(done, "a.so", "ended its process while it was loaded")
        done = self.bench.run("list", environment={"SLIDEBENCH_HOSTILE": "none", **environment})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("first_rank_rays", done.stdout)

    @unittest.skipIf(SANITIZED, "sanitizers hold what a process that ends early leaves for leaks")
    def test_a_plug_in_that_ends_the_program_while_it_is_initialised(self):
        self.assert_refused(self.run_hostile("init:exit", "attacks"), "hostile.so", "ended the program while it was loaded")

    def test_a_query_that_starts_processes_or_changes_its_own(self):
        for deed, words in (("fork", "starts a process"), ("locale", "sets another locale")):
            done = self.run_hostile(f"query:{deed}", "verify", "--time-limit", "60s", "--boards", "10", "--joint-every", "9999", most=1)
            self.assert_refused(done, "first_rank_rays", words, "while it is checked", status=1)

    def test_claims_that_are_for_this_programs_own_modules(self):
        for name, changes, words in (
            ("control", "d.role = ModuleRole::twice;", "a module that is not timed"),
            ("traced", "d.role = ModuleRole::traced;", "a module that is not timed"),
            ("unknown", "d.role = static_cast<ModuleRole>(9);", "of a kind that there is not"),
            ("group", "d.group = static_cast<MethodGroup>(9);", "of a kind that there is not"),
            ("baseline", 'd.info.family = "baseline";', "family 'baseline'"),
            ("named", 'd.info.id = "magic_fancy.twin";', "has no name of lower-case letters"),
            ("lines", 'd.info.id = "first\\nrank";', "has no name of lower-case letters"),
            ("escapes", 'd.info.title = "\\033]0;title\\007";', "cannot be printed"),
            ("turned", 'd.flags = "-O3 \\342\\200\\256";', "cannot be printed"),
        ):
            module = hostile_module(self.folder, name, changes)
            self.assert_refused(self.bench.run("list", "--method", "all", "--plugin", module), f"{name}.so", words)

    def test_impossible_claims(self):
        for name, changes, words in (
            ("many", "d.table_count = 4'000'000'000u;", "claims 4000000000 tables"),
            ("vast", "d.tables = vast; d.table_count = 1;", "claims a table of 1152921504606846976 bytes"),
            ("nameless", "d.info.id = nullptr;", "does not say what it is"),
        ):
            module = hostile_module(self.folder, name, changes)
            self.assert_refused(self.bench.run("list", "--plugin", module), f"{name}.so", words)

    RUN = ("run", "--profile", "quick", "--no-random", "--workload", "throughput", "--pressure", "isolated", "--process-runs", "3",
           "--rounds", "1", "--sample-ms", "0.2", "--warm-up-ms", "0")

    def test_a_process_that_dies_is_tried_once_more(self):
        out = self.path("run")
        done = self.run_hostile("replay:kill", *self.RUN, "--trace", self.bench.trace, "--out", out, most=1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("killed by signal 9; trying it once more", done.stderr)
        self.assertEqual(json.loads((out / "run.json").read_text())["missing_process_runs"], [])
        self.assertEqual({row["process_run"] for row in rows_of(out / "samples.csv")}, {"0", "1", "2"})

    def test_a_process_that_dies_twice_is_missing(self):
        for deed, why in (("kill", "killed by signal 9"), ("exit", "ended with status 0"), ("hang", "did not end within 2 s")):
            if deed == "exit" and SANITIZED:
                continue
            out = self.path(deed)
            done = self.run_hostile(f"replay:{deed}", *self.RUN, "--process-run-limit", "2s", "--trace", self.bench.trace, "--out",
                                    out, most=2)
            self.assertEqual(done.returncode, 0, done.stderr)
            record = json.loads((out / "run.json").read_text())
            self.assertEqual(record["missing_process_runs"], [{"process_run": 0, "why": why}])
            self.assertTrue(record["complete"])
            self.assertEqual({row["process_run"] for row in rows_of(out / "samples.csv")}, {"1", "2"})
            self.assertIn("1 process run died or hung", done.stdout)
            self.assertIn(f"process run 0 is missing: twice its process {why}", self.bench.run("show", out, "--all").stdout)

    ROUNDS = 200

    def signalled(self, sign, most):
        """A run of three process runs, of which the first's measuring process gets a signal in the middle, and if `most` is 2 that
        of its repetition: (finished process, folder)."""
        out, done = self.path(f"{sign.name}{most}"), set()
        words = [*self.RUN, "--method", "ray_walk", "--trace", self.bench.trace, "--out", out]
        words[words.index("--rounds") + 1] = self.ROUNDS
        with subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            while run.poll() is None and len(done) < most:
                fresh = set(faults.children(run.pid)) - done
                if fresh and (out / "samples.csv").exists() and rows_of(out / "samples.csv"):
                    for process in fresh:
                        os.kill(process, sign)
                    done |= fresh
                time.sleep(0.001)
            stdout, stderr = run.communicate(timeout=300)
        return subprocess.CompletedProcess(words, run.returncode, stdout, stderr), out

    def test_a_process_that_is_asked_to_end_does_not_count(self):
        """It ends in good order, and without its last rounds."""
        for sign in (signal.SIGTERM, signal.SIGINT):
            done, out = self.signalled(sign, 1)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("the process of run 0 ended with status 0; trying it once more", done.stderr)
            self.assert_whole(out, {"0", "1", "2"}, [])
            done, out = self.signalled(sign, 2)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assert_whole(out, {"1", "2"}, [{"process_run": 0, "why": "ended with status 0"}])
            self.assertIn("process run 0 is missing", self.bench.run("show", out, "--all").stdout)

    def assert_whole(self, out, process_runs, missing):
        """A finished run of these process runs, each with all its rounds."""
        record = json.loads((out / "run.json").read_text())
        self.assertEqual((record["complete"], record["missing_process_runs"]), (True, missing))
        rounds = {process_run: set() for process_run in process_runs}
        for row in rows_of(out / "samples.csv"):
            rounds[row["process_run"]].add(int(row["round"]))
        self.assertEqual(rounds, {process_run: set(range(self.ROUNDS)) for process_run in process_runs})

    def test_processes_that_always_die_end_the_run(self):
        out = self.path("run")
        done = self.run_hostile("replay:kill", *self.RUN, "--trace", self.bench.trace, "--out", out)
        self.assert_refused(done, "process runs 0 and 1 are missing", "--resume")
        resumed = self.bench.run("run", "--resume", out)
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        record = json.loads((out / "run.json").read_text())
        self.assertEqual([entry["process_run"] for entry in record["missing_process_runs"]], [0, 1])


class Leaks(FaultTest):
    def test_many_process_runs_leave_nothing_behind(self):
        """Files, shared memory, processes; and the program's own descriptors stay as many from process run to process run."""
        def left():
            return {folder: set(os.listdir(folder)) for folder in ("/tmp", "/dev/shm") if os.path.isdir(folder)}

        process_runs = 30
        temporary = self.path("tmp")
        temporary.mkdir()
        shared = left().get("/dev/shm", set())
        process = subprocess.Popen([PROGRAM, "run", "--no-random", "--workload", "throughput", "--pressure", "isolated",
                                    "--trace", self.bench.trace, "--method", "hyperbola", "--process-runs", str(process_runs),
                                    "--rounds", "1", "--sample-ms", "0.1", "--warm-up-ms", "0", "--out", self.path("run")],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "TMPDIR": str(temporary)})
        journal = self.path("run") / "unfinished.jsonl"
        early, late = [], []
        while process.poll() is None:
            try:
                done = len(journal.read_text().splitlines()) - 1
                count = len(os.listdir(f"/proc/{process.pid}/fd"))
                if done > 0:
                    (early if done < process_runs / 2 else late).append(count)
            except OSError:
                pass
            time.sleep(0.01)
        self.assertEqual(process.returncode, 0, process.stderr.read())
        process.stderr.close()
        # Of each half what it holds all the time: a process run opens some for a moment, which may be seen or not.
        self.assertLessEqual(min(late), min(early))
        self.assertEqual(os.listdir(temporary), [])
        mine = {name for name in left().get("/dev/shm", set()) - shared if "slidebench" in name}
        self.assertEqual(mine, set())
        self.assertEqual([maps for maps in measuring_maps(process.pid)], [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
