# SPDX-License-Identifier: MIT
"""What keep-or-ask says of runs whose moves and questions have known costs."""

import math
import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

EXTRA = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(EXTRA), *(str(EXTRA.parents[1] / folder) for folder in ("scripts", "scripts/tests"))]
os.environ["SLIDEBENCH_TRACEBACK"] = "1"  # a mistake of the scripts is no refusal of bad input

import stores  # noqa: E402
import synthetic  # noqa: E402
from folders import KNOWN, edit_csv, run_command  # noqa: E402
from keep_or_ask import crossing, moves_a_node  # noqa: E402
from report.data.cells import Cell  # noqa: E402

PRESSURES = ("isolated", "net1024")
STORES = {"rows": ("store", 2_048, 6.0), "rows_copy": ("store", 2_048, 6.0), "attack_table": ("store", 2_048, 6.0)}
SOME = {name: KNOWN[name] for name in ("magic_fancy", "pext", "rotated_hyatt")} | STORES
# contender -> ns of a move, ns of a question
TRUTH = {"magic_fancy": (16, 8), "pext": (16, 7), "rotated_hyatt": (20, 9)}
TRUTH |= {"rows": (46, 3), "rows_copy": (30, 8.5), "attack_table": (15, 7.5)}
# segment -> nodes of a pass, moves a node, questions a node
SEGMENTS = {"0": (1_237, 0.25, 1.1), "1": (1_511, 0.30, 0.9), "2": (1_009, 0.35, 1.3), "3": (1_613, 0.28, 1.0)}
HEADS = ["move_ns", "move_low", "move_high", "question_ns", "question_low", "question_high"]


def timed(row, noise, truth):
    """A sample of known cost: segment, nodes, queries and time_ns."""
    segment = str(int(row["round"]) % len(SEGMENTS))
    nodes, moves, questions = SEGMENTS[segment]
    passes = 3 + int(row["position"]) % 2
    made, asked = passes * round(nodes * moves), passes * round(nodes * questions)
    move, question = truth[row["contender"]]
    pressed = 10 if row["pressure"] == "net1024" else 0
    time = made * (move + pressed) + (asked * (question + pressed) if row["workload"] == "keep" else 0)
    factor = 1 + noise * math.sin(7.0 * int(row["process_run"]) + move)
    return [segment, passes * nodes, asked if row["workload"] == "keep" else made, time * factor]


def make(folder, noise=0.0, process_runs=6, **changed):
    """A run of stores and methods; `changed` are other truths."""
    cells = [Cell(workload, "search", pressure) for workload in ("moves", "keep") for pressure in PRESSURES]
    synthetic.make_full_run(folder, cells, SOME, process_runs=process_runs, rounds=4, simulated=False)

    def edit(table):
        table = table[table["contender"].isin(TRUTH)]
        table = table.assign(position=[str(i) for i in range(len(table))])
        columns = ["segment", "nodes", "queries", "time_ns"]
        return table.assign(**dict(zip(columns, zip(*(timed(row, noise, TRUTH | changed) for row in table.to_dict("records"))))))

    edit_csv(folder, "samples.csv", edit)
    return folder


@pytest.fixture
def run(tmp_path):
    """A run without noise."""
    return make(tmp_path / "run")


def told(folder, out=None):
    """The table that the command writes, by pressure and contender."""
    options = ["--out", out] if out else []
    status, printed, err = run_command("keep-or-ask", folder, *options, program=stores.main)
    assert (status, err) == (0, "")
    *said, path = printed.splitlines()
    assert path.endswith("/keep_or_ask.csv")
    assert [line.partition(":")[0] for line in said] == [f"search, {pressure}" for pressure in PRESSURES]
    table = pd.read_csv((out or folder) / "keep_or_ask.csv", dtype=str, keep_default_na=False)
    return table.set_index(["pressure", "contender"])


def assert_refused(folder, *words):
    status, out, err = run_command("keep-or-ask", folder, program=stores.main)
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith("stores.py keep-or-ask: ") and all(word in err for word in words), err


def test_known_costs_come_out(run):
    table = told(run)
    assert len(table) == len(TRUTH) * len(PRESSURES)
    for (pressure, contender), row in table.iterrows():
        pressed = 10 if pressure == "net1024" else 0
        move, question = (value + pressed for value in TRUTH[contender])
        assert [float(row[name]) for name in HEADS] == pytest.approx([move] * 3 + [question] * 3, rel=1e-6)
        assert row["process_runs"] == "6"


def test_the_crossing_is_where_the_lines_cross(run):
    table = told(run)
    for pressure in PRESSURES:
        found = {name: list(table.loc[pressure, name][["crossing", "crossing_low", "crossing_high"]]) for name in TRUTH}
        assert [float(text) for text in found["rows"]] == [(46 - 16) / (8 - 3)] * 3
        assert found["rows_copy"] == ["never"] * 3
        assert found["attack_table"] == ["always"] * 3
        assert found["magic_fancy"] == found["pext"] == found["rotated_hyatt"] == [""] * 3, "they are asked anew"


def test_the_table_is_sorted_by_the_time_at_the_questions_of_the_trace(run):
    table = told(run).loc["isolated"]
    per_node = np.mean([(round(n * m) / n, round(n * q) / n) for n, m, q in SEGMENTS.values()], axis=0)
    assert float(table["questions_per_move"].iloc[0]) == pytest.approx(per_node[1] / per_node[0], abs=1e-4)
    times = table["move_ns"].astype(float) + table["questions_per_move"].astype(float) * table["question_ns"].astype(float)
    assert times.is_monotonic_increasing and table.index[0] == "pext"


def test_intervals_hold_noise(tmp_path):
    row = told(make(tmp_path / "run", noise=0.02)).loc["isolated", "rows"]
    assert float(row["move_low"]) < 46 < float(row["move_high"])
    assert float(row["question_low"]) < 3 < float(row["question_high"])
    assert 4 < float(row["crossing_low"]) < 6 < float(row["crossing_high"]) < 10


def test_one_process_run_has_no_intervals(tmp_path):
    row = told(make(tmp_path / "run", process_runs=2).rename(tmp_path / "other")).loc["isolated", "rows"]
    assert row["move_low"] and row["crossing_high"]
    edit_csv(tmp_path / "other", "samples.csv", lambda t: t[t["process_run"] == "0"])
    row = told(tmp_path / "other").loc["isolated", "rows"]
    assert (row["crossing"], row["move_low"], row["crossing_low"], row["crossing_high"]) == ("6", "", "", "")


@pytest.mark.parametrize(("rows", "word"), [((17, 3), "keep"), ((46, 3), "ask"), ((34, 3), "not decided")])
def test_what_to_do_is_said_in_a_line(tmp_path, rows, word):
    folder = make(tmp_path / "run", noise=0.02, rows=rows, rows_copy=(60, 8), attack_table=(60, 8))
    _, printed, _ = run_command("keep-or-ask", folder, program=stores.main)
    assert printed.splitlines()[0].startswith(f"search, isolated: {word}. A move with its "), printed
    assert "ns and pext " in printed


def test_one_command_measures_too(tmp_path, monkeypatch):
    program = tmp_path / "slidebench"
    program.write_text(f"#!/bin/sh\necho $@ >{tmp_path}/asked\nexit $STATUS\n")
    program.chmod(0o755)
    monkeypatch.setenv("SLIDEBENCH_PROGRAM", str(program))
    monkeypatch.setenv("STATUS", "0")
    folder = make(tmp_path / "run")
    status, _, err = run_command("keep-or-ask", folder, "--trace", "a.trace", program=stores.main)
    assert (status, err) == (0, "")
    assert "--trace a.trace --method extension --reference ask_magic_fancy" in (tmp_path / "asked").read_text()
    for name, words in (("STATUS", "1"), ("SLIDEBENCH_PROGRAM", "/nowhere/x")):
        monkeypatch.setenv(name, words)
        status, _, err = run_command("keep-or-ask", folder, "--trace", "a.trace", program=stores.main)
        assert status == 2 and words in err


def test_quicker_moves_with_slower_questions_have_an_upper_end(tmp_path):
    row = told(make(tmp_path / "run", rows=(12, 10))).loc["isolated", "rows"]
    assert (row["crossing"], row["crossing_low"]) == ("up to 2", "")


@pytest.mark.parametrize("extra, saved, expected", [(30, 5, 6), (30, -5, math.inf), (30, 0, math.inf), (-1, 5, 0), (0, 5, 0)])
def test_crossings_without_noise(extra, saved, expected):
    assert crossing(pd.Series([extra] * 4, dtype=float), pd.Series([saved] * 4, dtype=float)) == pytest.approx((expected,) * 3)


@pytest.mark.parametrize(("extra", "low_is", "high_is"), [(30, "number", "never"), (0.1, "always", "never")])
def test_a_saving_that_is_not_sure_has_no_upper_end(extra, low_is, high_is):
    noise = np.array([-1.0, 1.0, -0.5, 0.5, 0.2, -0.2])
    _, low, high = crossing(pd.Series(extra + noise[::-1]), pd.Series(0.1 + noise))
    assert ("always" if low == 0 else "number") == low_is
    assert ("never" if high == math.inf else "number") == high_is


def test_the_interval_of_a_crossing_holds_it():
    draw, held, count = np.random.default_rng(5), 0, 500
    for _ in range(count):
        value, low, high = crossing(pd.Series(draw.normal(30, 4, 8)), pd.Series(draw.normal(5, 1.5, 8)))
        assert low <= value <= high
        held += low <= 6 <= high
    assert held / count > 0.93


def samples(segments, nodes, queries):
    return pd.DataFrame({"segment": segments, "nodes": nodes, "queries": queries})


def test_a_segment_has_its_own_moves_or_those_of_the_trace():
    moves = samples(["0", "1"], [3_000, 5_000], [600, 2_000])
    assert list(moves_a_node(moves, samples(["0", "1", "2"], [4_000, 2_500, 4_000], [1, 1, 1]))) == [0.2, 0.4, 2_600 / 8_000]


def test_a_run_without_these_cells(tmp_path):
    folder = synthetic.make_full_run(tmp_path / "run", [Cell("throughput", "search", "isolated")], SOME, simulated=False)
    assert_refused(folder, "no cells moves and keep", "--workload keep")


@pytest.mark.parametrize("name, edit, words", [
    *((name, None, [name, "missing"]) for name in ("samples.csv", "run.json", "summary.csv")),
    ("samples.csv", lambda t: t[t["workload"] == "keep"], ["no samples of moves on search"]),
    ("samples.csv", lambda t: t[t["contender"] != "magic_fancy"], ["no reference"]),
    ("samples.csv", lambda t: t[~t["contender"].isin(STORES)], ["no stores", "--method family:store"]),
])  # fmt: skip
def test_files_that_cannot_be_used(run, name, edit, words):
    if edit:
        edit_csv(run, name, edit)
    else:
        (run / name).unlink()
    assert_refused(run, *words)
    assert not (run / "keep_or_ask.csv").exists()
