# SPDX-License-Identifier: MIT
"""Misses and instructions of a run's methods: joined to its cells, what was counted beside what was simulated. Counts
of the hardware belong to the workload in which they were taken; simulated ones to every workload on the trace under the
same pressure; what a query executes (kernel.csv) to the method."""

from scipy.stats import t as student

from report.analysis.ranks import spearman
from report.data import schema
from report.data.cells import COMPARED_ROLES
from report.data.files import matching, read_csv
from report.data.simulation import LEVELS
from report.data.words import human_number, true_minus

REPLAY = "replay"
MEASURED, SIMULATED = "measured", "simulated"
SOURCES = {MEASURED: "counted", SIMULATED: "simulated"}
# metric of counters.csv -> what a reader calls it
METRICS = {metric: f"{level} misses" for metric, level in LEVELS.items()} | {"branch_misses": "mispredicted branches"}
# column of kernel.csv -> its name on the page
KERNEL = {
    "instructions_per_query": "instructions",
    "loads_per_query": "loads",
    "branches_per_query": "branches",
    "code_bytes": "code",
}


def series(run):
    """What a run has counts of: list of (metric, source), in the order of METRICS, counted before simulated."""
    if run.counters is None:
        return []
    found = set(zip(run.counters["metric"], run.counters["source"]))
    return [(metric, source) for metric in METRICS for source in SOURCES if (metric, source) in found]


def of_cell(run, cell, metric, source):
    """Events per query (or node) of the contenders of a cell, of a metric of METRICS, measured or simulated: dict contender ->
    (mean, ends of its 95 % interval over process runs); of a simulation the median over draws, thrice."""
    simulated = source == SIMULATED
    # What is simulated are queries of all kinds, and no moves.
    if run.counters is None or (simulated and (cell.unit == "move" or cell.kinds != "all")):
        return {}
    wanted = {"metric": metric, "source": source, "trace": cell.trace}
    wanted |= {"workload": REPLAY if simulated else cell.workload, "pressure": cell.pressure or "isolated"}
    if not simulated:
        wanted |= {"kinds": cell.kinds, "corunners": cell.corunners}
    counts = matching(run.counters, **wanted)
    counts = _one_cache(counts, cell.pages) if simulated else counts[counts["pages"] == cell.pages]
    # A simulation replays a method, whatever level its contenders were compiled for; hardware counts per contender.
    by = "method" if simulated else "contender"
    found = {key: _estimate(values, simulated) for key, values in counts.groupby(by)["per_query"]}
    rows = run.rows(cell, *COMPARED_ROLES)
    return {contender: found[key] for contender, key in zip(rows["contender"], rows[by]) if key in found}


def _estimate(values, simulated):
    """(value, low, high) of one number a process run."""
    if simulated or len(values) < 2:
        return (float(values.median()),) * 3
    half = float(values.sem() * student.ppf(0.975, len(values) - 1))
    return float(values.mean()), float(values.mean()) - half, float(values.mean()) + half


def _one_cache(counts, pages):
    """Rows of this machine's caches, or of the first that was simulated; with the cell's pages if there are any."""
    for column, usual in (("cache", "host"), ("pages", pages)):
        names = counts[column]
        counts = counts[names == (usual if (names == usual).any() else next(iter(names), ""))]
    return counts


def rank_correlation(rows, found):
    """Spearman's rank correlation of counts, dict contender -> (value, low, high), with the times of rows of a summary; NaN where there
    is none."""
    both = rows[["ns_per_query"]].assign(count=rows["contender"].map({name: v[0] for name, v in found.items()})).dropna()
    return spearman(both["count"], both["ns_per_query"])


def kernels(run):
    """What a query executes, from kernel.csv, as `slidebench kernel --format csv` prints it: dict (method, level) ->
    dict of KERNEL's names -> float; empty without the file, ReportError where it is broken."""
    path = run.folder / "kernel.csv"
    if not path.exists():
        return {}
    rows = read_csv(path, schema.KERNEL.text, schema.KERNEL.numbers).drop_duplicates(["method", "level"])
    return rows.set_index(["method", "level"])[list(KERNEL)].rename(columns=KERNEL).to_dict("index")


def chosen_cells(run):
    """The cells that figures of misses are about, list: of the plain ones on a trace under a pressure, which share
    their simulated counts, the first in which the hardware counted, else the first with simulated counts, else the first."""
    known = series(run)
    shared = {}
    for cell in run.plain:
        shared.setdefault((cell.trace, cell.pressure), []).append(cell)
    return [
        next((cell for source in SOURCES for cell in cells if _has_counts(run, cell, known, source)), cells[0])
        for cells in shared.values()
    ]


def _has_counts(run, cell, known, source):
    """Whether a cell has counts from a source; `known` are the run's `series`."""
    return any(of_cell(run, cell, metric, found) for metric, found in known if found == source)


def misses_sentence(run):
    """Of the first kind of count: how far its order is that of the times."""
    for metric, source in series(run):
        counts = [(run.ranked(cell), of_cell(run, cell, metric, source)) for cell in chosen_cells(run)]
        rhos = [rank_correlation(rows, found) for rows, found in counts if found]
        ends = dict.fromkeys(true_minus(human_number(end)) for end in (min(rhos, default=0), max(rhos, default=0)))
        if rhos and all(rho == rho for rho in rhos):
            most = max(value for _, found in counts for value, _, _ in found.values())
            return (
                f"Up to {most:.2g} {METRICS[metric]} a query ({SOURCES[source]}). Their rank correlation with the times is "
                f"{' to '.join(ends)}; 1 would be the same order."
            )
    return ""
