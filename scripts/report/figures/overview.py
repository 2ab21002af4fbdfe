# SPDX-License-Identifier: MIT
"""The first picture: well-known methods from a bare loop to an engine, with the empty loop as the floor."""

import math
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np

from report.analysis.answer import picture_of, read_answer
from report.data.cells import COMPARED_ROLES
from report.data.files import dig, one_line
from report.data.words import human_ratio
from report.figures.axes import log_axis, spread, times
from report.figures.style import BAND, INK, MUTED, PAPER, heading, label_colour, marker_style, method_colour, shorten

FLOOR = "nothing can be faster:\nthe loop without a method"
# width, height in inches, size of the text, and room for names on both sides
WIDE, NARROW = (9.2, 5.2, 9, 2.3), (4.2, 6.2, 8, 1.95)
SHARED = (1200 / 144, 630 / 144, 8, 2.05)  # 1200 x 630 pixels at 144 a inch


def overview(run, shape=WIDE):
    """A line a method over the situations, its time over the reference's, logarithmic, in the shape WIDE, NARROW, or
    SHARED, which also says on which machine and when. None for a run without ratios."""
    situations, arms = picture_of(run)
    lines = {arm: [_row(s.run, s.cell, arm) for s in situations] for arm in arms}
    lines = {arm: rows for arm, rows in lines.items() if any(row is not None for row in rows)}
    if not lines:
        return None
    width, height, size, room = shape
    figure = plt.figure(figsize=(width, height))
    top = 0.85 if shape is SHARED else 0.35
    left = 0.9 if shape is NARROW else room
    most = max(9, 70 // len(situations))
    titles = [shorten(s.title, 44) if shape is NARROW else fill(shorten(s.title, 60), most + 1) for s in situations]
    bottom = 2.0 if shape is NARROW else 0.3 + 1.3 * size / 72 * max(title.count("\n") + 1 for title in titles)
    axes = figure.add_axes([left / width, bottom / height, 1 - (left + room) / width, 1 - (bottom + top) / height])
    empty = [s.run.empty_ratio(s.cell) for s in situations]
    shown = [row for rows in lines.values() for row in rows if row is not None]
    values = [value for row in shown for value in (row.ratio, row.ratio_low, row.ratio_high)]
    values = [v for v in [*values, *empty] if v is not None and math.isfinite(v)]
    low, high = min(values) / 1.12, max(values) * 1.06
    log_axis(axes.yaxis, low, high, times)
    places = range(len(situations))
    air = 0.1 + 0.03 * len(situations)
    axes.set_xlim(-air, len(situations) - 1 + air)
    if shape is NARROW:
        axes.set_xticks(places, titles, fontsize=size - 1, rotation=64, ha="right", rotation_mode="anchor")
    else:
        axes.set_xticks(places, titles, fontsize=size - 1 - 0.5 * (len(situations) > 5))
    axes.tick_params(axis="y", labelsize=size - 1)
    for label in axes.get_yticklabels():
        label.set_bbox({"facecolor": PAPER, "linewidth": 0, "pad": 1})  # names' lines pass behind
    axes.tick_params(axis="x", length=0)
    axes.grid(axis="y", linewidth=0.5)
    axes.spines["left"].set_visible(False)
    axes.axhline(1, color=INK, linewidth=0.8, zorder=1)
    _draw_floor(axes, places, empty, low, size)
    for arm, rows in lines.items():
        _draw_line(axes, rows)
    named = {arm: next(row for row in rows if row is not None) for arm, rows in lines.items()}
    if shape is not NARROW:
        _name(axes, [(0, rows[0], named[arm].label) for arm, rows in lines.items() if rows[0] is not None], False, size)
    _name(axes, _ends(lines, named, shape is NARROW), True, size)
    if shape is SHARED:
        _say_where(figure, run, named)
    return figure


def _row(run, cell, arm):
    """The row of an arm in a cell; None where it has no ratio."""
    rows = run.rows(cell, *COMPARED_ROLES)
    rows = rows[(rows["arm"] == arm) & rows["ratio"].notna()]
    return next(rows.itertuples(), None)


def _draw_floor(axes, places, empty, low, size):
    """Grey up to the empty loop: what it takes itself, no method can save."""
    known = [(x, value) for x, value in zip(places, empty) if value is not None]
    if not known:
        return
    xs, ys = zip(*known)
    if len(xs) == 1:
        xs, ys = (xs[0] - 0.1, xs[0] + 0.1), ys * 2
    axes.fill_between(xs, ys, low, color=BAND, alpha=0.6, linewidth=0, zorder=0)
    axes.plot(xs, ys, color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    i = int(np.argmax(ys))
    side = "right" if xs[i] > (xs[0] + xs[-1]) / 2 else "left"
    style = {"ha": side, "va": "top", "fontsize": size - 1, "color": INK}
    axes.annotate(FLOOR, (xs[i], ys[i]), (0, -10), textcoords="offset points", **style)


def _draw_line(axes, rows):
    points = [(x, row) for x, row in enumerate(rows) if row is not None]
    colour = method_colour(points[0][1].method)
    # A situation without the method breaks its line.
    ratios = [math.nan if row is None else row.ratio for row in rows]
    axes.plot(range(len(rows)), ratios, color=colour, linewidth=2, zorder=3)
    for x, row in points:
        if math.isfinite(row.ratio_low) and math.isfinite(row.ratio_high):
            axes.plot([x, x], [row.ratio_low, row.ratio_high], color=colour, linewidth=3.5, alpha=0.45, zorder=3)
        axes.plot([x], [row.ratio], zorder=4, **marker_style(row.method, row.verdict, 6.5))


def _ends(lines, named, is_all):
    """Where lines end: (place, row, ratio and name) of those that reach the last situation, or of all."""
    found = []
    for arm, rows in lines.items():
        x = max(i for i, row in enumerate(rows) if row is not None)
        if is_all or x == len(rows) - 1:
            found.append((x, rows[x], f"{human_ratio(rows[x].ratio)} {named[arm].label}"))
    return found


def _name(axes, ends, is_right, size):
    """Names left or right of the figure, moved apart, with a line to where they belong: (place, row, name) each."""
    ends = sorted(ends, key=lambda end: end[1].ratio)
    low, high = (math.log(limit) for limit in axes.get_ylim())
    true = [(math.log(row.ratio) - low) / (high - low) for _, row, _ in ends]
    inches = axes.get_position().height * axes.figure.get_figheight()
    inch = 1 / (axes.get_position().width * axes.figure.get_figwidth())
    edge, side, start = (1 + 0.12 * inch, "left", 0) if is_right else (-0.5 * inch, "right", 1)
    line = {"arrowstyle": "-", "color": MUTED, "linewidth": 0.5, "shrinkA": 1, "shrinkB": 5, "relpos": (start, 0.5)}
    style = {"textcoords": "axes fraction", "ha": side, "va": "center", "fontsize": size, "zorder": 0.3}
    style |= {"bbox": {"facecolor": PAPER, "linewidth": 0, "pad": 0.5}, "annotation_clip": False, "arrowprops": line}
    for (x, row, label), y in zip(ends, spread(true, 1.35 * size / 72 / inches)):
        axes.annotate(shorten(label, 30), (x, row.ratio), (edge, y), color=label_colour(row.method), **style)


def _say_where(figure, run, named):
    """Heading and machine, for a picture that travels alone."""
    reference = next((row.label for row in named.values() if row.role == "reference"), "the reference")
    title = "How much the choice of a sliding-piece attack method matters"
    answer = read_answer(run)
    machine = (answer and answer.cpu) or one_line(dig(run.info, "machine", "cpu") or "CPU not recorded")
    date = one_line(dig(run.info, "started") or "")[:10]
    said = ", ".join(filter(None, [machine, date, "slidebench"]))
    heading(figure, title, f"time / time of {reference}; {said}", left=0.25)
