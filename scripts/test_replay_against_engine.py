# SPDX-License-Identifier: MIT
"""The comparison of replays with the engine, on runs whose truth is known."""

import contextlib
import csv
import io
import json
import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import replay_against_engine

QUERIES_A_NODE = 5.0
METHODS = [f"method_{i:02}" for i in range(24)]
COLUMNS = ("method", "role", "workload", "kinds", "trace", "pressure", "pages", "corunners", "ns_per_query",
           "ns_per_node", "ratio", "ratio_low", "ratio_high")


class ReplayAgainstEngine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write_run(self, slope=1.0, noise=0.0, replay=True, reference=True):
        """A run in which the engine's differences are `slope` times the replay's, plus noise, in ns a query."""
        rows = []

        def add(workload, trace, reference_ns, unit_ns, differences):
            for method, difference in differences.items():
                ratio = 1 + difference / unit_ns
                rows.append({"method": method, "role": "reference" if method == "magic_fancy" else "method",
                             "workload": workload, "kinds": "all", "trace": trace, "pressure": "p", "pages": "4k",
                             "corunners": 0, "ns_per_query": reference_ns * ratio, "ns_per_node": reference_ns * ratio,
                             "ratio": ratio, "ratio_low": ratio - 0.01, "ratio_high": ratio + 0.01})

        draw = random.Random(1)
        truth = {method: i - 8.0 for i, method in enumerate(METHODS)}
        start = {"magic_fancy": 0.0} if reference else {}
        if replay:
            add("throughput", "search", 20.0, 20.0, start | truth)
        engine = {method: slope * ns + draw.gauss(0, noise) for method, ns in truth.items()}
        add("engine", "net256", 400.0, 400.0 / QUERIES_A_NODE, start | engine)
        with (self.folder / "summary.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
        provenance = {"search": {"nodes": 10_000}, "network": 256, "threats": False}
        trace = {"name": "search", "queries": 50_000, "provenance": provenance}
        (self.folder / "run.json").write_text(json.dumps({"traces": [trace]}))

    def call(self, *arguments):
        """(exit status, standard output, standard error)."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = replay_against_engine.main([str(self.folder), *map(str, arguments)])
        return status, out.getvalue(), err.getvalue()

    def figures(self, half="all"):
        (row,) = replay_against_engine.compare([self.folder], half)
        return row

    def test_a_perfect_replay_has_slope_one_and_no_error(self):
        self.write_run()
        row = self.figures()
        self.assertAlmostEqual(row["slope"], 1)
        self.assertAlmostEqual(row["rms_error_ns"], 0)
        self.assertAlmostEqual(row["spearman"], 1)
        self.assertEqual(row["methods"], len(METHODS))
        self.assertAlmostEqual(row["noise_ns"], 0.01 * 400 / QUERIES_A_NODE)

    def test_an_exaggerating_replay_has_its_slope_in_the_interval(self):
        self.write_run(slope=0.5, noise=0.3)
        row = self.figures()
        self.assertLess(row["slope_low"], 0.5)
        self.assertGreater(row["slope_high"], 0.5)
        self.assertLess(row["slope_high"], 0.7)
        self.assertGreater(row["spearman"], 0.95)
        self.assertLess(row["spearman_low"], row["spearman"])

    def test_halves_have_no_method_in_common(self):
        chosen, tested = (replay_against_engine.half_of(METHODS, half) for half in ("chosen", "tested"))
        self.assertEqual(chosen | tested, set(METHODS))
        self.assertFalse(chosen & tested)
        self.write_run()
        self.assertEqual(self.figures("chosen")["methods"] + self.figures("tested")["methods"], len(METHODS))

    def test_prints_and_writes_the_same_rows(self):
        self.write_run()
        status, out, _ = self.call("--csv", self.folder / "out.csv")
        self.assertEqual(status, 0)
        self.assertIn("| net256 | throughput | `p` | 24 | 1.00 [", out)
        with (self.folder / "out.csv").open(newline="") as file:
            self.assertEqual([row["form"] for row in csv.DictReader(file)], ["net256"])

    def test_bad_input_is_one_line_and_status_2(self):
        for prepare in (lambda: None, lambda: self.write_run(replay=False), lambda: self.write_run(reference=False),
                        lambda: (self.folder / "summary.csv").write_bytes(b"\xff\xfe\x00"),
                        lambda: (self.folder / "run.json").write_text("{")):
            prepare()
            status, _, err = self.call()
            self.assertEqual((status, err.count("\n")), (2, 1), err)
        self.write_run()
        self.assertEqual(self.call("--csv", "/nonexistent/out.csv")[0], 2)


if __name__ == "__main__":
    unittest.main()
