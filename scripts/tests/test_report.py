# SPDX-License-Identifier: MIT
"""The report of a run: a synthetic run of known truth in, figures and a page out; broken ones refused."""

import base64
import gzip
import json
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import pandas as pd
from folders import InFolder, METHODS, page_data, read_page, run_report
from simulated import SIM_QUERIES, make_counts, missed

from report.analysis.answer import leaders
from report.analysis.findings import cell_sentences
from report.analysis.misses import kernels, of_cell
from report.data.cells import Cell
from report.data.files import one_line
from report.data.run import load
from report.data.words import human_bytes
from report.errors import ReportError
from report.figures.axes import nice_ticks, spread
from report.figures.style import METHOD_COLOURS, label_colour, luminance, method_colour
from report.page.html import part
from report.page.svg import lighter

SCRIPTS = Path(__file__).resolve().parent.parent

SCRIPTS_OF_A_RUN = 9  # the data, what all pages have, the library, and six parts


class WholeRun(InFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.status, cls.out, cls.err = run_report(cls.original)

    def test_files_are_listed_and_not_empty(self):
        self.assertEqual((self.status, self.err), (0, ""))
        files = [Path(line) for line in self.out.splitlines()]
        stems = ["ranking", "ranking_narrow", "share", "orders", "rounds"]
        expected = {f"plots/{stem}.{suffix}" for stem in stems for suffix in ("svg", "png")} | {"index.html"}
        self.assertEqual({str(f.relative_to(self.original)) for f in files}, expected)
        self.assertTrue(all(f.stat().st_size > 2000 for f in files))
        self.assertFalse(list(self.original.rglob("*.part")))

    def test_page_is_wellformed_and_needs_no_network(self):
        source, page = read_page(self.original)
        self.assertEqual(len(page.ids), len(set(page.ids)))
        inside = {ref[1:] for ref in page.refs if ref.startswith("#")}
        self.assertLessEqual(inside, set(page.ids))
        for ref in page.refs:
            self.assertNotRegex(ref, r"^(https?:)?//")
            if not ref.startswith(("#", "data:")):
                self.assertTrue((self.original / ref).exists(), ref)

    def test_page_has_every_method_and_the_run(self):
        text = "\n".join(read_page(self.original)[1].text)
        for name, entry in METHODS.items():
            self.assertIn(name, text)
            self.assertIn(entry[0], text)
        for words in (
            "Imaginary CPU 9000",
            "abc1234",
            "GNU 12.2.0",
            "the virtual machine offers no PMU",
            "needs avx512f",
            "the clock rate moved",
            "32 KiB",
            "game.trace",
        ):
            self.assertIn(words, text)
        self.assertNotIn("incomplete", text)

    def test_findings_are_the_known_truth(self):
        run = load(self.original)
        for cell in run.cells:
            self.assertEqual(leaders(run, cell), (["pext"], True, True))
            self.assertEqual(run.ranked(cell).iloc[-1]["method"], "ray_walk")
        throughput = " ".join(cell_sentences(run, Cell("throughput", "game", "isolated")))
        self.assertIn("Pext (pext) is the fastest", throughput)
        self.assertRegex(throughput, r"it takes 0\.\d+ \[0\.\d+, 0\.\d+\] times as long as the second")
        self.assertRegex(throughput, r"Equivalent to Magic fancy \(magic_fancy\), within \S1 %: Magic plain")

    def test_same_input_gives_the_same_bytes(self):
        again = self.home / "again"
        shutil.copytree(self.original, again, ignore=shutil.ignore_patterns("plots", "index.html"))
        # Another process has other hash seeds and object addresses.
        subprocess.run([sys.executable, str(SCRIPTS / "report.py"), str(again)], check=True, stdout=subprocess.DEVNULL)
        for path in sorted(self.original.rglob("*")):
            if path.is_file():
                self.assertEqual(path.read_bytes(), (again / path.relative_to(self.original)).read_bytes(), path.name)


class OddRuns(InFolder):
    def test_hostile_titles_are_escaped(self):
        folder = self.copy_small_run()
        hostile = '<script>alert("1")</script> & \'$\\frac{x}$ ]]> \x07\nend'
        self.edit_csv(folder, "summary.csv", lambda t: t.assign(title=t["title"].where(t["method"] != "pext", hostile)))
        self.edit_info(
            folder,
            lambda i: i.update(
                warnings=["</li><script>x</script>"],
                commit=hostile,
                methods=[{"id": "pext", "title": hostile}],
                traces=[{"name": hostile, "provenance": {hostile: hostile}}],
            ),
        )
        self.assert_reported(folder)
        source, page = read_page(folder)
        self.assertEqual(page.tags.count("script"), SCRIPTS_OF_A_RUN)
        self.assertNotIn("\x07", source)
        self.assertIn("&lt;script&gt;", source)

    def test_hostile_names_make_safe_files(self):
        folder = self.copy_small_run()
        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(
                folder,
                name,
                lambda t: t.assign(
                    trace="../<b>",
                    pressure=["64@256K/node" if w == "latency" else "64@256K node" for w in t["workload"]],
                ),
            )
        out = self.assert_reported(folder)
        self.assertTrue(all(Path(line).parent in (folder, folder / "plots") for line in out.splitlines()))
        self.assertEqual(len(set(out.splitlines())), len(out.splitlines()))
        read_page(folder)

    def test_incomplete_run_says_so(self):
        folder = self.copy_small_run()
        self.edit_info(folder, lambda i: i.update(complete=False))
        self.assert_reported(folder)
        self.assertIn("This run is incomplete", read_page(folder)[0])

    def test_bare_run_json_shows_not_recorded(self):
        folder = self.copy_small_run()
        (folder / "run.json").write_text('{"schema": 3}')
        self.assert_reported(folder)
        source = read_page(folder)[0]
        self.assertGreater(source.count("not recorded"), 10)
        self.assertNotIn("is the fastest", source)

    def test_other_versions_are_refused(self):
        folder = self.copy_small_run()
        for schema, words in ((2, "by an older version; run it again"), (None, "older version"), (4, "newer version")):
            self.edit_info(folder, lambda i: i.update(schema=schema))
            self.assert_refused(folder, words)

    def test_wrong_types_in_run_json_do_not_crash(self):
        folder = self.copy_small_run()
        odd = {
            "schema": 3,
            "bests": [1, {"cell": 3}, {"cell": {"workload": "latency", "trace": "game"}, "arms": 5}],
            "crossings": [{"cell": {}, "lines": 3}, 7],
            "correlations": {},
            "checks": {"twin": [{"cell": 1, "ratio": "x"}], "control": [None]},
            "machine": [1],
            "build": "x",
            "versions": 3,
            "counters": [],
            "traces": {"a": 1},
            "methods": [1, None, {"id": 5}],
            "skipped": [{}],
            "effective_ghz": {"median": "fast"},
            "warnings": "w",
            "command": "x",
            "complete": "yes",
            "seed": {},
        }
        (folder / "run.json").write_text(json.dumps(odd))
        self.assert_reported(folder)
        (folder / "run.json").write_text(
            json.dumps({"schema": 3, "machine": {"caches": [{"level": 1, "bytes": "32K"}, {"level": 2}, 7]}})
        )
        self.assert_reported(folder)
        read_page(folder)

    def test_no_aa_arm(self):
        folder = self.copy_small_run()
        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(folder, name, lambda t: t[t["role"] != "twin"])
        self.edit_csv(folder, "summary.csv", lambda t: t.assign(aa_bound=""))
        self.assert_reported(folder)
        self.assertIn("No A/A control ran", read_page(folder)[0])

    def test_one_launch_names_no_fastest(self):
        folder = self.copy_small_run()
        self.edit_info(folder, lambda i: i.update(bests=[], correlations=[], crossings=[]))
        ends = ("ns", "net", "ratio", "holm")
        empty = {f"{name}_{end}": "" for name in ends for end in ("low", "high")}
        self.edit_csv(folder, "summary.csv", lambda t: t.assign(best="", launches="1", **empty))
        self.assert_reported(folder)
        source = read_page(folder)[0]
        self.assertIn("the run did not compare the methods with each other", source)
        self.assertNotIn("is the fastest", source)
        self.assertIn("Pext (pext) has the least ratio", source)

    def test_unresolved_and_void_cells_say_why(self):
        folder = self.copy_small_run()

        def judge(table):
            methods, latency = table["role"] == "method", table["workload"] == "latency"
            verdict = table["verdict"].mask(methods & latency, "unresolved").mask(methods & ~latency, "void")
            bound = table["aa_bound"].mask(latency & (table["ratio"] != ""), "0.023")
            return table.assign(verdict=verdict, aa_bound=bound)

        self.edit_csv(folder, "summary.csv", judge)
        self.assert_reported(folder)
        source, page = read_page(folder)
        said = "unresolved: identical code differed by up to 2.3 %"
        self.assertEqual([cell["unresolved"] for cell in page_data(source)["cells"]], ["", said])
        self.assertIn(said[1:], " ".join(page.text))
        self.assertIn("Void: the empty loop was slower than a method", source)
        self.assertIn("furthest from it is latency on game", source.lower())
        self.assertIn("more than the margin in 1 of 2 cells", source)

    def test_an_update_cell_has_times_and_no_ratios(self):
        folder = self.copy_small_run()
        empty = {name: "" for name in ("ratio", "ratio_low", "ratio_high", "margin", "aa_bound", "verdict", "best")}

        def update(table):
            others = table["workload"] != "latency"
            table = table[~others | table["arm"].isin(["empty", "clock", "pext"])]
            table = table.assign(workload=table["workload"].replace("throughput", "update"))
            others = table["workload"] == "update"
            return table.assign(**{n: table[n].mask(others, v) for n, v in empty.items() if n in table.columns})

        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(folder, name, update)
        self.assert_reported(folder)
        source = read_page(folder)[0]
        self.assertIn("there are times and no ratios", source)
        rows = {cell["workload"]: cell["rows"] for cell in page_data(source)["cells"]}["update"]
        self.assertEqual(len(rows), 1)
        self.assertTrue(all(isinstance(value, (int, float)) for value in rows[0][3:9]), rows)

    def test_one_method_and_no_reference(self):
        folder = self.copy_small_run()
        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(folder, name, lambda t: t[(t["method"] == "kindergarten") & (t["workload"] == "latency")])
        empty = dict.fromkeys(("ratio", "ratio_low", "ratio_high", "margin", "aa_bound", "best", "table_bytes"), "")
        self.edit_csv(folder, "summary.csv", lambda t: t.assign(**empty))
        self.assert_reported(folder)
        self.assertIn("No reference ran", read_page(folder)[0])

    def test_one_row(self):
        folder = self.copy_small_run()
        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(folder, name, lambda t: t[t["role"] == "reference"].head(1))
        self.assert_reported(folder)
        self.assertIn("Only the reference", read_page(folder)[0])

    def test_same_method_at_two_levels(self):
        folder = self.copy_small_run()

        def double(table):
            more = table[table["method"] == "pext"].assign(arm="pext@v4", level="v4")
            return pd.concat([table.assign(arm=table["arm"].replace("pext", "pext@v3")), more])

        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(folder, name, double)
        for best in json.loads((folder / "run.json").read_text())["bests"]:
            self.assertNotIn("pext@v3", best["arms"])
        both = {"arms": ["pext@v3", "pext@v4"], "sure": False}
        self.edit_info(folder, lambda i: i.update(bests=[b | both for b in i["bests"] if "pext" in b["arms"]]))
        self.assert_reported(folder)
        text = (folder / "plots" / "orders.svg").read_text()
        self.assertIn("pext@v3", text)
        self.assertIn("pext@v4", text)
        run = load(folder)
        sentence = cell_sentences(run, run.cells[0])[0]
        self.assertIn("Pext (pext@v3) and Pext (pext@v4) cannot be told apart", sentence)
        self.assertNotIn("is the fastest", sentence)

    def test_counters_keep_their_sources_apart(self):
        folder = self.copy_small_run()
        rows = [
            [0, "pext", "pext", "v3", "latency", "game", "isolated", "L1D_MISS", source, "E", 5, 1, 8, value]
            for source, value in (("papi", 0.5), ("simulated", 0.25))
        ]
        pd.DataFrame(
            rows,
            columns=(
                "launch arm method level workload trace pressure metric source event value value_empty queries "
                "per_query".split()
            ),
        ).to_csv(folder / "counters.csv", index=False)
        self.edit_info(folder, lambda i: i.update(counters={"status": "papi", "reason": ""}))
        self.assert_reported(folder)
        source = read_page(folder)[0]
        self.assertIn("Counted by the hardware (papi): 1 rows", source)
        self.assertIn("Simulated by the cache simulator, not measured: 1 rows", source)
        self.assertIn('id="counters"', source)
        (folder / "counters.csv").write_text("launch,arm\n")
        self.assert_reported(folder)
        self.assertNotIn('id="counters"', read_page(folder)[0])

    def test_misses_of_all_levels_stand_side_by_side_and_say_their_source(self):
        folder = self.copy_small_run()
        counts = make_counts(METHODS, ["game"])
        (folder / "counters.csv").write_text(counts)
        self.assertIn("plots/misses_game.svg", self.assert_reported(folder))
        levels = ["l1d_misses", "l2d_misses", "l3_misses", "dtlb_misses"]
        shown = page_data(read_page(folder)[0])["counts"]
        self.assertEqual([(entry["metric"], entry["source"]) for entry in shown], [(m, "simulated") for m in levels])
        alone = (folder / "plots" / "misses_game.svg").read_text()
        for word in ("simulated, not measured", "L1D misses", "L2 misses", "L3 misses", "DTLB misses"):
            self.assertIn(word, alone)
        self.assertNotIn("counted", alone)
        papi = "\n".join(
            f"0,{name},{name},v3,latency,game,isolated,{metric},papi,PERF,1,0,8,{i + 7}.125,,,"
            for metric in ("l1d_misses", "branch_misses")
            for i, name in enumerate(["magic_fancy", "magic_plain", "pext", "kindergarten"])
        )
        (folder / "counters.csv").write_text(counts + papi + "\n")
        out = self.assert_reported(folder)
        self.assertIn("plots/misses_game.svg", out, "throughput, in which nothing was counted")
        self.assertIn("plots/misses_latency_game.svg", out)
        both = (folder / "plots" / "misses_latency_game.svg").read_text()
        for word in ("counted by the hardware (papi) beside simulated, not measured", "mispredicted branches"):
            self.assertIn(word, both)
        run = load(folder)
        throughput, latency = (Cell(w, "game", "isolated") for w in ("throughput", "latency"))
        self.assertEqual(of_cell(run, throughput, "l1d_misses", "papi"), {})
        self.assertEqual(of_cell(run, latency, "l1d_misses", "papi")["pext"], 9.125)
        expected = missed(METHODS["pext"][2], 32768) / SIM_QUERIES
        for cell in (throughput, latency):
            self.assertEqual(of_cell(run, cell, "l1d_misses", "simulated")["pext"], expected)
        # What was simulated without pressure says nothing about a cell under pressure.
        pressed = Cell("latency", "game", "nnue")
        self.assertEqual(of_cell(run, pressed, "l1d_misses", "simulated"), {})
        found = page_data(read_page(folder)[0])
        first = len(found["cells"][0]["rows"][0]) - len(found["counts"])
        for cell in found["cells"]:
            row = next(row for row in cell["rows"] if found["arms"][row[0]]["arm"] == "pext")[first:]
            values = {(c["metric"], c["source"]): value for c, value in zip(found["counts"], row)}
            self.assertEqual(values["l1d_misses", "simulated"], expected)
            for metric in ("l1d_misses", "branch_misses"):
                self.assertEqual(values[metric, "counted"], 9.125 if cell["workload"] == "latency" else None)

    def test_misses_that_cannot_be_drawn(self):
        folder = self.copy_small_run()
        rows = make_counts({"pext": METHODS["pext"]}, ["game"])
        for counts in (rows, make_counts({"pext": ("", "", 0), "kindergarten": ("", "", 0)}, ["game"])):
            (folder / "counters.csv").write_text(counts)
            self.assertNotIn("plots/misses_", self.assert_reported(folder))

    def test_what_a_query_executes_is_read_from_kernel_csv(self):
        folder = self.copy_small_run()
        self.assertEqual(kernels(load(folder)), {})
        head = "method,level,instructions_per_query,loads_per_query,branches_per_query,code_bytes"
        (folder / "kernel.csv").write_text(f"{head}\npext,v3,7.5,2,0,41\npext,v4,6.5,2,0,39\n")
        self.assert_reported(folder)
        source = read_page(folder)[0]
        arm = next(arm for arm in page_data(source)["arms"] if arm["arm"] == "pext")
        self.assertEqual([arm[name] for name in ("instructions", "loads", "branches", "code")], [7.5, 2, 0, 41])
        self.assertNotIn("code", next(arm for arm in page_data(source)["arms"] if arm["arm"] == "magic_fancy"))
        self.assertIn("counted one by one", source)
        self.assertIn('href="kernel.csv"', source)
        broken = f"{head}\npext,v3,x,2,0,1\n"
        for text, words in (("", "is empty"), (head, "no rows"), ("method\npext\n", "no column"), (broken, "'x'")):
            (folder / "kernel.csv").write_text(text)
            self.assert_refused(folder, "kernel.csv", words)


class BadInput(InFolder):
    def test_missing_folder_and_files(self):
        self.assert_refused(self.home / "nowhere", "nowhere", "slidebench run")
        for name in ("samples.csv", "summary.csv", "run.json"):
            with self.subTest(name), tempfile.TemporaryDirectory(dir=self.home) as folder:
                shutil.copytree(self.original, folder, dirs_exist_ok=True)
                (Path(folder) / name).unlink()
                if name != "samples.csv":  # a run that was passed on may come without it
                    self.assert_refused(folder, name, "missing")
                (Path(folder) / name).write_text("")
                self.assert_refused(folder, name)

    def test_header_only(self):
        for name in ("samples.csv", "summary.csv"):
            with self.subTest(name), tempfile.TemporaryDirectory(dir=self.home) as folder:
                shutil.copytree(self.original, folder, dirs_exist_ok=True)
                self.edit_csv(Path(folder), name, lambda t: t.head(0))
                self.assert_refused(folder, name, "no rows")

    def test_missing_column(self):
        folder = self.copy_run()
        self.edit_csv(folder, "summary.csv", lambda t: t.drop(columns=["ratio_low"]))
        self.assert_refused(folder, "summary.csv", "ratio_low")

    def test_impossible_cells(self):
        for column, value in (("time_ns", "abc"), ("time_ns", "0"), ("queries", "-1"), ("time_ns", "inf")):
            with self.subTest(column + value), tempfile.TemporaryDirectory(dir=self.home) as folder:
                shutil.copytree(self.original, folder, dirs_exist_ok=True)
                self.edit_csv(
                    Path(folder), "samples.csv", lambda t: t.assign(**{column: [value] + list(t[column][1:])})
                )
                self.assert_refused(folder, "samples.csv", "line 2", column, value)

    def test_no_text_no_json(self):
        folder = self.copy_run()
        (folder / "run.json").write_text("[1]")
        self.assert_refused(folder, "run.json", "object")
        (folder / "run.json").write_text("{\n")
        self.assert_refused(folder, "run.json", "JSON")
        (folder / "run.json").write_bytes(b"\xff\xfe\x00")
        self.assert_refused(folder, "run.json", "UTF-8")

    def test_unwritable_output(self):
        folder = self.copy_run()
        (folder / "plots").write_text("in the way")  # also stops root, whom permissions do not
        self.assert_refused(folder, "plots", "cannot be written")

    def test_missing_packages(self):
        # -S leaves out the folders where a distribution keeps its packages.
        done = subprocess.run(
            [sys.executable, "-S", str(SCRIPTS / "report.py"), str(self.original)], capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("python3-", done.stderr)


class Pieces(unittest.TestCase):
    def test_every_colour_reads_on_light_and_dark(self):
        colours = METHOD_COLOURS
        self.assertEqual(len(set(colours.values())), len(colours))
        dark = re.search(r"dark\) \{ :root \{ --paper: (#\w+)", part("page.css"))[1]
        made_up = {f"method_{i}": method_colour(f"method_{i}") for i in range(200)}
        for name, colour in {**colours, **made_up}.items():
            light = luminance(colour) + 0.05
            self.assertGreater(1.05 / light, 3, name)
            self.assertGreater(light / (luminance(dark) + 0.05), 3, name)

    def test_colours_do_not_change(self):
        self.assertEqual(method_colour("pext"), "#834bb9")
        self.assertEqual(method_colour("a_new_method"), method_colour("a_new_method"))

    def test_ticks_are_few_and_inside(self):
        for low, high in ((0.16, 11), (0.97, 1.04), (0.999, 1.0012), (0.5, 2), (0.001, 5000), (3, 3.5)):
            ticks = nice_ticks(low, high)
            self.assertTrue(2 <= len(ticks) <= 9, (low, high, ticks))
            self.assertTrue(all(low <= t <= high for t in ticks), ticks)

    def test_sizes(self):
        self.assertEqual(
            [human_bytes(b) for b in (0, 512, 2048, 9728, 865280, 2361344)],
            ["0 B", "512 B", "2 KiB", "9.50 KiB", "845 KiB", "2.25 MiB"],
        )

    def test_errors_are_one_line(self):
        self.assertEqual(one_line("a\r\n\tb\x00 c\u2028d"), "a b c d")
        with self.assertRaises(ReportError):
            load("/nonexistent\nfolder")

    def test_names_beside_lines_do_not_overlap(self):
        places = spread([0.1, 0.1, 0.11, 0.5, 0.9], 0.05)
        self.assertGreater(min(b - a for a, b in zip(places, places[1:])), 0.0499)
        self.assertEqual(spread([0.1, 0.9], 0.05), [0.1, 0.9])

    def test_names_read_as_text_on_light_and_dark(self):
        for method in [*METHOD_COLOURS, *(f"method_{i}" for i in range(200))]:
            colour = label_colour(method)
            self.assertGreater(1.05 / (luminance(colour) + 0.05), 4.5, method)
            self.assertGreater((luminance(lighter(colour)) + 0.05) / (luminance("#14171c") + 0.05), 4.5, method)

    def test_packages_need_only_those_before_them(self):
        order = ["errors", "needed", "output", "data", "analysis", "figures", "page", "command"]
        for path in (SCRIPTS / "report").rglob("*.py"):
            own = path.relative_to(SCRIPTS / "report").parts[0].removesuffix(".py")
            for line in path.read_text().splitlines():
                found = re.match(r"(\s*)from report\.(\w+)", line)
                if found:
                    self.assertEqual(found[1], "", f"{path}: an import inside a function")
                    self.assertLessEqual(order.index(found[2]), order.index(own), f"{path}: {line}")

    def test_modules_of_a_package_need_each_other_one_way(self):
        needs = {}
        for path in (SCRIPTS / "report").rglob("*.py"):
            name = "report." + ".".join(path.relative_to(SCRIPTS / "report").with_suffix("").parts)
            needs[name] = set(re.findall(r"^from (report\.[\w.]+) import", path.read_text(), re.M))
        while free := [name for name, others in needs.items() if not others & set(needs)]:
            for name in free:
                del needs[name]
        self.assertEqual(needs, {}, "modules that need each other in a circle")


class Extras(InFolder):
    """Headers in the page, and an earlier run beside it."""

    def test_headers_travel_in_the_page(self):
        program = self.home / "exporter"
        program.write_text('#!/bin/sh\n[ "$2" != kogge_stone ] && echo "// header of </script> $2" > "$4"\n')
        program.chmod(0o755)
        folder = self.copy_small_run()
        self.assertEqual(run_report(folder, "--program", str(program))[0], 0)
        source, page = read_page(folder)
        self.assertEqual(page.tags.count("script"), SCRIPTS_OF_A_RUN + 1)
        held = re.search(r'id="headers">([^<]+)<', source)[1]
        headers = json.loads(gzip.decompress(base64.b64decode(held)))
        self.assertEqual(headers["pext"], "// header of </script> pext\n")
        self.assertNotIn("kogge_stone", headers)
        status, _, error = run_report(folder, "--program", str(self.home / "nowhere"))
        self.assertEqual((status, error.count("\n")), (2, 1))
        self.assertIn("cannot be started", error)

    def test_an_earlier_run_stands_beside_it(self):
        folder, before = self.copy_small_run(), self.home / "before"
        shutil.copytree(folder, before)
        faster = lambda t: t.assign(
            **{n: t[n].mask(t["arm"] == "pext", "0.1") for n in ("ratio", "ratio_low", "ratio_high")}
        )  # noqa: E731
        self.edit_csv(before, "summary.csv", faster)
        self.assertEqual(run_report(folder, "--before", str(before))[0], 0)
        source = read_page(folder)[0]
        self.assertIn("in 2 of ", source)
        self.assertIn("2 changed ratios", source)
        self.edit_info(before, lambda i: i["machine"].update(cpu="Another <CPU>"))
        self.assertEqual(run_report(folder, "--before", str(before))[0], 0)
        self.assertIn("another machine (Another &lt;CPU&gt;)", read_page(folder)[0])
        self.assertEqual(run_report(folder, "--before", str(self.home / "nowhere"))[0], 0)
        self.assertIn("Not compared", read_page(folder)[0])

    def test_a_missing_drawing_library_is_named(self):
        with unittest.mock.patch("report.page.html.D3", ("/nowhere/d3.min.js",)):
            self.assert_refused(self.copy_small_run(), "/nowhere/d3.min.js", "install node-d3")

    def test_the_picture_to_share_has_its_size(self):
        self.assertEqual(run_report(self.original)[0], 0)
        head = (self.original / "plots" / "share.png").read_bytes()[16:24]
        self.assertEqual(struct.unpack(">II", head), (1200, 630))
