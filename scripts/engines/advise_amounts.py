# SPDX-License-Identifier: MIT
"""How much of what a dose has methods need, a query: dependent cycles, instructions, lines of tables; of what a folder has.

The method "" is an answer for nothing.
"""

from engines.prediction import Interval, error_of, saved_of
from report.data.cells import COMPARED_ROLES, Cell
from report.data.files import items, matching, read_optional
from report.data.schema import COUNTERS, KERNEL, TABLES

NOTHING = ""
MAGIC = "magic_fancy"  # a dose's line is of a table as large as its, and fancy magic reads one line a query


def cycles(run, trace, reference, cycle_ns):
    """method -> (dependent cycles less than the reference's, their standard error), from the latency of warm queries."""
    cell = run.rows(Cell("latency", trace, "isolated"), *COMPARED_ROLES).drop_duplicates("method").set_index("method")
    if reference not in cell.index or cell["ratio_low"].isna().any():
        return {}
    ns = cell.loc[reference, "ns_per_query"]
    saved = {row.Index: saved_of(ns, Interval(row.ratio, row.ratio_low, row.ratio_high)) for row in cell.itertuples()}
    saved[NOTHING] = Interval(*(float(cell.loc[reference, name]) for name in ("net_ns_per_query", "net_low", "net_high")))
    return {method: (less.value / cycle_ns, error_of(less) / cycle_ns) for method, less in saved.items()}


def counted_by_hardware(folder, trace):
    """method -> instructions a query, by performance counters; empty where there were none."""
    rows = read_optional(folder / "counters.csv", COUNTERS) if (folder / "counters.csv").exists() else None
    if rows is None:
        return {}
    rows = matching(rows, metric="instructions", source="papi", workload="throughput", trace=trace)
    return dict(rows.dropna(subset=["per_query"]).groupby("method")["per_query"].median())


def counted_by_step(folder):
    """method -> instructions a query, of a kernel.csv; empty without it."""
    rows = read_optional(folder / "kernel.csv", KERNEL)
    if rows is None:
        return {}
    if "workload" in rows:
        rows = rows[rows["workload"] == "throughput"]
    return dict(rows.groupby("method")["instructions_per_query"].first())


def lines(run, trace):
    """method -> lines of tables in units of a dose's line: the different lines that a simulation of the trace saw it read, over
    those of fancy magic; 0 for one without tables. Empty without such a simulation."""
    none = {entry.get("id"): 0.0 for entry in items(run.info, "methods") if entry.get("table_bytes") == 0}
    for path in (run.folder / "tables.csv", run.folder / "simulation" / "tables.csv"):
        rows = read_optional(path, TABLES)
        if rows is not None:
            whole = matching(rows, table="all", trace=trace).groupby("method")
            seen = whole["distinct_lines"].max() / whole["queries"].max()
            return {**none, **dict(seen / seen[MAGIC])} if seen.get(MAGIC, 0) > 0 else {}
    return {}


def less_than(reference, amounts):
    """method -> (amount less than the reference's, 0: counted, not measured)."""
    known = {**amounts, NOTHING: 0.0}
    return {method: (amounts[reference] - value, 0.0) for method, value in known.items()} if reference in amounts else {}


def amounts_of(run, trace, reference, cycle_ns):
    """kind -> method -> (units less than the reference, standard error); a kind of which the folder says nothing is empty."""
    executed = counted_by_step(run.folder) or counted_by_hardware(run.folder, trace)
    return {
        "cycles": cycles(run, trace, reference, cycle_ns),
        "instructions": less_than(reference, executed),
        "lines": less_than(reference, lines(run, trace)),
    }
