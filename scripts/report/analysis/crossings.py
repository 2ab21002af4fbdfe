# SPDX-License-Identifier: MIT
"""Cost against pressure: the sweeps of a run, and where the lines of two methods cross: the number of touched cache
lines at which they cost the same. The program computes it along log2(1 + lines), which is the figures' axis too."""

from dataclasses import dataclass, replace

from report.analysis.answer import leaders
from report.data.cells import cell_of, touched
from report.data.files import interval_of, items


@dataclass(frozen=True)
class Sweep:
    """Cells that differ in nothing but the lines touched."""

    what: str  # the pressure without its lines, such as `8M/eval/rows`
    cells: tuple  # by rising lines; the first may be the isolated one, with 0
    lines: tuple  # how many each touches at an event

    @property
    def name(self):
        """str: the sweep as a heading has it."""
        return f"{replace(self.cells[-1], pressure='').name}: lines of {self.what}"


@dataclass(frozen=True)
class Crossing:
    """Where two contenders cost the same."""

    a: str  # the cheaper one below the crossing
    b: str
    lines: float  # touched at each event
    low: float | None  # end of the 95 % interval; None where it reaches beyond the sweep
    high: float | None


def sweeps(run):
    """The sweeps of a run, with at least three cells each: list of Sweep."""
    groups = {}
    for cell in run.cells:
        found = touched(cell.pressure)
        if found is not None and found.lines > 0:
            groups.setdefault(replace(cell, pressure=found.sweep), {}).setdefault(found.lines, cell)
    for swept, cells in groups.items():
        isolated = replace(swept, pressure="isolated")
        if isolated in run.cells:
            cells[0] = isolated
    found = [(swept.pressure, cells, sorted(cells)) for swept, cells in groups.items() if len(cells) >= 3]
    return [Sweep(what, tuple(cells[n] for n in lines), tuple(lines)) for what, cells, lines in found]


def sweep_leaders(run, sweep):
    """The contenders with the least ratio somewhere along a sweep, in the order in which they lead."""
    return list(dict.fromkeys(contender for cell in sweep.cells for contender in leaders(run, cell)[0][:1]))


def crossings(run, sweep):
    """Where methods cross the reference, and the leaders each other: list of Crossing, by lines."""
    own = replace(sweep.cells[-1], pressure=sweep.what)
    found = []
    for entry in items(run.info, "crossings"):
        lines, low, high = interval_of(entry.get("lines"))
        if cell_of(entry.get("cell")) == own and lines is not None:
            pair = [str(entry.get("contender")), str(entry.get("against"))]
            found.append(Crossing(*(pair if entry.get("faster_below") is True else pair[::-1]), lines, low, high))
    return sorted(found, key=lambda c: (c.lines, c.a, c.b))
