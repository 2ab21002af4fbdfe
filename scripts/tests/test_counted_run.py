# SPDX-License-Identifier: MIT
"""A run on a machine with a PMU, from the events to the page: CSV, figures and page, with a fake in the PMU's place.

SLIDEBENCH_FAKE_PMU names the program.
"""

import csv
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import matplotlib.pyplot as plt

from report.data.run import load
from report.figures.misses import misses

SCRIPTS = Path(__file__).resolve().parent.parent


PROGRAM = Path(os.environ["SLIDEBENCH_FAKE_PMU"]).resolve()
REFERENCE, ASKED = "magic_fancy", ("pext", "kogge_stone")
METHODS = (REFERENCE, *ASKED)
LEVELS = ("l1d_misses", "l2d_misses", "l3_misses", "dtlb_misses")


def call(*arguments):
    """Runs a command that must succeed; returns what it printed."""
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


class CountedRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        home = Path(tempfile.mkdtemp(prefix="slidebench-counted-"))
        cls.addClassCleanup(shutil.rmtree, home)
        cls.folder = home / "run"
        trace = home / "game.trace"
        call(PROGRAM, "trace", "build", "--kind", "game", "--out", trace, SCRIPTS.parent / "datasets" / "sample.pgn")
        asked = [part for method in ASKED for part in ("--method", method)]
        call(
            *(PROGRAM, "run", "--profile", "quick", "--no-random", "--trace", trace, "--workload", "throughput"),
            *("--pressure", "isolated", "--pressure", "16@64K/node", "--out", cls.folder, *asked),
        )
        # What runs instead of instructions under a debugger or a sanitizer is no query; then the page goes without.
        kernel = subprocess.run(
            [PROGRAM, "kernel", "--trace", trace, "--queries", "20", "--format", "csv", *asked, "--method", REFERENCE],
            capture_output=True,
            text=True,
            check=False,
        )
        cls.stepped = kernel.returncode == 0
        if cls.stepped:
            (cls.folder / "kernel.csv").write_text(kernel.stdout)
        cls.written = call(sys.executable, SCRIPTS / "report.py", cls.folder)
        cls.rows = list(csv.DictReader((cls.folder / "counters.csv").read_text().splitlines()))
        html = (cls.folder / "index.html").read_text()
        cls.data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)[1])

    def median(self, method, metric, source, pressure="isolated"):
        """Events a query in counters.csv, the median over launches."""
        wanted = {"arm": method, "metric": metric, "source": source, "pressure": pressure}
        found = [float(row["per_query"]) for row in self.rows if all(row[k] == v for k, v in wanted.items())]
        self.assertTrue(found, wanted)
        return statistics.median(found)

    def test_the_csv_has_both_sources(self):
        record = json.loads((self.folder / "run.json").read_text())
        self.assertEqual(record["counters"]["status"], "papi")
        counted = {row["metric"] for row in self.rows if row["source"] == "papi"}
        simulated = {row["metric"] for row in self.rows if row["source"] == "simulated"}
        self.assertLessEqual({*LEVELS, "branch_misses", "instructions", "cycles"}, counted)
        self.assertLessEqual({*LEVELS, "stlb_misses"}, simulated)
        self.assertEqual({row["workload"] for row in self.rows if row["source"] == "papi"}, {"throughput"})
        self.assertEqual({row["event"] for row in self.rows if row["metric"] == "branch_misses"}, {"PAPI_BR_MSP"})

    def test_the_page_has_both_beside_each_other(self):
        series = [(entry["metric"], entry["source"]) for entry in self.data["counts"]]
        wanted = [(metric, source) for metric in LEVELS for source in ("counted", "simulated")]
        self.assertEqual(series, [*wanted, ("stlb_misses", "simulated"), ("branch_misses", "counted")])
        cell = next(c for c in self.data["cells"] if c["pressure"] == "isolated")
        names = {"counted": "papi", "simulated": "simulated"}
        methods = {arm["arm"]: arm["method"] for arm in self.data["arms"]}
        for row in cell["rows"]:
            for metric, source in series:
                method, value = methods[row["arm"]], row[f"{metric} {source}"]
                expected = self.median(method, metric, names[source])
                self.assertAlmostEqual(value, expected, delta=1e-4 * abs(expected) + 1e-9, msg=(method, metric, source))
        pressed = next(c for c in self.data["cells"] if c["pressure"] != "isolated")
        for row in pressed["rows"]:
            self.assertIsNone(row["l1d_misses simulated"], "simulated alone, and not under this pressure")
            self.assertIsNotNone(row["l1d_misses counted"])

    def test_the_run_brings_its_curves_squares_and_instructions(self):
        for kind in ("curves_search", "curves_pages", "squares"):
            self.assertIn(kind.replace("search", "game"), self.written)
        if self.stepped:
            arms = {arm["method"]: arm for arm in self.data["arms"]}
            lines = (self.folder / "kernel.csv").read_text().splitlines()
            counted = {row["method"]: row for row in csv.DictReader(lines)}
            for method in ("kogge_stone", "magic_fancy"):
                expected = float(counted[method]["instructions_per_query"])
                self.assertGreater(expected, 0, method)
                self.assertAlmostEqual(arms[method]["instructions"], expected, delta=0.01, msg=method)
            self.assertGreater(arms["kogge_stone"]["code"], 0)

    def test_the_figure_has_both_beside_each_other(self):
        text = (self.folder / "plots" / "misses_throughput_game.svg").read_text()
        for words in ("counted by the hardware (papi) beside simulated", "L1D misses", "L3 misses", "DTLB misses"):
            self.assertIn(words, text)
        self.assertNotIn("STLB misses", text, "none is counted, and warm there are none: no blank panel")
        self.assertIn("misses_throughput_game_16-64K-node.svg", self.written)

    def test_the_figure_has_dots_and_rings(self):
        run = load(self.folder)
        cell = next(c for c in run.cells if c.pressure == "isolated")
        figure = misses(run, [cell])
        filled = {
            axes.get_title(loc="left"): [line.get_markerfacecolor() for line in axes.lines if line.get_marker() == "o"]
            for axes in figure.axes
        }
        plt.close(figure)
        for level, shapes in (("L1D misses", 2), ("mispredicted branches", 1)):
            self.assertEqual(len(filled[level]), shapes * len(METHODS), level)
        self.assertEqual(filled["L1D misses"].count("none"), len(METHODS), "simulated ones are rings")
        self.assertNotIn("none", filled["mispredicted branches"])
