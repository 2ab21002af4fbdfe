# SPDX-License-Identifier: MIT
"""The commands as a user meets them, and every kind of bad input refused.

Usage: the program and the source folder, then what unittest takes.
"""

import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from program import PROGRAM, SOURCE, ProgramTest, on_terminal, rows_of, run_tests, slidebench


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
        self.assert_refused(slidebench("verify", "--stdin", "--method", "all", stdin="rook e4 0x0\n"), "--stdin takes one --method")

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
        self.assertGreaterEqual(len(commands), 10, "all of the core")
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
        self.assert_refused(slidebench("verify", "--method", ""), "--method '' is empty")

    def test_every_number_has_a_kind_and_a_range(self):
        """CLI11 alone makes large numbers of negative ones."""
        for command in self.commands():
            text = slidebench(*command, "--help").stdout
            without = r"(--[a-z-]+) (?:UINT|INT|FLOAT|N|SEED|SECONDS|MS|NS|NUMBER|BYTES|TIME|PERCENT)(?![:\w])"
            self.assertEqual(re.findall(without, text), [], command)

    def test_help_and_glossary(self):
        self.assertEqual(slidebench("help").stdout, slidebench("--help").stdout)
        self.assertIn("--kind", slidebench("help", "trace", "build").stdout)
        words = json.loads(slidebench("help", "glossary", "--json").stdout)
        for word, meaning in words.items():
            self.assertIn(f"{word}: {meaning}", slidebench("help", "glossary").stdout)
        self.assertLessEqual(max(map(len, on_terminal("help", "glossary").splitlines())), 100)
        self.assert_refused(slidebench("help", "--json"), "--json")

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
        slidebench("simulate", "--trace", self.trace, "--no-random", "--method", "pext", "--squares", "--out", out)
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
        done = slidebench("verify", "--method", "family:fill", "--boards", 10, "--json", environment=lesser)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertIn("kogge_stone", {m["id"] for m in found["methods"]})
        for method in found["methods"]:
            self.assertTrue(method["right"])
            self.assertGreater(method["answers"], 100_000)
        self.assertEqual([skipped["id"] for skipped in found["skipped"]], ["kogge_stone_avx512"])
        self.assertIn("avx512f", found["skipped"][0]["why"])


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
            self.assertRegex(row["event"], r"^slidebench::[A-Z0-9_]+$")
        misses = {(r["method"], r["pressure"], r["cache"]): int(r["value"]) for r in rows
                  if r["metric"] == "l1d_misses" and r["pages"] == "4k" and r["draw"] == "0"}
        self.assertEqual(misses["empty", "isolated", "L1=4K/4"], 0)
        for method in ("magic_fancy", "hyperbola"):
            self.assertGreater(misses[method, "64@256K/node", "L1=4K/4"], misses[method, "isolated", "L1=4K/4"])
        self.assertGreater(misses["magic_fancy", "isolated", "L1=4K/4"], misses["hyperbola", "isolated", "L1=4K/4"])

    def test_misses_fall_with_the_size_and_have_a_cause(self):
        out = self.simulate("--method", "magic_fancy", "--cache", "host", "--reuse", "--squares")
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
        options = ("--cache", "zen4", "--pressure", "isolated", "--pressure", "32@1M/eval/rows", "--reuse", "--squares")
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
        for method in ("magic_fancy", "hyperbola", "kogge_stone"):
            self.assertIn("4085603 leaves", slidebench("perft", "--method", method, "--depth", 4, "--fen", KIWIPETE).stdout)

    def test_a_fen_of_four_fields(self):
        """The counters may be left out wherever there is a FEN: they are 0 and 1 then."""
        four = KIWIPETE.removesuffix(" 0 1")
        game, trace = self.path("pgn"), self.path("trace")
        game.write_text(f'[Event "?"]\n[SetUp "1"]\n[FEN "{four}"]\n\n1. O-O O-O *\n')
        for fen in (four, KIWIPETE):
            self.assertIn("97862 leaves", slidebench("perft", "--depth", 3, "--fen", fen).stdout)
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
        refused("", "--fen '' is empty")
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
        self.assert_refused(slidebench("verify", "--stdin", "--method", "empty", stdin="rook d4 0x0\n"), "empty")


if __name__ == "__main__":
    run_tests()
