# SPDX-License-Identifier: MIT
"""references.csv: the ratios and verdicts of a run against references other than that of its summary, as the program
computed them."""

from dataclasses import replace

import numpy as np

from report.data.cells import COMPARED_ROLES
from report.data.files import one_line, read_optional
from report.data.schema import KEY, REFERENCES
from report.errors import ReportError

NAME = "references.csv"
JUDGED = ["ratio", "ratio_low", "ratio_high", "holm_low", "holm_high", "verdict"]
UNFLAGGED = ["ratio_unflagged", "ratio_unflagged_low", "ratio_unflagged_high"]


def own_reference(run):
    """The method that the ratios of a run's summary are against; None for a run without one."""
    return next(iter(run.summary[run.summary["role"] == "reference"]["method"]), None)


def read_references(run):
    """The other references of a run: dict method -> its rows, DataFrame; empty for a folder without the file."""
    rows = read_optional(run.folder / NAME, REFERENCES)
    if rows is None:
        return {}
    rows["corunners"] = rows["corunners"].fillna(0).astype(int)
    rows = rows[rows["reference"] != own_reference(run)].drop_duplicates(["reference", *KEY, "contender"])
    return dict(iter(rows.groupby("reference", sort=False)))


def check_reference(run, reference, known):
    """Raises ReportError where a run has no ratios against a reference; `known` are those beside its summary's."""
    names = [one_line(name) for name in (own_reference(run), *known) if name is not None]
    if reference not in names:
        there = ", ".join(dict.fromkeys(names)) or "none"
        raise ReportError(f"{run.folder}: has no ratios against {one_line(reference)}; there are those against {there}")


def rebased(run, reference):
    """A run with the ratios and verdicts against another reference, of the cells in which that was measured. ReportError
    where the run has none."""
    known = read_references(run)
    check_reference(run, reference, known)
    if reference not in known:
        return run
    place = [*KEY, "contender"]
    judged = known[reference][[*place, *JUDGED]]
    summary = run.summary.drop(columns=JUDGED).merge(judged, on=place, how="left")
    compared = summary["role"].isin(COMPARED_ROLES)
    is_reference = summary["verdict"] == "reference"
    summary["role"] = np.where(compared, np.where(is_reference, "reference", "method"), summary["role"])
    summary["verdict"] = summary["verdict"].where(compared, run.summary["verdict"].to_numpy()).fillna("")
    summary[UNFLAGGED] = np.nan  # of the summary's reference alone
    here = summary[KEY].apply(tuple, axis=1).isin(set(summary[is_reference][KEY].apply(tuple, axis=1)))
    kept = {tuple(key) for key in summary[here][KEY].itertuples(index=False)}
    cells = [cell for cell in run.cells if tuple(getattr(cell, name) for name in KEY) in kept]
    return replace(run, summary=summary[here].reset_index(drop=True), cells=cells)
