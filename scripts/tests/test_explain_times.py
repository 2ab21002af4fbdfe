# SPDX-License-Identifier: MIT
"""Tests explain_times.py on runs and predictions of known truth."""

import pandas as pd
import pytest

from studies import times

METHODS = {"magic_fancy": 4.0, "pext": 3.5, "magic_plain": 5.0, "hyperbola": 7.0, "ray_walk": 12.0}
ADDED = {"isolated": 0.0, "nnue": 10.0}  # by pressure to the empty loop
LOOP = 1.5


def measured_ns(method, pressure):
    """Larger tables suffer more under pressure: magic_plain most."""
    own = METHODS.get(method, 0.0)
    return LOOP + ADDED[pressure] + own + (own / 4 if pressure == "nnue" else 0)


def write(root, predict=measured_ns):
    """A run, and what `predict` says of it."""
    measured, predicted = [], []
    for pressure in ADDED:
        for method in ["empty", *METHODS]:
            cell = {"method": method, "workload": "latency", "trace": "search", "pages": "4k", "pressure": pressure}
            role = {"empty": "empty", "magic_fancy": "reference"}.get(method, "method")
            ns, told = measured_ns(method, pressure), predict(method, pressure)
            ratio = "" if method == "empty" else ns / measured_ns("magic_fancy", pressure)
            row = cell | {"role": role, "kinds": "all", "corunners": 0, "ns_per_query": ns}
            measured.append(row | {"ratio_low": ratio, "ratio_high": ratio})
            predicted.append(cell | {f"predicted_{end}": told for end in ("ns", "low", "high")} | {"computed_ns": told})
    for name, rows in (("run/summary.csv", measured), ("predicted/predicted.csv", predicted)):
        (root / name).parent.mkdir(exist_ok=True)
        pd.DataFrame(rows).to_csv(root / name, index=False)


def explain(root, *more):
    return times.main([str(root / "run"), "--predicted", str(root / "predicted"), "--out", str(root / "out"), *more])


def residuals(root):
    return pd.read_csv(root / "out" / "residuals.csv")


def test_a_perfect_prediction_leaves_nothing(tmp_path, capsys):
    write(tmp_path)
    assert explain(tmp_path) == 0
    assert "| method - reference | latency | all | 8 | 1.00" in capsys.readouterr().out
    rows = residuals(tmp_path)
    assert set(rows["comparison"]) == {"method - reference", "pressure - isolated"}
    assert rows["residual_ns"].abs().max() == 0
    assert not rows["far_off"].any()
    added = rows[(rows["comparison"] == "pressure - isolated") & (rows["method"] == "magic_plain")]
    assert added["measured_ns"].iloc[0] == pytest.approx(5 / 4)
    assert added["measured_low"].isna().all(), "what pressure adds was not measured as a difference"
    for suffix in ("svg", "png"):
        assert (tmp_path / f"out/predicted.{suffix}").stat().st_size > 0


def test_a_method_that_is_off_is_found_with_its_branches(tmp_path, capsys):
    write(tmp_path, lambda method, pressure: measured_ns(method, pressure) - (6 if method == "ray_walk" else 0))
    (tmp_path / "kernel.csv").write_text("method,branches_per_query\nray_walk,8.0\npext,0.0\n")
    assert explain(tmp_path, "--kernel", str(tmp_path / "kernel.csv")) == 0
    off = residuals(tmp_path).query("far_off")
    assert set(off["method"]) == {"ray_walk"}
    assert set(off["branches_per_query"]) == {8.0}
    out = capsys.readouterr().out
    assert "| 2 | 2 |" in out
    assert "all, without branching methods" in out


def test_the_order_is_judged(tmp_path, capsys):
    write(tmp_path, lambda method, pressure: LOOP if method == "empty" else 20 - measured_ns(method, pressure))
    explain(tmp_path)
    assert "| method - reference | latency | search, isolated, 4k | 4 | -1.00" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run/summary.csv", ""),
        ("run/summary.csv", "method,role\n"),
        ("predicted/predicted.csv", "a\n1\n"),
        ("predicted/predicted.csv", None),
        ("predicted/predicted.csv", "without the empty loop"),
    ],
)
def test_bad_input_is_one_line(tmp_path, capsys, name, text):
    write(tmp_path)
    path = tmp_path / name
    if text is None:
        path.unlink()
    elif text.startswith("without"):
        frame = pd.read_csv(path)
        frame[frame["method"] != "empty"].to_csv(path, index=False)
    else:
        path.write_text(text)
    assert explain(tmp_path) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1, err
    assert path.name in err or "empty" in err
