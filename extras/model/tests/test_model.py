# SPDX-License-Identifier: MIT
"""Tests explain-times on runs and predictions of known truth, and the commands of slidebench-model, in SLIDEBENCH, as a user
meets them."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ["SLIDEBENCH_TRACEBACK"] = "1"  # a mistake of the scripts is no refusal of bad input

from model import main  # noqa: E402

PROGRAM = os.environ.get("SLIDEBENCH", "build/dev/slidebench")
METHODS = {"empty": 0.0, "magic_fancy": 4.0, "pext": 3.5, "magic_plain": 5.0, "hyperbola": 7.0, "ray_walk": 12.0}
LOOP = {"isolated": 1.5, "nnue": 11.5}  # by pressure


def measured_ns(method, pressure):
    """Larger times suffer more under pressure."""
    return LOOP[pressure] + METHODS[method] * (1.25 if pressure == "nnue" else 1)


def write(root, predict=measured_ns):
    """A run, and what `predict` says of it."""
    rows = pd.DataFrame(itertools.product(METHODS, LOOP), columns=["method", "pressure"])
    rows = rows.assign(workload="latency", trace="search", pages="4k", kinds="all", corunners=0)
    rows["role"] = rows["method"].map({"empty": "empty", "magic_fancy": "reference"}).fillna("method")
    rows["ns_per_query"] = list(map(measured_ns, rows["method"], rows["pressure"]))
    reference = rows["pressure"].map(lambda pressure: measured_ns("magic_fancy", pressure))
    rows["ratio_low"] = rows["ratio_high"] = rows["ns_per_query"] / reference
    for column in ("predicted_ns", "predicted_low", "predicted_high", "computed_ns"):
        rows[column] = list(map(predict, rows["method"], rows["pressure"]))
    for path in (root / "run" / "summary.csv", root / "predicted" / "predicted.csv"):
        path.parent.mkdir()
        rows.to_csv(path, index=False)


def explain(root):
    return main(["explain-times", str(root / "run"), "--predicted", str(root / "predicted"), "--out", str(root / "out")])


def test_a_perfect_prediction_leaves_nothing(tmp_path, capsys):
    write(tmp_path)
    assert explain(tmp_path) == 0
    assert "| method - reference | latency | all | 8 | 1.00 [1.00, 1.00] | 0.00 | 100 % | 0 |" in capsys.readouterr().out
    rows = pd.read_csv(tmp_path / "out" / "residuals.csv.gz")
    assert rows["residual_ns"].abs().max() == 0 and not rows["far_off"].any()
    more, added = (part.set_index("method") for _, part in rows.query("pressure == 'nnue'").groupby("comparison"))
    assert more.loc["magic_plain", ["measured_ns", "measured_low"]].tolist() == [1.25, 1.25]
    assert added.loc["magic_plain", "measured_ns"] == 1.25
    assert added["measured_low"].isna().all(), "what pressure adds was not measured as a difference"


def test_a_method_that_is_off_is_found(tmp_path):
    write(tmp_path, lambda method, pressure: measured_ns(method, pressure) - (6 if method == "ray_walk" else 0))
    assert explain(tmp_path) == 0
    assert set(pd.read_csv(tmp_path / "out" / "residuals.csv.gz").query("far_off")["method"]) == {"ray_walk"}


def test_the_order_is_judged(tmp_path, capsys):
    write(tmp_path, lambda method, pressure: 20 - measured_ns(method, pressure))
    explain(tmp_path)
    assert "| method - reference | latency | search, isolated, 4k | 4 | -1.00" in capsys.readouterr().out


@pytest.mark.parametrize("name, old, new, words", [
    ("run/summary.csv", "method,", "name,", "summary.csv: has no column method"),
    ("predicted/predicted.csv", "computed_ns", "other", "predicted.csv: has no column computed_ns"),
    ("predicted/predicted.csv", "empty,", "other,", "no cell in common that has magic_fancy and empty"),
])  # fmt: skip
def test_bad_input_is_one_line(tmp_path, capsys, name, old, new, words):
    write(tmp_path)
    path = tmp_path / name
    path.write_text(path.read_text().replace(old, new))
    assert explain(tmp_path) == 2
    err = capsys.readouterr().err
    assert words in err and err.count("\n") == 1


@pytest.mark.parametrize("words, said", [
    (("ladder", "--max-bytes", "8G"), "in 4096..2^32"),
    (("predict", "--ladder", ""), "is empty"),
])  # fmt: skip
def test_bad_arguments_are_one_line(words, said):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr
