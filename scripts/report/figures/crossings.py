# SPDX-License-Identifier: MIT
"""Cost against pressure: a line a method along a sweep, with the places where two cost the same."""

import math

import matplotlib.pyplot as plt
import numpy as np

from report.analysis.crossings import crossings, named_arms, place, ratios, sweeps
from report.data.cells import COMPARED_ROLES, Cell
from report.data.files import slug
from report.figures.axes import nice_ticks, plain, times
from report.figures.style import BAND, INK, MUTED, method_colour, shorten


def crossover(run, sweep):
    """Cost against lines touched, a line a method; crossings between the named ones with their interval.

    Args:
        run: Run.
        sweep: Sweep.

    Returns:
        Figure; None where no arm has a ratio in every cell.
    """
    wide = ratios(run, sweep)
    if wide.empty:
        return None
    named = named_arms(run, sweep)
    rows = run.rows(sweep.cells[0], *COMPARED_ROLES).drop_duplicates("arm").set_index("arm")
    places = [place(n) for n in sweep.lines]
    figure = plt.figure(figsize=(12, 6.2))
    axes = figure.add_axes([0.07, 0.12, 0.73, 0.74])
    for arm in wide.index:
        is_named = arm in named
        colour = method_colour(rows.loc[arm, "method"]) if is_named else BAND
        axes.plot(places, wide.loc[arm], color=colour, linewidth=1.8 if is_named else 0.8, zorder=3 if is_named else 1)
        if is_named:
            _draw_interval(axes, run, sweep, arm, colour)
    _mark_crossings(axes, sweep, wide, [c for c in crossings(run, sweep) if c.is_clear and {c.a, c.b} <= set(named)])
    axes.set_yscale("log")
    low, high = wide.loc[named].min().min() / 1.06, wide.loc[named].max().max() * 1.06
    axes.set_ylim(low, high)
    axes.set_yticks(nice_ticks(low, high), [times(t) for t in nice_ticks(low, high)])
    axes.minorticks_off()
    axes.set_xlim(places[0] - 0.1, places[-1])
    axes.set_xticks(places, [plain(n) for n in sweep.lines])
    axes.axhline(1, color=INK, linewidth=0.8, zorder=2)
    axes.grid(linewidth=0.5)
    axes.set_xlabel("cache lines touched at each event, as log2(1 + lines)")
    axes.set_ylabel("time / time of the reference, logarithmic")
    _end_labels(axes, [(wide.loc[arm].iloc[-1], shorten(rows.loc[arm, "label"], 26)) for arm in named])
    figure.text(0.012, 0.965, sweep.name, fontsize=12, fontweight="bold", va="top")
    words = "bars: 95 % intervals; diamonds: crossings of named methods with the 95 % interval; grey: the other methods"
    figure.text(0.012, 0.92, words, fontsize=9, color=MUTED, va="top")
    return figure


def _draw_interval(axes, run, sweep, arm, colour):
    for cell, lines in zip(sweep.cells, sweep.lines):
        row = run.rows(cell, *COMPARED_ROLES).drop_duplicates("arm").set_index("arm").loc[arm]
        if math.isfinite(row["ratio_low"]) and math.isfinite(row["ratio_high"]):
            axes.plot([place(lines)] * 2, [row["ratio_low"], row["ratio_high"]], color=colour, linewidth=3)


def _mark_crossings(axes, sweep, wide, found):
    for crossing in found:
        x = place(crossing.lines)
        y = math.exp(np.interp(x, [place(n) for n in sweep.lines], np.log(wide.loc[crossing.a])))
        ends = [place(crossing.low), place(crossing.high)]
        axes.plot(ends, [y, y], color=INK, linewidth=1.2, marker="|", zorder=4)
        axes.plot([x], [y], marker="D", markersize=5, color=INK, zorder=5)


def _end_labels(axes, ends):
    """Names at the right end of the lines, moved apart where they would touch."""
    low, high = (math.log(limit) for limit in axes.get_ylim())
    ends = sorted(ends)
    true = [(math.log(value) - low) / (high - low) for value, _ in ends]
    places, step = list(true), 0.04
    for _ in range(200):  # neighbours push each other apart, equally far
        for i in range(len(places) - 1):
            push = max(0.0, step - (places[i + 1] - places[i])) / 2
            places[i], places[i + 1] = places[i] - push, places[i + 1] + push
    for at, y, (_, label) in zip(true, places, ends):
        axes.annotate(
            label,
            (1, at),
            xycoords="axes fraction",
            xytext=(1.03, y),
            textcoords="axes fraction",
            va="center",
            fontsize=8,
            arrowprops={"arrowstyle": "-", "color": MUTED, "linewidth": 0.5},
            annotation_clip=False,
        )


def crossover_figures(run):
    """The figures of a run's sweeps.

    Args:
        run: Run.

    Yields:
        (stem, cells, Figure).
    """
    for sweep in sweeps(run):
        figure = crossover(run, sweep)
        if figure is not None:
            last = sweep.cells[-1]
            bare = Cell(last.workload, last.trace, "", last.kinds, last.pages, last.corunners)
            yield f"crossover_{slug(bare.slug, sweep.what, '')}", list(sweep.cells), figure
