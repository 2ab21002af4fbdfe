# SPDX-License-Identifier: MIT
"""The answer of a run: which method for which use, within which footprint, and how sure that is."""

import math
from dataclasses import dataclass

from report_data import COMPARED_ROLES, KIND_ORDER, Cell


@dataclass(frozen=True)
class Use:
    """What an engine does with attacks.

    Attributes:
        name, words: for the heading and below it.
        kinds: of queries, the best fitting first.
        workloads: that stand for the use; each gets its own answer where they disagree.
    """

    name: str
    words: str
    kinds: tuple
    workloads: tuple


LOOPS = ("throughput", "latency")
WHEN = {"throughput": "for independent queries", "latency": "where each waits for the last"}
USES = (
    Use("Single lookups", "one bishop, rook or queen at a time", ("all", "queen", "rook", "bishop"), LOOPS),
    Use("Both", "the bishop's and the rook's set of one square", ("both",), LOOPS),
    Use("Set-wise", "all sliders of a side at once", tuple(KIND_ORDER), ("setwise",)),
)
SITUATIONS = (("isolated", "Isolated"), ("light", "Light engine"), ("nnue", "NNUE engine"))
FOOTPRINTS = ((8 << 10, "at most 8 KiB"), (64 << 10, "at most 64 KiB"), (None, "any size"))

# A trace of a search is nearest to an engine; random boards are the usual benchmark, and no engine's.
TRACES = ("search", "game")


@dataclass(frozen=True)
class Answer:
    """The best method of a cell within a footprint.

    Attributes:
        cell: where it was measured.
        best: row of the summary (namedtuple) with the least ratio.
        ties: rows that this run cannot tell from it, by ratio.
        compared: how many methods have a ratio in this cell and fit the footprint, the best included.
        margin: of the cell; None where no A/A arm set one, and then nothing is sure.
    """

    cell: Cell
    best: tuple
    ties: tuple
    compared: int
    margin: float | None

    @property
    def undecided(self):
        """Whether most methods are level with the best: then the run chose none, and the first is first by chance."""
        return bool(self.ties) and 2 * (len(self.ties) + 1) > self.compared

    @property
    def smallest(self):
        """The row with the least table bytes among the best and its equals."""
        return min((self.best, *self.ties), key=lambda row: (row.table_bytes, row.ratio))


def trace_of(run):
    """The trace that the answer is about: the one nearest to an engine; None for a run without ratios."""
    names = [c.trace for c in run.cells if c.workload in (*LOOPS, "setwise") and run.rows(c)["ratio"].notna().any()]
    for name in (*TRACES, *sorted(set(names) - {"random"}), "random"):
        if name in names:
            return name
    return None


def best_of(run, cell, limit):
    """The answer of one cell.

    Args:
        run: Run.
        cell: Cell.
        limit: most bytes of tables; None for any.

    Returns:
        Answer; None where no arm of that size has a ratio.
    """
    rows = run.ranked(cell)
    rows = rows[rows["ratio"].notna() & rows["table_bytes"].notna()]
    if limit is not None:
        rows = rows[rows["table_bytes"] <= limit]
    if rows.empty:
        return None
    best, *others = rows.itertuples()
    margin = run.margin(cell)
    reach = (best.ratio_high if math.isfinite(best.ratio_high) else best.ratio) * (1 + (margin or 0))
    ties = [row for row in others if (row.ratio_low if math.isfinite(row.ratio_low) else row.ratio) <= reach]
    return Answer(cell, best, tuple(ties), len(rows), margin)


def cells_of(run, use, pressure, trace):
    """The cells that answer for a use under a pressure: dict workload -> Cell."""
    found = {}
    for workload in use.workloads:
        for kinds in use.kinds:
            cell = Cell(workload, trace, pressure, kinds)
            if workload not in found and cell in run.cells and not run.rows(cell, *COMPARED_ROLES).empty:
                found[workload] = cell
    return found


def answers(run):
    """The whole answer.

    Args:
        run: Run.

    Returns:
        dict (use, pressure) -> list of (limit, list of Answer): a list a footprint, an Answer a workload. What was not
        measured is missing.
    """
    trace = trace_of(run)
    found = {}
    for use in USES:
        for pressure, _ in SITUATIONS:
            cells = cells_of(run, use, pressure, trace).values()
            limits = [
                (limit, [a for a in (best_of(run, cell, limit) for cell in cells) if a is not None])
                for limit, _ in FOOTPRINTS
            ]
            if any(entry for _, entry in limits):
                found[use, pressure] = limits
    return found


def engine_answers(run):
    """The answers inside an engine's search, where one ran: list of (Cell, list of (limit, list of Answer))."""
    cells = [cell for cell in run.plain if cell.workload == "engine"]
    result = [(cell, [(limit, [best_of(run, cell, limit)]) for limit, _ in FOOTPRINTS]) for cell in cells]
    kept = [(cell, [(limit, [a for a in found if a]) for limit, found in limits]) for cell, limits in result]
    return [(cell, limits) for cell, limits in kept if any(found for _, found in limits)]
