# SPDX-License-Identifier: MIT
"""Faults at chosen moments, and what a command must have kept when it is repeated: shared by the test and the table."""

import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# A system of caches that needs nothing of the machine, and is quick to simulate.
CACHE = "L1=4K/4,L2=64K/8"

GAME = """[Event "Opera"]
[White "Morphy"]
[Black "Allies"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

"""

LOG = "root ffff00000000ffff\n" + "make ffff00000000ffff\nb e4 ffff00000000ffff\nr a1 ffff00000000ffff\neval\n" * 20


class Broken(Exception):
    """A fault had an effect that it must not have."""


def require(holds, what):
    """Raises Broken unless it holds."""
    if not holds:
        raise Broken(what)


def rows_of(path):
    """The rows of a CSV file as dictionaries."""
    return list(csv.DictReader(path.read_text().splitlines()))


class Bench:
    """The program, its inputs, and the library that makes faults."""

    def __init__(self, program, folder):
        self.program, self.folder = str(program), pathlib.Path(folder).resolve()
        self.shim = self.folder / "fault_shim.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", str(HERE / "fault_shim.c"), "-o", str(self.shim), "-ldl"], check=True)
        self.pgn, self.log, self.trace = (self.folder / name for name in ("opera.pgn", "engine.log", "opera.trace"))
        self.pgn.write_text(GAME)
        self.log.write_text(LOG)
        built = self.run("trace", "build", "--out", self.trace, self.pgn)
        assert built.returncode == 0, built.stderr

    def run(self, *arguments, environment=None, timeout=300):
        """Runs the program; returns the finished process."""
        return subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {})}, timeout=timeout)

    def with_fault(self, fault, folder, *arguments):
        """Runs the program with a fault on the files of a folder."""
        return self.run(*arguments, environment={"LD_PRELOAD": str(self.shim), "SLIDEBENCH_FAULT": fault,
                                                 "SLIDEBENCH_FAULT_FOLDER": str(folder)})


class BenchTest(unittest.TestCase):
    """Tests in a folder of their own, with a bench of the program that is the script's first argument."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp()).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.bench = Bench(sys.argv[1], cls.folder)

    def path(self, name):
        """A path that no other test has."""
        return self.folder / f"{self.id().rpartition('.')[2]}.{name}"


class Work:
    """A command that writes into a folder, what it leaves there when it succeeds, and how it is repeated."""

    name = ""

    def __init__(self, bench):
        self.bench = bench

    def command(self, folder):
        """The command's words."""
        raise NotImplementedError

    def again(self, folder):
        """The words that take it up after a fault; none if there is nothing left to do."""
        return self.command(folder)

    def believed(self, folder):
        """Whether what lies in the folder passes for a whole result."""
        raise NotImplementedError

    def check(self, folder, reference):
        """Raises Broken unless the folder holds all that the undisturbed one does."""
        raise NotImplementedError

    @staticmethod
    def same_files(folder, reference, *names):
        """The named files have the same bytes in both folders."""
        for name in names:
            require((folder / name).read_bytes() == (reference / name).read_bytes(), f"{name} differs")


class TraceBuild(Work):
    name, out = "trace build", "t.trace"

    def command(self, folder):
        return ["trace", "build", "--out", folder / self.out, self.bench.pgn]

    def believed(self, folder):
        return self.bench.run("trace", "info", folder / self.out).returncode == 0

    def check(self, folder, reference):
        self.same_files(folder, reference, self.out)


class TraceBuildPacked(TraceBuild):
    name, out = "trace build (.zst)", "t.trace.zst"


class TraceImport(TraceBuild):
    name = "trace import"

    def command(self, folder):
        return ["trace", "import", "--name", "engine", "--out", folder / self.out, self.bench.log]


class MagicsFind(Work):
    name = "magics find"

    def command(self, folder):
        return ["magics", "find", "--variant", "fancy", "--out", folder / "factors.hpp"]

    def believed(self, folder):
        return self.bench.run("magics", "check", folder / "factors.hpp").returncode == 0

    def check(self, folder, reference):
        self.same_files(folder, reference, "factors.hpp")


class MagicsImprove(MagicsFind):
    """A search against the clock, from a file that is there: what it had must not get lost."""

    name = "magics find, from a file"

    def command(self, folder):
        factors = folder / "factors.hpp"
        if not factors.exists():
            factors.write_bytes((ROOT / "methods/magic/black_factors.hpp").read_bytes())
        return ["magics", "find", "--variant", "black", "--seconds", "1", "--jobs", "2", "--out", factors]

    def check(self, folder, reference):
        done = self.bench.run("magics", "check", folder / "factors.hpp")
        require(done.returncode == 0, done.stderr)


class Simulate(Work):
    name = "simulate"

    def command(self, folder):
        return ["simulate", "--trace", self.bench.trace, "--no-random", "--method", "hyperbola", "--draws", "1", "--reuse",
                "--cache", CACHE, "--out", folder / "out"]

    def again(self, folder):
        return [] if self.believed(folder) else self.command(folder)  # it writes over no result

    def believed(self, folder):
        return (folder / "out" / "run.json").exists()

    def check(self, folder, reference):
        self.same_files(folder, reference, *(f"out/{name}.csv" for name in ("counters", "mrc", "squares", "tables")))
        require(json.loads((folder / "out/run.json").read_text())["complete"], "incomplete")


class Run(Work):
    name, process_runs = "run", 3

    def command(self, folder):
        return ["run", "--trace", self.bench.trace, "--no-random", "--workload", "throughput", "--pressure", "isolated",
                "--method", "hyperbola", "--process-runs", self.process_runs, "--rounds", "1", "--sample-ms", "0.2", "--warm-up-ms", "0",
                "--out", folder / "out"]

    def again(self, folder):
        unfinished = (folder / "out" / "unfinished.jsonl").exists()
        return ["run", "--resume", folder / "out"] if unfinished else self.command(folder)

    def believed(self, folder):
        return self.bench.run("show", folder / "out").returncode == 0

    def check(self, folder, reference):
        out = folder / "out"
        rows, whole = (rows_of(path / "samples.csv") for path in (out, reference / "out"))
        slices = sorted((row["process_run"], row["round"], row["contender"]) for row in rows)
        require(slices == sorted((row["process_run"], row["round"], row["contender"]) for row in whole), "slices twice or missing")
        record = json.loads((out / "run.json").read_text())
        require(record["complete"] and record["missing_process_runs"] == [], "incomplete")
        require({row["process_runs"] for row in rows_of(out / "summary.csv")} == {str(self.process_runs)}, "process runs are missing")


WORKS = (TraceBuild, TraceBuildPacked, TraceImport, Simulate, Run, MagicsFind, MagicsImprove)


def reference_of(work, folder):
    """Does the work undisturbed; returns its operations on files, in order: "write out/samples.csv"."""
    folder.mkdir(parents=True)
    log = folder.parent / f"{folder.name}.operations"
    command = work.command(folder)
    done = work.bench.with_fault(f"log:{log}", folder, *command)
    require(done.returncode == 0, done.stderr)
    return [re.sub(r"#\d+ \(deleted\)|\.slidebench-\w+", "(nameless)", line) for line in log.read_text().splitlines()]


def unsynced_at(operations, moment):
    """What a power cut just before a moment (a number from 0) could take.

    Returns:
        (set of str, set of str): files whose bytes are not all on the disk, and files whose name is not.
    """
    written, named = set(), set()
    for operation in operations[:moment]:
        deed, path = operation.split(" ", 1)
        if deed == "write":
            written.add(path)
        elif deed == "sync":
            written.discard(path)
            named = {name for name in named if str(pathlib.PurePath(name).parent) != path}
        elif deed == "rename":
            named.add(path)
            written.discard(path)
            if f"{path}.partial" in written:
                written = written - {f"{path}.partial"} | {path}
    return written, named


def stages_of(operations):
    """The moments to disturb: of equal operations the first, one in the middle, and the last; numbers from 1."""
    places = {}
    for number, operation in enumerate(operations, 1):
        places.setdefault(operation, []).append(number)
    return [(operation, sorted({found[0], found[len(found) // 2], found[-1]})) for operation, found in places.items()]


def children(parent):
    """The processes that a process has started, and not waited for yet."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def files_in(folder):
    """The names of all files below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def disturb(work, fault, folder, reference):
    """Does the work with a fault, looks at what it left, repeats it, and checks that the result is whole.

    Returns:
        str, what the fault did: "killed", or the program's line.
    """
    folder.mkdir(parents=True)
    done = work.bench.with_fault(fault, folder, *work.command(folder))
    outcome = (done.stderr.splitlines() or [""])[-1]
    if fault.startswith("kill"):
        require(done.returncode == -9, f"status {done.returncode}: {done.stderr}")
        outcome = "killed"
    else:
        full = "No space left" in outcome or "disk full" in outcome
        require(done.returncode == 2 and outcome.startswith("slidebench: cannot write ") and full, done.stderr)
    if work.believed(folder):
        work.check(folder, reference)
    words = work.again(folder)
    if words:
        again = work.bench.run(*words)
        require(again.returncode == 0, again.stderr)
    require(work.believed(folder), "is not believed after it was repeated")
    work.check(folder, reference)
    require(files_in(folder) == files_in(reference), f"files: {sorted(files_in(folder) ^ files_in(reference))}")
    return outcome
