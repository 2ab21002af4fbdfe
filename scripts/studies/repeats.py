# SPDX-License-Identifier: MIT
"""What repeats between runs of the same methods and cells: in other hours, or of other builds?

Each pair of runs is compared method by method: the logarithms of the ratios to the reference, and the differences to it in
nanoseconds. Both are divided by the 95 % half-width of such a difference (the root of both runs' squared half-widths), so
that their root mean square is about 0.51 where the intervals hold all that runs differ by, and more where they do not.
"""

import itertools

import numpy as np

from report.arguments import RUN
from report.data.run import load
from report.errors import ReportError
from report.page.markdown import table

# The verdicts that cannot both be true of one method.
SAYS = {"faster": -1, "equivalent": 0, "slower": 1}
HEADS = ("cell", ">methods", ">scatter of a ratio", ">half-width", ">ratios over their intervals", ">differences in ns over theirs",
         ">disjoint intervals", ">verdicts that contradict")  # fmt: skip


def methods_of(run, cell):
    """The methods that were compared in a cell: DataFrame by contender with log ratio, half-width, ns and verdict."""
    rows = run.rows(cell, "method").set_index("contender")
    half = np.log(rows["ratio_high"] / rows["ratio_low"]) / 2
    found = rows.assign(log=np.log(rows["ratio"]), half=half, ns=rows["ns_per_query"] * (1 - 1 / rows["ratio"]))
    return found[np.isfinite(found["half"])]


def pairs_of(runs, cell):
    """Every method of a cell in every pair of runs that has it: list of pairs of DataFrames with the same rows."""
    tables = [methods_of(run, cell) for run in runs if cell in run.cells]
    for a, b in itertools.combinations(tables, 2):
        both = a.index.intersection(b.index)
        yield a.loc[both], b.loc[both]


def rms(values):
    """The root of the mean square of numbers."""
    return float(np.sqrt(np.mean(np.square(values))))


def row_of(cell, pairs):
    """A row of the table, from the pairs of one cell."""
    logs = np.concatenate([a["log"] - b["log"] for a, b in pairs])
    halves = np.concatenate([np.hypot(a["half"], b["half"]) for a, b in pairs])
    ns = np.concatenate([a["ns"] - b["ns"] for a, b in pairs])
    ns_halves = np.concatenate([np.hypot(*(t["half"] * t["ns_per_query"] for t in pair)) for pair in pairs])
    apart = sum(int(((a["ratio_low"] > b["ratio_high"]) | (b["ratio_low"] > a["ratio_high"])).sum()) for a, b in pairs)
    said = [[table["verdict"].map(SAYS) for table in pair] for pair in pairs]
    contrary = sum(int((a.notna() & b.notna() & (a != b)).sum()) for a, b in said)
    counts = [f"{count} of {len(logs)}" for count in (apart, contrary)]
    shares = [f"{100 * value:.2f} %" for value in (rms(logs) / np.sqrt(2), np.median(halves) / np.sqrt(2))]
    return [cell.name, len(pairs[0][0]), *shares, f"{rms(logs / halves):.2f}", f"{rms(ns / ns_halves):.2f}", *counts]


def work(options):
    """Prints the table of all cells that two runs have. ReportError for runs that have none in common."""
    runs = [load(folder) for folder in options.runs]
    rows = []
    for cell in runs[0].cells:
        pairs = [pair for pair in pairs_of(runs, cell) if len(pair[0]) > 0]
        if pairs:
            rows.append(row_of(cell, pairs))
    if not rows:
        raise ReportError(f"{options.runs[0]}: has no method and cell in common with the others; name two runs of the same")
    print(table(HEADS, rows))


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("runs", nargs="+", **RUN)
