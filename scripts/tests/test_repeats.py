# SPDX-License-Identifier: MIT
"""What the repeat study says of runs that agree, and of one in which a method's ratio moved."""

import pytest
import synthetic
from folders import KNOWN, edit_csv

from report.data.cells import Cell
from slidebench import main

CELL = Cell("throughput", "game", "isolated")


@pytest.fixture
def two_runs(tmp_path):
    """The folders of the same synthetic run, twice."""
    return [synthetic.make_full_run(tmp_path / name, [CELL], KNOWN) for name in ("one", "two")]


def row_of(capsys, *folders):
    """The one row of the table, as numbers and texts by column."""
    assert main(["repeat-study", *map(str, folders)]) == 0
    heads, _, row = (line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines())
    return dict(zip(heads, row))


def test_the_same_run_repeats(two_runs, capsys):
    row = row_of(capsys, *two_runs)
    assert row["cell"] == CELL.name
    assert (row["scatter of a ratio"], row["ratios over their intervals"]) == ("0.00 %", "0.00")
    assert row["disjoint intervals"].startswith("0 of ")
    assert row["verdicts that contradict"].startswith("0 of ")


def test_what_moved_is_counted(two_runs, capsys):
    def moved(rows):
        of_pext = rows["contender"] == "pext"
        for column in ("ratio", "ratio_low", "ratio_high"):
            rows.loc[of_pext, column] = (3 * rows.loc[of_pext, column].astype(float)).astype(str)
        return rows.assign(verdict=rows["verdict"].mask(of_pext, "slower"))

    edit_csv(two_runs[1], "summary.csv", moved)
    row = row_of(capsys, *two_runs)
    assert row["disjoint intervals"].startswith("1 of ")
    assert row["verdicts that contradict"].startswith("1 of ")
    assert float(row["ratios over their intervals"]) > 1


def test_one_run_repeats_nothing(two_runs, capsys):
    assert main(["repeat-study", str(two_runs[0])]) == 2
    assert "name two runs" in capsys.readouterr().err
