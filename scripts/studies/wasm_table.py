# SPDX-License-Identifier: MIT
"""A run in WebAssembly as one table, and how far it is from the native run beside it.

The folder is one that `slidebench.py wasm` wrote, or that keep-run kept of it.
"""

from pathlib import Path

import numpy as np

from report.data.process_runs import derived_ratios, read_process_runs
from report.data.run import load_summary
from report.data.schema import KEY
from report.data.words import human_interval, human_number, human_ratio
from report.figures.style import VERDICT_SIGNS
from report.page.markdown import table

SHOWN = ("method", "reference", "twin", "empty")


def over_native(folder):
    """The times over the native ones of the process runs with the same numbers, DataFrame by cell and contender: ratio and
    interval. None where nothing was measured natively."""
    native = folder / "native"
    if not any(native.glob("process_runs.csv*")):
        return None
    key = [*KEY, "contender"]
    both = read_process_runs(folder).merge(read_process_runs(native), on=[*key, "process_run"], suffixes=("", "_native"))
    both["log_ratio"] = np.log(both["ns_per_query"] / both["ns_per_query_native"])
    return derived_ratios(both, key)


def heading(cell, suffix=""):
    """A cell as the head of a column."""
    return f">{cell.workload}{'' if cell.pressure == 'isolated' else f', {cell.pressure}'}{suffix}"


def interval_of(row):
    """A ratio with its interval."""
    return human_interval(*row[["ratio", "ratio_low", "ratio_high"]], human_ratio)


def figure(row):
    """What a cell of the table says: the reference's time and the empty loop's, others' ratios to the reference's."""
    if row["role"] in ("reference", "empty"):
        return f"{human_number(row['ns_per_query'])} ns"
    return f"{interval_of(row)} {VERDICT_SIGNS.get(row['verdict'], '')}".strip()


def overview(folder, methods=()):
    """The table in Markdown: methods (all, or those named) down, cells across, sorted by the first cell's times. Where it was
    measured natively too, the times of throughput over the native ones."""
    run, native = load_summary(folder), over_native(folder)
    rows = run.summary[run.summary["role"].isin(SHOWN)]
    if methods:
        rows = rows[rows["contender"].isin(methods) | (rows["role"] != "method")]
    by_cell = {cell: rows[_is_of(rows, cell)].set_index("contender") for cell in run.cells}
    names = list(by_cell[run.cells[0]].sort_values("ns_per_query").index)
    compared = [cell for cell in run.cells if cell.workload == "throughput"] if native is not None else []
    lines = []
    for name in names:
        figures = [figure(found.loc[name]) for found in by_cell.values()]
        keys = [(*(getattr(cell, column) for column in KEY), name) for cell in compared]
        lines.append([f"`{name}`", *figures, *(interval_of(native.loc[key]) if key in native.index else "" for key in keys)])
    heads = ["method", *map(heading, run.cells), *(heading(cell, " over native") for cell in compared)]
    return table(heads, lines)


def _is_of(rows, cell):
    return np.all([rows[column] == getattr(cell, column) for column in KEY], axis=0)


def work(options):
    """Prints the table. ReportError: the folder holds no such run."""
    print(overview(options.run, options.method))


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("run", type=Path, metavar="RUN", help="folder that slidebench.py wasm --out RUN wrote")
    parser.add_argument("--method", action="append", default=[], metavar="ID", help="may be repeated (default: all)")
