# SPDX-License-Identifier: MIT
"""What the state study says of a run in which somebody else used the core for some process runs, and of one without."""

import pytest
import synthetic
from folders import KNOWN, edit_csv

from report.data.cells import Cell
from slidebench import main


@pytest.fixture
def run(tmp_path):
    """A run of eight process runs; its folder."""
    cells = [Cell("throughput", "search", "isolated"), Cell("throughput", "search", "net0")]
    return synthetic.make_full_run(tmp_path / "run", cells, KNOWN, process_runs=8)


def slowed(table):
    """In the last three process runs everything takes twice as long, pext but 1.5 times; else a contender takes the same in all."""
    last = table["process_run"].astype(float) >= 5
    factor = last.map({True: 2.0, False: 1.0}).where(table["contender"] != "pext", last.map({True: 1.5, False: 1.0}))
    cell = [table[name] for name in ("pressure", "contender")]
    usual = table["ns_per_query"].astype(float).groupby(cell).transform("mean")
    return table.assign(ns_per_query=(usual * factor).astype(str))


def test_a_ratio_is_told_of_each_state(run, capsys):
    edit_csv(run, "process_runs.csv", slowed)
    assert main(["state-study", str(run), "--method", "pext"]) == 0
    first, _, _, _, row, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("5 process runs in the quicker state, 3 in the other")
    _, times, ratios = (cell.strip().split(" / ") for cell in row.strip("| ").split("|"))
    assert float(times[1]) == pytest.approx(2 * float(times[0]), abs=0.02)
    assert float(ratios[1]) == pytest.approx(0.75 * float(ratios[0]), abs=0.01)


def test_one_state_is_one_line(run, capsys):
    assert main(["state-study", str(run)]) == 2
    assert "in one state" in capsys.readouterr().err


def test_a_method_that_was_not_measured_is_named(run, capsys):
    edit_csv(run, "process_runs.csv", slowed)
    assert main(["state-study", str(run), "--method", "nosuch"]) == 2
    assert "'nosuch'" in capsys.readouterr().err


def test_a_method_that_one_cell_lacks_leaves_its_place_empty(run, capsys):
    edit_csv(run, "process_runs.csv", lambda t: slowed(t)[(t["contender"] != "pext") | (t["pressure"] != "net0")])
    assert main(["state-study", str(run), "--method", "pext", "--method", "magic_plain"]) == 0
    lines = capsys.readouterr().out.splitlines()[2:]
    assert {line.count("|") for line in lines} == {5}
    assert [line for line in lines if "net0" in line][0].split("|")[3].strip() == ""


def test_a_trace_that_is_not_there(run, capsys):
    assert main(["state-study", str(run), "--trace", "game"]) == 2
    assert "has no such cell" in capsys.readouterr().err
