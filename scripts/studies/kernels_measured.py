# SPDX-License-Identifier: MIT
"""Measured times of kernels in cycles, and how far a model is from them."""

from dataclasses import dataclass

from report.data.cells import COMPARED_ROLES
from report.data.files import dig, number
from report.data.run import load_summary
from report.errors import ReportError
from studies.kernels_paths import WORKLOADS

NEAR = 0.15  # a model that is off by no more agrees


@dataclass(frozen=True)
class Measured:
    """The cycles of a run's kernels on the search trace alone."""

    about: dict  # what to know of the run
    cycles: dict  # (workload, method) -> cycles a query


def measured(folder):
    """What a run measured: times in its cells on a trace named after the search, isolated, times the clock that its own loop
    of additions saw. Measured; ReportError without such cells or such a clock."""
    run = load_summary(folder)
    clock = number(dig(run.info, "effective_ghz", "median"))
    cycles = {}
    for workload in WORKLOADS:
        alone = [cell for cell in run.cells if (cell.workload, cell.pressure) == (workload, "isolated")]
        cells = [cell for cell in alone if "search" in cell.trace]
        for row in run.rows(cells[0], *COMPARED_ROLES, "empty").itertuples() if cells else ():
            cycles[workload, row.method] = float(row.ns_per_query) * (clock or 0)
    if not cycles or not clock:
        raise ReportError(f"{folder}: has no times on a trace `search` alone, or no clock; give a run that measured them")
    machine, protocol = run.info.get("machine", {}), run.info.get("protocol", {})
    about = {name: machine.get(name) for name in ("cpu", "family", "model", "hypervisor")}
    about |= {name: run.info.get(name) for name in ("commit", "started")} | {"ghz": round(clock, 3)}
    about |= {name: protocol.get(name) for name in ("process_runs", "rounds", "segment_queries")}
    return Measured(about, cycles)


def agreement(rows, column):
    """How far a model is from the times of one workload, dict: of rows with `mca_cycles` and the measured `column`, by itself
    and with what the empty loop takes more than its model (`beside`; None where that was not measured): `methods`, their
    number; `near`, the share off by no more than NEAR; `median` of modelled over measured."""
    both = rows.dropna(subset=["mca_cycles", column])
    loop = both[both["method"] == "empty"]
    methods = both[both["method"] != "empty"]
    excess = None if loop.empty else float((loop[column] - loop["mca_cycles"]).iloc[0])
    beside = None if excess is None else _near(methods, column, excess)
    return {"alone": _near(methods, column, 0.0), "excess": excess, "beside": beside}


def _near(rows, column, more):
    ratio = (rows["mca_cycles"] + more) / rows[column]
    return {"methods": len(ratio), "near": float(((ratio - 1).abs() <= NEAR).mean()), "median": float(ratio.median())}
