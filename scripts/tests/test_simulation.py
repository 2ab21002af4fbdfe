# SPDX-License-Identifier: MIT
"""The report of a simulation."""

import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from folders import InFolder, METHODS, read_page, run_report
from simulated import CACHES, SIM_QUERIES, make_simulation, missed

from report.data.simulation import LINE, board_of, load_simulation, sizes_of
from report.figures.simulation import curves
from report.figures.style import PAGE_VARIABLES, set_defaults

SCRIPTS = Path(__file__).resolve().parent.parent


class Simulations(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="slidebench-report-"))
        cls.addClassCleanup(shutil.rmtree, cls.home)
        cls.original = make_simulation(cls.home / "original")
        cls.status, cls.out, cls.err = run_report(cls.original)

    def make_small(self):
        few = {name: METHODS[name] for name in ("magic_fancy", "pext", "kogge_stone")}
        return make_simulation(self.home / self.id().rpartition(".")[2], few, pressures=("isolated",), draws=1)

    def test_files_are_listed_and_not_empty(self):
        self.assertEqual((self.status, self.err), (0, ""))
        files = [Path(line) for line in self.out.splitlines()]
        stems = [f"misses_game_{c}{p}" for c in CACHES for p in ("", "_light")]
        stems += ["curves_game", "curves_pages_game", "lines_game"]
        stems += ["squares_game_host", "squares_game_host_light"]
        expected = {f"plots/{stem}.{suffix}" for stem in stems for suffix in ("svg", "png")} | {"index.html"}
        self.assertEqual({str(f.relative_to(self.original)) for f in files}, expected)
        self.assertTrue(all(f.stat().st_size > 2000 for f in files))
        for file in files:
            if file.suffix == ".svg":
                self.assertIn("simulated, not measured", file.read_text(), file.name)

    def test_page_is_wellformed_and_says_what_it_is(self):
        source, page = read_page(self.original)
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertEqual(page.tags.count("svg"), 9)
        self.assertEqual(source.count("<figcaption>Simulated, not measured"), 9)
        for grey in PAGE_VARIABLES:
            self.assertNotIn(f": {grey};", source.partition("</style>")[2], "a figure's grey did not follow the page")
        self.assertLessEqual({ref[1:] for ref in page.refs if ref.startswith("#")}, set(page.ids))
        for ref in page.refs:
            self.assertNotRegex(ref, r"^(https?:)?//")
            if not ref.startswith(("#", "data:")):
                self.assertTrue((self.original / ref).exists(), ref)
        text = "\n".join(page.text)
        for words in (*METHODS, "Imaginary CPU 9000", "abc1234", "L1=32K/8/64:lru", "slidebench simulate --out out"):
            self.assertIn(words, text)
        self.assertIn("64 lines touched at each node", text)
        self.assertNotIn("is incomplete", text)

    def test_misses_are_the_known_truth(self):
        simulation = load_simulation(self.original)
        self.assertEqual([place.pressure for place in simulation.places], ["isolated"] * 2 + ["light"] * 2)
        host, small = simulation.places[:2]
        wide = simulation.misses(host)
        self.assertNotIn("empty", wide.index)
        self.assertEqual(wide.index[-1], "magic_plain")
        size = METHODS["pext"][2]
        low = missed(size, 32768) / SIM_QUERIES
        np.testing.assert_allclose(wide.loc["pext", "L1D"][["median", "low", "high"]], [low + 0.0005, low, low + 0.001])
        self.assertEqual(list(dict.fromkeys(wide.columns.get_level_values(0))), ["L1D", "L2", "L3", "DTLB"])
        levels = simulation.misses(small).columns.get_level_values(0)
        self.assertEqual(list(dict.fromkeys(levels)), ["L1D", "L2", "DTLB"])

    def test_sizes_of_the_caches(self):
        simulation = load_simulation(self.original)
        self.assertEqual(
            [(mark.level, mark.size, mark.caches) for mark in simulation.marks("L1D", "L2", "DTLB", "STLB")],
            [
                ("DTLB", 64, ("small",)),
                ("DTLB", 72, ("host",)),
                ("STLB", 3072, ("host",)),
                ("L1D", 16384, ("small",)),
                ("L1D", 32768, ("host",)),
                ("L2", 262144, ("small",)),
                ("L2", 1048576, ("host",)),
            ],
        )
        self.assertEqual(sizes_of("rubbish,L1=0,L2=none,=,L1"), {})

    def test_tables_sum_up(self):
        source = read_page(self.original)[0]
        cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr.*?</tr>", source)]
        whole = [row for row in cells if len(row) == 11 and "pext" in row[0] and row[1] == "all"]
        self.assertEqual(len(whole), 2 * 2 * 2)
        for row in whole[:4]:
            self.assertEqual(row[5:11], ["3000", "311", "48", "270", "-7", "0.3110"])
            self.assertEqual(int(row[6]), sum(int(cause) for cause in row[7:10]))
        parts = [row for row in cells if len(row) == 11 and "pext" in row[0] and row[1] != "all"]
        self.assertEqual(sum(int(row[6]) for row in parts), sum(int(row[6]) for row in whole))
        self.assertTrue(all(set(row[7:10]) == {"\u2013"} for row in parts))

    def test_boards(self):
        squares = load_simulation(self.original).squares
        one = squares[(squares["pressure"] == "isolated") & (squares["cache"] == "host")]
        bishop = board_of(one, "pext", "bishop", "l1d_misses")
        self.assertAlmostEqual(bishop[4, 3], 0.75)  # d5: a bishop's 50 and a queen's 100 of 200 queries
        self.assertAlmostEqual(bishop[0, 0], 0.75)  # a1: a queen's and both
        self.assertAlmostEqual(bishop[1, 3], 200 / 300)  # d2: all three
        lines = board_of(one, "pext", "bishop", "distinct_lines")
        self.assertTrue(math.isnan(lines[0, 0]))
        self.assertEqual(lines[0, 1], 2)
        self.assertEqual(board_of(one, "pext", "rook", "distinct_lines")[0, 1], 4)

    def test_few_are_highlighted_of_many(self):
        many = {f"{name}_{i}": entry for name, entry in METHODS.items() for i in range(5)}
        folder = make_simulation(self.home / "many", {**METHODS, **many}, pressures=("isolated",), draws=1)
        simulation = load_simulation(folder)
        named = simulation.highlighted("game")
        families = {entry[1] for entry in METHODS.values() if entry[2]}
        self.assertIn("magic_fancy", named)
        self.assertLessEqual(len(named), len(families) + 1)
        self.assertEqual({simulation.family(method) for method in named}, families)
        set_defaults()
        figure = curves(simulation, "game", LINE)
        labels = [text.get_text() for text in figure.legends[0].get_texts()]
        self.assertEqual(len(labels), len(named) + 1)
        self.assertTrue(labels[-1].endswith("others"))
        plt.close(figure)

    def test_missing_and_empty_files(self):
        folder = self.make_small()
        (folder / "mrc.csv").write_text((folder / "mrc.csv").read_text().partition("\n")[0] + "\n")
        (folder / "squares.csv").write_text("")
        (folder / "tables.csv").unlink()
        out = self.assert_reported(folder)
        self.assertNotRegex(out, "curves|squares|lines_")
        self.assertIn("misses_game_host.svg", out)
        (folder / "mrc.csv").unlink()
        self.assertEqual(self.assert_reported(folder), out)
        source, page = read_page(folder)
        self.assertNotIn('href="mrc.csv"', source)
        self.assertLessEqual({ref[1:] for ref in page.refs if ref.startswith("#")}, set(page.ids))

    def test_bare_run_json(self):
        folder = self.make_small()
        (folder / "run.json").write_text('{"kind": "simulation"}')
        self.assert_reported(folder)
        self.assertIn("Whether it is complete was not recorded", read_page(folder)[0])
        odd = {"kind": "simulation", "caches": [1, {"specification": 3, "notes": 5}], "pressures": {}, "methods": [{}]}
        (folder / "run.json").write_text(json.dumps(odd))
        self.assert_reported(folder)
        self.edit_info(folder, lambda i: i.update(complete=False))
        self.assert_reported(folder)
        self.assertIn("This simulation is incomplete", read_page(folder)[0])

    def test_hostile_names(self):
        folder = self.make_small()
        hostile = '<script>alert("1")</script>'
        for name in ("counters.csv", "mrc.csv", "squares.csv", "tables.csv"):
            self.edit_csv(
                folder, name, lambda t: t.assign(trace="../" + hostile, method=t["method"].replace("pext", hostile))
            )
        self.edit_csv(folder, "tables.csv", lambda t: t.assign(table=t["table"].replace("records", hostile)))
        self.edit_info(folder, lambda i: i["caches"][0].update(name=hostile, notes=[hostile]))
        out = self.assert_reported(folder)
        self.assertTrue(all(Path(line).parent in (folder, folder / "plots") for line in out.splitlines()))
        self.assertEqual(read_page(folder)[1].tags.count("script"), 1)

    def test_corrupt_files_are_refused(self):
        cases = [
            ("counters.csv", lambda t: t.assign(source="papi"), ("papi", "simulated")),
            ("counters.csv", lambda t: t.assign(queries="0"), ("line 2", "queries")),
            ("counters.csv", lambda t: t.drop(columns=["draw"]), ("draw",)),
            ("counters.csv", lambda t: t[t["method"] == "empty"], ("no misses",)),
            ("counters.csv", lambda t: t.head(0), ("no rows",)),
            ("mrc.csv", lambda t: t.assign(misses="many"), ("line 2", "many")),
            ("mrc.csv", lambda t: t.assign(cache_lines="0"), ("line 2", "cache_lines")),
            ("mrc.csv", lambda t: t.drop(columns=["granularity_bytes"]), ("granularity_bytes",)),
            ("squares.csv", lambda t: t.assign(square="j9"), ("line 2", "j9")),
            ("squares.csv", lambda t: t.assign(queries="-1"), ("line 2", "queries")),
            ("tables.csv", lambda t: t.assign(conflict=t["conflict"].replace("-7", "7")), ("line 4", "325", "311")),
            ("tables.csv", lambda t: t.assign(misses="-3"), ("line 2", "misses")),
        ]
        folder = self.make_small()
        for name, edit, words in cases:
            with self.subTest(name + words[0]):
                whole = (folder / name).read_text()
                self.edit_csv(folder, name, edit)
                self.assert_refused(folder, name, *words)
                (folder / name).write_text(whole)
        (folder / "mrc.csv").write_bytes(b"\xff\xfe\x00")
        self.assert_refused(folder, "mrc.csv", "UTF-8")
        (folder / "counters.csv").unlink()
        self.assert_refused(folder, "counters.csv", "missing")

    def test_same_input_gives_the_same_bytes(self):
        folder = self.make_small()
        self.assert_reported(folder)
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        subprocess.run([sys.executable, str(SCRIPTS / "report.py"), str(folder)], check=True, stdout=subprocess.DEVNULL)
        for path, content in before.items():
            self.assertEqual(path.read_bytes(), content, path.name)
