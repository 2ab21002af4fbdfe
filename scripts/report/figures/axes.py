# SPDX-License-Identifier: MIT
"""Ticks of ratio, time and size axes, and labels that keep out of each other's way."""

import math

from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

from report.figures.style import GRID

ROW_INCHES = 0.25


def nice_ticks(low, high, most=9):
    """Round numbers inside [low, high], both above 0, for a logarithmic axis, however wide or narrow its range is."""
    ticks = []
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for digits in ((1, 1.5, 2, 3, 4, 5, 6, 8), (1, 2, 3, 5), (1, 2, 5), (1, 3), (1,)):
        ticks = [d * 10.0**k for k in decades for d in digits if low <= d * 10.0**k <= high]
        gaps = [math.log(b / a) / math.log(high / low) for a, b in zip(ticks, ticks[1:])]
        if 3 <= len(ticks) <= most and min(gaps) > 0.75 / most:  # closer, and their labels touch
            return ticks
    return ticks if len(ticks) > most else _even_ticks(low, high, most)


def _even_ticks(low, high, most):
    """Ticks at equal steps of 1, 2 or 5, for a range too narrow for round logarithms."""
    for step in (d * 10.0**k for k in range(-6, 7) for d in (1, 2, 5)):
        if (high - low) / step <= most:
            first = math.ceil(low / step - 1e-9)
            return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]
    return [low, high]


def log_axis(axis, low, high, show, most=9):
    """Makes `Axes.xaxis` or `.yaxis` logarithmic from low to high, with few, round ticks, which `show` makes text
    of."""
    axis._set_axes_scale("log")
    (axis.axes.set_xlim if axis.axis_name == "x" else axis.axes.set_ylim)(low, high)
    axis.set_major_locator(FixedLocator(nice_ticks(low, high, most)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: show(value)))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


def plain(value):
    """A tick label: the number without trailing zeros or an exponent."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if value < 1e6 else f"{value:.0e}"


def times(value):
    """A tick label of a ratio: `0.5x` with a multiplication sign."""
    return plain(value) + "\N{MULTIPLICATION SIGN}"


def guide_rows(axes, count):
    """Thin lines that lead the eye from a row's name to its point."""
    for row in range(count):
        axes.axhline(row, color=GRID, linewidth=0.6, zorder=0)


def spread(places, step):
    """Moves labels apart: the places, in rising order, at least `step` from each other, each near to its own."""
    moved = list(places)
    for _ in range(200):  # neighbours push each other apart, equally far
        for i in range(len(moved) - 1):
            push = max(0.0, step - (moved[i + 1] - moved[i])) / 2
            moved[i], moved[i + 1] = moved[i] - push, moved[i + 1] + push
    return moved
