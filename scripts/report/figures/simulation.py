# SPDX-License-Identifier: MIT
"""The figures of a simulation. Every title says `simulated`: a figure that is copied elsewhere must still say what it
is."""

import math

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, PowerNorm

from report.data.files import slug, unused_stem
from report.data.simulation import LINE, PAGE, board_of
from report.figures.axes import size_axis
from report.figures.misses import simulated_misses
from report.figures.style import BAND, MUTED, PAPER, heading, label_colour, method_colour, shorten

# From light to dark in one hue, so that it reads in grey and to colour-blind readers; the dark page keeps it.
DEPTHS = LinearSegmentedColormap.from_list("depths", ["#f4f6f9", "#b9d0e6", "#6c9fcc", "#2c6aa6", "#0b2550"])
SAID = "simulated, not measured"
# granularity -> what has the sizes, of what, its levels, the axis, and its units: of a line or page, and of a Mark
CURVES = {
    LINE: ("cache", "line", ("L1D", "L2"), "cache, KiB", LINE / 1024, 1 / 1024),
    PAGE: ("TLB", "page", ("DTLB", "STLB"), "TLB, entries", 1, 1),
}
LEAST = 1  # KiB or entries: no cache is smaller, and the curves' left ends would only flatten what is of interest
MOST = 2.0**40  # nor larger
MOST_BOARDS = 12  # of methods; of more, the reference and the best of each family
ACROSS = 4  # methods in a row
WIDTH, BOARD, HEAD, ABOVE = 12, 1.2, 0.5, 1.1  # inches: of the figure, a board, and what is above a row and all of them


def curves(simulation, trace, granularity):
    """Misses per query against size (LINE: of caches; PAGE: entries of TLBs), a line per method: a few named ones in
    colour, the others grey. None where the trace has no such rows, or none of a size that can be."""
    kind, of, levels, what, unit, mark_unit = CURVES[granularity]
    rows = simulation.curves(trace, granularity)
    if rows.empty:
        return None
    rows = rows.assign(size=rows["cache_lines"] * unit)
    lines = rows.pivot_table(index="size", columns="method", values="per_query").loc[LEAST:MOST]
    if lines.empty:
        return None
    marks = [(mark.size * mark_unit, mark.name) for mark in simulation.marks(*levels)]
    # A little beyond the last change and the last mark nothing is to be seen.
    falling = lines.index[(lines - lines.iloc[-1] > 0.002 * lines.max().max()).any(axis=1)]
    most = [2 * size for size in falling[-1:]] + [1.5 * size for size, _ in marks]
    lines = lines.loc[: max([lines.index[0], *most]) if most else None]
    figure = plt.figure(figsize=(12, 6.0))
    axes = figure.add_axes([0.07, 0.12, 0.68, 0.72])
    size_axis(axes, lines.index[0], lines.index[-1], 1.1)
    named = [method for method in simulation.highlighted(trace) if method in lines]
    for method in named:
        label = f"{shorten(method, 26)} ({shorten(simulation.family(method), 14)})"
        axes.plot(lines[method], color=method_colour(method), linewidth=1.9, zorder=3, label=label.removesuffix(" ()"))
    title, others = "most misses first", lines.drop(columns=named)
    if others.size:
        grey = axes.plot(others, color=BAND, linewidth=1.0, zorder=2)
        grey[0].set_label(f"{len(grey)} others")
        title += ";\nthe reference and\neach family's best"
    axes.set_ylim(0, lines.max().max() * 1.04)
    axes.grid(linewidth=0.5)
    axes.set(xlabel=what, ylabel="misses per query")
    _draw_marks(axes, marks)
    place = {"loc": "upper left", "bbox_to_anchor": (0.765, 0.85), "borderaxespad": 0, "alignment": "left"}
    figure.legend(title=title, title_fontsize=8, fontsize=8.5, frameon=False, **place)
    subtitle = f"{trace}; fully associative, LRU, nothing else touches it; {granularity} B a {of}"
    heading(figure, f"Misses per query for a {kind} of every size, {SAID}", subtitle)
    return figure


def curve_finding(simulation, trace, granularity):
    """What the curves say at the first size that is marked, else at 64, for a reader who does not see them."""
    *_, levels, axis, unit, mark_unit = CURVES[granularity]
    rows, marks = simulation.curves(trace, granularity), simulation.marks(*levels)
    size, name = (marks[0].size * mark_unit, marks[0].name) if marks else (64, f"64 {axis.partition(', ')[2]}")
    below = rows[rows["cache_lines"] * unit <= size]
    if below.empty:
        return ""
    last = below.sort_values("cache_lines").groupby("method")["per_query"].last()
    return f": at {name} from {last.min():.3g} ({last.idxmin()}) to {last.max():.3g} misses a query ({last.idxmax()})"


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
    drawn = {(m, piece): board_of(rows, m, piece, column) for m in methods for piece in ("bishop", "rook")}
    norm = PowerNorm(0.5, 0, max((np.nan_to_num(board).max() for board in drawn.values()), default=0))
    if not norm.vmax > 0:
        return None
    down = math.ceil(len(methods) / ACROSS)
    height = ABOVE + down * (BOARD + HEAD)
    figure, grid = plt.subplots(max(down, 1), 2 * ACROSS, figsize=(WIDTH, height), squeeze=False)
    bottom = HEAD / height
    figure.subplots_adjust(0.03, bottom, 0.88, 1 - ABOVE / height, wspace=0.12, hspace=HEAD / BOARD)
    for axes in grid.flat:
        axes.set_axis_off()
    for axes, ((method, piece), board) in zip(grid.flat, drawn.items()):
        image = axes.imshow(board, origin="lower", cmap=DEPTHS, norm=norm, interpolation="nearest")
        _dress(axes, method, piece)
    bar = figure.colorbar(image, cax=figure.add_axes([0.93, bottom, 0.014, 1 - ABOVE / height - bottom]))
    bar.solids.set_rasterized(True)  # else each of its many bands becomes a path of the SVG
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8, length=2)
    if column == "l1d_misses":
        what, unit = "L1D misses per query, square by square", "per query"
        subtitle = f"{place.name}; a queen's query, or one for both pieces, counts for both boards"
    else:
        what, unit = "Different lines read, square by square", "lines"
        subtitle = f"{place.trace}; by queries for the one piece alone; grey: none was asked"
    bar.ax.set_title(unit, fontsize=8, fontweight="normal")
    heading(figure, f"{what}, {SAID}", f"{subtitle}; square-root colours")
    return figure


def _dress(axes, method, piece):
    """A board's frame, its names, and those of its corner squares: enough to know which way it stands."""
    axes.set_axis_on()
    axes.set_facecolor(BAND)
    for spine in axes.spines.values():
        spine.set(visible=True, color=MUTED, linewidth=0.6)
    axes.tick_params(length=0, pad=2, labelsize=6.5, labelcolor=MUTED)
    axes.set_xticks([0, 3.5, 7], ["a", piece, "h"])
    axes.set_yticks([0, 7], ["1", "8"])
    if piece == "bishop":
        style = {"color": label_colour(method), "fontsize": 8, "family": "monospace", "fontweight": "normal"}
        axes.set_title(shorten(method, 26), loc="left", pad=4, **style)


def simulation_figures(simulation):
    """Every figure of a simulation: yields (kind, stem of the file, caption, Figure or None); kind is misses, curves or
    boards. Boards of misses are of the first cache; lines, which no cache changes, are drawn once a trace."""
    used, places = set(), simulation.places
    first = {place.trace: place for place in reversed(places)}
    for place in places:
        yield "misses", unused_stem(f"misses_{place.slug}", used), place.name, simulated_misses(simulation, place)
    for trace in reversed(first):
        for granularity, stem, of in ((LINE, "curves", "cache lines"), (PAGE, "curves_pages", "pages")):
            name = unused_stem(f"{stem}_{slug(trace, '')}", used)
            about = f"{trace}, {of}{curve_finding(simulation, trace, granularity)}"
            yield "curves", name, about, curves(simulation, trace, granularity)
    for place in places:
        if (place.cache, place.pages) == (places[0].cache, places[0].pages):
            figure = boards(simulation, place, "l1d_misses")
            about = f"misses, {place.name}{_most(simulation, place, 'l1d_misses')}"
            yield "boards", unused_stem(f"squares_{place.slug}", used), about, figure
        if place == first[place.trace]:
            figure = boards(simulation, place, "distinct_lines")
            stem = unused_stem(f"lines_{slug(place.trace, '')}", used)
            about = f"different lines, {place.trace}{_most(simulation, place, 'distinct_lines')}"
            yield "boards", stem, about, figure


def _most(simulation, place, column):
    """Which method has the most, for a reader who does not see the boards."""
    sums = place.rows(simulation.squares).groupby("method")[column].sum() if simulation.squares is not None else []
    return f": {sums.idxmax()} has the most, {sums.idxmin()} the least" if len(sums) else ""
