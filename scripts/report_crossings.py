# SPDX-License-Identifier: MIT
"""Cost against pressure: the sweeps of a run, and where the lines of two methods cross.

A crossing is the number of touched cache lines at which two methods cost the same. The program computes it, with its
interval, along log2(1 + lines); the figures have the same axis, so that lines cross where the number says.
"""

import math
from dataclasses import dataclass, replace

import matplotlib.pyplot as plt
import numpy as np

import report_data
from report_axes import nice_ticks, plain, times
from report_answer import best_of
from report_data import COMPARED_ROLES, Cell, cell_of, interval_of, items, touched
from report_style import BAND, INK, MUTED, method_colour, shorten

NAMED = 9


@dataclass(frozen=True)
class Sweep:
    """Cells that differ in nothing but the lines touched.

    Attributes:
        what: the pressure without its lines, such as `8M/eval/rows`.
        cells: Cells by rising lines; the first may be the isolated one, with 0 lines.
        lines: how many lines each touches at an event.
    """

    what: str
    cells: tuple
    lines: tuple

    @property
    def name(self):
        """str: the sweep as a heading has it."""
        first = self.cells[-1]
        rest = Cell(first.workload, first.trace, "", first.kinds, first.pages, first.corunners).name
        return f"{rest}: lines of {self.what}"


def place(lines):
    """Where a number of lines is on the axis: logarithmic, and yet with a place for none."""
    return math.log2(1 + lines)


@dataclass(frozen=True)
class Crossing:
    """Where two arms cost the same.

    Attributes:
        a, b: arms; `a` is the cheaper one below the crossing.
        lines: touched at each event.
        low, high: ends of the 95 % interval; None where it reaches beyond the sweep.
    """

    a: str
    b: str
    lines: float
    low: float | None
    high: float | None

    @property
    def is_clear(self):
        """bool: the whole interval lies within the sweep."""
        return self.low is not None and self.high is not None


def sweeps(run):
    """The sweeps of a run.

    Args:
        run: Run.

    Returns:
        list of Sweep with at least three cells.
    """
    groups = {}
    for cell in run.cells:
        found = touched(cell.pressure)
        if found is not None and found.lines > 0:
            key = (cell.workload, cell.trace, cell.kinds, cell.pages, cell.corunners, found.sweep)
            groups.setdefault(key, {}).setdefault(found.lines, cell)
    result = []
    for (workload, trace, *rest, what), cells in groups.items():
        isolated = Cell(workload, trace, "isolated", *rest)
        if isolated in run.cells:
            cells[0] = isolated
        if len(cells) >= 3:
            lines = sorted(cells)
            result.append(Sweep(what, tuple(cells[n] for n in lines), tuple(lines)))
    return result


def ratios(run, sweep):
    """Ratios to the reference along a sweep.

    Args:
        run: Run.
        sweep: Sweep.

    Returns:
        DataFrame by arm, a column a cell (its place in the sweep); arms without a ratio in every cell are left out.
    """
    columns = []
    for i, cell in enumerate(sweep.cells):
        rows = run.rows(cell, *COMPARED_ROLES).drop_duplicates("arm")
        columns.append(rows.set_index("arm")["ratio"].rename(i))
    return columns[0].to_frame().join(columns[1:], how="inner").dropna()


def leaders(run, sweep):
    """The arms with the least ratio somewhere along a sweep, in the order in which they lead."""
    found = [best_of(run, cell, None) for cell in sweep.cells]
    return list(dict.fromkeys(answer.first.arm for answer in found if answer))


def crossings(run, sweep):
    """Where methods cross the reference, and the leaders each other: list of Crossing, by lines."""
    own = replace(sweep.cells[-1], pressure=sweep.what)
    found = []
    for entry in items(run.info, "crossings"):
        lines, low, high = interval_of(entry.get("lines"))
        if cell_of(entry.get("cell")) == own and lines is not None:
            pair = [str(entry.get("arm")), str(entry.get("against"))]
            found.append(Crossing(*(pair if entry.get("faster_below") is True else pair[::-1]), lines, low, high))
    return sorted(found, key=lambda c: (c.lines, c.a, c.b))


def named_arms(run, sweep, most=NAMED):
    """The arms that a figure of a sweep names: leaders, the reference, then the best of each family at the end."""
    wide = ratios(run, sweep)
    rows = run.rows(sweep.cells[0], *COMPARED_ROLES).drop_duplicates("arm").set_index("arm").loc[wide.index]
    last = wide[wide.columns[-1]]
    best = last.groupby(rows["family"]).idxmin() if len(wide) else []
    order = [arm for arm in leaders(run, sweep) if arm in wide.index]
    order += list(rows.index[rows["role"] == "reference"]) + sorted(best, key=lambda arm: last[arm])
    return list(dict.fromkeys(order))[:most]


def figure_of(run, sweep):
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


def draw_all(run):
    """The figures of a run's sweeps.

    Args:
        run: Run.

    Yields:
        (stem, cells, Figure).
    """
    for sweep in sweeps(run):
        figure = figure_of(run, sweep)
        if figure is not None:
            last = sweep.cells[-1]
            bare = Cell(last.workload, last.trace, "", last.kinds, last.pages, last.corunners)
            yield f"crossover_{report_data.slug(bare.slug, sweep.what, '')}", list(sweep.cells), figure
