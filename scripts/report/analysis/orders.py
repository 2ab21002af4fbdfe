# SPDX-License-Identifier: MIT
"""The rankings of a run side by side: how far the order in one cell foretells the order in another, as the program
found."""

from dataclasses import dataclass

from report.analysis.answer import trace_of
from report.data.cells import COMPARED_ROLES, Cell, cell_of
from report.data.files import items, number
from report.data.words import human_interval


@dataclass(frozen=True)
class Correlation:
    """Spearman's rank correlation between the orders of two cells."""

    rho: float
    low: float | None  # end of the 95 % interval; None for fewer than four methods
    high: float | None
    methods: int  # how many both cells have
    bound: float | None  # what noise lets any order reach here; None where it is not known

    @property
    def words(self):
        """str: the number, its interval and of how many methods it is."""
        return f"{human_interval(self.rho, self.low, self.high)} ({self.methods} methods)"


def shown_cells(run):
    """The cells whose rankings stand side by side, list of Cell: the plain ones that have ratios."""
    return [c for c in run.plain if run.rows(c, *COMPARED_ROLES)["ratio"].notna().any()]


def recorded(run):
    """The rank correlations of a run: dict (Cell, Cell) -> Correlation, both ways round."""
    found = {}
    for entry in items(run.info, "correlations"):
        a, b = cell_of(entry.get("a")), cell_of(entry.get("b"))
        rho, low, high, bound = (number(entry.get(name)) for name in ("spearman", "low", "high", "bound"))
        if a is not None and b is not None and rho is not None:
            found[a, b] = found[b, a] = Correlation(rho, low, high, int(number(entry.get("methods")) or 0), bound)
    return found


def sentence(run):
    """How far the replay foretells search and perft, or the isolated replay the one under pressure; None without such a
    pair."""
    known, trace = recorded(run), trace_of(run)
    replays = {pressure: Cell("throughput", trace, pressure) for pressure in ("isolated", "net0", "net256", "net1024")}
    alone, network = replays["isolated"], replays["net1024"]
    real = [cell for cell in run.plain if cell.workload in ("perft", "engine")]
    # A form of the engine is foretold by the preset of its name.
    pairs = [(a, b) for b in real for a in (alone, replays.get(b.trace, network))] if real else [(alone, network)]
    said = [f"{a.name} and {b.name} {known[a, b].words}" for a, b in pairs if (a, b) in known]
    if not said:
        return None
    return (
        "Spearman's rank correlation between the orders of two cells, with its 95 % interval (1: the same order, 0: no "
        f"relation): {'; '.join(said)}."
    )
