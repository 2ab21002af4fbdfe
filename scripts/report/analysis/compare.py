# SPDX-License-Identifier: MIT
"""Runs of several machines, compilers or commits side by side: what may be compared, and what differs. Ratios and
verdicts travel between machines, nanoseconds do not."""

import numpy as np
import pandas as pd

from report.data.cells import COMPARED_ROLES, NODE_WORKLOADS
from report.data.files import dig, items, one_line
from report.errors import ReportError


def letter(i):
    """The letter of run `i`: A to Z, then A2 and so on."""
    return chr(ord("A") + i % 26) + ("" if i < 26 else str(1 + i // 26))


def check_pair(first, other):
    """Two runs must have one and the same reference, else their ratios cannot be compared."""
    a, b = (set(run.summary[run.summary["role"] == "reference"]["method"]) for run in (first, other))
    if a != b or len(a) != 1:
        names = [one_line(", ".join(sorted(found)) or "missing") for found in (b, a)]
        said = f"{other.folder}: its reference is {names[0]}, that of {first.folder} {names[1]}"
        raise ReportError(f"{said}; ratios to different references cannot be compared")


def check_names(runs):
    """A name must be the same trace, and the same pressure, in every run that replayed it."""
    for what in ("trace", "pressure"):
        first = {}
        for run in runs:
            traces = {str(entry.get("name")): dig(entry, "xxh3") for entry in items(run.info, "traces")}
            known = traces if what == "trace" else dig(run.info, "pressures") or {}
            for name in sorted({getattr(cell, what) for cell in run.cells if cell.workload not in NODE_WORKLOADS}):
                if (found := known.get(name)) is None:
                    raise ReportError(f"{run.folder}: run.json does not say what {what} {name} is; it cannot be compared")
                other, folder = first.setdefault(name, (found, run.folder))
                if found != other:
                    said = f"{run.folder}: its {what} {name} ({one_line(found)}) is not that of {folder} ({one_line(other)})"
                    raise ReportError(f"{said}; measure the same on every machine")


def side_by_side(runs, cell):
    """(what each run says of the methods of a cell, list of DataFrame by contender; all contenders, by the mean logarithm of their
    ratios)."""
    rows = [run.rows(cell, *COMPARED_ROLES).drop_duplicates("contender").set_index("contender") for run in runs]
    means = np.log(pd.concat([part["ratio"] for part in rows], axis=1)).mean(axis=1)
    return rows, list(means.sort_index().sort_values(kind="stable").index)
