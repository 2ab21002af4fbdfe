# SPDX-License-Identifier: MIT
"""The first picture: well-known methods from a bare loop to an engine, with the empty loop below."""

import math
from textwrap import fill

import matplotlib.pyplot as plt
import pandas as pd

from report.analysis.answer import picture_of, read_answer
from report.data.cells import COMPARED_ROLES
from report.data.files import dig, one_line
from report.data.words import human_ratio
from report.figures.axes import log_axis, ratio_limits, spread, times
from report.figures.style import BAND, INK, MUTED, PAPER, heading, label_colour, marker_style, method_colour, shorten

FLOOR = "the loop without a method"
# width, height in inches, size of the text, inches for names on the left and right, and above
WIDE, NARROW = (9.2, 5.2, 9, 2.3, 2.3, 0.35), (4.2, 6.2, 8, 0.9, 1.95, 0.35)
SHARED = (1200 / 144, 630 / 144, 8, 2.05, 2.05, 0.85)  # 1200 x 630 pixels at 144 a inch


def overview(run, shape=WIDE):
    """A line per method over the situations, its time over the reference's, logarithmic, in the shape WIDE, NARROW, or
    SHARED, which also says on which machine and when. None for a run without ratios."""
    situations, contenders = picture_of(run)
    parts = [s.run.rows(s.cell, *COMPARED_ROLES).assign(place=i) for i, s in enumerate(situations)]
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["contender", "ratio"])
    rows = rows[rows["contender"].isin(contenders) & rows["ratio"].notna()].drop_duplicates(["contender", "place"])
    if rows.empty:
        return None
    width, height, size, left, right, top = shape
    titles = [shorten(situation.title, 44) for situation in situations]
    style, bottom = {"rotation": 64, "ha": "right", "rotation_mode": "anchor", "fontsize": size - 1}, 2.0
    if shape is not NARROW:
        titles = [fill(title, max(10, 80 // len(titles))) for title in titles]
        style, bottom = {"fontsize": size - 1.5}, 0.3 + 1.3 * size / 72 * max(title.count("\n") + 1 for title in titles)
    figure = plt.figure(figsize=(width, height))
    axes = figure.add_axes([left / width, bottom / height, 1 - (left + right) / width, 1 - (bottom + top) / height])
    floor = pd.Series([s.run.empty_ratio(s.cell) for s in situations], dtype=float).dropna()
    ends = pd.concat([rows["ratio_low"], rows["ratio_high"]])
    low, high = ratio_limits(pd.concat([floor, rows["ratio"]]), ends)
    log_axis(axes.yaxis, low / 1.12, high * 1.06, times)
    axes.set_xlim(-0.25, len(titles) - 0.75)
    axes.set_xticks(range(len(titles)), titles, **style)
    axes.tick_params(axis="y", labelsize=size - 1)
    axes.tick_params(length=0)
    for label in axes.get_yticklabels():
        label.set_bbox({"facecolor": PAPER, "linewidth": 0, "pad": 1})  # names' lines pass behind
    axes.grid(axis="y", linewidth=0.5)
    axes.spines["left"].set_visible(False)
    axes.axhline(1, color=INK, linewidth=0.8, zorder=1)
    _draw_floor(axes, floor, size)
    for _, line in rows.groupby("contender", sort=False):
        _draw_line(axes, line.set_index("place"), len(situations))
    ends = rows.groupby("contender").tail(1)
    _name(axes, ends, ends["ratio"].map(human_ratio) + " " + ends["label"], size, "left", 1, 0.12)
    if shape is not NARROW:
        first = rows[rows["place"] == 0]
        _name(axes, first, first["label"], size, "right", 0, -0.5)
    if shape is SHARED:
        _say_where(figure, run, rows)
    return figure


def _draw_floor(axes, floor, size):
    """Grey up to the empty loop. It is no bound: a method's work may overlap with the loop's."""
    if not floor.empty:
        axes.fill_between(floor.index, floor, axes.get_ylim()[0], color=BAND, alpha=0.6, linewidth=0, zorder=0)
        axes.plot(floor, color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
        style = {"ha": "center", "fontsize": size - 1, "color": INK, "textcoords": "offset points"}
        axes.annotate(FLOOR, (floor.index.to_numpy().mean(), axes.get_ylim()[0]), (0, 4), **style)


def _draw_line(axes, line, count):
    """A method's points with their intervals; a situation without it breaks the line."""
    colour = method_colour(line["method"].iloc[0])
    axes.plot(line["ratio"].reindex(range(count)), color=colour, linewidth=2, zorder=3)
    bars = line.dropna(subset=["ratio_low", "ratio_high"])
    axes.vlines(bars.index, bars["ratio_low"], bars["ratio_high"], color=colour, linewidth=3.5, alpha=0.45, zorder=3)
    for row in line.itertuples():
        axes.plot([row.Index], [row.ratio], zorder=4, **marker_style(row.method, row.verdict, 6.5))


def _name(axes, rows, names, size, side, edge, inches):
    """Names at an edge of the figure (0 or 1), so many inches from it, moved apart, each with a line to its point."""
    limits = axes.get_ylim()
    low, high = (math.log(limit) for limit in limits)
    width, height = axes.get_position().size * axes.figure.get_size_inches()
    line = {"arrowstyle": "-", "color": MUTED, "linewidth": 0.5, "shrinkA": 1, "shrinkB": 5, "relpos": (1 - edge, 0.5)}
    style = {"textcoords": "axes fraction", "ha": side, "va": "center", "fontsize": size, "zorder": 0.3}
    style |= {"bbox": {"facecolor": PAPER, "linewidth": 0, "pad": 0.5}, "annotation_clip": False, "arrowprops": line}
    rows = rows.assign(name=names).sort_values("ratio")
    true = [(math.log(ratio) - low) / (high - low) for ratio in rows["ratio"].clip(*limits)]
    step = 1.35 * size / 72 / height
    for i, (row, y) in enumerate(zip(rows.itertuples(), spread(true, step))):
        place = (edge + inches / width, max(y, (i + 0.5) * step))  # none below the axis, where its titles are
        axes.annotate(shorten(row.name, 30), (row.place, row.ratio), place, color=label_colour(row.method), **style)


def _say_where(figure, run, rows):
    """Heading and machine, for a picture that travels alone."""
    reference = next(iter(rows["label"][rows["role"] == "reference"]), "the reference")
    answer = read_answer(run)
    machine = (answer and answer.cpu) or one_line(dig(run.info, "machine", "cpu") or "CPU not recorded")
    date = one_line(dig(run.info, "started") or "")[:10]
    said = ", ".join(filter(None, [f"time / time of {reference}; {machine}", date, "slidebench"]))
    heading(figure, "How much the choice of a sliding-piece attack method matters", said, left=0.25)
