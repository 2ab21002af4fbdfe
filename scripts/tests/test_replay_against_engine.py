# SPDX-License-Identifier: MIT
"""The comparison of replays with the engine, on runs whose truth is known."""

import json

import numpy as np
import pandas as pd
import pytest

from slidebench import main
from studies import replays

QUERIES_A_NODE, NODE_NS = 5.0, 400.0
METHODS = ["magic_fancy", *(f"method_{i:02}" for i in range(24))]
TRUTH = np.array([0.0, *(i - 8.0 for i in range(24))])  # ns per query more than the reference
PROCESS_RUNS = 8


def table_of(workload, trace, ratio):
    """Rows of a cell, a method each."""
    cell = {"workload": workload, "trace": trace, "pressure": "p", "kinds": "all", "pages": "4k", "corunners": 0}
    roles = ["reference", *["method"] * (len(METHODS) - 1)]
    return pd.DataFrame({"method": METHODS, "role": roles, "ratio": ratio}).assign(**cell)


def write_run(folder, slope=1.0, noise=0.0, replay=True, reference=True, samples=True):
    """A run in which the engine's differences are `slope` times the replay's, plus noise, in ns per query.

    The noise is that of each process run; the summary has the mean over process runs.
    """
    drawn = np.random.default_rng(1).normal(0, noise, (PROCESS_RUNS, len(METHODS)))
    drawn[:, 0] = 0
    process_runs = 1 + (slope * TRUTH + drawn) * QUERIES_A_NODE / NODE_NS
    rows = [table_of("throughput", "search", 1 + TRUTH / 20.0).assign(ns_per_query=20.0)] if replay else []
    rows.append(table_of("engine", "net256", process_runs.mean(axis=0)).assign(ns_per_query=NODE_NS))
    summary = pd.concat(rows)
    summary = summary.assign(ratio_low=summary["ratio"] - 0.01, ratio_high=summary["ratio"] + 0.01)
    summary["ns_per_node"] = summary["ns_per_query"] = summary["ns_per_query"] * summary["ratio"]
    summary[reference | (summary["role"] == "method")].to_csv(folder / "summary.csv", index=False)
    if samples:
        samples = pd.concat(table_of("engine", "net256", ratio).assign(process_run=i) for i, ratio in enumerate(process_runs))
        samples = samples.assign(round=0, nodes=1000, time_ns=NODE_NS * 1000 * samples["ratio"])
        samples.to_csv(folder / "samples.csv", index=False)
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


def test_without_samples_the_ceiling_is_not_known(tmp_path):
    write_run(tmp_path, samples=False)
    assert np.isnan(figures(tmp_path).ceiling)


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
        lambda folder: (folder / "samples.csv").write_text("process_run\n"),
        lambda folder: (folder / "run.json").write_text("{"),
    ],
)
def test_bad_input_is_one_line_and_status_2(tmp_path, capsys, spoil):
    write_run(tmp_path)
    spoil(tmp_path)
    assert main(["replay-against-engine", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
