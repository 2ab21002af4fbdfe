# SPDX-License-Identifier: MIT
"""The program for another architecture, run by an emulator, against this machine's build: results must be the same to
the bit. Byte order, the signedness of char, the order of evaluation and the instruction set must not be seen in traces,
counts of moves, searches, simulated misses, or exported headers.

Usage: test_same_results.py ROOT FOREIGN_PROGRAM EMULATOR [HOST_PROGRAM]

Without HOST_PROGRAM the first one that is there of build/dev/slidebench and build/bench/slidebench. Exit status 77, and
the test is skipped, where there is none. Results that need no other build to compare with: test_known_results.py.
"""

import csv
import filecmp
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path()
HOST, FOREIGN = [], []
METHODS = ("magic_fancy", "kindergarten", "hyperbola", "rotated_hyatt")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def run(command, *arguments):
    """Standard output of the program; anything else than success is a failed test."""
    done = subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{command[-1]} {' '.join(map(str, arguments))}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


def with_methods(*arguments):
    """The arguments, and --method for each of METHODS."""
    return [*arguments, *(word for method in METHODS for word in ("--method", method))]


def write_few_games(root, path):
    """The first games of the sample, for what takes long; a name that is no ASCII must not confuse a reader that takes
    char for unsigned."""
    sample = (root / "datasets/sample.pgn").read_bytes()
    first = '[Event "\u00c9tude"]\n[White "\u00d6"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *\n\n'.encode()
    path.write_bytes(first + sample[: sample.index(b"\n[Event ", 1500) + 1])


def simulated_rows(path):
    """The rows of a table of `simulate`. Two cells of counters.csv may differ between builds, and say nothing of what
    was counted: the level that the modules were compiled for, and PAPI's component before the event's name where the
    build has PAPI."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if path.name == "counters.csv":
        for row in rows:
            del row["level"]
            row["event"] = row["event"].removeprefix("sde:::")
    return rows


class SameResults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.folder.name)
        cls.games = cls.work / "games.pgn"
        write_few_games(ROOT, cls.games)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def both(self, *arguments):
        """What the two programs print. `{out}` in an argument is a file of each one's own."""
        texts = []
        for name, command in (("host", HOST), ("foreign", FOREIGN)):
            texts.append(run(command, *(str(a).replace("{out}", str(self.work / name)) for a in arguments)))
        return texts

    def same(self, *arguments):
        host, foreign = self.both(*arguments)
        self.assertEqual(host, foreign)
        self.assertTrue(host)
        return host

    def same_trace(self, name, *arguments):
        """A trace built by each; returns the host's."""
        self.both(*arguments, "--out", "{out}." + name)
        files = [self.work / f"{side}.{name}" for side in ("host", "foreign")]
        described = [json.loads(run(HOST, "trace", "info", file, "--format", "json")) for file in files]
        self.assertEqual(described[0], described[1])
        self.assertTrue(filecmp.cmp(*files, shallow=False), f"{name}: the files differ")
        return files[0]

    def test_game_trace_of_the_whole_sample(self):
        trace = self.same_trace("game", "trace", "build", "--kind", "game", ROOT / "datasets/sample.pgn")
        self.same("trace", "info", trace, "--format", "json")

    def test_search_trace(self):
        self.same_trace("search", "trace", "build", "--kind", "search", "--positions", 4, self.games)

    def test_random_trace(self):
        self.same_trace("random", "trace", "random", "--nodes", 4096)

    def test_simulated_misses(self):
        trace = self.same_trace("simulated", "trace", "random", "--nodes", 512)
        self.both(*with_methods("simulate", "--no-random", "--trace", trace, "--cache", "skylake", "--cache", "apple-m1",
                                "--cache", "neoverse-n1,PREFETCH=stream", "--pressure", "light", "--reuse", "--out", "{out}.misses"))
        names = sorted(p.name for p in (self.work / "host.misses").glob("*.csv"))
        self.assertEqual(names, ["counters.csv", "mrc.csv", "prefetches.csv", "squares.csv", "tables.csv"])
        for name in names:
            host, foreign = (simulated_rows(self.work / f"{side}.misses" / name) for side in ("host", "foreign"))
            with self.subTest(table=name):
                self.assertTrue(host)
                self.assertEqual(len(host), len(foreign))
                for row, (here, there) in enumerate(zip(host, foreign), start=2):
                    self.assertEqual(here, there, f"line {row}")

    def test_perft(self):
        for method in ("magic_fancy", "hyperbola", "kogge_stone"):  # with an engine in every build
            counts = [json.loads(text)["leaves"] for text in
                      self.both("perft", "--method", method, "--depth", 3, "--fen", KIWIPETE, "--json")]
            self.assertEqual(counts, [97862, 97862])

    def test_engine(self):
        for form in (["--net", 0], ["--net", 128], ["--net", 256, "--threats"]):
            host, foreign = (json.loads(text) for text in self.both(
                "engine", *form, "--depth", 6, "--nodes", 3000, "--hash", 1, "--method", "magic_fancy", "--json"))
            for answer in (host, foreign):
                for method in answer["methods"]:
                    method.pop("nodes_per_second")
            with self.subTest(form=form):
                self.assertEqual(host, foreign)

    def test_exported_headers(self):
        """What libclang reads: slidebench-export is built for this machine alone, where libclang is there for it alone."""
        foreign = subprocess.run([*FOREIGN, "export", "hyperbola"], capture_output=True, text=True, check=False)
        if "needs libclang" in foreign.stderr:
            self.skipTest("the foreign build has no slidebench-export")
        for method in METHODS:
            with self.subTest(method=method):
                self.same("export", method)
        self.same("export", "magic_fancy", "--language", "c11")


class Emulator(unittest.TestCase):
    def test_times_are_refused(self):
        for command in (["run", "--out", "nowhere"], ["ladder"], ["duel", "a", "b", "--out", "nowhere"]):
            done = subprocess.run([*FOREIGN, *command], capture_output=True, text=True)
            with self.subTest(command=command):
                self.assertEqual(done.returncode, 2)
                self.assertIn("runs under qemu-aarch64", done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertEqual(done.stdout, "")

    def test_no_time_is_shown_beside_counts(self):
        answer = json.loads(run(FOREIGN, "perft", "--depth", "2", "--json"))
        self.assertIsNone(answer["seconds"])
        self.assertNotIn(" s", run(FOREIGN, "perft", "--depth", "2").partition("leaves")[2])

    def test_this_machine_is_none(self):
        self.assertGreater(json.loads(run(HOST, "perft", "--depth", "2", "--json"))["seconds"], 0)

    def test_a_run_that_is_told_to_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "run"
            done = subprocess.run([*FOREIGN, "run", "--allow-emulator", "--no-random", "--workload", "perft", "--method",
                                   "kindergarten", "--process-runs", "2", "--rounds", "1", "--sample-ms", "1", "--warm-up-ms",
                                   "0", "--out", str(out)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            record = json.loads((out / "run.json").read_text())
            self.assertEqual(record["machine"]["emulator"], "qemu-aarch64")
            self.assertTrue(any("emulator" in warning for warning in record["warnings"]))
            self.assertIn("the emulator qemu-aarch64", done.stdout)

    def test_what_cannot_be_traced_says_so_in_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "random.trace"
            run(FOREIGN, "trace", "random", "--nodes", "64", "--out", trace)
            done = subprocess.run([*FOREIGN, "kernel", "--trace", str(trace), "--method", "kindergarten"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("ptrace", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv[1])
    FOREIGN = [sys.argv[3], sys.argv[2]]
    builds = [pathlib.Path(p) for p in sys.argv[4:]] or [ROOT / f"build/{name}/slidebench" for name in ("dev", "bench")]
    builds = [build for build in builds if os.access(build, os.X_OK)]
    if not builds:
        print("no build for this machine to compare with: run scripts/run_tests.sh first")
        sys.exit(77)
    HOST = [str(builds[0])]
    unittest.main(argv=sys.argv[:1], verbosity=1)
