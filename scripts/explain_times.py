#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How well does the time model explain what was measured?

Compares a run with what `slidebench predict` says of the same traces, pressures and pages, in differences: what a method
takes more than the reference (method - reference), and what pressure adds to a method (pressure - isolated, each less
its empty loop). In differences the loop itself cancels out.

Writes OUT/residuals.csv (every difference: measured, predicted, the ladder's interval, residual, whether it is far off,
and what the method is known to do that the model leaves out) and OUT/predicted.png (predicted against measured), and
prints a Markdown table: Spearman's correlation with its 95 % interval (Fisher's z by Bonett and Wright, 2000), the
median of |measured - predicted|, and how many differences are far off.

Usage: explain_times.py RUN... --predicted DIR... --out DIR [--kernel FILE]
"""

import argparse
import math
import pathlib
import sys

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from replay_against_engine import spearman_interval
from report.figures.style import GRID, INK, METHOD_COLOURS, MUTED, plt

REFERENCE = "magic_fancy"
EMPTY = "empty"
ISOLATED = "isolated"
CELL = ["workload", "trace", "pressure", "pages"]
# Far off: by more than both.
FAR_NS, FAR_SHARE = 2.0, 0.15
# A query with fewer conditional branches than this decides next to nothing by them.
BRANCHES = 0.5


class BadInput(Exception):
    """What is wrong with a file, in one line."""


def read_csv(path, columns):
    """A CSV file as a DataFrame, ids as text. Raises BadInput if it cannot be read or lacks columns."""
    try:
        frame = pd.read_csv(path, keep_default_na=False, dtype=str)
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: cannot be read: {error}") from error
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise BadInput(f"{path}: lacks the column {missing[0]}")
    return frame


def measured_times(runs):
    """method and cell -> measured ns a query, of one core and all kinds of query."""
    return pd.concat([measured_times_of(run) for run in runs], ignore_index=True)


def measured_times_of(run):
    """The same of one run."""
    columns = ["method", "role", "kinds", "corunners", "ns_per_query", "ratio_low", "ratio_high", *CELL]
    frame = read_csv(run / "summary.csv", columns)
    own = frame["role"].isin(["method", "reference", "empty"]) & (frame["kinds"] == "all") & (frame["corunners"] == "0")
    frame = frame[own].copy()
    for column in ("ns_per_query", "ratio_low", "ratio_high"):
        frame[column] = pd.to_numeric(frame[column], errors="coerce")  # the empty loop has no ratio
    return frame[["method", *CELL, "ns_per_query", "ratio_low", "ratio_high"]]


def predicted_times(folders):
    """method and cell -> predicted ns a query, with the ladder's interval."""
    return pd.concat([predicted_times_of(folder) for folder in folders], ignore_index=True)


def predicted_times_of(folder):
    """The same of one prediction."""
    numbers = ["predicted_ns", "predicted_low", "predicted_high"]
    frame = read_csv(folder / "predicted.csv", ["method", *CELL, *numbers])
    for column in numbers:
        frame[column] = pd.to_numeric(frame[column])
    return frame[["method", *CELL, *numbers]]


def to_reference(both):
    """What each method takes more than the reference, measured and predicted."""
    rows = both[both["method"] != EMPTY]
    reference = rows[rows["method"] == REFERENCE]
    found = rows[rows["method"] != REFERENCE].merge(reference, on=CELL, suffixes=("", "_of"))
    return differences(found, "method - reference")


def to_isolated(both):
    """What pressure adds to each method beyond what it adds to the empty loop."""
    empty = both[both["method"] == EMPTY]
    net = both[both["method"] != EMPTY].merge(empty, on=CELL, suffixes=("", "_of"))
    net = differences(net, "pressure - isolated")
    cell = ["method", "workload", "trace", "pages"]
    alone = net[net["pressure"] == ISOLATED]
    found = net[net["pressure"] != ISOLATED].merge(alone, on=cell, suffixes=("", "_of"))
    found["pressure_of"] = ISOLATED
    for figure in ("measured_ns", "predicted_ns", "predicted_low", "predicted_high"):
        found[figure] -= found[figure + "_of"]
    return found[net.columns]


def differences(pairs, comparison):
    """The columns of a difference, of rows and those that they are compared with (suffix `_of`)."""
    found = pairs[["method", *CELL]].copy()
    found["comparison"] = comparison
    found["measured_ns"] = pairs["ns_per_query"] - pairs["ns_per_query_of"]
    found["measured_low"] = pairs["ns_per_query_of"] * (pairs["ratio_low"] - 1)
    found["measured_high"] = pairs["ns_per_query_of"] * (pairs["ratio_high"] - 1)
    for figure in ("predicted_ns", "predicted_low", "predicted_high"):
        found[figure] = pairs[figure] - pairs[figure + "_of"]
    found["method_ns"] = pairs["ns_per_query"]
    return found


def residuals(runs, predicted, branches):
    """All differences, with what is left over."""
    both = measured_times(runs).merge(predicted_times(predicted), on=["method", *CELL])
    if not ((both["method"] == REFERENCE).any() and (both["method"] == EMPTY).any()):
        raise BadInput(f"{runs[0]} and {predicted[0]}: no cell in common that has {REFERENCE} and {EMPTY}")
    rows = pd.concat([to_reference(both), to_isolated(both)], ignore_index=True)
    rows.loc[rows["comparison"] != "method - reference", ["measured_low", "measured_high"]] = math.nan
    rows["residual_ns"] = rows["measured_ns"] - rows["predicted_ns"]
    share = rows["residual_ns"].abs() / rows["method_ns"]
    rows["far_off"] = (rows["residual_ns"].abs() > FAR_NS) & (share > FAR_SHARE)
    rows["branches_per_query"] = rows["method"].map(branches)
    return rows


def branches_of(path):
    """method -> conditional branches a query, of `slidebench kernel --format csv`; empty without a file."""
    if path is None:
        return {}
    frame = read_csv(path, ["method", "branches_per_query"])
    return dict(zip(frame["method"], pd.to_numeric(frame["branches_per_query"])))


def agreement(rows):
    """One row of figures."""
    rho = float(spearmanr(rows["measured_ns"], rows["predicted_ns"])[0])
    low, high = spearman_interval(rho, len(rows))
    found = {"differences": len(rows), "spearman": rho, "spearman_low": low, "spearman_high": high}
    found["median_residual_ns"] = float(rows["residual_ns"].abs().median())
    found["far_off"] = int(rows["far_off"].sum())
    return found | {"far_off_with_branches": int((rows["far_off"] & (rows["branches_per_query"] > BRANCHES)).sum())}


def agreements(rows):
    """Figures for each comparison and workload: over all cells, without methods that branch, and for each cell."""
    found = []
    for (comparison, workload), group in rows.groupby(["comparison", "workload"]):
        start = {"comparison": comparison, "workload": workload}
        found.append(start | {"cell": "all"} | agreement(group))
        straight = group[~(group["branches_per_query"] > BRANCHES)]
        if len(straight) < len(group):
            found.append(start | {"cell": "all, without branching methods"} | agreement(straight))
        for (trace, pressure, pages), cell in group.groupby(["trace", "pressure", "pages"]):
            found.append(start | {"cell": f"{trace}, {pressure}, {pages}"} | agreement(cell))
    return found


def print_table(found):
    print("| comparison | workload | cell | differences | Spearman | median residual, ns | far off | of these, branching |")
    print("|---|---|---|--:|---|--:|--:|--:|")
    for row in found:
        print(
            f"| {row['comparison']} | {row['workload']} | {row['cell']} | {row['differences']} "
            f"| {row['spearman']:.2f} [{row['spearman_low']:.2f}, {row['spearman_high']:.2f}] "
            f"| {row['median_residual_ns']:.2f} | {row['far_off']} | {row['far_off_with_branches']} |"
        )


def draw(rows, path):
    """Predicted against measured differences: a panel for each comparison and workload, a colour a method."""
    groups = list(rows.groupby(["comparison", "workload"]))
    figure, axes = plt.subplots(1, len(groups), figsize=(4.2 * len(groups), 4.4), squeeze=False)
    for axis, ((comparison, workload), group) in zip(axes[0], groups):
        branching = group["branches_per_query"] > BRANCHES
        for marker, chosen in (("o", ~branching), ("x", branching)):
            colours = [METHOD_COLOURS.get(method, MUTED) for method in group["method"][chosen]]
            axis.scatter(group["measured_ns"][chosen], group["predicted_ns"][chosen], s=14, c=colours, marker=marker)
        span = [min(group["measured_ns"].min(), group["predicted_ns"].min()), group["measured_ns"].max()]
        span[1] = max(span[1], group["predicted_ns"].max())
        axis.plot(span, span, color=GRID, linewidth=1, zorder=0)
        axis.set_xscale("symlog", linthresh=1)
        axis.set_yscale("symlog", linthresh=1)
        axis.xaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_major_formatter("{x:g}")
        axis.set_title(f"{comparison}, {workload}", color=INK, fontsize=10)
        axis.set_xlabel("measured, ns a query", color=INK)
    axes[0][0].set_ylabel("predicted, ns a query", color=INK)
    figure.text(0.01, 0.01, "o: without, x: with conditional branches that depend on the occupancy", color=MUTED, fontsize=8)
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(arguments=None):
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("runs", nargs="+", type=pathlib.Path, metavar="RUN", help="folder of `slidebench run`")
    parser.add_argument(
        "--predicted", nargs="+", type=pathlib.Path, metavar="DIR", required=True, help="folder of `slidebench predict`"
    )
    parser.add_argument("--kernel", type=pathlib.Path, help="what `slidebench kernel --format csv` wrote: branches")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the table and the figure")
    options = parser.parse_args(arguments)
    try:
        rows = residuals(options.runs, options.predicted, branches_of(options.kernel))
        options.out.mkdir(parents=True, exist_ok=True)
        rows.drop(columns=["method_ns"]).round(3).to_csv(options.out / "residuals.csv", index=False)
        draw(rows, options.out / "predicted.png")
    except (BadInput, OSError) as error:
        print(f"explain_times.py: {error}", file=sys.stderr)
        return 2
    print_table(agreements(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
