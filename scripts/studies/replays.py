# SPDX-License-Identifier: MIT
"""How well does a replay predict the engine, in nanoseconds per query? Prints a Markdown table.

Compared are differences to the reference, method by method. The engine's is its time per node divided by the queries a
node of a trace recorded in the same form of the engine (its provenance).
"""

import math
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import theilslopes

from report.analysis.ranks import ceiling, spearman, spearman_interval
from report.analysis.slopes import slope_with_interval
from report.data.files import dig, file_of, items, matching, read_csv, read_info
from report.data.process_runs import NAME, read_process_runs
from report.data.words import human_interval, human_number
from report.errors import ReportError
from report.arguments import RUN
from report.page.markdown import table

REFERENCE = "magic_fancy"
CELL = ["trace", "workload", "pressure"]
USUAL = {"kinds": "all", "pages": "4k", "corunners": "0"}
UNKNOWN = (math.nan,) * 3
TIMES = ["ns_per_query", "ns_per_node", "ratio", "ratio_low", "ratio_high"]


def recorded_traces(info):
    """dict trace -> (form of the engine that asked, queries a searched node), of a run.json."""
    found = {}
    for trace in items(info, "traces"):
        nodes, network = dig(trace, "provenance", "search", "nodes"), dig(trace, "provenance", "network")
        if nodes and network is not None:
            form = f"net{network}{'-threats' if dig(trace, 'provenance', 'threats') else ''}"
            found[trace["name"]] = (form, trace["queries"] / nodes)
    return found


def usual(frame):
    """The rows of all queries, small pages and no co-runners, of methods and the reference."""
    rows = frame[frame["role"].isin(["method", "reference"])]
    return matching(rows, **USUAL)


def process_runs_of(folder):
    """What each process run says of a method: dict (workload, trace, pressure) -> DataFrame (methods, process runs) of log ratios to
    the reference; empty where the folder came without its process runs."""
    if not file_of(folder, NAME).exists():
        return {}
    rows = matching(read_process_runs(folder), **(USUAL | {"corunners": 0}))
    ratios = rows[rows["role"] == "method"].groupby(["workload", "trace", "pressure", "contender", "process_run"])["log_ratio"].mean()
    cells = ratios.unstack().groupby(level=[0, 1, 2])
    return {cell: part.droplevel([0, 1, 2]).dropna(axis=1) for cell, part in cells}


def half_of(methods, half):
    """The methods of a half, `all`, `chosen` or `tested`: every second one of the alphabet."""
    ordered = sorted(methods)
    return {"all": ordered, "chosen": ordered[0::2], "tested": ordered[1::2]}[half]


class Measured(NamedTuple):
    """A cell: differences to the reference, the reference's time, and the process runs of `process_runs_of`, None without them."""

    differences: pd.DataFrame  #: by method, `ns` and `half_width` of its interval
    reference_ns: float
    process_runs: pd.DataFrame | None

    def per(self, queries):
        """The same per query, of a cell that is per node."""
        return Measured(self.differences / queries, self.reference_ns / queries, self.process_runs)

    def drawn(self, methods):
        """The differences that each process run found, array (methods, process runs) in ns; None where they are not known."""
        runs = self.process_runs
        if runs is None or runs.shape[1] < 2 or not set(methods) <= set(runs.index):
            return None
        return np.expm1(runs.loc[methods].to_numpy()) * self.reference_ns


def measured(cell, time, process_runs):
    """The `Measured` of a cell's rows; `time` is the column of the reference's time."""
    cell = cell.set_index("method")
    own, reference_ns = cell.drop(index=REFERENCE), cell.loc[REFERENCE, time]
    found = pd.DataFrame({"ns": own["ratio"] - 1, "half_width": (own["ratio_high"] - own["ratio_low"]) / 2})
    return Measured(found * reference_ns, reference_ns, process_runs)


def agreement(engine, replay, half):
    """One row of figures over the methods of a half that both have, of two `Measured` in ns a query."""
    methods = [name for name in half_of(engine.differences.index, half) if name in replay.differences.index]
    if len(methods) < 4:
        raise ReportError(f"only {len(methods)} methods in common; at least 4 are needed")
    truth, told = engine.differences.loc[methods, "ns"], replay.differences.loc[methods, "ns"]
    rho = spearman(truth, told)
    drawn, told_drawn = engine.drawn(methods), replay.drawn(methods)
    slope, _, low, high = theilslopes(truth, told)
    return {
        "methods": len(methods),
        "slope": (slope, low, high),
        "slope_in_both": UNKNOWN if drawn is None or told_drawn is None else slope_with_interval(told_drawn, drawn),
        "median_error_ns": (truth - told).abs().median(),
        "rms_error_ns": math.sqrt(((truth - told) ** 2).mean()),
        "noise_ns": engine.differences.loc[methods, "half_width"].median(),
        "spearman": (rho, *spearman_interval(rho, len(methods))),
        "ceiling": math.nan if drawn is None else ceiling(engine.process_runs.loc[methods]),
    }


def cells_of(folder):
    """The cells of a folder that can be compared: yields (form of the engine, workload, pressure, queries per node, `Measured`).
    Those of the engine itself are a node, and have no queries."""
    recorded, process_runs = recorded_traces(read_info(folder)), process_runs_of(folder)
    rows = usual(read_csv(file_of(folder, "summary.csv"), ["method", "role", *CELL, *USUAL], TIMES))
    for (trace, workload, pressure), cell in rows.groupby(CELL):
        runs = process_runs.get((workload, trace, pressure))
        if REFERENCE not in set(cell["method"]):
            continue
        if workload == "engine":
            yield trace, workload, pressure, None, measured(cell, "ns_per_node", runs)
        elif workload in ("throughput", "latency") and trace in recorded:
            form, queries = recorded[trace]
            yield form, workload, pressure, queries, measured(cell, "ns_per_query", runs)


def compare(folders, half):
    """A row of figures, of `agreement`, for each replay cell that has an engine's cell: form, workload, pressure and
    the figures; and for each further run of a replayed engine, against the first one. ReportError where a folder cannot
    be read, or nothing can be compared."""
    engines, replays, again = {}, {}, []
    for folder in folders:
        for form, workload, pressure, queries, cell in cells_of(folder):
            if workload != "engine":
                replays[form, workload, pressure] = (queries, cell)
            elif form in engines:
                again.append((form, cell))
            else:
                engines[form] = cell
    asked = {form: queries for (form, *_), (queries, _) in replays.items()}
    told = [(*key, *replays[key]) for key in sorted(replays)]
    told += [(form, "engine", "again", asked[form], cell.per(asked[form])) for form, cell in again if form in asked]
    rows = []
    for form, workload, pressure, queries, cell in told:
        if form in engines:
            figures = agreement(engines[form].per(queries), cell, half)
            rows.append({"form": form, "workload": workload, "pressure": pressure} | figures)
    if not rows:
        raise ReportError(f"{folders[0]}: no replay of a search trace whose form of the engine was measured as well")
    return pd.DataFrame(rows)


def as_table(found):
    """The figures of `compare` as Markdown."""
    heads = ["form", "workload", "pressure", ">methods", "slope", "slope, errors in both", ">median error, ns", ">rms, ns", ">noise, ns"]
    rows = []
    for row in found.itertuples():
        errors = map(human_number, (row.median_error_ns, row.rms_error_ns, row.noise_ns))
        rows.append([row.form, row.workload, f"`{row.pressure}`", row.methods, human_interval(*row.slope), human_interval(*row.slope_in_both), *errors])
        rows[-1] += [human_interval(*row.spearman), human_number(row.ceiling)]
    return table([*heads, "Spearman", ">ceiling"], rows)


def work(options):
    """Compares the runs and prints the table."""
    print(as_table(compare(options.runs, options.half)))


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("runs", nargs="+", **RUN)
    parser.add_argument("--half", choices=("all", "chosen", "tested"), default="all", help="of the methods")
