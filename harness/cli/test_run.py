# SPDX-License-Identifier: MIT
"""Runs: a judged ranking out, runs that are interrupted, killed and resumed, and a disk that is full. What is refused before
anything is measured is in test_commands.py; a plug-in that crashes is in harness/plugin/test_outside_plugin.py.

Usage: slidebench_fake_times, beside which slidebench stands, and the source folder, then what unittest takes.
"""

import collections
import contextlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time

from test_program import PROGRAM, ProgramTest, on_terminal, rows_of, run_tests, slidebench


def sessions_of(command):
    """The sessions of all processes with this word on their command line. One that has ended has none, waited for or not."""
    found = set()
    for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            if command in file.read_bytes().split(b"\0"):
                found.add(os.getsid(int(file.parent.name)))
    return found


def wait_until(holds, seconds, why):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, why
        time.sleep(0.05)


def wait_for_process_runs(out, count):
    """Until the journal of a run knows so many process runs."""
    journal = out / "unfinished.jsonl"
    wait_until(lambda: journal.exists() and len(journal.read_text().splitlines()) > count, 120, "the run measures nothing")


def record_of(out):
    return json.loads((out / "run.json").read_text())


MEASURING = pathlib.Path(PROGRAM).with_name("slidebench")  # with a clock

# What every run has of the reference, and what a run of several sessions adds.
REFERENCE = {"magic_fancy", "magic_fancy.twin"}
CONTROLS = {"magic_fancy." + role for role in ("second_twin", "control", "twice")}
ONE_CELL = ("--workload", "throughput", "--pressure", "isolated")

# contender, workload, pressure, ns a query, noise; the first line that fits. Next to a network all are equally fast.
TIMES = """
clock * * .25 .001
empty * * 3 .002
magic_fancy.control * * 11 .002
magic_fancy.twice * * 15 .002
* * net0 30 .002
* * net256 60 .002
* * net1024 120 .002
ray_walk * * 40 .002
pext * * 8 .002
* * * 10 .002
"""


class Run(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        times = cls.folder / "times"
        times.write_text(TIMES)
        os.environ["SLIDEBENCH_FAKE_TIMES"] = str(times)
        cls.random = cls.folder / "random.trace"
        subprocess.run([PROGRAM, "trace", "random", "--out", cls.random], check=True)

    def run_quickly(self, *arguments):
        """A run of one method; its folder."""
        out = self.path("run")
        done = self.succeed("run", "--trace", self.trace, "--method", "hyperbola", "--out", out, *arguments)
        self.assertIn("hyperbola", done.stdout)
        return out

    def test_the_answer_is_the_same_everywhere(self):
        out = self.path("run")
        done = self.succeed("run", "--trace", self.trace, "--profile", "8x6/2x1s", "--method", "known", "--workload", "throughput",
                            "--pressure", "isolated", "--pressure", "net0", "--seed", 1, "--out", out)
        lines = [line for line in done.stdout.splitlines() if "a pause of" not in line]
        self.assertLessEqual(len(lines), 32, done.stdout)
        self.assertEqual([line[:8] for line in lines[:3]], ["Step 1/3", "Step 2/3", "Step 3/3"])
        answer = json.loads((out / "answer.json").read_text())
        shown = json.loads(slidebench("show", out, "--json").stdout)  # from files, which have fewer digits
        self.assertEqual([s["text"] for s in answer["situations"]], [s["text"] for s in shown["situations"]])
        self.assertEqual({**answer, "situations": [], "table": []}, {**shown, "situations": [], "table": []})
        self.assertEqual({s["id"]: s["method"] for s in answer["situations"]}, {"isolated": "pext", "small": None, "net0": None})
        [fastest] = [s for s in answer["situations"] if s["method"]]
        self.assertAlmostEqual(fastest["ratio"], .8, delta=.005)
        shown = slidebench("show", out).stdout.splitlines()
        self.assertEqual(shown[:-1], lines[4:-2])
        summary = {(row["contender"], row["pressure"]): row for row in rows_of(out / "summary.csv")}
        said = " ".join(done.stdout.split())
        self.assertEqual([line["id"] for line in answer["verdict"]], ["classical", "loop"])
        self.assertIn("no answer: a cost of 10 % was measured as -63.4 here (the positive control failed)", said)
        for line in answer["verdict"]:
            self.assertIn(f"{line['title']}: {line['text']}.", said)
        self.assertIn("> In a loop: pext is ", slidebench("show", out, "--my", "loop").stdout)
        self.assert_refused(slidebench("show", out, "--my", "perft"), "--my perft", "classical, loop")
        tables = slidebench("show", out, "--all").stdout
        for situation in answer["situations"]:
            [line] = [line for line in tables.splitlines() if line.startswith(situation["title"] + "  ")]
            told = [situation["line"][part] for part in ("what", "change", "rest")]
            self.assertIn(" ".join(filter(None, told)), " ".join(line.split()))
            self.assertEqual(situation["shown"], situation["method"] is not None)
            if situation["method"]:
                row = summary[situation["method"], situation["cell"]["pressure"]]
                self.assertAlmostEqual(situation["ratio"], float(row["ratio"]), places=5)
                self.assertIn(row["best"], {"fastest", "among"} if not situation["limit_bytes"] else {"behind", "among", "fastest"})
        self.assertEqual(answer["table"]["situations"], ["isolated", "net0"])
        withheld = {s["cell"]["pressure"] for s in answer["situations"] if s["verdict"] == "withheld"}
        for row in answer["table"]["rows"]:
            for ratio, p in zip(row["ratios"], ("isolated", "net0")):
                self.assertAlmostEqual(ratio or 0, 0 if p in withheld else float(summary[row["method"], p]["ratio"]), places=5)
        self.assertNotIn("\033", done.stdout)
        self.assertIn(str(out / "index.html"), lines[-1])

        for row in summary.values():
            self.assertIn(f"  {row['contender']}  ", tables)
        for word in ("rank correlation", "A/A control", "positive control", "notes"):
            self.assertIn(word, tables)
        one = slidebench("show", out, "--cell", "net0").stdout
        self.assertEqual(one.count("process runs"), 1)
        self.assertIn("trace game, net0", one)
        self.assertEqual(slidebench("show", out, "--cell", "net0", "--cell", "isolated").stdout.count("process runs"), 2)
        rows = json.loads(slidebench("show", out, "--cell", "game,isolated", "--json").stdout)["rows"]
        self.assertEqual({row["cell"]["pressure"] for row in rows}, {"isolated"})
        self.assert_refused(slidebench("show", out, "--cell", "nte0"), "'nte0'", "did you mean 'net0'?", "throughput,game,net0")
        self.assert_refused(slidebench("show", out, "--cell", "latency,net0"), "'latency'")
        self.assertIn("\033[", on_terminal("show", out))
        self.assertNotIn("\033[", on_terminal("show", out, NO_COLOR="1"))
        self.assertLessEqual(max(map(len, on_terminal("show", out, NO_COLOR="1").splitlines()[:8])), 100)

    def test_progress_on_a_terminal(self):
        printed = on_terminal("run", "--trace", self.trace, "--workload", "throughput", "--method",
                              "hyperbola", "--profile", "2x4", "--out", self.path("run"))
        self.assertRegex(printed, r"\[#*-+\] +\d+ %, \d+ (s|min) left, process run")

    def cells_of(self, rows):
        return {(r["workload"], r["kinds"], r["trace"], r["pressure"]) for r in rows}

    def test_a_run_that_asks_for_nothing_is_complete(self):
        out = self.run_quickly("--trace", self.random)
        samples = rows_of(out / "samples.csv")
        contenders = {"empty", "clock", "hyperbola", *REFERENCE}
        self.assertEqual({s["contender"] for s in samples}, contenders)
        asked = (("all", "game"), ("all", "random"), ("both", "game"))
        cells = {*((workload, *of, "isolated") for workload in ("throughput", "latency") for of in asked),
                 *((workload, "all", "game", "isolated") for workload in ("setwise", "update")),
                 *(("throughput", "all", "game", net) for net in ("net0", "net256", "net1024"))}
        self.assertEqual(self.cells_of(samples), cells)
        rounds = 8 * 6  # of the profile quick
        in_update = {"clock", *REFERENCE}  # and who keeps something: none is asked for
        self.assertEqual({s["contender"] for s in samples if s["workload"] == "update"}, in_update)
        self.assertEqual(len(samples), rounds * ((len(cells) - 1) * len(contenders) + len(in_update)))
        self.assertTrue(all(float(s["time_ns"]) > 0 for s in samples))
        orders = collections.defaultdict(list)
        for s in sorted(samples, key=lambda s: int(s["position"])):
            orders[s["workload"], s["kinds"], s["trace"], s["pressure"], s["process_run"], s["round"]].append(s["contender"])
        self.assertGreater(len(set(map(tuple, orders.values()))), 5, "orders are random")
        for row in rows_of(out / "summary.csv"):
            if row["contender"] == "hyperbola":
                self.assertLessEqual(float(row["ratio_low"]), float(row["ratio"]))
                self.assertIn(row["verdict"], {"faster", "slower", "equivalent", "inconclusive", "unresolved", "void"})
                self.assertLessEqual(float(row["holm_low"]), float(row["ratio_low"]) + 1e-4)
            if row["contender"] in ("empty", "clock"):
                self.assertEqual(row["ratio"], "")  # absent, not 0
        record = record_of(out)
        self.assertEqual({t["name"] for t in record["traces"]}, {"game", "random"})
        self.assertEqual(record["pressures"]["isolated"], "")
        simulated = {(row["trace"], row["method"]) for row in rows_of(out / "counters.csv") if row["source"] == "simulated"}
        self.assertEqual(simulated, {(t, m) for t in ("game", "random") for m in ("empty", "magic_fancy", "hyperbola")})
        self.assertTrue(record["counters"]["status"] == "papi" or record["counters"]["reason"])
        # A positive control belongs to runs of several sessions.
        told = [record["complete"], record["schema"], len(record["checks"]["twin"]), record["checks"]["control"]]
        self.assertEqual(told, [True, 4, len(cells), []])
        self.assertEqual(record["inference"], {"interval": "student-t", "confidence": 0.95, "margin": 0.01})
        self.assertFalse((out / "unfinished.jsonl").exists())
        self.assert_refused(slidebench("run", "--trace", self.trace, "--out", out), "holds a run already")

    def test_what_is_asked_for_is_combined_and_its_orders_are_correlated(self):
        out = self.run_quickly(*ONE_CELL, "--workload", "update", "--kinds", "both", "--kinds", "rook", "--pressure", "16@64K/eval",
                               "--pressure", "64@64K/node", "--pages", "4k", "--method", "kindergarten")
        rows, pressures = rows_of(out / "samples.csv"), {"isolated", "16@64K/eval", "64@64K/node"}
        self.assertEqual(self.cells_of(rows), {(w, k, "game", p) for p in pressures
                                               for w, k in (("throughput", "both"), ("throughput", "rook"), ("update", "all"))})
        self.assertEqual({row["pressure_a"] for row in rows_of(out / "correlations.csv")}, pressures)
        self.assertTrue(all(int(r["queries"]) for r in rows if r["contender"] == "empty" and r["workload"] == "throughput"))

    def test_each_pressure_has_the_nodes_of_its_own_events(self):
        """Of one kind, nodes that ask nothing stay for the pressure that touches at them, and for no other."""
        log, trace, out = self.path("log"), self.path("trace"), self.path("run")
        log.write_text("root ffff00000000ffff\n" + "make ffff00000000ffff\nprobe\nr a1 ffff00000000ffff\n"
                       "make ffff00000000ffff\nb e4 ffff00000000ffff\n" * 200)
        self.succeed("trace", "import", "--out", trace, log)
        self.succeed("run", *ONE_CELL, "--trace", trace, "--kinds", "bishop", "--pressure", "16@64K/probe", "--method", "hyperbola",
                     "--profile", "2x1", "--out", out)
        rows = [row for row in rows_of(out / "samples.csv") if row["contender"] == "hyperbola"]
        nodes = {row["pressure"]: int(row["nodes"]) / int(row["queries"]) for row in rows}
        self.assertEqual(nodes, {"isolated": 1, "16@64K/probe": 2})

    def test_batches_of_several_sizes(self):
        kinds = ("1-slider", "6-sliders")
        out = self.run_quickly("--workload", "batch", *(word for kind in kinds for word in ("--kinds", kind)),
                               "--method", "magic_fancy")
        rows = rows_of(out / "samples.csv")
        self.assertEqual(self.cells_of(rows), {("batch", kind, "game", "isolated") for kind in kinds})
        self.assertEqual({r["contender"] for r in rows}, {"empty", "clock", "hyperbola", *REFERENCE})
        shown = slidebench("show", out, "--cell", "batch", "--cell", "6-sliders")
        self.assertIn("batch of 6-sliders, trace game", shown.stdout + shown.stderr)

    def test_corunners_are_a_coordinate_and_end_with_the_run(self):
        rows = rows_of(self.run_quickly("--workload", "throughput", "--corunner", 0, "--corunner", 1)
                       / "samples.csv")
        self.assertEqual({r["corunners"] for r in rows}, {"0", "1"})
        self.assertEqual(len({r["process_run"] for r in rows}), 16)
        self.assertEqual(sessions_of(b"run-corunner"), set())

    def test_nodes_a_second_inside_the_engine_which_needs_no_trace(self):
        forms, out = ("0", "256", "128-threats", "128-batch", "128-threats-batch"), self.path("run")
        self.succeed("run", "--workload", "engine", "--workload", "perft", "--workload", "perft_cold", "--nodes", 500, "--profile",
                     "2x1", *(word for form in forms for word in ("--net", form)), "--method", "hyperbola", "--out", out)
        summary = rows_of(out / "summary.csv")
        self.assertEqual({(r["workload"], r["trace"]) for r in summary},
                         {("perft", "positions"), ("perft_cold", "positions"), *(("engine", "net" + form) for form in forms)})
        self.assertEqual({r["contender"] for r in summary}, {"clock", "hyperbola", *REFERENCE})
        self.assertEqual(record_of(out)["traces"], [])

    def test_a_finished_run_gets_more_cells(self):
        out, more = self.path("run"), ("--workload", "perft", "--method", "hyperbola", "--profile", "3x4")
        self.succeed("run", *ONE_CELL, "--trace", self.random, "--method", "hyperbola", "--profile", "4x4", "--out", out)
        before = {name: (out / name).read_text() for name in ("summary.csv", "process_runs.csv", "samples.csv")}
        answer = self.succeed("run", *more, "--out", out).stdout
        self.assertTrue("In a loop" in answer and "In perft: " in answer, answer)
        after = {name: (out / name).read_text() for name in before}
        for name in before:
            self.assertTrue(after[name].startswith(before[name]), "the rows that were there come first, as they were")
        numbers = {(row["workload"], int(row["process_run"])) for row in rows_of(out / "process_runs.csv")}
        self.assertEqual(numbers, {*(("throughput", n) for n in range(4)), *(("perft", n) for n in range(4, 7))})
        [part] = record_of(out)["parts"]
        self.assertEqual((part["profile"], [cell["workload"] for cell in part["cells"]]), ("3x4", ["perft"]))
        self.assertFalse((out / "part").exists())
        self.assert_refused(slidebench("run", *more, "--out", out), "holds a run already", "perft")
        self.succeed("trace", "random", "--nodes", 64, "--out", self.path("other"))
        self.assert_refused(slidebench("run", "--workload", "latency", "--trace", self.path("other"), "--out", out), "called random")
        self.succeed("run", "--resume", out, "--time", "1s")
        rows = (out / "samples.csv").read_text()
        self.assertTrue(rows.startswith(after["samples.csv"]) and rows.count("perft") == after["samples.csv"].count("perft"))
        kept = {row["workload"] for row in rows_of(out / "summary.csv")}
        self.assertEqual((record_of(out)["parts"], kept), ([part], {"throughput", "perft"}), "measured on, it keeps what was added")

    def test_a_part_that_is_stopped_goes_on_and_is_added_then(self):
        out = self.path("run")
        self.succeed("run", *ONE_CELL, "--trace", self.trace, "--method", "hyperbola", "--profile", "2x4", "--out", out)
        run = subprocess.Popen([PROGRAM, "run", "--workload", "perft", "--method", "hyperbola", "--profile", "4x4/2x2s", "--out", out],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for_process_runs(out / "part", 2)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=120)
        self.assertIn(f"--resume {out / 'part'} goes on", said)
        self.assertEqual({row["workload"] for row in rows_of(out / "summary.csv")}, {"throughput"})
        self.succeed("run", "--resume", out / "part")
        self.assertEqual({row["workload"] for row in rows_of(out / "summary.csv")}, {"throughput", "perft"})
        self.assertFalse((out / "part").exists())

    def test_large_pages_are_used_or_refused(self):
        setting = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
        if not setting.exists() or "[never]" in setting.read_text():
            self.assert_refused(slidebench("run", "--pages", "2m", "--out", self.path("run")), "--pages 2m")
            return
        out = self.run_quickly("--workload", "throughput", "--pages", "2m", "--pages", "4k")
        self.assertEqual({r["pages"] for r in rows_of(out / "summary.csv")}, {"2m", "4k"})
        pages = record_of(out)["pages"]
        self.assertEqual({p["pages"] for p in pages if p["contender"] == "magic_fancy"}, {"2m", "4k"})
        self.assertEqual({report["large_page_bytes"] for report in pages if report["pages"] == "4k"}, {0})

    def start(self, *arguments, **options):
        """A run in the background; its process and its folder."""
        out = self.path("run")
        return subprocess.Popen([PROGRAM, "run", "--trace", self.trace, "--out", out, *arguments], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **options), out

    def test_sessions_are_parts_with_pauses(self):
        out = self.path("run")
        start = time.monotonic()
        done = self.succeed("run", *ONE_CELL, "--trace", self.trace, "--method", "hyperbola", "--profile", "4x1/2x2s", "--out", out)
        self.assertGreater(time.monotonic() - start, 2)
        self.assertEqual(done.stdout.count("a pause of 2 s before the next session"), 1)
        self.assertIn("for 2 sessions", " ".join(done.stdout.split()))
        record = record_of(out)
        self.assertEqual((record["protocol"]["sessions"], record["protocol"]["pause_seconds"]), (2, 2))
        [widening] = record["session_widenings"]
        self.assertGreaterEqual(widening["factor"], 1)
        self.assertEqual(widening["cell"]["workload"], "throughput")
        self.assertEqual({row["contender"] for row in rows_of(out / "samples.csv")},
                         {"empty", "clock", "hyperbola", *REFERENCE, *CONTROLS})
        self.assertTrue(record["checks"]["control"])

    RACE = (*ONE_CELL, "--method", "magic_dense", "--method", "ray_walk", "--method", "pext_split", "--profile", "3x1",
            "--time", "3s")

    def assert_race(self, out):
        """What a race leaves behind: its own account, its samples and its summary agree."""
        record = record_of(out)
        self.assertTrue(record["complete"])
        left = {name for cell in record["race"]["left"] for name in cell["contenders"]}
        self.assertLess(left, {"magic_dense", "ray_walk", "pext_split", "magic_fancy"})
        process_runs = collections.defaultdict(set)
        for row in rows_of(out / "samples.csv"):
            process_runs[int(row["process_run"])].add(row["contender"])
        self.assertEqual(len(process_runs), 3 + record["race"]["process_runs"])
        for number, contenders in process_runs.items():
            self.assertEqual(left & contenders, left if number < 3 else set(), number)
        for row in rows_of(out / "summary.csv"):
            if row["role"] == "method":
                self.assertEqual(int(row["process_runs"]), 3 if row["contender"] in left else len(process_runs))
        self.assertFalse((out / "unfinished.jsonl").exists())

    def test_a_race_goes_on_with_those_that_may_be_the_best(self):
        out = self.path("run")
        printed = self.succeed("run", *self.RACE, "--trace", self.trace, "--out", out).stdout
        self.assertIn("then those that may be the best: about 3 s", printed)
        self.assert_race(out)
        race = record_of(out)["race"]
        self.succeed("run", "--resume", out, "--time", "2s")
        later = {row["contender"] for row in rows_of(out / "samples.csv") if int(row["process_run"]) >= 3 + race["process_runs"]}
        self.assertEqual({name for cell in race["left"] for name in cell["contenders"]} & later, set())

    def test_a_race_that_is_interrupted_in_its_second_stage_goes_on(self):
        run, out = self.start(*self.RACE)
        wait_for_process_runs(out, 4)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=120)
        if (out / "unfinished.jsonl").exists():  # it was not too late
            self.succeed("run", "--resume", out)
        self.assert_race(out)

    def test_decided_methods_leave_and_the_rest_goes_on(self):
        out = self.run_quickly(*ONE_CELL, "--method", "magic_dense", "--method", "ray_walk", "--profile", "6x1", "--margin", "0.1%")
        self.succeed("run", "--resume", out, "--time", "1s")
        later = {row["contender"] for row in rows_of(out / "samples.csv") if int(row["process_run"]) >= 6}
        self.assertNotIn("ray_walk", later, "a method four times slower is decided within six process runs")
        self.assertIn("magic_dense", later)

    def test_a_killed_run_goes_on_where_it_was_and_nowhere_else(self):
        run, out = self.start("--workload", "throughput", "--method", "magic_dense", "--method", "ray_walk",
                              "--time", "10m")
        wait_for_process_runs(out, 3)
        run.kill()
        run.communicate()
        samples, journal = (out / "samples.csv").read_text(), (out / "unfinished.jsonl").read_text()
        before, done = rows_of(out / "samples.csv"), {str(json.loads(line)["process_run"]) for line in journal.splitlines()[1:]}
        self.assert_refused(slidebench("run", "--resume", out, "--profile", "quick"), "--resume goes with --time")
        identity, *rest = journal.splitlines()
        for key, change, what in (("build", {"commit": "another"}, "another build"),
                                  ("machine", {"cpu": "another"}, "another machine"),
                                  ("traces", {"game": "0"}, "other traces")):
            changed = json.loads(identity)
            changed[key].update(change)
            (out / "unfinished.jsonl").write_text("\n".join([json.dumps(changed), *rest]) + "\n")
            self.assert_refused(slidebench("run", "--resume", out), what)
        (out / "unfinished.jsonl").write_text("{")
        self.assert_refused(slidebench("run", "--resume", out), "damaged")
        (out / "unfinished.jsonl").write_text(journal)
        header, *rows = samples.splitlines(keepends=True)
        first = [row for row in rows if row.startswith("0,")]
        for changed in (rows + first, rows[len(first):], [first[0].replace("0,0,", "0,1,", 1), *rows[1:]]):
            (out / "samples.csv").write_text("".join([header, *changed]))
            self.assert_refused(slidebench("run", "--resume", out), "samples.csv", "rows of process run 0 are not")
        # As if it had been killed in the middle of a line.
        (out / "samples.csv").write_text(samples + "99,0,1,hyper")
        self.succeed("run", "--resume", out)
        after = rows_of(out / "samples.csv")
        kept = [row for row in before if row["process_run"] in done]
        self.assertEqual(after[:len(kept)], kept)
        self.assertGreater(len(after), len(kept))
        rounds = [(row["process_run"], row["round"], row["contender"]) for row in after]
        self.assertEqual(len(rounds), len(set(rounds)))
        self.assertTrue((out / "summary.csv").exists())

    def test_a_killed_run_leaves_no_process_behind(self):
        # A round of more than a minute: a process that had to notice by itself would do so long after the deadline.
        run = subprocess.Popen([MEASURING, "run", "--workload", "engine", "--net", "0", "--nodes", "1000000000", "--method",
                                "hyperbola", "--out", self.path("run")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
        wait_until(lambda: run.pid in sessions_of(b"run-process"), 60, "no measuring process ever started")
        run.kill()
        run.wait()
        wait_until(lambda: run.pid not in sessions_of(b"run-process"), 20, "a measuring process goes on")

    def test_an_interrupted_run_keeps_what_it_has_and_goes_on(self):
        run, out = self.start("--workload", "latency", "--method", "hyperbola", "--profile", "40x1")
        wait_for_process_runs(out, 2)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 2, errors)
        self.assertIn("interrupted", errors.splitlines()[-1])
        self.assertFalse(record_of(out)["complete"])
        self.assertTrue(all(row["steal_ticks"] for row in rows_of(out / "samples.csv")))
        self.assertTrue((out / "summary.csv").exists())
        self.succeed("run", "--resume", out)
        self.assert_whole(out, 40, 1)

    def assert_whole(self, out, process_runs, rounds):
        """All process runs, each with all rounds, and the answer."""
        self.assertTrue(record_of(out)["complete"])
        found = {(int(row["process_run"]), int(row["round"])) for row in rows_of(out / "samples.csv")}
        self.assertEqual(found, {(run, round) for run in range(process_runs) for round in range(rounds)})
        self.succeed("show", out)

    def test_a_full_disk_keeps_what_was_measured(self):
        run, out = self.start("--workload", "throughput", "--method", "hyperbola", "--profile", "4x20",
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, 12_000)))
        _, errors = run.communicate()
        self.assertEqual(run.returncode, 2, errors)
        self.assertRegex(errors.splitlines()[-1], r"^slidebench: cannot write .*File too large")
        self.assertFalse((out / "run.json").exists())
        self.succeed("run", "--resume", out)
        self.assert_whole(out, 4, 20)

    def test_a_finished_run_is_measured_on_until_it_is_decided(self):
        out = self.run_quickly(*ONE_CELL, "--method", "ray_walk", "--profile", "2x2", "--margin", "20%")
        self.assertTrue((out / "finished.jsonl").exists())
        before = rows_of(out / "samples.csv")
        self.assert_refused(slidebench("run", "--resume", out), "finished", "--time")
        other = shutil.copytree(out, self.path("other"))
        identity, *rest = (other / "finished.jsonl").read_text().splitlines()
        changed = json.loads(identity) | {"build": {"commit": "another"}}
        (other / "finished.jsonl").write_text("\n".join([json.dumps(changed), *rest]) + "\n")
        self.assert_refused(slidebench("run", "--resume", other, "--time", "5s"), "another build")
        self.assertTrue((other / "finished.jsonl").exists())  # what was refused changed nothing
        self.succeed("run", "--resume", out, "--time", "10s")
        after = rows_of(out / "samples.csv")
        self.assertEqual(after[:len(before)], before)
        self.assertGreater(len(after), len(before))
        record = record_of(out)
        self.assertEqual(record["inference"]["interval"], "confidence-sequence")  # it has looked at itself
        self.assertTrue(record["protocol"]["until_decided"])
        self.succeed("run", "--resume", out, "--time", "5s")
        self.assertEqual(record_of(out)["inference"]["interval"], "confidence-sequence")
        for name in ("finished.jsonl", "unfinished.jsonl"):  # under a sanitizer some method may stay open
            (out / name).unlink(missing_ok=True)
        self.assert_refused(slidebench("run", "--resume", out, "--time", "5s"), "no finished.jsonl")

    def test_another_reference(self):
        arguments = (*ONE_CELL, "--method", "ray_walk", "--method", "hyperbola", "--profile", "3x2")
        out = self.run_quickly(*arguments, "--reference", "hyperbola")
        for file in ("answer.json", "run.json"):
            self.assertEqual(json.loads((out / file).read_text())["reference"], "hyperbola")
        rows = {row["contender"]: row for row in rows_of(out / "summary.csv")}
        self.assertEqual((rows["hyperbola"]["ratio"], rows["hyperbola"]["role"]), ("1", "reference"))
        self.assertEqual((rows["magic_fancy"]["ratio"] != "1", rows["magic_fancy"]["role"]), (True, "method"))
        self.assertIn("Time over magic_fancy's", slidebench("show", out, "--reference", "magic_fancy").stdout)
        self.assert_refused(slidebench("show", out, "--reference", "hyperbla"), "--reference hyperbla", "did you mean 'hyperbola'")
        self.assert_refused(slidebench("run", "--trace", self.trace, "--out", self.path("no"), *arguments, "--reference",
                                       "kogge_stone"), "--reference kogge_stone", "--method")
        home = self.path("home")
        home.mkdir()
        self.assert_refused(subprocess.run([PROGRAM, "show"], cwd=home, capture_output=True, text=True, check=False), "DIR")
        shutil.copytree(out, home / "reports/one")
        newest = subprocess.run([PROGRAM, "show"], cwd=home, capture_output=True, text=True, check=True)
        self.assertIn("the newest run, reports/one", newest.stderr)
        self.assertIn("Time over hyperbola's", newest.stdout)
        (out / "process_runs.csv").unlink()
        self.assert_refused(slidebench("show", out, "--reference", "ray_walk"), "process_runs.csv")

    def test_segments_are_spread_over_process_runs(self):
        rows = rows_of(self.run_quickly("--trace", self.random, "--workload", "throughput", "--profile", "2x2") / "samples.csv")
        segments = [r["segment"] for r in rows if r["trace"] == "random" and r["contender"] == "hyperbola"]
        self.assertEqual(len(segments), 4)
        self.assertEqual(len(set(segments)), 4, "a segment twice before all four were seen")

    def test_the_reference_meets_no_segment_again_in_another_group(self):
        rows = rows_of(self.run_quickly("--trace", self.random, "--workload", "throughput", "--profile", "2x1", "--method",
                                        "known", "--segment-queries", 1024) / "samples.csv")
        met = [r["segment"] for r in rows if r["trace"] == "random" and r["role"] == "reference"]
        self.assertEqual(len(met), 2 * 3, "two groups of methods, and what every cell has")
        self.assertEqual(len(set(met)), len(met))

    def test_methods_beyond_the_cpu_are_skipped(self):
        out = self.path("run")
        lesser = {"SLIDEBENCH_WITHOUT_ISA": "avx512f"}
        command = ("run", "--profile", "quick", "--workload", "latency", "--trace", self.trace, "--out", out)
        self.assert_refused(slidebench(*command, "--method", "kogge_stone_avx512", environment=lesser), "needs avx512f")
        self.succeed(*command, "--method", "family:fill", environment=lesser)
        measured = {row["contender"] for row in rows_of(out / "summary.csv")}
        self.assertIn("kogge_stone", measured)
        self.assertNotIn("kogge_stone_avx512", measured)


if __name__ == "__main__":
    run_tests()
