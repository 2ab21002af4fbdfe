# SPDX-License-Identifier: MIT
"""Axes of ratios, times and sizes, and panels that share their rows."""

import math

import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter, NullLocator

from report.figures.style import GRID


def nice_ticks(low, high, most=9):
    """Round numbers inside [low, high], both above 0, for a logarithmic axis, however wide or narrow its range is."""
    ticks = []
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for digits in ((1, 1.5, 2, 3, 4, 5, 6, 8), (1, 2, 3, 5), (1, 2, 5), (1, 3), (1,)):
        ticks = [d * 10.0**k for k in decades for d in digits if low <= d * 10.0**k <= high]
        gaps = [math.log(b / a) / math.log(high / low) for a, b in zip(ticks, ticks[1:])]
        if 3 <= len(ticks) <= most and min(gaps) > 0.75 / most:  # closer, and their labels touch
            return ticks
    even = MaxNLocator(most, steps=[1, 2, 5, 10]).tick_values(low, high)  # too narrow for round logarithms
    return ticks if len(ticks) > most else [tick for tick in even if low <= tick <= high]


def log_axis(axis, low, high, show, most=9):
    """Makes `Axes.xaxis` or `.yaxis` logarithmic from low to high, with few, round ticks, which `show` makes text
    of."""
    axis._set_axes_scale("log")
    (axis.axes.set_xlim if axis.axis_name == "x" else axis.axes.set_ylim)(low, high)
    axis.set_major_locator(FixedLocator(nice_ticks(low, high, most)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: show(value)))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


def ratio_limits(ratios, ends):
    """From where to where an axis of ratios goes: all ratios from 0.001 to 1,000, and the ends of intervals as far as 4
    times beyond them. An interval may be so wide that its low end is printed as 0; what lies outside is cut off."""
    ratios = ratios.dropna().clip(0.001, 1000)
    low, high = ratios.min(), ratios.max()
    drawn = [low, high, *ends.dropna().clip(low / 4, high * 4)]
    return min(drawn), max(drawn)


def plain(value):
    """A tick label: the number without trailing zeros or an exponent."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if value < 1e6 else f"{value:.0e}"


def times(value):
    """A tick label of a ratio: `0.5x` with a multiplication sign."""
    return plain(value) + "\N{MULTIPLICATION SIGN}"


def size_axis(axes, low, high, air, show=plain, step=1):
    """Makes the x axis logarithmic from low to high, with some air, and a tick at every `step`th power of 2."""
    axes.set_xscale("log", base=2)
    axes.set_xlim(low / air, high * air)
    ticks = [2.0**k for k in range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1, step)]
    axes.set_xticks(ticks, [show(tick) for tick in ticks])
    axes.minorticks_off()


def row_panels(names, titles, width, row, left, edge=0.95, gap=0.25):
    """A figure of panels side by side, one a title, that share their rows, one a name, with thin lines that lead the
    eye from a name to its point: (figure, list of Axes). Lengths are inches; `edge` is above and below the panels."""
    height = 2 * edge + row * max(len(names), 3)
    figure, panels = plt.figure(figsize=(width, height)), []
    each = (width - left - 0.2 - gap * (len(titles) - 1)) / len(titles)
    for i, title in enumerate(titles):
        box = (left + i * (each + gap), edge, each, height - edge - edge)
        axes = figure.add_axes([part / whole for part, whole in zip(box, (width, height, width, height))])
        axes.set_ylim(max(len(names), 3) - 0.5, -0.5)
        axes.set_yticks(*((range(len(names)), names) if i == 0 else ([], [])), fontsize=8.5)
        axes.tick_params(length=0, axis="y")
        axes.spines["left"].set_visible(False)
        for y in range(len(names)):
            axes.axhline(y, color=GRID, linewidth=0.6, zorder=0)
        axes.set_title(title, loc="left")
        panels.append(axes)
    return figure, panels
