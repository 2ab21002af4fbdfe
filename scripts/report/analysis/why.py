# SPDX-License-Identifier: MIT
"""What each kind of figure explains of a run's times, and what not: a sentence a kind."""

from report.analysis.crossings import crossings, sweeps
from report.analysis.misses import METRICS, SOURCES, chosen_cells, of_cell, rank_correlation, series
from report.analysis.ranks import correlations
from report.data.words import human_number, true_minus

CROSSOVER = (
    "at how many touched cache lines small tables begin to pay: {found}. How many lines your engine touches it does not say."
)
FOOTPRINT = "whether small tables cost time, pressure by pressure. Why a method of the same size is quicker it does not say."
CURVES = (
    "from which size of cache on the tables no longer miss, with nothing else in it. An engine shares the cache, so the "
    "curves are no times; simulated, not measured."
)
BOARDS = "from which squares the misses come. What a miss costs they do not say; simulated, not measured."
ORDERS = "whether one order foretells another: {found}. How far apart two methods are they do not say."


def explanations(run):
    """dict kind of figure -> what it explains, and what not, for the fold that it lies in."""
    return {
        "crossover": CROSSOVER.format(found=_crossings(run)),
        "footprint": FOOTPRINT,
        "misses": _misses(run),
        "curves": CURVES,
        "boards": BOARDS,
        "orders": ORDERS.format(found=_agreement(run)),
    }


def _crossings(run):
    count = sum(len(crossings(run, sweep)) for sweep in sweeps(run))
    return f"{count} pairs of methods cross" if count else "no two methods cross"


def _agreement(run):
    found = [value for value, *_ in correlations(run).values()]
    if not found:
        return "the run has no correlations"
    return f"Spearman's correlation of two cells is {_between(found)}, 1 being the same order"


def _misses(run):
    """Of the first kind of count: how far its order is that of the times."""
    for metric, source in series(run):
        counts = [(run.ranked(cell), of_cell(run, cell, metric, source)) for cell in chosen_cells(run)]
        rhos = [rank_correlation(rows, found) for rows, found in counts if found]
        rhos = [rho for rho in rhos if rho == rho]
        if rhos:
            most = max(max(found.values()) for _, found in counts if found)
            return (
                f"which methods miss: up to {most:.2g} {METRICS[metric]} a query ({SOURCES[source]}). Their rank correlation "
                f"with the times is {_between(rhos)}: misses explain {_share(max(rhos))} of this "
                "ranking. Work without misses, and what a miss costs, they do not show."
            )
    return "which methods miss. Work without misses, and what a miss costs, they do not show."


def _share(rho):
    return "much" if rho >= 0.7 else "some" if rho >= 0.4 else "little"


def _between(values):
    ends = list(dict.fromkeys(true_minus(human_number(end)) for end in (min(values), max(values))))
    return " to ".join(ends)
