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
from report.output import compressed, write_all
from report.page.markdown import table

REFERENCE, EMPTY, ISOLATED = "magic_fancy", "empty", "isolated"
CELL = ["workload", "trace", "pressure", "pages"]
PREDICTED = ["predicted_ns", "predicted_low", "predicted_high"]
FIGURES = ["measured_ns", *PREDICTED, "computed_ns"]
COLUMNS = ["method", *CELL, "comparison", "measured_ns", "measured_low", "measured_high", *PREDICTED, "computed_ns"]
COLUMNS += ["residual_ns", "far_off"]
TO_REFERENCE, TO_ISOLATED = "method - reference", "pressure - isolated"
# Far off: by more than both.
FAR_NS, FAR_SHARE = 2.0, 0.15


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


def residuals(runs, predicted):
    """All differences of runs and of predictions of the same cells, with what is left over. ReportError where no cell has
    both the reference and the empty loop."""
    times = times_of(runs, predicted)
    rows = pd.concat([to_reference(times), to_isolated(times)], ignore_index=True)
    # The least and the most that the prediction comes to with the ladder's quartiles.
    ends = rows[PREDICTED].agg(["min", "max"], axis=1)
    rows = rows.assign(predicted_low=ends["min"], predicted_high=ends["max"])
    rows["residual_ns"] = rows["measured_ns"] - rows["predicted_ns"]
    off = rows["residual_ns"].abs()
    rows["far_off"] = (off > FAR_NS) & (off / rows["ns_per_query"] > FAR_SHARE)
    return rows[COLUMNS]


def agreements(rows):
    """Figures for each comparison and workload: over all cells, and for each cell; yields rows."""
    for (comparison, workload), group in rows.groupby(["comparison", "workload"]):
        for name, part in [("all", group), *((", ".join(cell), part) for cell, part in group.groupby(CELL[1:]))]:
            rho = spearman(part["measured_ns"], part["predicted_ns"])
            shown = human_interval(rho, *clustered_interval(part["measured_ns"], part["predicted_ns"], part["method"]))
            off = f"{part['residual_ns'].abs().median():.2f}"
            yield [comparison, workload, name, len(part), shown, off, share_within(part), part["far_off"].sum()]


def share_within(rows):
    """How many of the predictions lie in the measured interval, as "50 %"; empty where none was measured."""
    known = rows.dropna(subset=["measured_low", "measured_high"]).round(3)  # as the table has them
    within = known["predicted_ns"].between(known["measured_low"], known["measured_high"])
    return f"{100 * within.mean():.0f} %" if len(known) else ""


HEADS = ["comparison", "workload", "cell", ">differences", "Spearman", ">median residual, ns", ">in the interval", ">far off"]


def work(options):
    """Compares, writes the table of residuals, and prints how well predictions and measurements agree."""
    rows = residuals(options.runs, options.predicted)
    text = rows.round(3).to_csv(index=False, lineterminator="\n")
    write_all(options.out, {"residuals.csv.gz": compressed(text.encode())})
    print(table(HEADS, agreements(rows)))


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("runs", nargs="+", **RUN)
    help_predicted = "folder of `slidebench predict`"
    parser.add_argument("--predicted", nargs="+", type=Path, metavar="DIR", required=True, help=help_predicted)
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="for the table of all differences")
