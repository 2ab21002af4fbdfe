# SPDX-License-Identifier: MIT
"""The comparison of replays with the engine, on runs whose truth is known."""

import json

import numpy as np
import pandas as pd
import pytest

from slidebench import main
from report.analysis import slopes
from studies import replays

QUERIES_A_NODE, NODE_NS, REPLAY_NS = 5.0, 400.0, 100.0
METHODS = ["magic_fancy", *(f"method_{i:02}" for i in range(24))]
TRUTH = np.array([0.0, *(i - 8.0 for i in range(24))])  # ns per query more than the reference
PROCESS_RUNS = 8


def table_of(workload, trace, ratio):
    """Rows of a cell, a method each."""
    cell = {"workload": workload, "trace": trace, "pressure": "p", "kinds": "all", "pages": "4k", "corunners": 0}
    roles = ["reference", *["method"] * (len(METHODS) - 1)]
    return pd.DataFrame({"method": METHODS, "role": roles, "ratio": ratio}).assign(**cell)


def process_runs_of(workload, trace, ratios):
    """Rows of process_runs.csv of a cell: `ratios` is an array (process runs, methods)."""
    tables = [table_of(workload, trace, ratio).assign(process_run=i, log_ratio=np.log(ratio)) for i, ratio in enumerate(ratios)]
    rows = pd.concat(tables).rename(columns={"method": "contender"}).drop(columns="ratio")
    return rows.assign(placement=0, rounds=4, ns_per_query=1.0)


def write_run(folder, slope=1.0, noise=0.0, replay_noise=0.0, replay=True, reference=True, process_runs=True):
    """A run in which the engine's differences are `slope` times the replay's, both plus noise, in ns per query.

    The noise is that of each process run; the summary has the mean over process runs.
    """
    random = np.random.default_rng(1)

    def ratios(factor, sd, ns):
        drawn = random.normal(0, sd, (PROCESS_RUNS, len(METHODS)))
        drawn[:, 0] = 0
        return 1 + (factor * TRUTH + drawn) / ns

    cells = [("engine", "net256", ratios(slope, noise, NODE_NS / QUERIES_A_NODE), NODE_NS)]
    if replay:
        cells.append(("throughput", "search", ratios(1, replay_noise, REPLAY_NS), REPLAY_NS))
    summary = pd.concat(table_of(*where, drawn.mean(axis=0)).assign(ns_per_query=ns) for *where, drawn, ns in cells)
    summary = summary.assign(ratio_low=summary["ratio"] - 0.01, ratio_high=summary["ratio"] + 0.01)
    summary["ns_per_node"] = summary["ns_per_query"] = summary["ns_per_query"] * summary["ratio"]
    summary[reference | (summary["role"] == "method")].to_csv(folder / "summary.csv", index=False)
    if process_runs:
        rows = pd.concat(process_runs_of(*where, drawn) for *where, drawn, _ in cells)
        rows.to_csv(folder / "process_runs.csv", index=False)
    provenance = {"search": {"nodes": 10_000}, "network": 256, "threats": False}
    trace = {"name": "search", "queries": 50_000, "provenance": provenance}
    (folder / "run.json").write_text(json.dumps({"traces": [trace]}))


def figures(folder, half="all"):
    (row,) = replays.compare([folder], half).itertuples()
    return row


def test_a_perfect_replay_has_slope_one_and_no_error(tmp_path):
    write_run(tmp_path)
    row = figures(tmp_path)
    assert (row.slope[0], row.spearman[0], row.ceiling) == pytest.approx((1, 1, 1))
    assert row.rms_error_ns == pytest.approx(0, abs=1e-9)
    assert row.methods == len(METHODS) - 1
    assert row.noise_ns == pytest.approx(0.01 * NODE_NS / QUERIES_A_NODE)


def test_an_exaggerating_replay_has_its_slope_in_the_interval(tmp_path):
    write_run(tmp_path, slope=0.5, noise=0.3)
    row = figures(tmp_path)
    slope, low, high = row.slope
    assert low < slope < high and low < 0.5 < high < 0.7
    assert row.spearman[0] > 0.95 and row.spearman[1] < row.spearman[0]


def test_noise_lowers_the_ceiling_to_what_the_truth_itself_reaches(tmp_path):
    write_run(tmp_path, noise=25)
    row = figures(tmp_path)
    assert 0.5 < row.ceiling < 0.9
    assert row.spearman[0] == pytest.approx(row.ceiling, abs=0.2), "this replay is the truth"


def test_without_process_runs_ceiling_and_errors_in_both_are_not_known(tmp_path):
    write_run(tmp_path, process_runs=False)
    row = figures(tmp_path)
    assert np.isnan(row.ceiling) and np.isnan(row.slope_in_both).all()


def test_noise_of_the_replay_flattens_the_slope_but_not_with_errors_in_both(tmp_path):
    write_run(tmp_path, slope=1.5, noise=3, replay_noise=15)
    row = figures(tmp_path)
    slope, low, high = row.slope_in_both
    assert row.slope[0] < 1.3, "regression dilution"
    assert abs(slope - 1.5) < 0.3 and low < 1.5 < high


def test_the_interval_of_the_slope_holds_the_truth_as_often_as_it_says():
    """95 % of the intervals of a line with noise on both sides; of 60, 50 at least."""
    random = np.random.default_rng(2)

    def held():
        x, y = (factor * TRUTH[:, None] + random.normal(0, 5, (len(TRUTH), 12)) for factor in (1.0, 0.8))
        _, low, high = slopes.slope_with_interval(x, y, draws=100)
        return low <= 0.8 <= high

    assert sum(held() for _ in range(60)) >= 50


def test_halves_have_no_method_in_common(tmp_path):
    chosen, tested = (set(replays.half_of(METHODS, half)) for half in ("chosen", "tested"))
    assert chosen | tested == set(METHODS) and not chosen & tested
    write_run(tmp_path)
    assert figures(tmp_path, "chosen").methods == figures(tmp_path, "tested").methods == 12


def test_a_second_run_of_the_engine_is_compared_with_the_first(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir(), second.mkdir()
    write_run(first)
    write_run(second, slope=2.0, replay=False)
    replay, again = replays.compare([first, second], "all").itertuples()
    assert (replay.workload, again.workload) == ("throughput", "engine")
    assert (again.slope[0], again.spearman[0]) == pytest.approx((0.5, 1))


def test_prints_the_rows(tmp_path, capsys):
    write_run(tmp_path)
    assert main(["replay-against-engine", str(tmp_path)]) == 0
    assert "| net256 | throughput | `p` | 24 | 1.00 [" in capsys.readouterr().out


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "summary.csv").unlink(),
        lambda folder: write_run(folder, replay=False),
        lambda folder: write_run(folder, reference=False),
        lambda folder: (folder / "summary.csv").write_bytes(b"\xff\xfe\x00"),
        lambda folder: (folder / "process_runs.csv").write_text("process_run\n"),
        lambda folder: (folder / "run.json").write_text("{"),
    ],
)
def test_bad_input_is_one_line_and_status_2(tmp_path, capsys, spoil):
    write_run(tmp_path)
    spoil(tmp_path)
    assert main(["replay-against-engine", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
