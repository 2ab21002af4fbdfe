# SPDX-License-Identifier: MIT
"""Cells and pressures: the names of what is compared, and the order in which readers meet them."""

import itertools
import json
import re
from dataclasses import dataclass
from pathlib import Path

from report.data.files import number, one_line

COMPARED_ROLES = ("method", "reference")

# The order in which readers meet the workloads; names that are not here follow in alphabetical order.
WORKLOAD_ORDER = "throughput latency setwise batch update perft perft_cold engine duel".split()
NODE_WORKLOADS = ("perft", "perft_cold", "engine", "duel")
# What times are divided by, where it is no query.
UNITS = dict.fromkeys(NODE_WORKLOADS, "node") | {"update": "move", "moves": "move"}
KIND_ORDER = ["all", "bishop", "rook", "queen", "both"]

PRESSURES = Path(__file__).with_name("pressures.json")  # what `slidebench help pressures --json` prints
_KNOWN = json.loads(PRESSURES.read_text())
PRESSURE_ORDER = ["", *(preset["name"] for preset in _KNOWN)]
PRESETS = {preset["name"]: preset["specification"] for preset in _KNOWN}


@dataclass(frozen=True)
class Cell:
    """What is compared within: one workload on one trace under one pressure, and what else was chosen."""

    workload: str
    trace: str
    pressure: str
    kinds: str = "all"  # which queries of the trace: all, bishop, rook, queen or both
    pages: str = "4k"  # of the large tables: 4k or 2m
    corunners: int = 0  # processes that kept the shared cache busy

    @property
    def name(self):
        """str: the cell as a heading has it; what is usual is not spelt out."""
        of = f" of {self.kinds}" if self.kinds != "all" else ""
        under = f", {self.pressure}" if self.pressure else ""
        pages = f", {self.pages} pages" if self.pages != "4k" else ""
        with_ = f", {self.corunners} co-runner{'s' if self.corunners > 1 else ''}" if self.corunners else ""
        return f"{self.workload}{of} on {self.trace}{under}{pages}{with_}"

    @property
    def unit(self):
        """str: what times are divided by."""
        return UNITS.get(self.workload, "query")

    def sort_key(self):
        """tuple: traces together, then what else was chosen, each in the order that readers expect."""
        return (
            self.trace,
            _place(KIND_ORDER, self.kinds),
            self.pages,
            self.corunners,
            pressure_key(self.pressure),
            _place(WORKLOAD_ORDER, self.workload),
        )


@dataclass(frozen=True)
class Touched:
    """What a pressure touches."""

    lines: int  # cache lines at each event
    block: str  # of what, as written, such as `8M`
    when: str  # node, make, probe or eval
    pattern: str  # random or rows

    @property
    def bytes(self):
        """int: of the block."""
        return int(self.block.rstrip("KMG")) << 10 * " KMG".index(self.block.lstrip("0123456789") or " ")

    @property
    def event(self):
        """str: `when` as a sentence has it."""
        return {"eval": "evaluation", "make": "move"}.get(self.when, self.when)

    @property
    def sweep(self):
        """str: all but the lines; the pressures of a sweep share it."""
        return f"{self.block}/{self.when}/{self.pattern}"


def touched(pressure):
    """What a preset or `K@W/node|make|probe|eval[/random|rows]` touches: Touched; None for nothing, or where it does
    not say."""
    text = PRESETS.get(pressure, pressure)
    found = re.fullmatch(r"(\d{1,9})@(\d+[KMG]?)/(node|make|probe|eval)(?:/(random|rows))?", text)
    return Touched(int(found[1]), found[2], found[3], found[4] or "random") if found else None


def sweep_of(pressure):
    """The sweep that a pressure may be part of; None for presets, and for what touches nothing."""
    found = None if pressure in PRESSURE_ORDER else touched(pressure)
    return found and found.sweep


def pressure_key(pressure):
    """What to sort pressures by: presets as readers expect them, then sweeps by their lines, then other names."""
    sweep = sweep_of(pressure)
    place = PRESSURE_ORDER.index(pressure) if pressure in PRESSURE_ORDER else len(PRESSURE_ORDER) + (sweep is None)
    return (place, sweep or "", touched(pressure).lines if sweep else 0, pressure)


def opening_cell(cells, traces, workloads):
    """The cell that a page opens with: the first there is on some traces, in some workloads, alone."""
    wanted = itertools.product(traces, workloads, ("isolated", ""))
    found = (Cell(workload, trace, pressure) for trace, workload, pressure in wanted)
    return next((cell for cell in found if cell in cells), cells[0])


def _place(order, name):
    return (order.index(name) if name in order else len(order), name)


def cell_of(entry):
    """The cell whose coordinates an object of run.json has, None for no object; what it does not say is the usual."""
    if not isinstance(entry, dict):
        return None
    usual = {"workload": "", "trace": "", "pressure": "isolated", "kinds": "all", "pages": "4k"}
    texts = {name: one_line(entry.get(name) or value) for name, value in usual.items()}
    return Cell(**texts, corunners=int(number(entry.get("corunners")) or 0))
