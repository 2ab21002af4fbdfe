# SPDX-License-Identifier: MIT
"""The program as a user meets it: real games in, a judged ranking out, and every kind of bad input refused.

Usage: test_program.py SLIDEBENCH SOURCE_FOLDER
"""

import csv
import gzip
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])

GAME = """[Event "Opera"]
[White "Morphy"]
[Black "Allies"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

"""

ILLEGAL_GAME = """[Event "Broken"]
[White "Nobody"]
[Black "Noone"]
[Result "1-0"]

1. e4 e5 2. Ke4 Nc6 1-0

"""


def slidebench(*arguments, stdin="", environment=None):
    """Runs the program; returns the finished process."""
    return subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, text=True, check=False,
                          env={**os.environ, **(environment or {})})


def process_facts(pid):
    """State, parent and words of a process; None if there is none."""
    try:
        folder = pathlib.Path("/proc") / str(pid)
        state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        return state, int(parent), (folder / "cmdline").read_text().split("\0")
    except OSError:
        return None


def is_running(pid):
    """Whether there is such a process that has not ended; one that nobody has waited for has."""
    facts = process_facts(pid)
    return facts is not None and facts[0] not in "ZX"


def running_process_runs(parent):
    """The measuring processes of a run."""
    pids = [int(folder.name) for folder in pathlib.Path("/proc").iterdir() if folder.name.isdigit()]
    facts = [(pid, process_facts(pid)) for pid in pids]
    return [pid for pid, known in facts if known is not None and known[1] == parent and "run-process" in known[2]]


def on_terminal(*arguments, **environment):
    """What the program prints to a terminal of 100 columns."""
    ours, theirs = pty.openpty()
    subprocess.run(["stty", "cols", "100"], stdin=theirs, check=True)
    variables = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=theirs, stderr=theirs, stdin=theirs,
                               env={**variables, "TERM": "xterm", **environment})
    os.close(theirs)
    printed = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # what Linux says at the end of a terminal
            break
        if not more:
            break
        printed += more
    os.close(ours)
    assert process.wait() == 0, printed
    return printed.decode()


def rows_of(path):
    """The rows of a CSV file as dictionaries."""
    return list(csv.DictReader(path.read_text().splitlines()))


class ProgramTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.pgn = cls.folder / "opera.pgn"
        cls.pgn.write_text(GAME)
        cls.trace = cls.folder / "opera.trace"
        built = slidebench("trace", "build", "--kind", "game", "--out", cls.trace, cls.pgn)
        assert built.returncode == 0, built.stderr

    def path(self, name):
        return self.folder / f"{self.id().rsplit('.', 1)[1]}.{name}"

    def assert_refused(self, result, *words, status=2):
        self.assertEqual(result.returncode, status, (result.stdout, result.stderr))
        lines = [line for line in result.stderr.splitlines() if line]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertTrue(lines[0].startswith("slidebench: "), lines[0])
        for word in words:
            self.assertIn(word, lines[0])


class List(ProgramTest):
    def test_csv_has_the_promised_columns(self):
        rows = list(csv.DictReader(slidebench("list", "--format", "csv").stdout.splitlines()))
        self.assertEqual(list(rows[0]),
                         ["id", "title", "family", "group", "inventor", "year", "isa", "status", "table_bytes", "reference", "batch"])
        sizes = {row["id"]: int(row["table_bytes"]) for row in rows}
        self.assertEqual(sizes["magic_fancy"], 865280)
        self.assertGreaterEqual(len(rows), 11)

    def ids(self, *names):
        """Ids of the methods that these names mean, by group."""
        arguments = [word for name in names for word in ("--method", name)]
        methods = json.loads(slidebench("list", "--format", "json", *arguments).stdout)
        return {group: {m["id"] for m in methods if m["group"] == group} for group in ("core", "extra")}

    def test_groups(self):
        core, every = self.ids(), self.ids("all")
        self.assertEqual(core["extra"], set())
        self.assertIn("magic_fancy", core["core"])
        self.assertEqual(self.ids("core"), core)
        self.assertEqual(every["core"], core["core"])
        self.assertEqual(self.ids("core", "magic_fancy"), core)
        if not every["extra"]:
            self.assert_refused(slidebench("list", "--method", "extra"), "no extra methods", "-DSLIDEBENCH_METHODS=all")
            self.assert_refused(slidebench("list", "--method", "sbamg"), "unknown method 'sbamg'", "-DSLIDEBENCH_METHODS=all")
            return
        self.assertEqual(self.ids("extra"), {"core": set(), "extra": every["extra"]})
        self.assertEqual(self.ids("extra", "pext"), {"core": {"pext"}, "extra": every["extra"]})
        self.assertEqual(self.ids("sbamg"), {"core": set(), "extra": {"sbamg"}})
        verified = slidebench("verify", "--method", "sbamg", "--boards", 100)
        self.assertEqual((verified.returncode, verified.stderr), (0, ""))
        self.assertIn("sbamg", verified.stdout)

    def test_a_group_is_not_one_method(self):
        self.assert_refused(slidebench("attacks", "--method", "all", stdin="rook e4 0x0\n"), "attacks takes one --method")
        self.assert_refused(slidebench("uci", "--method", "core"), "name one method, not a group")

    def test_json_and_table(self):
        methods = json.loads(slidebench("list", "--format", "json").stdout)
        self.assertIn("pext", {m["id"] for m in methods})
        self.assertIn("magic_plain", slidebench("list").stdout)

    def test_a_lesser_cpu_is_said_not_crashed_on(self):
        lesser = {"SLIDEBENCH_WITHOUT_ISA": "bmi2"}
        rows = csv.DictReader(slidebench("list", "--format", "csv", environment=lesser).stdout.splitlines())
        status = {row["id"]: row["status"] for row in rows}
        self.assertEqual(status["pext"], "needs bmi2")
        self.assert_refused(slidebench("verify", "--method", "pext", environment=lesser), "pext needs bmi2")

    def test_bad_arguments(self):
        self.assert_refused(slidebench("list", "--format", "xml"), "xml")
        self.assert_refused(slidebench("list", "--method", "magick"), "unknown method 'magick'")
        self.assert_refused(slidebench("lists"), "lists")
        self.assert_refused(slidebench())

    def test_a_full_disk_behind_standard_output(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "list"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("standard output", done.stderr)

    def commands(self, *above):
        """All commands with those below them, as --help names them."""
        helped = slidebench(*above, "--help").stdout
        below = helped.split("Subcommands:\n")[1] if "Subcommands:" in helped else ""
        for name in re.findall(r"^  ([a-z][a-z-]*) ", below.split("Example")[0], re.M):
            yield (*above, name)
            yield from self.commands(*above, name)

    def test_help_has_an_example_of_each_commands_own(self):
        commands = list(self.commands())
        self.assertGreater(len(commands), 20)
        for command in commands:
            with self.subTest(command=command):
                helped = slidebench(*command, "--help").stdout
                self.assertRegex(helped, r"Examples?:\n(.*\n)*  .*slidebench " + " ".join(command))

    def test_columns_are_as_wide_as_their_widest_cell(self):
        head, *lines = slidebench("list", "--method", "all").stdout.splitlines()
        for name in ("family", "group", "status", "title"):
            at = head.index(name)
            self.assertTrue(all(line[at - 2:at] == "  " and line[at] != " " for line in lines), name)

    def test_groups_of_methods(self):
        def ids(*methods):
            arguments = [word for method in methods for word in ("--method", method)]
            return {m["id"] for m in json.loads(slidebench("list", "--json", *arguments).stdout)}
        magic = ids("family:magic")
        self.assertGreater(len(magic), 8)
        self.assertTrue(all(name.startswith("magic") for name in magic), magic)
        self.assertEqual(len(ids("known")), len(ids("known") & {"pext", "magic_fancy", "magic_plain", "magic_black", "hyperbola",
                                                "hyperbola_avx2", "hyperbola_gfni", "obstruction_difference", "kogge_stone"}))
        self.assertEqual(ids("family:magic", "ray_walk"), magic | {"ray_walk"})
        self.assert_refused(slidebench("list", "--method", "family:magick"), "no family 'magick'", "rotated",
                            "did you mean 'magic'?")
        lesser = {"SLIDEBENCH_WITHOUT_ISA": "bmi2"}
        done = slidebench("verify", "--method", "family:pext", "--boards", 10, environment=lesser)
        self.assertIn("skipped: needs bmi2", done.stdout)  # by its group it is not named

    def test_what_was_meant(self):
        self.assert_refused(slidebench("list", "--method", "pxet"), "did you mean 'pext'?")
        self.assert_refused(slidebench("list", "--method", "sliding_piece"), "slidebench list --method all shows the methods")
        self.assert_refused(slidebench("lits"), "unknown command 'lits'", "did you mean 'list'?")
        self.assert_refused(slidebench("trace", "biuld"), "unknown command 'biuld'", "did you mean 'build'?")
        self.assert_refused(slidebench("perft", "--detph", 3), "unknown option --detph", "did you mean '--depth'?")
        self.assert_refused(slidebench("perft", "--detph=3"), "did you mean '--depth'?")
        self.assert_refused(slidebench("run", "--outt", "x"), "did you mean '--out'?; see slidebench run --help")
        self.assert_refused(slidebench("trace", "build", "--kidn", "x"), "see slidebench trace build --help")
        self.assert_refused(slidebench("kernel", "--trac", self.trace), "did you mean '--trace'?")
        self.assert_refused(slidebench("help", "perf"), "did you mean 'perft'?")

    def test_help_and_glossary(self):
        self.assertEqual(slidebench("help").stdout, slidebench("--help").stdout)
        self.assertIn("--kind", slidebench("help", "trace", "build").stdout)
        words = json.loads(slidebench("help", "glossary", "--json").stdout)
        for word, meaning in words.items():
            self.assertIn(f"{word}: {meaning}", slidebench("help", "glossary").stdout)
        self.assertLessEqual(max(map(len, on_terminal("help", "glossary").splitlines())), 100)
        self.assert_refused(slidebench("help", "--json"), "--json")

    def test_colour_on_a_terminal_alone(self):
        verify = ("verify", "--method", "pext", "--boards", 10)
        self.assertNotIn("\033", slidebench(*verify).stdout)
        self.assertIn("\033[32mright\033[0m", on_terminal(*verify))
        self.assertIn("\033[32mright\033[0m", on_terminal(*verify, NO_COLOR=""))
        self.assertNotIn("\033", on_terminal(*verify, NO_COLOR="1"))
        self.assertNotIn("\033", on_terminal(*verify, TERM="dumb"))

    def completed(self, *words):
        """What bash offers for the last word."""
        script = ('eval "$("$1" completion bash)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _slidebench; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", PROGRAM, *words], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_completion_in_bash(self):
        self.assertEqual(self.completed("ver"), ["verify"])
        self.assertEqual(self.completed("trace", "bu"), ["build"])
        self.assertIn("--no-random", self.completed("run", "--no"))
        self.assertEqual(self.completed("run", "--profile", "quick", "--resu"), ["--resume"])
        self.assertEqual(self.completed("list", "--format", ""), ["table", "csv", "json"])
        self.assertEqual(self.completed("run", "--method", "obstruction"), ["obstruction_difference"])
        self.assertEqual(self.completed("run", "--trace", ""), [])  # bash completes a file
        self.assertEqual(self.completed("completion", ""), ["--help", "bash", "zsh"])
        self.assertEqual([w for w in self.completed("") if w.startswith("run")], ["run"])  # not the internal ones
        self.assert_refused(slidebench("completion", "fish"), "fish")

    @unittest.skipUnless(shutil.which("zsh"), "no zsh here")
    def test_completion_in_zsh(self):
        script = ('compdef() { :; }; compadd() { shift; print -l -- $@ }; _files() { print files }; eval "$("$1" completion zsh)"; '
                  'words=("$@"); CURRENT=$#; _slidebench')
        def completed(*words):
            done = subprocess.run(["zsh", "-fc", script, "zsh", PROGRAM, *words], capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "")
            return done.stdout.split()
        self.assertIn("verify", completed("ver"))
        self.assertEqual(completed("list", "--format", ""), ["table", "csv", "json"])
        self.assertEqual(completed("run", "--trace", ""), ["files"])
        self.assertIn("pext", completed("run", "--method", ""))


class Verify(ProgramTest):
    def test_json(self):
        lesser = {"SLIDEBENCH_WITHOUT_ISA": "avx512f"}
        done = slidebench("verify", "--method", "family:fill", "--boards", 10, "--json", environment=lesser)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertIn("kogge_stone", {m["id"] for m in found["methods"]})
        for method in found["methods"]:
            self.assertTrue(method["right"])
            self.assertGreater(method["answers"], 100_000)
        self.assertEqual([skipped["id"] for skipped in found["skipped"]], ["kogge_stone_avx512"])
        self.assertIn("avx512f", found["skipped"][0]["why"])


class Ladder(ProgramTest):
    def test_json_and_csv_have_the_same_columns(self):
        ladder = ("ladder", "--max-bytes", "8K", "--seconds", "0.1")
        found = json.loads(slidebench(*ladder, "--json").stdout)
        rows = list(csv.DictReader(slidebench(*ladder, "--format", "csv").stdout.splitlines()))
        self.assertEqual([set(step) for step in found], [set(row) for row in rows])
        self.assertEqual([step["bytes"] for step in found], [int(row["bytes"]) for row in rows])


class Magics(ProgramTest):
    def test_the_committed_factors_are_found_again_and_proved(self):
        committed = SOURCE / "methods" / "magic" / "magic_factors.hpp"
        found = slidebench("magics", "find", "--variant", "fancy", "--seed", 1, "--jobs", 2, "--out", self.path("f.hpp"))
        self.assertEqual(found.returncode, 0, found.stderr)
        again = self.path("f.hpp").read_text()
        self.assertEqual(re.findall(r"0x[0-9A-F]{16}", again), re.findall(r"0x[0-9A-F]{16}", committed.read_text()))
        self.assertIn("128 squares", slidebench("magics", "check", self.path("f.hpp")).stdout)

    def find_shard(self, shard, variant="black"):
        path = self.path(f"{variant}{shard.replace('/', '_')}.hpp")
        found = slidebench("magics", "find", "--variant", variant, "--seconds", 0.2, "--jobs", 1, "--shard", shard, "--out", path)
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertIn(f"--shard {shard}", path.read_text())
        return path

    def test_shards_differ_and_the_best_is_merged(self):
        def slots(path):
            return int(re.search(r"black_slots = (\d+)", path.read_text())[1])
        shards = [self.find_shard("1/2"), self.find_shard("2/2")]
        factors = [set(re.findall(r"0x[0-9A-F]{16}", path.read_text())) for path in shards]
        self.assertLess(len(factors[0] & factors[1]), 16)
        merged = slidebench("magics", "merge", *shards, "--out", self.path("best.hpp"))
        self.assertEqual((merged.returncode, merged.stdout), (0, ""), merged.stderr)
        self.assertEqual(slots(self.path("best.hpp")), min(map(slots, shards)))
        self.assertIn("black: magic on 128 squares", slidebench("magics", "check", self.path("best.hpp")).stdout)
        magic = SOURCE / "methods" / "magic"
        self.assert_refused(slidebench("magics", "merge", shards[0], magic / "overlapped_factors.hpp"), "do not merge")
        self.assert_refused(slidebench("magics", "merge", magic / "magic_factors.hpp"), "equally good")
        self.assert_refused(slidebench("magics", "merge", *shards, "--out", "/nonexistent/f.hpp"), "/nonexistent/f.hpp")
        shards[0].write_text(shards[0].read_text().replace(re.search(r"0x[0-9A-F]{16}", shards[0].read_text())[0], "0x1"))
        self.assert_refused(slidebench("magics", "merge", *shards), "share a slot", status=1)

    def test_a_wrong_factor_is_a_counter_example(self):
        text = (SOURCE / "methods" / "magic" / "magic_factors.hpp").read_text()
        first = re.search(r"0x[0-9A-F]{16}", text)[0]
        self.path("wrong.hpp").write_text(text.replace(first, "0x0000000000000001"))
        self.assert_refused(slidebench("magics", "check", self.path("wrong.hpp")), "bishop on a1", "share a slot", status=1)

    def test_bad_arguments(self):
        self.assert_refused(slidebench("magics", "find", "--variant", "blue"), "blue", "packed_shift")
        self.assert_refused(slidebench("magics", "find", "--seconds", 0), "--seconds")
        self.assert_refused(slidebench("magics", "find", "--jobs", 0), "--jobs")
        for shard in ("0/2", "3/2", "1", "1/2/3", "a/b", "-1/2", "1/9999999"):
            self.assert_refused(slidebench("magics", "find", f"--shard={shard}"), "is no shard")
        self.assert_refused(slidebench("magics", "find", "--out", "/nonexistent/f.hpp"), "/nonexistent/f.hpp")
        self.assert_refused(slidebench("magics", "check", "/nonexistent/f.hpp"), "cannot open")
        self.assert_refused(slidebench("magics", "check", self.pgn), "no magic factors")
        self.assert_refused(slidebench("magics", "find", "--variant", "black", "--out",
                                       SOURCE / "methods" / "magic" / "overlapped_factors.hpp"), "variant overlapped")


class Simulate(ProgramTest):
    def simulate(self, *arguments):
        done = slidebench("simulate", "--trace", self.trace, "--no-random", "--draws", 2, "--out", self.path("sim"),
                          *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.path("sim")

    def test_writes_what_it_promises(self):
        out = self.simulate("--method", "magic_fancy", "--method", "hyperbola", "--cache", "nehalem-i5", "--cache",
                            "L1=4K/4", "--pressure", "isolated", "--pressure", "64@256K/node", "--pages", "4k",
                            "--pages", "2m", "--reuse")
        record = json.loads((out / "run.json").read_text())
        self.assertEqual((record["kind"], record["complete"], record["counters"]["status"]),
                         ("simulation", True, "simulated"))
        rows = rows_of(out / "counters.csv")
        self.assertEqual({row["source"] for row in rows}, {"simulated"})
        self.assertEqual({row["cache"] for row in rows}, {"nehalem-i5", "L1=4K/4"})
        self.assertEqual({row["pressure"] for row in rows}, {"isolated", "64@256K/node"})
        self.assertEqual({row["pages"] for row in rows}, {"4k", "2m"})
        self.assertFalse([row for row in rows if row["cache"] == "L1=4K/4" and row["metric"] == "l3_misses"])
        for row in rows:
            self.assertRegex(row["event"], r"^(sde:::)?slidebench::[A-Z0-9_]+$")
        misses = {(r["method"], r["pressure"], r["cache"]): int(r["value"]) for r in rows
                  if r["metric"] == "l1d_misses" and r["pages"] == "4k" and r["draw"] == "0"}
        self.assertEqual(misses["empty", "isolated", "L1=4K/4"], 0)
        for method in ("magic_fancy", "hyperbola"):
            self.assertGreater(misses[method, "64@256K/node", "L1=4K/4"], misses[method, "isolated", "L1=4K/4"])
        self.assertGreater(misses["magic_fancy", "isolated", "L1=4K/4"], misses["hyperbola", "isolated", "L1=4K/4"])

    def test_misses_fall_with_the_size_and_have_a_cause(self):
        out = self.simulate("--method", "magic_fancy", "--cache", "host", "--reuse")
        curve = [(int(r["cache_lines"]), float(r["misses"])) for r in rows_of(out / "mrc.csv")
                 if r["granularity_bytes"] == "64" and r["lines_per_evaluation"] == "0" and r["method"] == "magic_fancy"]
        self.assertEqual(curve, sorted(curve, key=lambda point: (point[0], -point[1])))
        self.assertGreater(curve[0][1], curve[-1][1])
        for row in rows_of(out / "tables.csv"):
            if row["compulsory"]:
                self.assertEqual(sum(int(row[c]) for c in ("compulsory", "capacity", "conflict")), int(row["misses"]))
        squares = rows_of(out / "squares.csv")
        self.assertEqual({row["kind"] for row in squares if row["method"] == "magic_fancy"} - {"bishop", "rook", "queen", "both"},
                         set())

    def simulate_again(self, name, *arguments):
        done = slidebench("simulate", "--trace", self.trace, "--no-random", "--draws", 1, "--method", "magic_fancy",
                          "--method", "rotated_hyatt", "--out", self.path(name), *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.path(name)

    def test_warm_counts_have_the_compulsory_misses_apart(self):
        def causes(out):
            return {(r["method"], r["level"]): r for r in rows_of(out / "tables.csv") if r["table"] == "all"}
        warm = causes(self.simulate_again("warm", "--cache", "skylake"))
        cold = causes(self.simulate_again("cold", "--cache", "skylake", "--cold"))
        self.assertEqual(json.loads((self.path("warm") / "run.json").read_text())["state"], "warm")
        self.assertEqual(json.loads((self.path("cold") / "run.json").read_text())["state"], "cold")
        for key, row in cold.items():
            self.assertEqual(row["compulsory"], row["cold_compulsory"])
            self.assertEqual(warm[key]["cold_compulsory"], row["compulsory"], key)
            self.assertEqual(warm[key]["compulsory"], "0")
            self.assertEqual(int(warm[key]["capacity"]) + int(warm[key]["conflict"]), int(warm[key]["misses"]))
        self.assertEqual(warm["magic_fancy", "L1D"]["accesses"], cold["magic_fancy", "L1D"]["accesses"])

    def test_jobs_change_nothing(self):
        options = ("--cache", "zen4", "--pressure", "isolated", "--pressure", "32@1M/eval/rows", "--reuse")
        one = self.simulate_again("one", *options, "--jobs", 1)
        three = self.simulate_again("three", *options, "--jobs", 3)
        for name in ("counters.csv", "mrc.csv", "squares.csv", "tables.csv"):
            self.assertEqual((one / name).read_text(), (three / name).read_text(), name)

    def test_prefetchers_and_orders_of_touches(self):
        caches = ("--cache", "skylake", "--cache", "skylake,PREFETCH=stream", "--pressure", "64@1M/eval/rows")
        out = self.simulate_again("cyclic", *caches)
        rows = rows_of(out / "prefetches.csv")
        self.assertEqual({row["cache"] for row in rows}, {"skylake,PREFETCH=stream"})
        for row in rows:
            self.assertGreater(int(row["pressure_useful"]), 0)
            self.assertGreater(int(row["pressure_prefetched"]), 0)
        other = self.simulate_again("independent", "--cache", "skylake", "--pressure", "64@1M/eval/rows", "--touches",
                                    "independent", "--segment-queries", 0)
        record = json.loads((other / "run.json").read_text())
        self.assertEqual((record["touches"], record["segment_queries"]), ("independent", 0))
        self.assertFalse((other / "prefetches.csv").exists())

    def test_bad_arguments(self):
        def refused(*arguments):
            return slidebench("simulate", "--trace", self.trace, "--no-random", "--out", self.path("sim"), *arguments)
        self.assert_refused(refused("--segment-queries", -1), "--segment-queries")
        self.assert_refused(refused("--touches", "sorted"), "--touches")
        self.assert_refused(refused("--jobs", 0), "--jobs")
        self.assert_refused(refused("--cache", "skylake,PREFETCH=all"), "'all' is none of next-line")
        self.assert_refused(refused("--cache", "pentium"), "pentium")
        self.assert_refused(refused("--cache", "L1=0/8"), "L1")
        self.assert_refused(refused("--cache", "L1=33K/8"), "L1")
        self.assert_refused(refused("--cache", "L1=1K/64"), "L1")
        self.assert_refused(refused("--pressure", "heavy"), "heavy")
        self.assert_refused(refused("--pressure", "lukewarm"), "lukewarm")
        self.assert_refused(refused("--pressure", "64@256K/move"), "probe")
        self.assert_refused(refused("--pressure", "64@256K/probe+100/query"), "100/query")
        self.assert_refused(refused("--pages", "1g"), "--pages")
        self.assert_refused(refused("--draws", 0), "--draws")
        self.assert_refused(refused("--method", "magick"), "magick")
        self.assert_refused(slidebench("simulate", "--out", self.path("sim"), "--trace", "/nonexistent.trace"), "nonexistent")
        self.path("file").write_text("")
        self.assert_refused(slidebench("simulate", "--trace", self.trace, "--out", self.path("file")), "file")

    def test_a_method_without_a_traced_twin(self):
        folder = self.path("plugins")
        folder.mkdir()
        for module in (pathlib.Path(PROGRAM).resolve().parent / "plugins").glob("*.so"):
            if not re.fullmatch(r"magic_fancy\.v\d\.traced\.so", module.name):
                (folder / module.name).symlink_to(module)
        done = slidebench("simulate", "--method", "magic_fancy", "--trace", self.trace, "--no-random", "--out",
                          self.path("sim"), environment={"SLIDEBENCH_PLUGINS": str(folder)})
        self.assert_refused(done, "magic_fancy", "traced")


KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


class Perft(ProgramTest):
    def test_counts_are_the_published_ones(self):
        for method in ("magic_fancy", "rotated_hyatt", "kogge_stone"):
            self.assertIn("4085603 leaves", slidebench("perft", "--method", method, "--depth", 4, "--fen", KIWIPETE).stdout)

    def test_a_fen_of_four_fields(self):
        """The counters may be left out wherever there is a FEN: they are 0 and 1 then."""
        four = KIWIPETE.removesuffix(" 0 1")
        positions, game, trace = self.path("fen"), self.path("pgn"), self.path("trace")
        positions.write_text(four + "\n")
        game.write_text(f'[Event "?"]\n[SetUp "1"]\n[FEN "{four}"]\n\n1. O-O O-O *\n')
        for fen in (four, KIWIPETE):
            self.assertIn("97862 leaves", slidebench("perft", "--depth", 3, "--fen", fen).stdout)
            played = slidebench("uci", stdin=f"position fen {fen} moves e1g1 e8g8\ngo depth 2\n")
            self.assertRegex(played.stdout, r"(?m)^bestmove [a-h][1-8]")
            self.assertNotIn("FEN", played.stdout + played.stderr)
        searched = [json.loads(slidebench("engine", "--depth", 3, "--hash", 1, "--method", "pext", *options, "--json").stdout)
                    for options in (("--fen", KIWIPETE), ("--fen", four), ("--positions", positions))]
        self.assertEqual(len({(found["methods"][0]["nodes"], found["methods"][0]["signature"]) for found in searched}), 1)
        built = slidebench("trace", "build", "--out", trace, game)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertIn("1 game, 2 plies", built.stderr)

    def test_divide_adds_up(self):
        lines = slidebench("perft", "--depth", 3, "--divide", "--fen", KIWIPETE).stdout.splitlines()
        counts = [int(line.split(": ")[1]) for line in lines if re.match(r"[a-h][1-8][a-h][1-8]: ", line)]
        self.assertEqual((len(counts), sum(counts)), (48, 97862))

    def test_bad_positions(self):
        def refused(fen, *words):
            self.assert_refused(slidebench("perft", "--depth", 1, "--fen", fen), *words)
        refused("", "FEN")
        refused("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "king")
        refused("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "pawn")
        refused("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "check")
        refused("4k3/8/8/8/8/8/8/4K3 w - - -1 1")
        refused("4k3/8/8/8/8/8/8/4K3 w - - 0 0")
        refused("4k3/8/8/8/8/8/8/4K2R w Qk - 0 1", "castling")

    def test_bad_arguments(self):
        self.assert_refused(slidebench("perft", "--depth", 0), "--depth")
        self.assert_refused(slidebench("perft", "--depth", 99), "--depth")
        self.assertIn("4865609 leaves, depth 5", slidebench("perft").stdout)
        self.assert_refused(slidebench("perft", "--depth", 1, "--method", "magick"), "magick")
        self.assert_refused(slidebench("perft", "--depth", 1, "--method", "empty"), "empty")
        self.assert_refused(slidebench("perft", "--depth", 1, "--method", "core"), "name one method")


    def test_json(self):
        found = json.loads(slidebench("perft", "--depth", 3, "--divide", "--fen", KIWIPETE, "--json").stdout)
        self.assertEqual((found["leaves"], found["depth"], found["method"]), (97862, 3, "magic_fancy"))
        self.assertEqual(sum(move["leaves"] for move in found["moves"]), 97862)
        self.assertEqual(len(found["moves"]), 48)
        self.assertNotIn("moves", json.loads(slidebench("perft", "--depth", 1, "--json").stdout))


class Engine(ProgramTest):
    def test_json(self):
        done = slidebench("engine", "--depth", 3, "--hash", 1, "--method", "pext", "--method", "hyperbola", "--fen", KIWIPETE,
                          "--json")
        found = json.loads(done.stdout)
        self.assertEqual([m["method"] for m in found["methods"]], ["hyperbola", "pext"])
        self.assertEqual(len({(m["nodes"], m["signature"]) for m in found["methods"]}), 1)
        self.assertEqual(found["positions"][0]["depth"], 3)
        rows = json.loads(slidebench("engine", "--calibrate", "--depth", 2, "--nodes", 50, "--fen", KIWIPETE, "--json").stdout)
        self.assertGreater(len(rows), 3)

    def test_every_method_searches_the_same_tree(self):
        done = slidebench("engine", "--depth", 5, "--net", 256, "--threats", "--hash", 1, "--fen", KIWIPETE)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split() for line in done.stdout.splitlines()[1:] if "0x" in line]
        self.assertGreater(len(rows), 30)
        self.assertEqual(len({tuple(row[1:4]) for row in rows}), 1)
        self.assertGreater(int(rows[0][1]), 1000)

    def test_finds_a_mate(self):
        done = slidebench("engine", "--depth", 4, "--method", "magic_fancy", "--hash", 1, "--fen",
                          "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
        self.assertIn("h5f7", done.stdout)
        self.assertIn("mate in 1", done.stdout)

    def test_bad_arguments(self):
        def refused(*arguments):
            return slidebench("engine", "--method", "pext", *arguments)
        self.assert_refused(refused("--depth", 0), "--depth")
        self.assert_refused(refused("--depth", 1000), "--depth")
        self.assert_refused(refused("--depth", 1, "--hash", 0), "--hash")
        self.assert_refused(refused("--depth", 1, "--hash", 3), "--hash")
        self.assert_refused(refused("--depth", 1, "--hash", 99999999999), "--hash")
        self.assert_refused(refused("--depth", 1, "--net", 100), "128")
        self.assert_refused(refused("--depth", 1, "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"), "king")
        self.assert_refused(refused("--depth", 1, "--positions", "/nonexistent.fen"), "/nonexistent.fen")
        self.assert_refused(slidebench("engine", "--depth", 1, "--method", "magick"), "magick")

    def test_calibration_counts_every_form(self):
        done = slidebench("engine", "--calibrate", "--depth", 4, "--nodes", 200, "--fen", KIWIPETE)
        self.assertEqual(done.returncode, 0, done.stderr)
        for form in ("classical", "net 256", "net 1024, threats", "nnue-xl"):
            self.assertIn(form, done.stdout)


@unittest.skipIf(os.environ.get("SLIDEBENCH_SANITIZED") == "1", "a sanitizer's checks are no part of a method's kernel")
class Kernel(ProgramTest):
    def test_counts_what_the_engine_executes_between_queries(self):
        done = slidebench("engine", "--instructions", "--depth", 1, "--fen", KIWIPETE)
        if "must allow ptrace" in done.stderr:
            self.skipTest("this system does not let a process trace its child")
        self.assertEqual(done.returncode, 0, done.stderr)
        counts = {line[:22].strip(): float(line[22:]) for line in done.stdout.splitlines()[1:]}
        self.assertEqual(len(counts), 5)
        self.assertGreater(counts["classical"], 20)
        self.assertGreater(counts["net 1024"], counts["net 256"])

    def count(self, *arguments):
        done = slidebench("kernel", "--trace", self.trace, "--queries", 20, "--format", "csv", *arguments)
        if "must allow ptrace" in done.stderr:
            self.skipTest("this system does not let a process trace its child")
        self.assertEqual(done.returncode, 0, done.stderr)
        return {row["method"]: row for row in csv.DictReader(done.stdout.splitlines())}

    def test_counts_what_a_query_executes(self):
        rows = self.count("--method", "magic_fancy", "--method", "kogge_stone", "--method", "ray_walk")
        self.assertNotIn("empty", rows)
        fancy, fill, walk = rows["magic_fancy"], rows["kogge_stone"], rows["ray_walk"]
        self.assertGreater(float(fill["instructions_per_query"]), 2 * float(fancy["instructions_per_query"]))
        self.assertGreater(float(fancy["loads_per_query"]), float(fancy["table_reads_per_query"]))
        self.assertGreaterEqual(float(fancy["table_reads_per_query"]), 2)  # a record and a set
        self.assertEqual(float(fill["table_reads_per_query"]), 0)
        self.assertGreater(float(walk["branches_per_query"]), 4)
        self.assertGreater(int(fill["code_bytes"]), int(fancy["code_bytes"]))
        self.assertGreater(int(fancy["code_bytes"]), 2 * float(fancy["instructions_per_query"]))

    def test_json_says_the_same(self):
        rows = self.count("--method", "hyperbola")
        found = json.loads(slidebench("kernel", "--trace", self.trace, "--queries", 20, "--method", "hyperbola", "--json").stdout)
        self.assertEqual(set(found[0]), set(rows["hyperbola"]))
        self.assertAlmostEqual(found[0]["loads_per_query"], float(rows["hyperbola"]["loads_per_query"]), 3)

    def test_is_repeatable(self):
        for workload in ("throughput", "latency"):
            arguments = ("--method", "hyperbola", "--workload", workload)
            self.assertEqual(self.count(*arguments), self.count(*arguments))

    def test_bad_arguments(self):
        self.assert_refused(slidebench("kernel"), "--trace")
        self.assert_refused(slidebench("kernel", "--trace", self.path("missing")), "missing")
        self.assert_refused(slidebench("kernel", "--trace", self.trace, "--workload", "idle"), "idle")
        self.assert_refused(slidebench("kernel", "--trace", self.trace, "--method", "magick"), "magick")
        self.assert_refused(slidebench("kernel", "--trace", self.trace, "--queries", 0), "--queries")


class Attacks(ProgramTest):
    def ask(self, *lines):
        return slidebench("attacks", "--method", "kindergarten", stdin="\n".join(lines) + "\n")

    def test_answers_line_by_line(self):
        done = self.ask("rook d4 0xffff00000000ffff", "bishop d4 0xFFFF00000000FFFF", "queen a1 0x0",
                        "both f8 0xffff00000000ffff")
        self.assertEqual(done.stdout.splitlines(), ["0x00080808f7080800", "0x0041221400142200", "0x81412111090503fe",
                                                    "0x0050000000000000 0x5020000000000000"])

    def test_bad_lines_are_named(self):
        self.assert_refused(self.ask("rook d4 0x0", "knight d4 0x0"), "line 2", "knight")
        self.assert_refused(self.ask("rook i4 0x0"), "line 1", "i4")
        self.assert_refused(self.ask("rook d44 0x0"), "d44")
        self.assert_refused(self.ask("rook d4 0xg"), "0xg")
        self.assert_refused(self.ask("rook d4 1234"), "1234")
        self.assert_refused(self.ask("rook d4 0x11112222333344445"), "occupancy")
        self.assert_refused(self.ask("rook d4"), "PIECE SQUARE OCCUPANCY")
        self.assert_refused(self.ask("rook d4 0x0 more"), "PIECE SQUARE OCCUPANCY")

    def test_no_input_is_no_answer(self):
        self.assertEqual(self.ask("").stdout, "")

    def test_null_gives_no_attacks(self):
        self.assert_refused(slidebench("attacks", "--method", "empty", stdin="rook d4 0x0\n"), "empty")


class TraceBuild(ProgramTest):
    def build(self, *inputs, out=None, stdin=None):
        return subprocess.run([PROGRAM, "trace", "build", "--kind", "game", "--out", str(out or self.path("trace")),
                               *map(str, inputs)], input=stdin, capture_output=True, check=False)

    def text(self, done):
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    def test_a_game_becomes_one_node_a_position(self):
        info = json.loads(slidebench("trace", "info", self.trace, "--format", "json").stdout)
        self.assertEqual(info["nodes"], 34)  # 33 plies and the start

    def test_compressed_piped_and_many(self):
        packed = self.path("pgn.gz")
        packed.write_bytes(gzip.compress(GAME.encode()))
        one, two, three = self.path("1"), self.path("2"), self.path("3")
        self.assertEqual(self.build(packed, out=one).returncode, 0)
        self.assertEqual(self.build("-", out=two, stdin=GAME.encode()).returncode, 0)
        self.assertEqual(self.build(self.pgn, packed, out=three).returncode, 0)
        nodes = [json.loads(slidebench("trace", "info", t, "--format", "json").stdout)["nodes"] for t in (one, two, three)]
        self.assertEqual(nodes, [34, 34, 68])

    def build_search(self, *options, out=None):
        return slidebench("trace", "build", "--kind", "search", "--out", out or self.path("trace"), "--positions", 2,
                          "--nodes", 300, "--net", 0, *options, self.pgn)

    def test_a_search_is_recorded_with_who_asked(self):
        one, two, other = self.path("1"), self.path("2"), self.path("3")
        for out, seed in ((one, 1), (two, 1), (other, 2)):
            done = self.build_search("--seed", seed, out=out)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(one.read_bytes(), two.read_bytes())
        self.assertNotEqual(one.read_bytes(), other.read_bytes())
        info = json.loads(slidebench("trace", "info", one, "--format", "json").stdout)
        search = info["provenance"]["search"]
        self.assertEqual(search["nodes"], 600)
        self.assertEqual(sum(search["callers"].values()), info["queries"])
        self.assertEqual(search["evaluations"], info["evaluated_nodes"])
        self.assertEqual(info["provenance"]["recipe"], "slidebench trace build --kind search --positions 2 --seed 1 "
                                                       "--depth 64 --nodes 300 --net 0 opera.pgn")

    def test_a_search_with_a_network_and_its_threats(self):
        out = self.path("trace")
        done = slidebench("trace", "build", "--kind", "search", "--out", out, "--positions", 2, "--nodes", 200,
                          "--net", 128, self.pgn)
        self.assertEqual(done.returncode, 0, done.stderr)
        info = json.loads(slidebench("trace", "info", out, "--format", "json").stdout)
        self.assertTrue(info["provenance"]["threats"])
        self.assertGreater(info["provenance"]["search"]["callers"]["threats"], 0)

    def test_bad_searches(self):
        for options, word in (((("--depth", 0)), "deep"), (("--depth", 1000), "deep"), (("--nodes", 0), "1 node"),
                              (("--threats",), "threats"), (("--positions", 0), "sample"),
                              (("--queries", "all"), "--queries")):
            with self.subTest(options=options):
                out = self.path("never")
                done = slidebench("trace", "build", "--kind", "search", "--out", out, "--net", 0, *options, self.pgn)
                self.assert_refused(done, word)
                self.assertFalse(out.exists())
        self.assert_refused(slidebench("trace", "build", "--kind", "search", "--net", 100, "--positions", 1, "--out",
                                       self.path("never"), self.pgn), "multiple of 128")
        self.assert_refused(slidebench("trace", "build", "--seed", 1, "--out", self.path("never"), self.pgn),
                            "--kind search")

    def test_positions(self):
        out = self.path("fen")
        done = slidebench("trace", "positions", "--count", 2, "--seed", 3, "--out", out, self.pgn)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = out.read_text().splitlines()
        self.assertEqual(len(set(lines)), 2)
        for line in lines:
            self.assertEqual(len(line.split()), 6)
        self.assert_refused(slidebench("trace", "positions", "--count", 200, "--out", self.path("never"), self.pgn),
                            "200", "more games")
        self.assert_refused(slidebench("trace", "positions", "--count", 1, "--out", "/nonexistent/p", self.pgn),
                            "/nonexistent/p")

    def test_the_committed_positions_are_sampled_again(self):
        out = self.path("fen")
        done = slidebench("trace", "positions", "--count", 64, "--seed", 1, "--out", out, SOURCE / "datasets/sample.pgn")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(out.read_bytes(), (SOURCE / "datasets/positions.fen").read_bytes())

    def test_illegal_games_are_counted_and_named(self):
        mixed = self.path("pgn")
        mixed.write_text(GAME + ILLEGAL_GAME + GAME)
        done = self.text(self.build(mixed))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 game", done.stderr)
        self.assertIn("Nobody", done.stderr)

    def test_bad_games(self):
        empty, binary, missing = self.path("empty"), self.path("binary"), self.path("missing")
        empty.write_bytes(b"")
        binary.write_bytes(bytes(range(256)) * 64)
        for path in (empty, binary, missing):
            with self.subTest(path=path.suffix):
                out = self.path("never")
                self.assert_refused(self.text(self.build(path, out=out)), path.name)
                self.assertFalse(out.exists())

    def test_bad_outputs(self):
        self.assert_refused(self.text(self.build(self.pgn, out="/dev/full")), "/dev/full")
        self.assert_refused(self.text(self.build(self.pgn, out="/nonexistent/t")), "/nonexistent/t")

    def test_without_pgn_extract(self):
        done = slidebench("trace", "build", "--kind", "game", "--out", self.path("t"), self.pgn,
                          environment={"SLIDEBENCH_PGN_EXTRACT": "/nonexistent/pgn-extract"})
        self.assert_refused(done, "pgn-extract", "install")


class TraceInfo(ProgramTest):
    def refused(self, change, *words):
        path = self.path("trace")
        path.write_bytes(change(bytearray(self.trace.read_bytes())))
        self.assert_refused(slidebench("trace", "info", path), *words)

    def test_bad_traces(self):
        self.refused(lambda b: b"")
        self.refused(lambda b: b[: len(b) // 2])
        self.refused(lambda b: b[:17])
        self.refused(lambda b: b"PK\x03\x04 something else entirely" * 20, "not a slidebench trace")

        def flip(b):
            b[len(b) // 2] ^= 0x10
            return b
        self.refused(flip)

        def other_version(b):
            b[12] += 1
            return b
        self.refused(other_version, "version")

    def test_figures_stand_beside_those_of_an_engine(self):
        info = json.loads(slidebench("trace", "info", self.trace, "--format", "json").stdout)
        compared = {row["figure"]: row for row in info["compared"]}
        self.assertEqual(compared["recurs within 1,024"]["strong_engine"], [0.87, 0.87])
        self.assertEqual(compared["recurs within 1,024"]["trace"], info["recurrence_shares"]["1024"])
        self.assertEqual(compared["calls per position, mean"]["trace"], info["queries_per_node"]["mean"])
        self.assertIsNone(info["table_lines"]["magic_fancy"]["100000"])
        self.assertIn("strong engine", slidebench("trace", "info", self.trace).stdout)

    def test_missing(self):
        self.assert_refused(slidebench("trace", "info", "/nonexistent.trace"), "/nonexistent.trace")

    def test_random_is_deterministic(self):
        one, two, other = self.path("1"), self.path("2"), self.path("3")
        for path, seed in ((one, 5), (two, 5), (other, 6)):
            self.assertEqual(slidebench("trace", "random", "--seed", seed, "--out", path).returncode, 0)
        self.assertEqual(one.read_bytes(), two.read_bytes())
        self.assertNotEqual(one.read_bytes(), other.read_bytes())


class Run(ProgramTest):
    def run_quickly(self, *arguments):
        """A run of one method; its folder."""
        out = self.path("run")
        done = slidebench("run", "--trace", self.trace, "--profile", "quick", "--method", "hyperbola", "--out", out,
                          *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("hyperbola", done.stdout)
        return out

    def test_the_answer_is_the_same_everywhere(self):
        out = self.path("run")
        done = slidebench("run", "--trace", self.trace, "--profile", "quick", "--method", "known", "--workload", "throughput",
                          "--pressure", "isolated", "--pressure", "net0", "--no-random", "--out", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertLessEqual(len(lines), 26, done.stdout)
        self.assertEqual([line[:8] for line in lines[:3]], ["Step 1/3", "Step 2/3", "Step 3/3"])
        answer = json.loads((out / "answer.json").read_text())
        self.assertEqual(answer, json.loads(slidebench("show", out, "--json").stdout))
        shown = slidebench("show", out).stdout.splitlines()
        self.assertEqual(shown[:-1], lines[4:-2])
        summary = {(row["contender"], row["pressure"]): row for row in rows_of(out / "summary.csv")}
        for situation in answer["situations"]:
            self.assertIn(situation["text"], lines)
            if situation["method"]:
                row = summary[situation["method"], situation["cell"]["pressure"]]
                self.assertEqual(situation["ratio"], float(row["ratio"]))
                self.assertIn(row["best"], {"fastest", "among"} if not situation["limit_bytes"] else {"behind", "among", "fastest"})
        self.assertEqual(answer["table"]["situations"], ["alone", "net0"])
        withheld = {s["cell"]["pressure"] for s in answer["situations"] if s["verdict"] == "withheld"}
        for row in answer["table"]["rows"]:
            self.assertEqual(row["ratios"], [None if p in withheld else float(summary[row["method"], p]["ratio"])
                                             for p in ("isolated", "net0")])
        self.assertNotIn("\033", done.stdout)
        self.assertIn(str(out / "index.html"), lines[-1])

        tables = slidebench("show", out, "--all").stdout
        for row in summary.values():
            self.assertIn(f"  {row['contender']}  ", tables)
        for word in ("rank correlation", "A/A control", "positive control", "notes"):
            self.assertIn(word, tables)
        one = slidebench("show", out, "--cell", "net0").stdout
        self.assertEqual(one.count("process runs"), 1)
        self.assertIn("trace game, net0", one)
        self.assertEqual(slidebench("show", out, "--cell", "net0", "--cell", "alone").stdout.count("process runs"), 2)
        rows = json.loads(slidebench("show", out, "--cell", "game,alone", "--json").stdout)["rows"]
        self.assertEqual({row["cell"]["pressure"] for row in rows}, {"isolated"})
        self.assert_refused(slidebench("show", out, "--cell", "nte0"), "'nte0'", "did you mean 'net0'?", "throughput,game,net0")
        self.assert_refused(slidebench("show", out, "--cell", "latency,net0"), "'latency'")
        self.assertIn("\033[", on_terminal("show", out))
        self.assertNotIn("\033[", on_terminal("show", out, NO_COLOR="1"))
        self.assertLessEqual(max(map(len, on_terminal("show", out, NO_COLOR="1").splitlines()[:8])), 100)

        long = "a_method_whose_name_is_longer_than_forty_letters"
        renamed = shutil.copytree(out, self.path("renamed"))
        (renamed / "summary.csv").write_text((out / "summary.csv").read_text().replace("pext", long))
        head, *table = slidebench("show", renamed, "--cell", "alone").stdout.splitlines()[2:]
        self.assertTrue(any(line.startswith(f"  {long}  ") for line in table))
        for line in table:
            self.assertRegex(line[:head.index("net") + 3], r"\d( +-?\d+\.\d\d| +)$")
            self.assertRegex(line[head.index("verdict") - 2:], r"^  \w+$")

    def test_a_script_numbers_the_steps_of_its_run(self):
        out = self.path("run")
        done = slidebench("run", "--trace", self.trace, "--no-random", "--method", "pext", "--workload", "throughput",
                          "--pressure", "isolated", "--process-runs", 2, "--rounds", 1, "--sample-ms", 1, "--out", out,
                          "--steps-before", 1)
        self.assertEqual([line[:8] for line in done.stdout.splitlines()], ["Step 2/4", "Step 3/4", "Step 4/4"], done.stderr)
        self.assertTrue((out / "answer.json").exists())

    def test_show_refuses_what_is_no_run(self):
        self.assert_refused(slidebench("show"), "DIR")
        self.assert_refused(slidebench("show", "/nonexistent"), "/nonexistent", "no such folder")
        self.assert_refused(slidebench("show", self.folder), "holds no run")
        self.path("bad").mkdir()
        (self.path("bad") / "run.json").write_text("{")
        self.assert_refused(slidebench("show", self.path("bad")), "damaged")

    def test_nothing_is_written_before_the_input_is_checked(self):
        damaged = self.path("damaged.trace")
        damaged.write_bytes(self.trace.read_bytes()[:100])
        out = self.path("never")
        for command in ("run", "simulate"):
            for trace in ("/nonexistent.trace", damaged):
                done = slidebench(command, "--trace", self.trace, "--trace", trace, "--out", out)
                self.assert_refused(done, str(trace))
                self.assertFalse(out.exists(), command)
        self.assert_refused(slidebench("run", "--method", "magick", "--trace", self.trace, "--out", out), "magick")
        self.assertFalse(out.exists())

    def test_progress_on_a_terminal(self):
        printed = on_terminal("run", "--trace", self.trace, "--no-random", "--workload", "throughput", "--method",
                              "hyperbola", "--process-runs", 2, "--rounds", 4, "--out", self.path("run"))
        self.assertRegex(printed, r"\[#*-+\] +\d+ %, \d+ (s|min) left, process run")

    def cells_of(self, rows):
        return {(r["workload"], r["kinds"], r["trace"], r["pressure"]) for r in rows}

    def test_a_run_that_asks_for_nothing_is_complete(self):
        out = self.run_quickly()
        samples = rows_of(out / "samples.csv")
        contenders = {"empty", "magic_fancy", "magic_fancy.twin", "magic_fancy.control", "clock", "hyperbola"}
        self.assertEqual({s["contender"] for s in samples}, contenders)
        cells = {("throughput", "all", "game", "isolated"), ("latency", "all", "game", "isolated"),
                 ("throughput", "all", "random", "isolated"), ("latency", "all", "random", "isolated"),
                 ("throughput", "both", "game", "isolated"), ("latency", "both", "game", "isolated"),
                 ("setwise", "all", "game", "isolated"), ("update", "all", "game", "isolated"),
                 ("throughput", "all", "game", "net0"), ("throughput", "all", "game", "net256"),
                 ("throughput", "all", "game", "net1024")}
        self.assertEqual(self.cells_of(samples), cells)
        rounds = 16
        in_latency = 3  # where the control takes part
        in_update = {"empty", "clock"}  # and methods that keep a board, of which none is asked for
        self.assertEqual({s["contender"] for s in samples if s["workload"] == "update"}, in_update)
        self.assertEqual(len(samples),
                         rounds * ((len(cells) - 1) * (len(contenders) - 1) + in_latency + len(in_update)))
        self.assertTrue(all(float(s["time_ns"]) > 0 for s in samples))
        summary = rows_of(out / "summary.csv")
        for row in summary:
            if row["contender"] == "hyperbola":
                self.assertLessEqual(float(row["ratio_low"]), float(row["ratio"]))
                self.assertIn(row["verdict"], {"faster", "slower", "equivalent", "inconclusive", "unresolved", "void"})
                self.assertLessEqual(float(row["holm_low"]), float(row["ratio_low"]) + 1e-4)
            if row["contender"] in ("empty", "clock"):
                self.assertEqual(row["ratio"], "")  # absent, not 0
        record = json.loads((out / "run.json").read_text())
        self.assertTrue(record["complete"])
        self.assertEqual({t["name"] for t in record["traces"]}, {"game", "random"})
        for name in ("mrc.csv", "squares.csv"):
            self.assertEqual({row["trace"] for row in rows_of(out / name)}, {"game"}, name)
        simulated = {(row["trace"], row["method"]) for row in rows_of(out / "counters.csv") if row["source"] == "simulated"}
        self.assertEqual(simulated, {(t, m) for t in ("game", "random") for m in ("empty", "magic_fancy", "hyperbola")})
        self.assertTrue(record["counters"]["status"] == "papi" or record["counters"]["reason"])
        self.assertEqual(len(record["checks"]["twin"]), len(cells) - 1)  # none in update
        self.assertEqual(len(record["checks"]["control"]), in_latency)
        self.assertEqual(record["schema"], 4)
        self.assertEqual(record["inference"], {"interval": "student-t", "confidence": 0.95, "margin": 0.01})
        self.assertFalse((out / "unfinished.jsonl").exists())
        self.assert_refused(slidebench("run", "--trace", self.trace, "--out", out), "holds a run already")

    def test_orders_are_random_and_every_round_complete(self):
        rows = rows_of(self.run_quickly("--no-random", "--workload", "latency") / "samples.csv")
        rounds = {}
        for s in rows:
            rounds.setdefault((s["process_run"], s["round"]), []).append((int(s["position"]), s["contender"]))
        self.assertEqual(len(rounds), 16)
        orders = [tuple(contender for _, contender in sorted(r)) for r in rounds.values()]
        self.assertTrue(all(set(o) == set(orders[0]) and len(o) == 6 for o in orders))
        self.assertGreater(len(set(orders)), 5)

    def test_what_is_asked_for_is_combined(self):
        rows = rows_of(self.run_quickly("--no-random", "--workload", "throughput", "--workload", "update", "--kinds",
                                        "both", "--kinds", "rook", "--pressure", "isolated", "--pressure",
                                        "16@64K/eval", "--pages", "4k") / "samples.csv")
        self.assertEqual(self.cells_of(rows), {(w, k, "game", p) for p in ("isolated", "16@64K/eval")
                                               for w, k in (("throughput", "both"), ("throughput", "rook"), ("update", "all"))})
        queries = {(r["kinds"], r["pressure"]): int(r["queries"]) for r in rows
                   if r["contender"] == "empty" and r["workload"] == "throughput"}
        self.assertTrue(all(q > 0 for q in queries.values()))

    def test_each_pressure_has_the_nodes_of_its_own_events(self):
        """Of one kind, nodes that ask nothing stay for the pressure that touches at them, and for no other."""
        log, trace, out = self.path("log"), self.path("trace"), self.path("run")
        log.write_text("root ffff00000000ffff\n" + "make ffff00000000ffff\nprobe\nr a1 ffff00000000ffff\n"
                       "make ffff00000000ffff\nb e4 ffff00000000ffff\n" * 200)
        self.assertEqual(slidebench("trace", "import", "--out", trace, log).returncode, 0)
        done = slidebench("run", "--no-random", "--trace", trace, "--workload", "throughput", "--kinds", "bishop", "--pressure",
                          "isolated", "--pressure", "16@64K/probe", "--method", "hyperbola", "--process-runs", 2, "--rounds", 1,
                          "--sample-ms", 0.2, "--warm-up-ms", 0, "--out", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [row for row in rows_of(out / "samples.csv") if row["contender"] == "hyperbola"]
        nodes = {row["pressure"]: int(row["nodes"]) / int(row["queries"]) for row in rows}
        self.assertEqual(nodes, {"isolated": 1, "16@64K/probe": 2})

    def test_batches_of_several_sizes(self):
        out = self.run_quickly("--no-random", "--workload", "batch", "--sliders", 1, "--sliders", 6, "--method", "magic_fancy")
        rows = rows_of(out / "samples.csv")
        self.assertEqual(self.cells_of(rows), {("batch", "1-slider", "game", "isolated"), ("batch", "6-sliders", "game", "isolated")})
        self.assertEqual({r["contender"] for r in rows}, {"empty", "clock", "magic_fancy", "magic_fancy.twin", "hyperbola"})
        shown = slidebench("show", out, "--cell", "batch", "--cell", "6-sliders")
        self.assertIn("batch of 6-sliders, trace game", shown.stdout + shown.stderr)

    def test_whole_batches(self):
        out = self.run_quickly("--no-random", "--workload", "batch", "--workload", "setwise", "--process-runs", 2, "--rounds", 1)
        self.assertEqual(self.cells_of(rows_of(out / "samples.csv")),
                         {("batch", "all", "game", "isolated"), ("setwise", "all", "game", "isolated")})

    def test_the_engine_in_batches(self):
        out = self.run_quickly("--no-random", "--workload", "engine", "--net", 128, "--threats", "--batch", "--nodes", 500,
                               "--hash", 1, "--process-runs", 2, "--rounds", 1)
        self.assertEqual({r["trace"] for r in rows_of(out / "summary.csv")},
                         {"net128", "net128-threats", "net128-batch", "net128-threats-batch"})

    def test_corunners_are_a_coordinate_and_end_with_the_run(self):
        rows = rows_of(self.run_quickly("--no-random", "--workload", "throughput", "--corunner", 0, "--corunner", 1)
                       / "samples.csv")
        self.assertEqual({r["corunners"] for r in rows}, {"0", "1"})
        self.assertEqual(len({r["process_run"] for r in rows}), 16)
        commands = [p.read_bytes() for p in pathlib.Path("/proc").glob("[0-9]*/cmdline") if p.exists()]
        self.assertFalse([c for c in commands if b"run-corunner" in c])

    def test_a_sweep_over_pressures_gives_a_crossover_file(self):
        out = self.run_quickly("--no-random", "--workload", "throughput", "--pressure", "isolated", "--pressure",
                               "16@64K/node", "--pressure", "64@64K/node", "--method", "kindergarten")
        header = (out / "crossings.csv").read_text().splitlines()[0]
        self.assertEqual(header.split(",")[:4], ["workload", "kinds", "trace", "sweep"])
        statistics = rows_of(out / "correlations.csv")
        self.assertEqual({row["pressure_a"] for row in statistics}, {"isolated", "16@64K/node", "64@64K/node"})

    def test_nodes_a_second_inside_the_engine(self):
        out = self.run_quickly("--no-random", "--workload", "engine", "--workload", "perft", "--net", 0, "--net", 256,
                               "--nodes", 500, "--hash", 1)
        summary = rows_of(out / "summary.csv")
        self.assertEqual({(r["workload"], r["trace"]) for r in summary},
                         {("engine", "net0"), ("engine", "net256"), ("perft", "positions")})
        self.assertEqual({r["contender"] for r in summary}, {"clock", "hyperbola", "magic_fancy", "magic_fancy.twin"})

    def test_the_engine_needs_no_trace(self):
        out = self.path("run")
        done = slidebench("run", "--profile", "quick", "--workload", "perft", "--method", "hyperbola", "--out", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        record = json.loads((out / "run.json").read_text())
        self.assertEqual(record["traces"], [])
        self.assertFalse((out / "random.trace").exists())
        self.assertEqual({r["workload"] for r in rows_of(out / "summary.csv")}, {"perft"})
        self.assert_refused(slidebench("run", "--no-random", "--workload", "perft", "--workload", "latency",
                                       "--out", self.path("other")), "nothing to replay")

    def test_large_pages_are_used_or_refused(self):
        setting = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
        if not setting.exists() or "[never]" in setting.read_text():
            self.assert_refused(slidebench("run", "--pages", "2m", "--out", self.path("run")), "--pages 2m")
            return
        out = self.run_quickly("--no-random", "--workload", "throughput", "--pages", "2m", "--pages", "4k")
        self.assertEqual({r["pages"] for r in rows_of(out / "summary.csv")}, {"2m", "4k"})
        pages = json.loads((out / "run.json").read_text())["pages"]
        self.assertEqual({(p["contender"], p["pages"]) for p in pages if p["contender"] == "magic_fancy"},
                         {("magic_fancy", "2m"), ("magic_fancy", "4k")})
        for report in pages:
            if report["pages"] == "4k":
                self.assertEqual(report["large_page_bytes"], 0)

    def test_interrupted_runs_keep_what_they_have(self):
        out = self.path("run")
        run = subprocess.Popen([PROGRAM, "run", "--profile", "standard", "--trace", str(self.trace), "--out", str(out)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.time() + 120
        while time.time() < deadline:
            if (out / "samples.csv").exists() and len((out / "samples.csv").read_text().splitlines()) > 30:
                break
            time.sleep(0.1)
        run.send_signal(signal.SIGINT)
        _, stderr = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 2, stderr)
        self.assertIn("interrupted", stderr.splitlines()[-1])
        self.assertFalse(json.loads((out / "run.json").read_text())["complete"])
        rows = rows_of(out / "samples.csv")
        self.assertGreater(len(rows), 30)
        self.assertTrue(all(row["steal_ticks"] for row in rows))
        self.assertTrue((out / "summary.csv").exists())

    def start_decided_run(self, out, *arguments):
        return subprocess.Popen([PROGRAM, "run", "--no-random", "--trace", str(self.trace), "--workload", "throughput",
                                 "--method", "magic_dense", "--method", "ray_walk", "--profile", "quick",
                                 "--until-decided", "--margin", "0.1%", "--max-time", "10m", "--out", str(out),
                                 *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    @staticmethod
    def wait_for_process_runs(out, count):
        """Until the journal of a run knows so many process runs."""
        deadline = time.time() + 120
        while time.time() < deadline:
            journal = out / "unfinished.jsonl"
            if journal.exists() and len(journal.read_text().splitlines()) > count:
                return
            time.sleep(0.05)
        raise AssertionError("the run measures nothing")

    def test_a_run_until_decided_stops_when_it_knows(self):
        out = self.path("run")
        done = slidebench("run", "--no-random", "--trace", self.trace, "--workload", "throughput", "--profile", "quick",
                          "--method", "ray_walk", "--until-decided", "--margin", "20%", "--max-time", "5m", "--out", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        record = json.loads((out / "run.json").read_text())
        self.assertEqual(record["inference"]["interval"], "confidence-sequence")
        verdicts = {d["verdict"] for d in record["decisions"]}
        self.assertTrue(verdicts and verdicts <= {"faster", "slower"}, verdicts)  # under a sanitizer either may be
        self.assertFalse((out / "unfinished.jsonl").exists())
        self.assert_refused(slidebench("run", "--resume", out), "finished")

    def test_decided_methods_leave_and_the_rest_goes_on(self):
        out = self.path("run")
        run = self.start_decided_run(out)
        deadline = time.time() + 120
        left = False
        while time.time() < deadline and not left:
            time.sleep(0.5)
            if not (out / "samples.csv").exists():
                continue
            contenders = {}
            for row in rows_of(out / "samples.csv")[:-1]:
                contenders.setdefault(int(row["process_run"]), set()).add(row["contender"])
            left = any("ray_walk" not in seen and "magic_dense" in seen for seen in list(contenders.values())[:-1])
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=120)
        self.assertTrue(left, "a method several times slower is decided within a few process_runs")

    def test_a_killed_run_goes_on_where_it_was(self):
        out = self.path("run")
        run = self.start_decided_run(out)
        self.wait_for_process_runs(out, 3)
        run.kill()
        run.communicate()
        before = rows_of(out / "samples.csv")
        journal = [json.loads(line) for line in (out / "unfinished.jsonl").read_text().splitlines()][1:]
        done = {str(entry["process_run"]) for entry in journal}
        # As if it had been killed in the middle of a line.
        with (out / "samples.csv").open("a") as file:
            file.write("99,0,1,hyper")
        resumed = slidebench("run", "--resume", out, "--max-time", "2s")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        after = rows_of(out / "samples.csv")
        kept = [row for row in before if row["process_run"] in done]
        self.assertEqual(after[:len(kept)], kept)
        self.assertGreater(len(after), len(kept))
        rounds = [(row["process_run"], row["round"], row["contender"]) for row in after]
        self.assertEqual(len(rounds), len(set(rounds)))
        self.assertTrue((out / "summary.csv").exists())

    def test_a_killed_run_leaves_no_process_behind(self):
        # A round of more than a minute: a process that had to notice by itself would do so long after the deadline.
        run = subprocess.Popen([PROGRAM, "run", "--no-random", "--trace", str(self.trace), "--workload", "latency",
                                "--method", "hyperbola", "--profile", "quick", "--sample-ms", "10000", "--warm-up-ms",
                                "10000", "--out", str(self.path("run"))], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.time() + 60
        process_runs = []
        while time.time() < deadline and not process_runs:
            time.sleep(0.05)
            process_runs = running_process_runs(run.pid)
        self.assertTrue(process_runs, "no measuring process ever started")
        run.kill()
        run.wait()
        deadline = time.time() + 20
        while time.time() < deadline and any(is_running(pid) for pid in process_runs):
            time.sleep(0.05)
        self.assertEqual([pid for pid in process_runs if is_running(pid)], [])

    def test_a_fixed_run_can_be_continued_too(self):
        out = self.path("run")
        run = subprocess.Popen([PROGRAM, "run", "--no-random", "--trace", str(self.trace), "--workload", "latency",
                                "--method", "hyperbola", "--profile", "quick", "--process-runs", "5", "--out", str(out)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.wait_for_process_runs(out, 2)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=120)
        self.assertEqual(run.returncode, 2)
        resumed = slidebench("run", "--resume", out)
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        record = json.loads((out / "run.json").read_text())
        self.assertTrue(record["complete"])
        self.assertEqual({row["process_run"] for row in rows_of(out / "samples.csv")}, {"0", "1", "2", "3", "4"})

    def test_segments_are_spread_over_process_runs(self):
        rows = rows_of(self.run_quickly("--workload", "throughput", "--process-runs", 2, "--rounds", 2) / "samples.csv")
        segments = [r["segment"] for r in rows if r["trace"] == "random" and r["contender"] == "hyperbola"]
        self.assertEqual(len(segments), 4)
        self.assertEqual(len(set(segments)), 4, "a segment twice before all four were seen")

    def test_bad_resumes(self):
        self.assert_refused(slidebench("run", "--resume", "/nonexistent"), "/nonexistent", "no such folder")
        empty = self.path("empty")
        empty.mkdir()
        self.assert_refused(slidebench("run", "--resume", empty), "no run")
        out = self.path("run")
        run = self.start_decided_run(out)
        self.wait_for_process_runs(out, 1)
        run.kill()
        run.communicate()
        self.assert_refused(slidebench("run", "--resume", out, "--profile", "quick"), "--resume goes with --max-time")
        journal = (out / "unfinished.jsonl").read_text()
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

    def test_bad_protocols(self):
        out = self.path("run")
        for margin in ("0", "0%", "50%", "0.5", "-1%", "1 percent", "nan", ""):
            self.assert_refused(slidebench("run", "--margin", margin, "--out", out), "--margin")
        for duration in ("0", "0s", "5 parsecs", "-3m", "inf", "nan"):
            self.assert_refused(slidebench("run", "--until-decided", "--max-time", duration, "--out", out),
                                "--max-time")
        self.assert_refused(slidebench("run", "--max-time", "5m", "--out", out), "--until-decided")
        self.assert_refused(slidebench("run", "--until-decided", "--workload", "update", "--out", out), "nothing to decide")
        self.assert_refused(slidebench("run", "--process-runs", 1, "--out", out), "--process-runs")
        self.assert_refused(slidebench("run", "--rounds", 0, "--out", out), "--rounds")
        self.assert_refused(slidebench("run", "--methods-per-round", 0, "--out", out), "--methods-per-round")
        self.assert_refused(slidebench("run", "--sample-ms", 0, "--out", out), "--sample-ms")
        self.assert_refused(slidebench("run", "--warm-up-ms", "-1", "--out", out), "--warm-up-ms")
        self.assertFalse(out.exists())

    def test_bad_input(self):
        out = self.path("run")
        self.assert_refused(slidebench("run", "--workload", "thruput", "--out", out), "unknown workload 'thruput'")
        self.assert_refused(slidebench("run", "--profile", "slow", "--out", out), "unknown profile 'slow'")
        self.assert_refused(slidebench("run", "--method", "magick", "--out", out), "unknown method 'magick'")
        self.assert_refused(slidebench("run", "--trace", "/nonexistent.trace", "--out", out), "/nonexistent.trace")
        self.assert_refused(slidebench("run", "--no-random", "--out", out), "--trace")
        self.assert_refused(slidebench("run"), "--out")
        self.assert_refused(slidebench("run", "--kinds", "knight", "--out", out), "knight")
        self.assert_refused(slidebench("run", "--pressure", "heavy", "--out", out), "heavy", "nnue")
        self.assert_refused(slidebench("run", "--workload", "setwise", "--pressure", "192/query", "--out", out),
                            "setwise", "192/query")
        self.assert_refused(slidebench("run", "--pressure", "64@1K/node", "--out", out), "64@1K/node")
        self.assert_refused(slidebench("run", "--pages", "1g", "--out", out), "1g")
        self.assert_refused(slidebench("run", "--workload", "batch", "--pressure", "192/query", "--out", out),
                            "batch", "192/query")
        self.assert_refused(slidebench("run", "--workload", "latency", "--sliders", 3, "--out", out), "--sliders")
        for sliders in (0, 33, "x"):
            self.assert_refused(slidebench("run", "--workload", "batch", "--sliders", sliders, "--out", out), "--sliders")
        self.assert_refused(slidebench("run", "--workload", "engine", "--net", 100, "--out", out), "net100")
        self.assert_refused(slidebench("run", "--workload", "engine", "--hash", 5, "--out", out), "--hash")
        self.assert_refused(slidebench("run", "--workload", "engine", "--nodes", 0, "--out", out), "--nodes")
        self.assert_refused(slidebench("run", "--workload", "engine", "--positions", "/nonexistent", "--out", out), "/nonexistent")
        self.assert_refused(slidebench("run", "--corunner", "-1", "--out", out), "--corunner")
        self.assert_refused(slidebench("run", "--corunner", "5000", "--out", out), "1024")
        a_file = self.path("file")
        a_file.write_text("")
        self.assert_refused(slidebench("run", "--out", a_file), str(a_file))
        self.assert_refused(slidebench("run", "--out", "/proc/nothing"), "/proc/nothing")

    def test_methods_beyond_the_cpu_are_skipped(self):
        out = self.path("run")
        lesser = {"SLIDEBENCH_WITHOUT_ISA": "avx512f"}
        done = slidebench("run", "--profile", "quick", "--workload", "latency", "--no-random", "--trace", self.trace,
                          "--out", out, environment=lesser)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_unknown_feature_in_the_override(self):
        self.assert_refused(slidebench("list", environment={"SLIDEBENCH_WITHOUT_ISA": "mmx3"}), "mmx3")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
