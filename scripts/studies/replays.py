# SPDX-License-Identifier: MIT
"""How well does a replay predict the engine, in nanoseconds per query? Prints a Markdown table.

Compared are differences to the reference, method by method. The engine's is its time per node divided by the queries a
node of a trace recorded in the same form of the engine (its provenance).
"""

import math

import numpy as np
import pandas as pd
from scipy.stats import theilslopes

from report.analysis.ranks import ceiling, spearman, spearman_interval
from report.data.files import dig, items, matching, read_csv, read_info
from report.data.words import human_interval, human_number
from report.errors import ReportError
from report.arguments import RUN
from report.page.markdown import table

REFERENCE = "magic_fancy"
CELL = ["trace", "workload", "pressure"]
USUAL = {"kinds": "all", "pages": "4k", "corunners": "0"}
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
    """What the engine's samples say: dict form -> DataFrame (methods, process runs), the median over rounds of the log
    ratio to the reference, which it met in the same round; empty where the folder came without its samples."""
    path = folder / "samples.csv"
    if not path.exists():
        return {}
    rows = usual(read_csv(path, ["method", "role", *CELL, *USUAL], ["process_run", "round", "nodes", "time_ns"]))
    rows = rows[rows["workload"] == "engine"]
    rows = rows.assign(log=np.log(rows["time_ns"] / rows["nodes"]))
    where = ["trace", "process_run", "round"]
    met = rows[rows["role"] == "method"].merge(rows[rows["role"] == "reference"], on=where, suffixes=("", "_of"))
    met["ratio"] = met["log"] - met["log_of"]
    medians = met.groupby(["trace", "method", "process_run"])["ratio"].median().unstack()
    return {form: part.droplevel("trace").dropna(axis=1) for form, part in medians.groupby("trace")}


def half_of(methods, half):
    """The methods of a half, `all`, `chosen` or `tested`: every second one of the alphabet."""
    ordered = sorted(methods)
    return {"all": ordered, "chosen": ordered[0::2], "tested": ordered[1::2]}[half]


def differences(cell, time):
    """The differences to the reference in the rows of a cell: DataFrame by method with `ns` and `half_width` of its
    interval; `time` is the column of the reference's time."""
    cell = cell.set_index("method")
    own = cell.drop(index=REFERENCE)
    found = pd.DataFrame({"ns": own["ratio"] - 1, "half_width": (own["ratio_high"] - own["ratio_low"]) / 2})
    return found * cell.loc[REFERENCE, time]


def agreement(engine, replay, process_runs, half):
    """One row of figures over the methods of a half that both have; `process_runs` is of `process_runs_of`, None without
    samples."""
    methods = [name for name in half_of(engine.index, half) if name in replay.index]
    if len(methods) < 4:
        raise ReportError(f"only {len(methods)} methods in common; at least 4 are needed")
    truth, told = engine.loc[methods, "ns"], replay.loc[methods, "ns"]
    slope, _, low, high = theilslopes(truth, told)
    rho = spearman(truth, told)
    known = process_runs is not None and set(methods) <= set(process_runs.index)
    return {
        "methods": len(methods),
        "slope": (slope, low, high),
        "median_error_ns": (truth - told).abs().median(),
        "rms_error_ns": math.sqrt(((truth - told) ** 2).mean()),
        "noise_ns": engine.loc[methods, "half_width"].median(),
        "spearman": (rho, *spearman_interval(rho, len(methods))),
        "ceiling": ceiling(process_runs.loc[methods]) if known else math.nan,
    }


def cells_of(folder):
    """The cells of a folder that can be compared: yields (form of the engine, workload, pressure, queries per node,
    differences to the reference). Those of the engine itself are a node, and have no queries."""
    recorded = recorded_traces(read_info(folder))
    rows = usual(read_csv(folder / "summary.csv", ["method", "role", *CELL, *USUAL], TIMES))
    for (trace, workload, pressure), cell in rows.groupby(CELL):
        if REFERENCE not in set(cell["method"]):
            continue
        if workload == "engine":
            yield trace, workload, pressure, None, differences(cell, "ns_per_node")
        elif workload in ("throughput", "latency") and trace in recorded:
            form, queries = recorded[trace]
            yield form, workload, pressure, queries, differences(cell, "ns_per_query")


def compare(folders, half):
    """A row of figures, of `agreement`, for each replay cell that has an engine's cell: form, workload, pressure and
    the figures; and for each further run of a replayed engine, against the first one. ReportError where a folder cannot
    be read, or nothing can be compared."""
    engines, process_runs, replays, again = {}, {}, {}, []
    for folder in folders:
        process_runs = process_runs_of(folder) | process_runs
        for form, workload, pressure, queries, cell in cells_of(folder):
            if workload != "engine":
                replays[form, workload, pressure] = (queries, cell)
            elif form in engines:
                again.append((form, cell))
            else:
                engines[form] = cell
    asked = {form: queries for (form, *_), (queries, _) in replays.items()}
    told = [(*key, *replays[key]) for key in sorted(replays)]
    told += [(form, "engine", "again", asked[form], cell / asked[form]) for form, cell in again if form in asked]
    rows = []
    for form, workload, pressure, queries, cell in told:
        if form in engines:
            figures = agreement(engines[form] / queries, cell, process_runs.get(form), half)
            rows.append({"form": form, "workload": workload, "pressure": pressure} | figures)
    if not rows:
        raise ReportError(f"{folders[0]}: no replay of a search trace whose form of the engine was measured as well")
    return pd.DataFrame(rows)


def as_table(found):
    """The figures of `compare` as Markdown."""
    heads = ["form", "workload", "pressure", ">methods", "slope", ">median error, ns", ">rms, ns", ">noise, ns"]
    rows = []
    for row in found.itertuples():
        errors = map(human_number, (row.median_error_ns, row.rms_error_ns, row.noise_ns))
        rows.append([row.form, row.workload, f"`{row.pressure}`", row.methods, human_interval(*row.slope), *errors])
        rows[-1] += [human_interval(*row.spearman), human_number(row.ceiling)]
    return table([*heads, "Spearman", ">ceiling"], rows)


def work(options):
    """Compares the runs and prints the table."""
    print(as_table(compare(options.runs, options.half)))


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("runs", nargs="+", **RUN)
    parser.add_argument("--half", choices=("all", "chosen", "tested"), default="all", help="of the methods")
