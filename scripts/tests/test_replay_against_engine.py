# SPDX-License-Identifier: MIT
"""The comparison of replays with the engine, on runs whose truth is known."""

import json
import random

import pandas as pd
import pytest

from studies import replays

QUERIES_A_NODE = 5.0
METHODS = [f"method_{i:02}" for i in range(24)]
LAUNCHES = 8


def write_run(folder, slope=1.0, noise=0.0, replay=True, reference=True, samples=True):
    """A run in which the engine's differences are `slope` times the replay's, plus noise, in ns a query.

    The noise is that of each launch; the summary has the mean over launches.
    """
    draw, rows, slices = random.Random(1), [], []

    def cell(workload, trace):
        return {"workload": workload, "trace": trace, "pressure": "p", "kinds": "all", "pages": "4k", "corunners": 0}

    def add(where, reference_ns, unit_ns, differences):
        for method, ns in differences.items():
            ratio, role = 1 + ns / unit_ns, "reference" if method == "magic_fancy" else "method"
            row = {"method": method, "role": role, "ns_per_query": reference_ns * ratio, "ratio": ratio, **where}
            ends = {"ratio_low": ratio - 0.01, "ratio_high": ratio + 0.01, "ns_per_node": reference_ns * ratio}
            rows.append(row | ends)

    truth = {method: i - 8.0 for i, method in enumerate(METHODS)}
    start = {"magic_fancy": 0.0} if reference else {}
    if replay:
        add(cell("throughput", "search"), 20.0, 20.0, start | truth)
    unit = 400.0 / QUERIES_A_NODE
    drawn = {m: [slope * ns + draw.gauss(0, noise) for _ in range(LAUNCHES)] for m, ns in truth.items()}
    add(cell("engine", "net256"), 400.0, unit, start | {m: sum(each) / LAUNCHES for m, each in drawn.items()})
    for method, each in ({"magic_fancy": [0.0] * LAUNCHES} | drawn).items():
        role = "reference" if method == "magic_fancy" else "method"
        for launch, ns in enumerate(each):
            row = {"method": method, "role": role, "launch": launch, "round": 0, "nodes": 1000}
            slices.append(row | cell("engine", "net256") | {"time_ns": 400_000 * (1 + ns / unit)})
    pd.DataFrame(rows).to_csv(folder / "summary.csv", index=False)
    if samples:
        pd.DataFrame(slices).to_csv(folder / "samples.csv", index=False)
    provenance = {"search": {"nodes": 10_000}, "network": 256, "threats": False}
    trace = {"name": "search", "queries": 50_000, "provenance": provenance}
    (folder / "run.json").write_text(json.dumps({"traces": [trace]}))


def figures(folder, half="all"):
    (row,) = replays.compare([folder], half).itertuples()
    return row


def test_a_perfect_replay_has_slope_one_and_no_error(tmp_path):
    write_run(tmp_path)
    row = figures(tmp_path)
    assert row.slope == pytest.approx(1)
    assert row.rms_error_ns == pytest.approx(0, abs=1e-9)
    assert row.spearman == pytest.approx(1)
    assert row.ceiling == pytest.approx(1)
    assert row.methods == len(METHODS)
    assert row.noise_ns == pytest.approx(0.01 * 400 / QUERIES_A_NODE)


def test_an_exaggerating_replay_has_its_slope_in_the_interval(tmp_path):
    write_run(tmp_path, slope=0.5, noise=0.3)
    row = figures(tmp_path)
    assert row.slope_low < 0.5 < row.slope_high < 0.7
    assert row.spearman > 0.95
    assert row.spearman_low < row.spearman


def test_noise_lowers_the_ceiling_to_what_the_truth_itself_reaches(tmp_path):
    write_run(tmp_path, noise=25)
    row = figures(tmp_path)
    assert 0.5 < row.ceiling < 0.9
    assert row.spearman == pytest.approx(row.ceiling, abs=0.2), "this replay is the truth"


def test_without_samples_the_ceiling_is_not_known(tmp_path, capsys):
    write_run(tmp_path, samples=False)
    assert figures(tmp_path).ceiling != figures(tmp_path).ceiling
    assert replays.main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.rstrip().endswith("|  |")


def test_halves_have_no_method_in_common(tmp_path):
    chosen, tested = (set(replays.half_of(METHODS, half)) for half in ("chosen", "tested"))
    assert chosen | tested == set(METHODS)
    assert not chosen & tested
    write_run(tmp_path)
    assert figures(tmp_path, "chosen").methods + figures(tmp_path, "tested").methods == len(METHODS)


def test_a_second_run_of_the_engine_is_compared_with_the_first(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir(), second.mkdir()
    write_run(first)
    write_run(second, slope=2.0, replay=False)
    replay, again = replays.compare([first, second], "all").itertuples()
    assert (replay.workload, again.workload) == ("throughput", "engine")
    assert again.slope == pytest.approx(0.5)
    assert again.spearman == pytest.approx(1)
    assert again.methods == len(METHODS)


def test_prints_and_writes_the_same_rows(tmp_path, capsys):
    write_run(tmp_path)
    assert replays.main([str(tmp_path), "--csv", str(tmp_path / "out.csv")]) == 0
    assert "| net256 | throughput | `p` | 24 | 1.00 [" in capsys.readouterr().out
    assert list(pd.read_csv(tmp_path / "out.csv")["form"]) == ["net256"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "summary.csv").unlink(),
        lambda folder: write_run(folder, replay=False),
        lambda folder: write_run(folder, reference=False),
        lambda folder: (folder / "summary.csv").write_bytes(b"\xff\xfe\x00"),
        lambda folder: (folder / "samples.csv").write_text("launch\n"),
        lambda folder: (folder / "run.json").write_text("{"),
    ],
)
def test_bad_input_is_one_line_and_status_2(tmp_path, capsys, spoil):
    write_run(tmp_path)
    spoil(tmp_path)
    assert replays.main([str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_that_cannot_be_written_is_one_line_and_status_2(tmp_path, capsys):
    write_run(tmp_path)
    assert replays.main([str(tmp_path), "--csv", "/nonexistent/out.csv"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
