# SPDX-License-Identifier: MIT
"""The answer of a run: which method for which use, within which footprint, and how sure that is."""

from dataclasses import dataclass

from report.data.cells import COMPARED_ROLES, KIND_ORDER, Cell
from report.data.files import dig, interval_of, items, number


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
# A pressure, and what it stands for; a preset is named after the form of the engine that it was fitted to.
SITUATIONS = (
    ("isolated", "In a loop"),
    ("net0", "Engine without a network"),
    ("net256", "Engine with a network of 256"),
    ("net1024", "Engine with a network of 1,024"),
)
FOOTPRINTS = ((8 << 10, "at most 8 KiB"), (64 << 10, "at most 64 KiB"), (None, "any size"))

# A trace of a search is nearest to an engine; random boards are the usual benchmark, and no engine's.
TRACES = ("search", "game")


@dataclass(frozen=True)
class Answer:
    """The best of a cell within a footprint: what `bests` of run.json says.

    Attributes:
        cell: where it was measured.
        first: row of the summary (namedtuple) with the least ratio.
        others: the other rows that may be the fastest as well, by ratio.
        compared: how many methods of that size were compared; 0 where the run compared none.
        sure: whether no other method of that size can be the fastest.
        lead: (value, low, high) of the first's time over the second's; None where there is no second.
    """

    cell: Cell
    first: tuple
    others: tuple = ()
    compared: int = 0
    sure: bool = False
    lead: tuple | None = None

    @property
    def rows(self):
        """tuple: all that may be the fastest, the least ratio first."""
        return (self.first, *self.others)

    @property
    def undecided(self):
        """Whether most methods may be the fastest: then the run chose none, and the first is first by chance."""
        return bool(self.others) and 2 * len(self.rows) > self.compared


def trace_of(run):
    """The trace that the answer is about: one of the user's own engine, else the one nearest to an engine; None for a run
    without ratios."""
    names = [c.trace for c in run.cells if c.workload in (*LOOPS, "setwise") and run.rows(c)["ratio"].notna().any()]
    own = [trace.get("name") for trace in items(run.info, "traces") if dig(trace, "provenance", "kind") == "import"]
    for name in (*own, *TRACES, *sorted(set(names) - {"random"}), "random"):
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
        Answer; None where no arm of that size has a ratio. Where the run compared none, it has the least ratio alone.
    """
    rows = run.ranked(cell)
    rows = rows[rows["ratio"].notna()]
    if limit is not None:
        rows = rows[rows["table_bytes"] <= limit]  # not those of unknown size
    found = {row.arm: row for row in rows.itertuples()}
    entry = run.bests.get((cell, limit), {})
    arms = dig(entry, "arms")
    chosen = [found[arm] for arm in arms if arm in found] if isinstance(arms, list) else []
    if not chosen:
        return Answer(cell, next(iter(found.values()))) if found else None
    lead = interval_of(entry.get("lead"))
    return Answer(
        cell,
        chosen[0],
        tuple(chosen[1:]),
        int(number(entry.get("compared")) or len(found)),
        entry.get("sure") is True and len(chosen) == 1,
        None if None in lead else lead,
    )


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


def source_of(run, pressure):
    """Where the answer for a situation comes from: from the engine where it was run, else from the replay.

    Args:
        run: Run.
        pressure: of SITUATIONS.

    Returns:
        str for the heading; empty for the loop, which is itself.
    """
    if pressure == "isolated":
        return ""
    measured = any(cell.workload == "engine" and cell.trace == pressure for cell in run.plain)
    return "replay; measured below in the engine itself" if measured else "predicted by a replay"


def engine_answers(run):
    """The answers inside an engine's search, where one ran: list of (Cell, list of (limit, list of Answer))."""
    cells = [cell for cell in run.plain if cell.workload == "engine"]
    result = [(cell, [(limit, [best_of(run, cell, limit)]) for limit, _ in FOOTPRINTS]) for cell in cells]
    kept = [(cell, [(limit, [a for a in found if a]) for limit, found in limits]) for cell, limits in result]
    return [(cell, limits) for cell, limits in kept if any(found for _, found in limits)]
