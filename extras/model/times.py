# SPDX-License-Identifier: MIT
"""How well does the time model explain what was measured? Prints a Markdown table.

Compared are what a method takes more than the reference, and what pressure adds to a method (each less its empty
loop), measured and predicted. In differences the loop itself cancels out.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from report.analysis.ranks import clustered_interval, spearman
from report.data.files import RUN, matching, read_csv
from report.data.words import human_interval
from report.errors import ReportError
from report.figures.style import render, set_defaults
from report.output import compressed, write_all
from report.page.markdown import table
from explain_left_over import CONSTANT_HEADS, METHOD_HEADS, constants, methods_off
from times_figure import draw

REFERENCE, EMPTY, ISOLATED = "magic_fancy", "empty", "isolated"
CELL = ["workload", "trace", "pressure", "pages"]
PREDICTED = ["predicted_ns", "predicted_low", "predicted_high"]
FIGURES = ["measured_ns", *PREDICTED, "computed_ns"]
COLUMNS = ["method", *CELL, "comparison", "measured_ns", "measured_low", "measured_high", *PREDICTED, "computed_ns"]
COLUMNS += ["residual_ns", "far_off", "branches_per_query"]
TO_REFERENCE, TO_ISOLATED = "method - reference", "pressure - isolated"
# Far off: by more than both.
FAR_NS, FAR_SHARE = 2.0, 0.15
# A query with fewer conditional branches than this decides next to nothing by them.
BRANCHES = 0.5


def times_of(runs, predicted):
    """Method and cell with the measured time per query (of one core and all kinds of query) and the predicted ones.
    ReportError where no cell has both the reference and the empty loop."""
    text, numbers = ["method", "role", "kinds", *CELL], ["ns_per_query", "ratio_low", "ratio_high", "corunners"]
    measured = pd.concat(read_csv(run / "summary.csv", text, numbers) for run in runs)
    told = pd.concat(
        read_csv(folder / "predicted.csv", ["method", *CELL], [*PREDICTED, "computed_ns"]) for folder in predicted
    )
    own = matching(measured, kinds="all", corunners=0)
    own = own.loc[own["role"].isin(["method", "reference", "empty"]), [*text, *numbers]]
    times = own.merge(told[["method", *CELL, *PREDICTED, "computed_ns"]], on=["method", *CELL])
    if not {REFERENCE, EMPTY} <= set(times["method"]):
        raise ReportError(f"{runs[0]} and {predicted[0]}: no cell in common that has {REFERENCE} and {EMPTY}")
    return times.assign(measured_ns=times["ns_per_query"])


def less(rows, others, on):
    """The figures of rows less those of the others that agree in the columns `on`."""
    pairs = rows.merge(others, on=on, suffixes=("", "_of"))
    for figure in FIGURES:
        pairs[figure] -= pairs[f"{figure}_of"]
    return pairs[rows.columns]


def to_reference(times):
    """What each method takes more than the reference."""
    methods = times[~times["method"].isin([REFERENCE, EMPTY])]
    more = less(methods, times[times["method"] == REFERENCE], CELL)
    reference_ns = more["ns_per_query"] - more["measured_ns"]
    for end in ("low", "high"):
        more[f"measured_{end}"] = reference_ns * (more[f"ratio_{end}"] - 1)
    return more.assign(comparison=TO_REFERENCE)


def to_isolated(times):
    """What pressure adds to each method beyond what it adds to the empty loop; as a difference it was not measured, and
    has no interval."""
    net = less(times[times["method"] != EMPTY], times[times["method"] == EMPTY], CELL)
    is_alone = net["pressure"] == ISOLATED
    added = less(net[~is_alone], net[is_alone], ["method", "workload", "trace", "pages"])
    return added.assign(comparison=TO_ISOLATED, measured_low=np.nan, measured_high=np.nan)


def residuals(runs, predicted, branches=None):
    """All differences of runs and of predictions of the same cells, with what is left over; `branches` is conditional
    branches per query by method. ReportError where no cell has both the reference and the empty loop."""
    times = times_of(runs, predicted)
    rows = pd.concat([to_reference(times), to_isolated(times)], ignore_index=True)
    # The least and the most that the prediction comes to with the ladder's quartiles.
    ends = rows[PREDICTED].agg(["min", "max"], axis=1)
    rows = rows.assign(predicted_low=ends["min"], predicted_high=ends["max"])
    rows["residual_ns"] = rows["measured_ns"] - rows["predicted_ns"]
    off = rows["residual_ns"].abs()
    rows["far_off"] = (off > FAR_NS) & (off / rows["ns_per_query"] > FAR_SHARE)
    rows["branches_per_query"] = rows["method"].map(branches or {})
    return rows[COLUMNS]


def branches_of(path):
    """Conditional branches per query by method, of `slidebench kernel --format csv`; empty without a file."""
    if path is None:
        return {}
    return read_csv(path, ["method"], ["branches_per_query"]).set_index("method")["branches_per_query"].to_dict()


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
            shown = human_interval(rho, *clustered_interval(part["measured_ns"], part["predicted_ns"], part["method"]))
            off = f"{part['residual_ns'].abs().median():.2f}"
            far = [part["far_off"].sum(), (part["far_off"] & is_branching(part)).sum()]
            yield [comparison, workload, name, len(part), shown, off, share_within(part), *far]


def share_within(rows):
    """How many of the predictions lie in the measured interval, as "50 %"; empty where none was measured."""
    known = rows.dropna(subset=["measured_low", "measured_high"]).round(3)  # as the table has them
    within = known["predicted_ns"].between(known["measured_low"], known["measured_high"])
    return f"{100 * within.mean():.0f} %" if len(known) else ""


HEADS = ["comparison", "workload", "cell", ">differences", "Spearman", ">median residual, ns", ">in the interval", ">far off"]


def work(options):
    """Compares, writes the table of residuals and the figure, and prints how well it agrees; or prints that of a table."""
    if options.residuals is not None:
        numbers = ["measured_ns", "measured_low", "measured_high", "predicted_ns", "residual_ns", "branches_per_query"]
        rows = read_csv(options.residuals, ["method", *CELL, "comparison", "far_off"], numbers)
        print_agreements(rows.assign(far_off=rows["far_off"] == "True"))
        if options.left_over:
            print("\n" + table(CONSTANT_HEADS, constants(rows)) + "\n\n" + table(METHOD_HEADS, methods_off(rows)))
        return
    if options.left_over:
        raise ReportError("--left-over is said of a table: name it with --residuals")
    if not (options.runs and options.predicted and options.out):
        raise ReportError("name runs, --predicted and --out, or --residuals alone")
    rows = residuals(options.runs, options.predicted, branches_of(options.kernel))
    text = rows.round(3).to_csv(index=False, lineterminator="\n")
    set_defaults()
    files = {"residuals.csv.gz": compressed(text.encode())}
    files |= {f"predicted.{suffix}": data for suffix, data in render(draw(rows, is_branching(rows)), ("svg", "png")).items()}
    write_all(options.out, files)
    print_agreements(rows)


def print_agreements(rows):
    print(table([*HEADS, ">of these, branching"], agreements(rows)))


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("runs", nargs="*", **RUN)
    help_predicted = "folder of `slidebench predict`"
    parser.add_argument("--predicted", nargs="+", type=Path, metavar="DIR", help=help_predicted)
    parser.add_argument("--kernel", type=Path, metavar="FILE", help="of `slidebench kernel --format csv`: branches")
    parser.add_argument("--out", type=Path, metavar="DIR", help="for the table and the figure")
    help_residuals = "a table that --out holds: how well the two agree, from it alone"
    parser.add_argument("--residuals", type=Path, metavar="FILE", help=help_residuals)
    help_left_over = "with --residuals: also what the model leaves over, by cell and by method"
    parser.add_argument("--left-over", action="store_true", help=help_left_over)
