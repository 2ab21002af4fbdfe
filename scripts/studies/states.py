# SPDX-License-Identifier: MIT
"""What do ratios become in another state of the machine?

Where somebody else uses the other hardware thread of a core, the reference takes up to twice as long for minutes. The process
runs of a run are split half-way between the first and the ninth decile of the reference's times in one cell; a ratio in a state
is the median of what its process runs say.
"""

import numpy as np

from report.arguments import RUN
from report.data.cells import Cell
from report.data.process_runs import read_process_runs
from report.data.schema import KEY
from report.errors import ReportError
from report.page.markdown import table
from studies.readme import WELL_KNOWN

LEAST_RATIO = 1.25  # of the reference's ninth decile to its first, as least_state_ratio of harness/statistics/states.hpp


def quick_of(times):
    """The process runs of the quicker state, an index, from the reference's time by process run. ReportError without two."""
    quick, slow = times.quantile((0.1, 0.9))
    if slow < LEAST_RATIO * quick:
        raise ReportError("the reference took about as long in all process runs; the machine was in one state")
    return times.index[times < np.sqrt(quick * slow)]


def ratios_of(rows):
    """The ratios to the reference of a cell, DataFrame (contender, process run), and the reference's times, a Series."""
    times = rows.pivot_table(index="contender", columns="process_run", values="ns_per_query")
    reference = rows.loc[rows["role"] == "reference", "contender"].iloc[0]
    return times / times.loc[reference], times.loc[reference]


def columns_of(ratios, times, quick, methods):
    """The reference's time and the methods' ratios in a cell, "quicker / other"; "" for what was not measured: yields str."""
    is_quick = times.index.isin(quick)
    for row in (times, *(ratios.loc[method] if method in ratios.index else None for method in methods)):
        yield "" if row is None else f"{row[is_quick].median():.2f} / {row[~is_quick].median():.2f}"


def work(options):
    """Prints the states' times of the reference and ratios of the well-known methods, or those named, cell by cell."""
    rows = read_process_runs(options.run)
    cells = {Cell(*key[:5], int(key[5])): part for key, part in rows.groupby(KEY, sort=False) if "reference" in set(part["role"])}
    found = {cell: ratios_of(part) for cell, part in cells.items() if cell.workload in options.workload and cell.trace == options.trace}
    if not found:
        raise ReportError(f"{options.run}: has no such cell; name another --trace or --workload")
    first = next((cell for cell in found if cell.pressure == "isolated"), next(iter(found)))
    quick = quick_of(found[first][1])
    measured = set().union(*(ratios.index for ratios, _ in found.values()))
    for method in set(options.method or ()) - measured:
        raise ReportError(f"{options.run}: did not measure '{method}' in these cells; name another --method")
    methods = options.method or [method for method in WELL_KNOWN if method in measured]
    shown = [[cell.name, *columns_of(*found[cell], quick, methods)] for cell in found]
    print(f"{len(quick)} process runs in the quicker state, {len(found[first][1]) - len(quick)} in the other, by {first.name}\n")
    print(table(["cell", ">reference, ns", *(f">{method}" for method in methods)], shown))


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("run", **RUN)
    parser.add_argument("--method", action="append", metavar="ID", help="instead of the eight; may be repeated")
    parser.add_argument("--trace", default="search", help="of the cells (default: search)")
    parser.add_argument("--workload", nargs="+", default=["throughput", "latency"], help="of the cells (default: throughput latency)")
