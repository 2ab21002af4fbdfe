# SPDX-License-Identifier: MIT
"""How well does the time model explain what was measured? Prints a Markdown table.

Compared are what a method takes more than the reference, and what pressure adds to a method (each less its empty
loop), measured and predicted. In differences the loop itself cancels out.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from report.analysis.ranks import spearman, spearman_interval
from report.data import schema
from report.data.files import read_csv
from report.errors import ReportError
from report.figures.style import render, set_defaults
from report.needed import RUN, answered, parser_of
from report.output import write_all
from report.page.markdown import table
from studies.times_figure import draw

REFERENCE, EMPTY, ISOLATED = "magic_fancy", "empty", "isolated"
CELL = ["workload", "trace", "pressure", "pages"]
MEASURED = ["ns_per_query", "ratio_low", "ratio_high"]
PREDICTED = ["predicted_ns", "predicted_low", "predicted_high"]
TO_REFERENCE, TO_ISOLATED = "method - reference", "pressure - isolated"
# Far off: by more than both.
FAR_NS, FAR_SHARE = 2.0, 0.15
# A query with fewer conditional branches than this decides next to nothing by them.
BRANCHES = 0.5


def measured_times(run):
    """Method and cell -> measured ns a query, of one core and all kinds of query."""
    frame = read_csv(run / "summary.csv", ["method", "role", "kinds", *CELL], [*MEASURED, "corunners"])
    own = frame["role"].isin(["method", "reference", "empty"]) & (frame["kinds"] == "all") & (frame["corunners"] == 0)
    return frame.loc[own, ["method", *CELL, *MEASURED]]


def predicted_times(folder):
    """Method and cell -> predicted ns a query, with the ladder's interval and what of it is computation."""
    return read_csv(folder / "predicted.csv", schema.PREDICTED.text, schema.PREDICTED.numbers)[
        ["method", *CELL, *PREDICTED, "computed_ns"]
    ]


def differences(pairs, comparison):
    """The columns of a difference, of rows and those that they are compared with (suffix `_of`)."""
    found = pairs[["method", *CELL]].assign(comparison=comparison)
    found["measured_ns"] = pairs["ns_per_query"] - pairs["ns_per_query_of"]
    for end in ("low", "high"):
        found[f"measured_{end}"] = pairs["ns_per_query_of"] * (pairs[f"ratio_{end}"] - 1)
    for figure in (*PREDICTED, "computed_ns"):
        found[figure] = pairs[figure] - pairs[figure + "_of"]
    found["method_ns"] = pairs["ns_per_query"]
    return found


def in_range(rows):
    """The rows with the prediction's ends as the least and most that it comes to with the ladder's quartiles."""
    return rows.assign(predicted_low=rows[PREDICTED].min(axis=1), predicted_high=rows[PREDICTED].max(axis=1))


def to_reference(both):
    """What each method takes more than the reference, measured and predicted."""
    rows = both[both["method"] != EMPTY]
    others, reference = rows[rows["method"] != REFERENCE], rows[rows["method"] == REFERENCE]
    return differences(others.merge(reference, on=CELL, suffixes=("", "_of")), TO_REFERENCE)


def to_isolated(both):
    """What pressure adds to each method beyond what it adds to the empty loop."""
    methods, empty = both[both["method"] != EMPTY], both[both["method"] == EMPTY]
    net = differences(methods.merge(empty, on=CELL, suffixes=("", "_of")), TO_ISOLATED)
    alone, pressed = net[net["pressure"] == ISOLATED], net[net["pressure"] != ISOLATED]
    found = pressed.merge(alone, on=["method", "workload", "trace", "pages"], suffixes=("", "_of"))
    for figure in ("measured_ns", *PREDICTED, "computed_ns"):
        found[figure] -= found[figure + "_of"]
    return found[net.columns].assign(measured_low=np.nan, measured_high=np.nan)


def residuals(runs, predicted, branches=None):
    """All differences of runs and of predictions of the same cells, with what is left over; `branches` is conditional
    branches a query by method. ReportError where no cell has both the reference and the empty loop."""
    measured = pd.concat([measured_times(run) for run in runs], ignore_index=True)
    told = pd.concat([predicted_times(folder) for folder in predicted], ignore_index=True)
    both = measured.merge(told, on=["method", *CELL])
    if not {REFERENCE, EMPTY} <= set(both["method"]):
        raise ReportError(f"{runs[0]} and {predicted[0]}: no cell in common that has {REFERENCE} and {EMPTY}")
    rows = in_range(pd.concat([to_reference(both), to_isolated(both)], ignore_index=True))
    rows["residual_ns"] = rows["measured_ns"] - rows["predicted_ns"]
    off = rows["residual_ns"].abs()
    rows["far_off"] = (off > FAR_NS) & (off / rows["method_ns"] > FAR_SHARE)
    rows["branches_per_query"] = rows["method"].map(branches or {})
    return rows.drop(columns="method_ns")


def branches_of(path):
    """dict method -> conditional branches a query, of `slidebench kernel --format csv`; empty without a file."""
    if path is None:
        return {}
    frame = read_csv(path, ["method"], ["branches_per_query"])
    return dict(zip(frame["method"], frame["branches_per_query"]))


def is_branching(rows):
    """Which rows are of methods that decide by conditional branches; a Series of bool."""
    return rows["branches_per_query"] > BRANCHES


def agreements(rows):
    """Figures for each comparison and workload: over all cells, without methods that branch, and for each cell; yields
    rows."""
    for (comparison, workload), group in rows.groupby(["comparison", "workload"]):
        parts = [("all", group)]
        if is_branching(group).any():
            parts.append(("all, without branching methods", group[~is_branching(group)]))
        parts += [(", ".join(cell), part) for cell, part in group.groupby(CELL[1:])]
        for name, part in parts:
            rho = spearman(part["measured_ns"], part["predicted_ns"])
            low, high = spearman_interval(rho, len(part))
            off = f"{part['residual_ns'].abs().median():.2f}"
            far = [str(part["far_off"].sum()), str((part["far_off"] & is_branching(part)).sum())]
            yield [comparison, workload, name, str(len(part)), f"{rho:.2f} [{low:.2f}, {high:.2f}]", off, *far]


HEADS = ["comparison", "workload", "cell", ">differences", "Spearman", ">median residual, ns", ">far off"]


def work(options):
    """Compares, writes the table of residuals and the figure, and prints how well it agrees."""
    rows = residuals(options.runs, options.predicted, branches_of(options.kernel))
    text = rows.round(3).to_csv(index=False, lineterminator="\n")
    set_defaults()
    files = {"residuals.csv": text.encode()}
    files |= {f"predicted.{suffix}": data for suffix, data in render(draw(rows, is_branching(rows))).items()}
    write_all(options.out, files)
    print(table([*HEADS, ">of these, branching"], agreements(rows)))


def main(arguments=None):
    """The command; returns the exit status."""
    parser = parser_of(__doc__, "explain_times.py reports/run1 --predicted predicted --out reports/time_model")
    parser.add_argument("runs", nargs="+", **RUN)
    parser.add_argument(
        "--predicted", nargs="+", type=Path, metavar="DIR", required=True, help="folder of `slidebench predict`"
    )
    parser.add_argument("--kernel", type=Path, metavar="FILE", help="of `slidebench kernel --format csv`: branches")
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="for the table and the figure")
    return answered("explain_times.py", work, parser.parse_args(arguments))
