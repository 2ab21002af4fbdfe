# SPDX-License-Identifier: MIT
"""Every figure of a run."""

import matplotlib.pyplot as plt

from report.data.files import slug, unused_stem
from report.data.simulation import of_run
from report.figures.crossings import crossover_figures
from report.figures.misses import miss_figures
from report.figures.run import footprint, orders, ranking, rounds
from report.figures.simulation import simulation_figures


def run_figures(run):
    """Every figure of a run.

    Args:
        run: Run.

    Yields:
        (kind, stem, cells, Figure): kind in ranking, footprint, crossover, misses, curves, surface, boards, orders,
            rounds; stem is the file
            name without suffix. Only plain cells have figures of their own; the page has all of them.
    """
    used = set()
    plain = run.plain
    for cell in plain:
        yield "ranking", unused_stem(f"ranking_{cell.slug}", used), [cell], ranking(run, cell)
    for trace, pressure in dict.fromkeys((c.trace, c.pressure) for c in plain):
        cells = [c for c in plain if (c.trace, c.pressure) == (trace, pressure)]
        figure = footprint(run, cells)
        if figure is not None:
            yield "footprint", unused_stem(f"footprint_{slug(trace, pressure)}", used), cells, figure
    yield from _draw_others(run, used)
    for suffix, cells in _side_by_side(plain):
        yield "orders", unused_stem(f"orders{suffix}", used), cells, orders(run, cells)
        yield "rounds", unused_stem(f"rounds{suffix}", used), cells, rounds(run, cells)


MOST_COLUMNS = 12


def _side_by_side(cells):
    """Cells that one figure can hold: all of a few, else those of each trace: list of (suffix of the name, cells)."""
    if len(cells) <= MOST_COLUMNS:
        return [("", cells)]
    groups = {}
    for cell in cells:
        # An engine's variants and perft have names of their own where others have traces.
        about = "engine" if cell.workload in ("engine", "perft") else cell.trace
        groups.setdefault(f"_{slug(about, '')}", []).append(cell)
    return list(groups.items())


def _draw_others(run, used):
    for stem, cells, figure in crossover_figures(run):
        yield "crossover", unused_stem(stem, used), cells, figure
    for stem, cells, figure in miss_figures(run):
        yield "misses", unused_stem(stem, used), cells, figure
    simulation = of_run(run)
    if simulation is not None:
        for kind, stem, _, figure in simulation_figures(simulation):
            if kind in ("curves", "surface", "boards"):
                yield kind, unused_stem(stem, used), [], figure
            else:
                plt.close(figure)  # miss_figures has them beside the times
