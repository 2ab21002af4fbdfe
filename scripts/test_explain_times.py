# SPDX-License-Identifier: MIT
"""Tests explain_times.py on runs and predictions of known truth."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

import pandas as pd

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import explain_times

METHODS = {"magic_fancy": 4.0, "pext": 3.5, "magic_plain": 5.0, "hyperbola": 7.0, "ray_walk": 12.0}
ADDED = {"isolated": 0.0, "nnue": 10.0}  # by pressure to the empty loop
LOOP = 1.5


def measured_ns(method, pressure):
    """Larger tables suffer more under pressure: magic_plain most."""
    own = METHODS.get(method, 0.0)
    return LOOP + ADDED[pressure] + own + (own / 4 if pressure == "nnue" else 0)


class ExplainTimes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        self.run = self.root / "run"
        self.predicted = self.root / "predicted"
        self.run.mkdir()
        self.predicted.mkdir()

    def write(self, predict=measured_ns):
        cell = {"workload": "latency", "trace": "search", "pages": "4k"}
        measured, predicted = [], []
        for pressure in ADDED:
            for method in ["empty", *METHODS]:
                role = {"empty": "empty", "magic_fancy": "reference"}.get(method, "method")
                ns = measured_ns(method, pressure)
                ratio = "" if method == "empty" else ns / measured_ns("magic_fancy", pressure)
                row = {"method": method, "role": role, "kinds": "all", "corunners": 0, "pressure": pressure, **cell}
                measured.append(row | {"ns_per_query": ns, "ratio_low": ratio, "ratio_high": ratio})
                low_high = {"predicted_low": predict(method, pressure), "predicted_high": predict(method, pressure)}
                predicted.append(
                    {"method": method, "pressure": pressure, "predicted_ns": predict(method, pressure), **cell, **low_high}
                )
        pd.DataFrame(measured).to_csv(self.run / "summary.csv", index=False)
        pd.DataFrame(predicted).to_csv(self.predicted / "predicted.csv", index=False)

    def explain(self, *more):
        """(exit status, standard output, standard error)"""
        out, err = io.StringIO(), io.StringIO()
        arguments = [str(self.run), "--predicted", str(self.predicted), "--out", str(self.root / "out"), *more]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = explain_times.main(arguments)
        return status, out.getvalue(), err.getvalue()

    def residuals(self):
        return pd.read_csv(self.root / "out" / "residuals.csv", keep_default_na=False)

    def test_a_perfect_prediction_leaves_nothing(self):
        self.write()
        status, out, _ = self.explain()
        self.assertEqual(status, 0)
        self.assertIn("| method - reference | latency | all | 8 | 1.00", out)
        rows = self.residuals()
        self.assertEqual(set(rows["comparison"]), {"method - reference", "pressure - isolated"})
        self.assertEqual(rows["residual_ns"].abs().max(), 0)
        self.assertFalse((rows["far_off"] == "True").any())
        added = rows[(rows["comparison"] == "pressure - isolated") & (rows["method"] == "magic_plain")]
        self.assertAlmostEqual(added["measured_ns"].iloc[0], 5 / 4)
        self.assertTrue((self.root / "out" / "predicted.png").stat().st_size > 0)

    def test_a_method_that_is_off_is_found_with_its_branches(self):
        self.write(lambda method, pressure: measured_ns(method, pressure) - (6 if method == "ray_walk" else 0))
        (self.root / "kernel.csv").write_text("method,branches_per_query\nray_walk,8.0\npext,0.0\n")
        status, out, _ = self.explain("--kernel", str(self.root / "kernel.csv"))
        self.assertEqual(status, 0)
        rows = self.residuals()
        off = rows[rows["far_off"].astype(str) == "True"]
        self.assertEqual(set(off["method"]), {"ray_walk"})
        self.assertEqual(set(off["branches_per_query"].astype(float)), {8.0})
        self.assertIn("| 2 | 2 |", out)

    def test_the_order_is_judged(self):
        self.write(lambda method, pressure: LOOP if method == "empty" else 20 - measured_ns(method, pressure))
        _, out, _ = self.explain()
        self.assertIn("| method - reference | latency | search, isolated, 4k | 4 | -1.00", out)

    def test_bad_input_is_one_line(self):
        self.write()
        for path, text in [
            (self.run / "summary.csv", ""),
            (self.run / "summary.csv", "method,role\n"),
            (self.predicted / "predicted.csv", "a\n1\n"),
        ]:
            self.write()
            path.write_text(text)
            status, _, err = self.explain()
            self.assertEqual(status, 2)
            self.assertEqual(err.count("\n"), 1, err)
            self.assertIn(path.name, err)
        self.write()
        (self.predicted / "predicted.csv").unlink()
        self.assertEqual(self.explain()[0], 2)
        self.write()
        frame = pd.read_csv(self.predicted / "predicted.csv")
        frame[frame["method"] != "empty"].to_csv(self.predicted / "predicted.csv", index=False)
        status, _, err = self.explain()
        self.assertEqual((status, err.count("\n")), (2, 1))


if __name__ == "__main__":
    unittest.main()
