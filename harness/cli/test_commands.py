# SPDX-License-Identifier: MIT
"""The commands as a user meets them, and every kind of bad input refused.

Usage: the program and the source folder, then what unittest takes.
"""

import csv
import json
import os
import pathlib
import re
import shlex
import subprocess
import unittest

from test_program import PROGRAM, ProgramTest, on_terminal, rows_of, run_tests, slidebench


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
            for name, why in (("extra", "no extra methods"), ("sbamg", "unknown method 'sbamg'")):
                self.assert_refused(slidebench("list", "--method", name), why, "-DSLIDEBENCH_METHODS=all")
            return
        self.assertEqual(self.ids("extra"), {"core": set(), "extra": every["extra"]})
        self.assertEqual(self.ids("extra", "pext"), {"core": {"pext"}, "extra": every["extra"]})
        self.assertEqual(self.ids("sbamg"), {"core": set(), "extra": {"sbamg"}})
        verified = self.succeed("verify", "--method", "sbamg", "--boards", 100)
        self.assertEqual((verified.stderr, "sbamg" in verified.stdout), ("", True))

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

    def test_help_has_an_example_of_each_commands_own_and_the_range_of_each_number(self):
        commands = list(self.commands())
        self.assertGreaterEqual(len(commands), 10, "all of the core")
        for command in commands:
            with self.subTest(command=command):
                helped = slidebench(*command, "--help").stdout
                self.assertRegex(helped, r"Examples?:\n(.*\n)*  .*slidebench " + " ".join(command))
                # CLI11 alone makes large numbers of negative ones: every number has a kind and a range.
                without = r"(--[a-z-]+) (?:UINT|INT|FLOAT|N|SEED|SECONDS|MS|NS|NUMBER|BYTES|TIME|PERCENT)(?![:\w])"
                self.assertEqual(re.findall(without, helped), [])

    def test_families(self):
        def ids(*methods):
            return set().union(*self.ids(*methods).values())
        magic = ids("family:magic")
        self.assertGreater(len(magic), 8)
        self.assertTrue(all(name.startswith("magic") for name in magic), magic)
        self.assertLessEqual(ids("known"), {"pext", "magic_fancy", "magic_plain", "magic_black", "hyperbola", "hyperbola_avx2",
                                            "hyperbola_gfni", "obstruction_difference", "kogge_stone"})
        self.assertEqual(ids("family:magic", "ray_walk"), magic | {"ray_walk"})

    def test_names_longer_than_a_pipe(self):
        for words in (("verify", "--method"), ("new-method",), ("show",)):
            done = slidebench(*words, "x" * 100_000)
            self.assert_refused(done, "xxx")
            self.assertLess(len(done.stderr), 5000)

    def test_numbers_that_are_none(self):
        for words, name in ((("verify",), "--boards"), (("trace", "random"), "--nodes"), (("run",), "--nodes"), (("run",), "--seed"),
                            (("run",), "--segment-queries"), (("perft",), "--depth")):
            for value in ("-1", "", "nan", "inf", "0x10", "1,5", "1 ", str(2**64)):
                why = "number in" if value else "is empty"
                for typed in ([name, value], [f"{name}={value}"]):
                    self.assert_refused(slidebench(*words, *typed), name, why, f"see slidebench {' '.join(words)} --help")

    def test_help_and_glossary(self):
        self.assertEqual(slidebench("help").stdout, slidebench("--help").stdout)
        self.assertIn("--kind", slidebench("help", "trace", "build").stdout)
        words = json.loads(slidebench("help", "glossary", "--json").stdout)
        for word, meaning in words.items():
            self.assertIn(f"{word}: {meaning}", slidebench("help", "glossary").stdout)
        self.assertLessEqual(max(map(len, on_terminal("help", "glossary").splitlines())), 100)

    def test_pressures_are_those_that_run_takes(self):
        text = slidebench("help", "pressures").stdout
        for preset in json.loads(slidebench("help", "pressures", "--json").stdout):
            self.assertIn(f"{preset['name']}\n", text)
            self.assertIn(f"  {preset['source']}\n", text)
            self.assertIn(preset["name"], slidebench("run", "--help").stdout)

    def test_columns_are_those_of_the_files(self):
        columns = json.loads(slidebench("help", "columns", "--json").stdout)
        text = slidebench("help", "columns").stdout
        for file, table in columns.items():
            self.assertIn(f"{file}\n  A row is {table['row']}.\n", text)
        out = self.folder / "simulated"
        slidebench("simulate", "--trace", self.trace, "--method", "pext", "--squares", "--out", out)
        for file in ("counters.csv", "squares.csv", "tables.csv"):
            with self.subTest(file):
                first = (out / file).read_text().splitlines()[0]
                self.assertEqual(first.split(","), [column["name"] for column in columns[file]["columns"]])

    def test_colour_on_a_terminal_alone(self):
        verify = ("verify", "--method", "pext", "--boards", 10)
        self.assertNotIn("\033", slidebench(*verify).stdout)
        self.assertIn("\033[32mright\033[0m", on_terminal(*verify))
        self.assertIn("\033[32mright\033[0m", on_terminal(*verify, NO_COLOR=""))
        self.assertNotIn("\033", on_terminal(*verify, NO_COLOR="1"))
        self.assertNotIn("\033", on_terminal(*verify, TERM="dumb"))


class Verify(ProgramTest):
    def test_json(self):
        lesser = {"SLIDEBENCH_WITHOUT_ISA": "avx512f"}
        verify = ("verify", "--method", "family:fill", "--boards", 10)
        self.assertIn("skipped: needs avx512f", self.succeed(*verify, environment=lesser).stdout)
        found = json.loads(self.succeed(*verify, "--json", environment=lesser).stdout)
        self.assertIn("kogge_stone", {m["id"] for m in found["methods"]})
        self.assertTrue(all(method["right"] and method["answers"] > 100_000 for method in found["methods"]), found)
        self.assertEqual([skipped["id"] for skipped in found["skipped"]], ["kogge_stone_avx512"])
        self.assertIn("avx512f", found["skipped"][0]["why"])


class Simulate(ProgramTest):
    def simulate(self, name, other_method, draws, *arguments):
        """A simulation of magic_fancy and another method; its record and its folder."""
        out = self.path(name)
        self.succeed("simulate", "--trace", self.trace, "--draws", draws, "--method", "magic_fancy", "--method",
                     other_method, "--out", out, *arguments)
        return json.loads((out / "run.json").read_text()), out

    def test_writes_what_it_promises(self):
        record, out = self.simulate("sim", "hyperbola", 2, "--cache", "nehalem-i5", "--cache", "L1=4K/4", "--pressure", "isolated",
                                    "--pressure", "64@256K/node", "--pages", "4k", "--pages", "2m", "--reuse")
        self.assertEqual((record["kind"], record["complete"], record["counters"]["status"]), ("simulation", True, "simulated"))
        rows = rows_of(out / "counters.csv")
        for column, values in (("source", {"simulated"}), ("cache", {"nehalem-i5", "L1=4K/4"}), ("pages", {"4k", "2m"}),
                               ("pressure", {"isolated", "64@256K/node"})):
            self.assertEqual({row[column] for row in rows}, values)
        self.assertFalse([row for row in rows if row["cache"] == "L1=4K/4" and row["metric"] == "l3_misses"])
        for row in rows:
            self.assertRegex(row["event"], r"^slidebench::[A-Z0-9_]+$")
        misses = {(r["method"], r["pressure"], r["cache"]): int(r["value"]) for r in rows
                  if r["metric"] == "l1d_misses" and r["pages"] == "4k" and r["draw"] == "0"}
        self.assertEqual(misses["empty", "isolated", "L1=4K/4"], 0)
        for method in ("magic_fancy", "hyperbola"):
            self.assertGreater(misses[method, "64@256K/node", "L1=4K/4"], misses[method, "isolated", "L1=4K/4"])
        self.assertGreater(misses["magic_fancy", "isolated", "L1=4K/4"], misses["hyperbola", "isolated", "L1=4K/4"])

    def test_counts_are_warm_or_cold(self):
        for state, arguments in (("warm", ()), ("cold", ("--cold",))):
            record, out = self.simulate(state, "rotated_hyatt", 1, "--cache", "skylake", *arguments)
            self.assertEqual(record["state"], state)
            compulsory = sum(int(row["compulsory"]) for row in rows_of(out / "tables.csv") if row["table"] == "all")
            self.assertEqual(compulsory > 0, state == "cold")

    def test_jobs_change_nothing(self):
        options = ("--cache", "zen4", "--pressure", "isolated", "--pressure", "32@1M/eval/rows", "--reuse", "--squares")
        one, three = (self.simulate(f"{jobs}", "rotated_hyatt", 1, *options, "--jobs", jobs)[1] for jobs in (1, 3))
        for name in ("counters.csv", "mrc.csv", "squares.csv", "tables.csv"):
            self.assertEqual((one / name).read_text(), (three / name).read_text(), name)

    def test_touches_may_be_independent(self):
        record, _ = self.simulate("independent", "rotated_hyatt", 1, "--pressure", "64@1M/eval/rows", "--cache", "skylake",
                                  "--touches", "independent", "--segment-queries", 0)
        self.assertEqual((record["touches"], record["segment_queries"]), ("independent", 0))

    def test_a_method_without_a_traced_twin(self):
        folder = self.path("plugins")
        folder.mkdir()
        for module in (pathlib.Path(PROGRAM).resolve().parent / "plugins").glob("*.so"):
            if not re.fullmatch(r"magic_fancy\.v\d\.traced\.so", module.name):
                (folder / module.name).symlink_to(module)
        command = ("simulate", "--method", "magic_fancy", "--trace", self.trace, "--out", self.path("sim"))
        self.assert_refused(slidebench(*command, environment={"SLIDEBENCH_PLUGINS": str(folder)}), "magic_fancy", "traced")


KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


class Perft(ProgramTest):
    def test_counts_are_the_published_ones_and_divide_adds_up(self):
        divided = ("perft", "--method", "kogge_stone", "--depth", 3, "--divide", "--fen", KIWIPETE)
        counts = re.findall(r"^[a-h][1-8][a-h][1-8]: (\d+)$", slidebench(*divided).stdout, re.M)
        found = json.loads(slidebench(*divided, "--json").stdout)
        self.assertEqual((found["leaves"], found["depth"], found["method"]), (97862, 3, "kogge_stone"))
        for leaves in ([int(count) for count in counts], [move["leaves"] for move in found["moves"]]):
            self.assertEqual((len(leaves), sum(leaves)), (48, 97862))
        undivided = json.loads(slidebench("perft", "--depth", 1, "--json").stdout)
        self.assertEqual((undivided["method"], "moves" in undivided), ("magic_fancy", False))
        self.assertIn("4865609 leaves, depth 5", slidebench("perft").stdout)


@unittest.skipIf(os.environ.get("SLIDEBENCH_SANITIZED") == "1", "a sanitizer's checks are no part of a method's kernel")
class Kernel(ProgramTest):
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

    def test_a_module_of_an_extra_has_no_kernel_of_queries(self):
        if "attack_table" not in slidebench("list", "--method", "all").stdout:
            self.skipTest("this build has no stores")
        self.assert_refused(slidebench("kernel", "--trace", self.trace, "--method", "attack_table"), "attack_table has no kernel")


class Attacks(ProgramTest):
    def ask(self, *lines):
        return slidebench("verify", "--stdin", "--method", "kindergarten", stdin="\n".join(lines) + "\n")

    def test_answers_line_by_line(self):
        done = self.ask("rook d4 0xffff00000000ffff", "bishop d4 0xFFFF00000000FFFF", "queen a1 0x0",
                        "both f8 0xffff00000000ffff")
        self.assertEqual(done.stdout.splitlines(), ["0x00080808f7080800", "0x0041221400142200", "0x81412111090503fe",
                                                    "0x0050000000000000 0x5020000000000000"])

    def test_bad_lines_are_named(self):
        self.assert_refused(self.ask("rook d4 0x0", "knight d4 0x0"), "line 2", "knight")
        for line, word in (("rook i4 0x0", "i4"), ("rook d44 0x0", "d44"), ("rook d4 0xg", "0xg"), ("rook d4 1234", "1234"),
                           ("rook d4 0x11112222333344445", "occupancy"), ("rook d4", "PIECE SQUARE OCCUPANCY"),
                           ("rook d4 0x0 more", "PIECE SQUARE OCCUPANCY")):
            self.assert_refused(self.ask(line), "line 1", word)


SIMULATE = "simulate --trace {trace} --out {out}"
KERNEL = "kernel --trace {trace}"
# What is typed, and what is said of it in one line.
REFUSED = (
    ("", ""), ("list --format xml", "xml"), ("list --method magick", "unknown method 'magick'"), ("list --method pxet", "did you mean 'pext'?"),
    ("list --method sliding_piece", "slidebench list --method all shows the methods"),
    ("list --method family:magick", "no family 'magick'", "rotated", "did you mean 'magic'?"), ("lits", "unknown command 'lits'", "did you mean 'list'?"),
    ("trace biuld", "unknown command 'biuld'", "did you mean 'build'?"), ("perft --detph 3", "unknown option --detph", "did you mean '--depth'?"),
    ("perft --detph=3", "did you mean '--depth'?"), ("run --outt x", "did you mean '--out'?; see slidebench run --help"),
    ("trace build --kidn x", "see slidebench trace build --help"), ("help perf", "did you mean 'perft'?"), ("help --json", "--json"),
    ("verify --stdin --method all", "--stdin takes one --method"), ("verify --stdin --method empty", "empty"),
    ("verify --method ''", "--method '' is empty"), ("perft --depth 0", "--depth"), ("perft --depth 99", "--depth"),
    ("perft --depth 1 --method magick", "magick"), ("perft --depth 1 --method empty", "empty"), ("perft --depth 1 --method core", "name one method"),
    ("perft --fen ''", "--fen '' is empty"), ("perft --fen '4k3/8/8/8/8/8/8/K3K3 w - - 0 1'", "king"), ("kernel", "--trace"),
    ("kernel --trace {missing}", "missing"), (f"{KERNEL} --workload idle", "idle"),
    (f"{KERNEL} --method magick", "magick"), (f"{KERNEL} --queries 0", "--queries"),
    ("trace info {missing}", "missing"), ("trace build --out /dev/full {pgn}", "/dev/full"), ("trace build --out {out} {missing}", "missing"),
    ("trace build --seed 1 --out {out} {pgn}", "--kind search"), ("trace build --kind search --queries all --out {out} {pgn}", "--queries"),
    ("trace build --kind search --depth 65 --out {out} {pgn}", "1..64"),
    (f"{SIMULATE} --segment-queries -1", "--segment-queries"), (f"{SIMULATE} --touches sorted", "--touches"), (f"{SIMULATE} --jobs 0", "--jobs"),
    (f"{SIMULATE} --cache pentium", "pentium"), (f"{SIMULATE} --pressure heavy", "heavy"), (f"{SIMULATE} --pressure lukewarm", "lukewarm"),
    (f"{SIMULATE} --pressure 64@256K/move", "probe"), (f"{SIMULATE} --pressure 64@256K/probe+100/query", "100/query"),
    (f"{SIMULATE} --pages 1g", "--pages"), (f"{SIMULATE} --draws 0", "--draws"), (f"{SIMULATE} --method magick", "magick"),
    ("simulate --trace {missing} --out {out}", "missing"), ("simulate --trace {trace} --trace {damaged} --out {out}", "damaged"),
    ("simulate --trace {trace} --out {file}", "file"), ("show {missing}", "missing", "no such folder"), ("show {folder}", "holds no run"),
    ("run", "--out"), ("run --out {out}", "--trace"), ("run --trace {missing} --out {out}", "missing"),
    ("run --trace {trace} --trace {damaged} --out {out}", "damaged"), ("run --trace {trace} --out {kept}", "README.md is there and would be replaced"),
    ("run --out {file}", "file"), ("run --trace {trace} --out /proc/nothing", "/proc/nothing"),
    ("run --trace {trace} --method magick --out {out}", "unknown method 'magick'"),
    ("run --workload thruput --out {out}", "unknown workload 'thruput'"), ("run --kinds knight --out {out}", "knight"),
    ("run --pressure heavy --out {out}", "heavy", "nnue"), ("run --pressure 64@1K/node --out {out}", "64@1K/node"),
    ("run --workload setwise --pressure 192/query --out {out}", "setwise", "192/query"),
    ("run --workload batch --pressure 192/query --out {out}", "batch", "192/query"), ("run --pages 1g --out {out}", "1g"),
    ("run --workload latency --kinds 3-sliders --out {out}", "batch"), ("run --workload batch --kinds both --out {out}", "throughput"),
    *((f"run --workload batch --kinds {sliders}-sliders --out {{out}}", "1 to 32") for sliders in (0, 33, "x")),
    ("run --workload engine --net 100 --out {out}", "net100"), ("run --workload engine --nodes 0 --out {out}", "--nodes"),
    ("run --workload engine --positions {missing} --out {out}", "missing"),
    ("run --workload perft --workload latency --out {out}", "nothing to replay"), ("run --corunner -1 --out {out}", "--corunner"),
    ("run --corunner 5000 --out {out}", "1024"),
    *((f"run --margin '{margin}' --out {{out}}", "--margin") for margin in ("0", "0%", "50%", "0.5", "-1%", "1 percent", "nan", "")),
    *((f"run --time '{time}' --out {{out}}", "--time") for time in ("0", "0s", "5 parsecs", "-3m", "inf", "nan")),
    *((f"run --profile {profile} --out {{out}}", f"--profile {profile}", why) for profile, why in (
    ("slow", "standard"), ("1x4", "one process run"), ("4x0", "16x4"), ("8x6/5x1m", "1 to 4 sessions"))),
    ("run --profile standard --time 5m --out {out}", "--time goes with one session"), ("run --resume {missing}", "missing", "no such folder"),
    ("run --resume {folder}", "no run"),
)


class Refusals(ProgramTest):
    def test_one_line_and_nothing_written(self):
        places = {name: self.folder / name for name in ("out", "missing", "damaged", "file", "kept")}
        places["kept"].mkdir()
        (places["kept"] / "README.md").write_text("mine")
        places["damaged"].write_bytes(self.trace.read_bytes()[:100])
        places["file"].write_text("")
        for typed, *words in REFUSED:
            with self.subTest(typed):
                command = typed.format(**places, trace=self.trace, pgn=self.pgn, folder=self.folder)
                self.assert_refused(slidebench(*shlex.split(command)), *words)
                self.assertFalse(places["out"].exists())


if __name__ == "__main__":
    run_tests()
