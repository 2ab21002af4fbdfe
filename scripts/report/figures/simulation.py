# SPDX-License-Identifier: MIT
"""The figures of a simulation. Every title says `simulated`: a figure that is copied elsewhere must still say what it
is."""

import math

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, PowerNorm
from matplotlib.lines import Line2D

from report.data.files import slug, unused_stem
from report.data.simulation import LINE, PAGE, board_of
from report.figures.axes import size_axis
from report.figures.misses import simulated_misses
from report.figures.style import BAND, MUTED, PAPER, heading, label_colour, method_colour, shorten

# From light to dark in one hue, so that it reads in grey and to colour-blind readers; the dark page keeps it.
DEPTHS = LinearSegmentedColormap.from_list("depths", ["#f4f6f9", "#b9d0e6", "#6c9fcc", "#2c6aa6", "#0b2550"])
SAID = "simulated, not measured"
BOARDS_MOST = 4
MOST_BOARDS = 12  # of methods; of more, the reference and the best of each family


def curves(simulation, trace, granularity):
    """Misses a query against size (LINE: of caches; PAGE: entries of TLBs), a line a method: a few named ones in
    colour, the others grey. None where the trace has no such rows."""
    rows = simulation.curves(trace, granularity, 0)
    if rows.empty:
        return None
    pages = granularity == PAGE
    unit = 1 if pages else granularity / 1024
    marks = simulation.marks(*(("DTLB", "STLB") if pages else ("L1D", "L2")))
    named = [method for method in simulation.highlighted(trace) if (rows["method"] == method).any()]
    figure = plt.figure(figsize=(12, 6.0))
    axes = figure.add_axes([0.07, 0.12, 0.68, 0.72])
    low, high = _span(rows, granularity, [mark.size / (1 if pages else LINE) for mark in marks])
    size_axis(axes, low * unit, high * unit, 1.1)
    rows = rows[rows["cache_lines"].between(low, high * 1.1)]
    for method, line in rows.groupby("method"):
        line = line.sort_values("cache_lines")
        style = {"color": BAND, "linewidth": 1.0, "zorder": 2}
        if method in named:
            style = {"color": method_colour(method), "linewidth": 1.9, "zorder": 3}
        axes.plot(line["cache_lines"] * unit, line["per_query"], **style)
    axes.set_ylim(0, rows["per_query"].max() * 1.04)
    axes.grid(linewidth=0.5)
    axes.set(xlabel="TLB, entries" if pages else "cache, KiB", ylabel="misses a query")
    _draw_marks(axes, [(mark.size if pages else mark.size / 1024, mark.name) for mark in marks])
    _curve_legend(figure, simulation, rows, named)
    kind, unit = ("TLB", "page") if pages else ("cache", "line")
    subtitle = f"{trace}; fully associative, LRU, nothing else touches it; {granularity} B a {unit}"
    heading(figure, f"Misses a query for a {kind} of every size, {SAID}", subtitle)
    return figure


def _draw_marks(axes, marks):
    """Upright lines at sizes, each named left of its line, or right of it where the line before is too near."""
    low, high = axes.get_xlim()
    before, on_left = low / high, True
    for size, name in marks:
        on_left = not on_left or math.log(size / before) > 0.03 * math.log(high / low)
        before = size
        axes.axvline(size, color=MUTED, linewidth=1, linestyle=(0, (1, 2)), zorder=1)
        place = {"xycoords": axes.get_xaxis_transform(), "textcoords": "offset points", "rotation": 90, "va": "top"}
        place |= {"ha": "right", "xytext": (-1, 0)} if on_left else {"ha": "left", "xytext": (2, 0)}
        paper = {"facecolor": PAPER, "linewidth": 0, "pad": 0.5, "alpha": 0.8}
        axes.annotate(shorten(name, 48), (size, 0.985), fontsize=8, color=MUTED, bbox=paper, zorder=4, **place)


def _span(rows, granularity, marks):
    """The sizes worth an axis: from the smallest to a little beyond the last change and the last mark."""
    wide = rows.pivot_table(index="cache_lines", columns="method", values="per_query")
    moving = ((wide - wide.iloc[-1]) > 0.002 * wide.max().max()).any(axis=1)
    last = wide.index[moving][-1] if moving.any() else wide.index[-1]
    ends = [last * 2, *(mark * 1.5 for mark in marks)]
    # No machine has so small a cache; the curves' left ends would only flatten what is of interest.
    first = wide.index[0] if granularity == PAGE or wide.index[-1] <= 64 else max(wide.index[0], 16)
    return float(first), float(min(wide.index[-1], max(ends)))


def _curve_legend(figure, simulation, rows, named):
    handles = []
    for method in named:
        family = simulation.family(method)
        label = shorten(method, 26) + (f" ({shorten(family, 14)})" if family else "")
        handles.append(Line2D([], [], color=method_colour(method), linewidth=2, label=label))
    others = rows["method"].nunique() - len(named)
    if others > 0:
        handles.append(Line2D([], [], color=BAND, linewidth=1.4, label=f"{others} others"))
    title = "most misses first" + (";\nthe reference and\neach family's best" if others > 0 else "")
    place = {"loc": "upper left", "bbox_to_anchor": (0.765, 0.85), "borderaxespad": 0, "alignment": "left"}
    figure.legend(handles=handles, title=title, title_fontsize=8, fontsize=8.5, frameon=False, **place)


def _colour_bar(figure, image, height, label):
    length = min(height - 1.5, 4.0)
    axes = figure.add_axes([0.93, 1 - (0.95 + length) / height, 0.014, length / height])
    most = image.norm.vmax
    # An image of its own: a colour bar's many thin bands would each become a path of the SVG.
    depth = np.linspace(0, most, 256)[:, None]
    axes.imshow(depth, aspect="auto", origin="lower", cmap=DEPTHS, norm=image.norm, extent=(0, 1, 0, most))
    axes.set_xticks([])
    axes.yaxis.tick_right()
    axes.locator_params(axis="y", nbins=6)
    axes.tick_params(labelsize=8, length=2)
    axes.set_title(label, fontsize=8, loc="right", fontweight="normal", pad=6)


def boards(simulation, place, column):
    """Boards of the methods, a bishop's and a rook's, one colour scale, of `l1d_misses` or `distinct_lines`; None where
    the place has no such counts, or nothing but zeros."""
    if simulation.squares is None:
        return None
    rows = place.rows(simulation.squares)
    sums = rows.groupby("method")[column].sum()
    methods = [m for m in simulation.misses(place).index if sums.get(m, 0) > 0]
    if len(methods) > MOST_BOARDS:
        methods = [m for m in methods if m in simulation.highlighted(place.trace)]
    if not methods:
        return None
    drawn = {(m, piece): board_of(rows, m, piece, column) for m in methods for piece in ("bishop", "rook")}
    most = max((np.nanmax(board) for board in drawn.values() if not np.isnan(board).all()), default=0)
    if not most > 0:
        return None
    norm = PowerNorm(0.5, vmin=0, vmax=most)
    return _board_grid(place, methods, drawn, norm, column)


def _board_grid(place, methods, drawn, norm, column):
    across = BOARDS_MOST
    down = math.ceil(len(methods) / across)
    board, inner, outer, head = 1.2, 0.1, 0.24, 0.55
    left, top, bottom = 0.35, 1.0, 0.3
    height = max(top + down * (board + head) + bottom, 3.0)
    figure = plt.figure(figsize=(12, height))
    image = None
    for i, method in enumerate(methods):
        x = left + (i % across) * (2 * board + inner + outer)
        y = height - top - (i // across) * (board + head) - head - board + 0.3
        for j, piece in enumerate(("bishop", "rook")):
            box = [(x + j * (board + inner)) / 12, y / height, board / 12, board / height]
            axes = figure.add_axes(box, facecolor=BAND)
            image = axes.imshow(drawn[method, piece], origin="lower", cmap=DEPTHS, norm=norm, interpolation="nearest")
            axes.set(xticks=[], yticks=[])
            for spine in axes.spines.values():
                spine.set(visible=True, color=MUTED, linewidth=0.6)
            axes.text(0.98, 1.03, piece, transform=axes.transAxes, ha="right", va="bottom", fontsize=7, color=MUTED)
            if j == 0:
                _coordinates(axes)
                style = {"color": label_colour(method), "fontsize": 8, "va": "bottom", "family": "monospace"}
                figure.text(x / 12, (y + board + 0.15) / height, shorten(method, 26), **style)
    if column == "l1d_misses":
        what, label = "L1D misses a query, square by square", "a query"
        subtitle = f"{place.name}; a queen's query, or one for both pieces, counts for both boards"
    else:
        what, label = "Different lines read, square by square", "lines"
        subtitle = f"{place.trace}; by queries for the one piece alone; grey: none was asked"
    _colour_bar(figure, image, height, label)
    heading(figure, f"{what}, {SAID}", f"{subtitle}; square-root colours")
    return figure


def _coordinates(axes):
    """The corner squares' names, enough to know which way a board stands."""
    style = {"textcoords": "offset points", "ha": "center", "va": "center", "fontsize": 6.5, "color": MUTED}
    for row, text in ((0, "1"), (7, "8")):
        axes.annotate(text, (-0.5, row), (-6, 0), **style)
    for column, text in ((0, "a"), (7, "h")):
        axes.annotate(text, (column, -0.5), (0, -6), **style)


def simulation_figures(simulation):
    """Every figure of a simulation: yields (kind, stem of the file, caption, Figure); kind is misses, curves or
    boards."""
    used = set()
    places = simulation.places
    for place in places:
        yield "misses", unused_stem(f"misses_{place.slug}", used), place.name, simulated_misses(simulation, place)
    for trace in dict.fromkeys(place.trace for place in places):
        for granularity, stem in ((LINE, "curves"), (PAGE, "curves_pages")):
            figure = curves(simulation, trace, granularity)
            if figure is not None:
                unit = "cache lines" if granularity == LINE else "pages"
                yield "curves", unused_stem(f"{stem}_{slug(trace, '')}", used), f"{trace}, {unit}", figure
    yield from _draw_boards(simulation, places, used)


def _draw_boards(simulation, places, used):
    """Misses on the first cache under each pressure; different lines, which no cache changes, once a trace."""
    first = places[0]
    shown = [p for p in places if (p.cache, p.pages) == (first.cache, first.pages)]
    counted = set()
    for place in shown:
        figure = boards(simulation, place, "l1d_misses")
        if figure is not None:
            yield "boards", unused_stem(f"squares_{place.slug}", used), f"misses, {place.name}", figure
        if place.trace not in counted:
            counted.add(place.trace)
            figure = boards(simulation, place, "distinct_lines")
            if figure is not None:
                stem = unused_stem(f"lines_{slug(place.trace, '')}", used)
                yield "boards", stem, f"different lines, {place.trace}", figure
