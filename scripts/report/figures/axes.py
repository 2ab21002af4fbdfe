# SPDX-License-Identifier: MIT
"""Ticks of ratio, time and size axes, and labels that keep out of each other's way."""

import math

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

from report.data.words import human_bytes
from report.figures.style import GRID, MUTED, PAPER, VERDICTS, verdict_marker

ROW_INCHES = 0.25
MONO = {"family": "monospace"}


def nice_ticks(low, high, most=9):
    """Round numbers for a logarithmic axis, however wide or narrow its range is.

    Args:
        low, high: the ends of the axis, > 0.
        most: how many ticks there may be.

    Returns:
        list of float inside [low, high].
    """
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
    """Makes an x or y axis logarithmic, with few, round, plainly written ticks.

    Args:
        axis: `Axes.xaxis` or `Axes.yaxis`.
        low, high: its ends, > 0.
        show: function float -> str for the tick labels.
        most: how many ticks there may be.
    """
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


def size_axis(axes, sizes, marks):
    """Makes x a logarithmic size axis that can also show nothing at all.

    No logarithm has a place for 0 B; so it gets one, left of a break in the axis, at the same distance whatever the
    other sizes are.

    Args:
        axes: matplotlib Axes.
        sizes: bytes, >= 0.
        marks: further sizes that must be in sight, bytes, > 0.

    Returns:
        function bytes -> x.
    """
    logs = [math.log2(max(s, 1)) for s in list(sizes) + list(marks) if s > 0] or [10.0]
    low, high = math.floor(min(logs)), math.ceil(max(logs))
    has_zero = any(s == 0 for s in sizes)
    zero = low - max(1.5, (high - low) / 6)
    step = 1 if high - low <= 8 else 2
    ticks = [k for k in range(low, high + 1) if k % step == 0] or [low]
    # Many methods have no table: their column needs room for names on both sides.
    axes.set_xlim(zero - (high - low) / 8 - 0.5 if has_zero else low - 0.8, high + 0.8)
    axes.set_xticks(
        ([zero] if has_zero else []) + ticks,
        (["0 B"] if has_zero else []) + [human_bytes(2.0**k) for k in ticks],
        rotation=45,
        ha="right",
        rotation_mode="anchor",
    )
    if has_zero:
        axes.annotate(
            "//",
            ((zero + low) / 2, 0),
            xycoords=("data", "axes fraction"),
            ha="center",
            va="center",
            color=MUTED,
            fontsize=11,
            annotation_clip=False,
        )
    return lambda size: zero if size == 0 else math.log2(max(size, 1))


def place_labels(figure, axes, xs, ys, labels, colours, size=8, lines=()):
    """Writes a label beside each point so that labels overlap neither each other nor the points.

    Greedy: each label, the most crowded point first, takes the nearest free place on rings around its point; far ones
    get a thin line to it.

    Args:
        figure: matplotlib Figure, with its final size and axes limits.
        axes: matplotlib Axes.
        xs, ys: data coordinates, (points,).
        labels: str, (points,).
        colours: `#rrggbb`, (points,).
        size: font size, points.
        lines: segments ((x, y), (x, y)) in data coordinates, level or upright, that labels should not cross.
    """
    if not labels:
        return
    renderer = figure.canvas.get_renderer()
    pixels = axes.transData.transform(np.column_stack([xs, ys]))
    unit = figure.dpi / 72
    taken = [_box(x, y, 11 * unit, 11 * unit) for x, y in pixels]
    for segment in lines:
        (x0, y0), (x1, y1) = np.sort(axes.transData.transform(segment), axis=0)
        taken.append((x0 - unit, y0 - unit, x1 + unit, y1 + unit))
    frame = axes.get_window_extent(renderer)
    distances = np.hypot(*(pixels[:, None, :] - pixels[None, :, :]).transpose(2, 0, 1))
    crowding = -(distances < 60 * unit).sum(axis=1)
    for i in sorted(range(len(labels)), key=lambda i: (crowding[i], labels[i])):
        probe = figure.text(0, 0, labels[i], fontsize=size)
        extent = probe.get_window_extent(renderer)
        probe.remove()
        x, y, ring = _free_place(pixels[i], extent.width * 1.04, extent.height, taken, frame, unit)
        taken.append(_box(x, y, extent.width * 1.04, extent.height))
        _write_label(axes, pixels[i], (x, y), labels[i], colours[i], size, unit, ring)


def _write_label(axes, point, middle, label, colour, size, unit, ring):
    dx, dy = (middle[0] - point[0]) / unit, (middle[1] - point[1]) / unit
    line = {"arrowstyle": "-", "color": colour, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 4} if ring > 0 else None
    axes.annotate(
        label,
        axes.transData.inverted().transform(point),
        xytext=(dx, dy),
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize=size,
        color=colour,
        arrowprops=line,
        zorder=5,
    )


def _box(x, y, width, height):
    """A rectangle around a middle point: (left, bottom, right, top), pixels."""
    return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _overlap(a, b):
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def _free_place(point, width, height, taken, frame, unit):
    """The middle of the nearest free place for a label, or of the least covered one.

    Returns:
        (x, y, ring): pixels, and how many rings out it is.
    """
    best = None
    for ring in range(14):
        reach = (7 + 9 * ring) * unit
        for angle in np.arange(0, 360, 45 if ring == 0 else 22.5):
            c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            # Right and left labels touch the ring with an end, upper and lower ones with an edge.
            x, y = point[0] + c * (reach + width / 2), point[1] + s * (reach + height / 2)
            box = _box(x, y, width, height)
            outside = box[0] < frame.x0 or box[2] > frame.x1 or box[1] < frame.y0 + 3 * unit or box[3] > frame.y1
            covered = sum(_overlap(box, other) for other in taken) + (1e6 if outside else 0)
            if covered == 0:
                return x, y, ring
            if best is None or covered < best[0]:
                best = (covered, x, y, ring)
    return best[1:]


def guide_rows(axes, count):
    """Thin lines that lead the eye from a row's name to its point."""
    for row in range(count):
        axes.axhline(row, color=GRID, linewidth=0.6, zorder=0)


def bottom_legend(figure, handles):
    figure.legend(
        handles=handles,
        loc="lower center",
        ncol=len(handles),
        frameon=False,
        fontsize=8,
        handlelength=1.8,
        columnspacing=1.6,
        bbox_to_anchor=(0.5, 0.1 / figure.get_figheight()),
        borderaxespad=0,
    )


def verdict_handles(verdicts):
    """Legend entries for the verdicts that occur, in no method's colour."""
    occur = set(verdicts)
    markers = dict.fromkeys(verdict_marker(v) for v in [*VERDICTS, *sorted(occur)] if v in occur)
    return [
        Line2D(
            [],
            [],
            linestyle="none",
            marker=shape,
            markersize=7,
            markeredgecolor=MUTED,
            label=words,
            markerfacecolor=MUTED if filled else PAPER,
            markeredgewidth=1.4,
        )
        for shape, filled, words in markers
    ]
