# SPDX-License-Identifier: MIT
"""The figures of a report. Each function takes a Run and returns a matplotlib Figure; none writes a file."""

import math

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from report.analysis.misses import SOURCES, of_cell
from report.analysis.orders import recorded
from report.data.cells import COMPARED_ROLES
from report.data.files import cache_bytes
from report.data.run import clock_ghz, round_ratios
from report.data.words import human_bytes, human_number, human_ratio
from report.figures.axes import (
    MONO,
    ROW_INCHES,
    bottom_legend,
    guide_rows,
    log_axis,
    place_labels,
    plain,
    size_axis,
    times,
    verdict_handles,
)
from report.figures.style import BAND, INK, MUTED, PAPER, marker_style, method_colour, shorten, text_width

MISSES_INCHES = 0.85


def ranking(run, cell):
    """The ranked dot plot of one cell: a row a method, the fastest on top, ratios to the reference.

    Args:
        run: Run.
        cell: Cell.

    Returns:
        Figure; its height grows with the number of methods.
    """
    rows = run.ranked(cell)
    figure, wide, zoom = _ranking_axes(run, cell, rows)
    for axes in [wide] + ([zoom] if zoom is not None else []):
        _draw_band(axes, run.margin(cell))
        axes.axvline(1, color=INK, linewidth=0.8, zorder=1)
        guide_rows(axes, len(rows))
        _draw_ratios(axes, rows, enlarged=axes is zoom)
    empty = run.empty_ratio(cell)
    if empty is not None:
        wide.axvline(empty, color=MUTED, linewidth=1.1, linestyle=(0, (4, 3)), zorder=1)
    if rows["ratio"].isna().all():
        wide.text(
            0.5,
            0.5,
            "no reference ran in this cell: no ratios",
            transform=wide.transAxes,
            ha="center",
            va="center",
            color=MUTED,
            backgroundcolor=PAPER,
        )
    _ranking_legend(figure, rows, run.margin(cell), empty)
    return figure


def _ranking_axes(run, cell, rows):
    """Lays the dot plot out: names, the whole range, the neighbourhood of 1, and columns of numbers."""
    misses = _miss_column(run, cell)
    width = 12 + (MISSES_INCHES if misses else 0)
    figure = plt.figure(figsize=(width, 1))
    names = [shorten(t or a, 36) for t, a in zip(rows["title"], rows["arm"])]
    labels = [shorten(label, 26) for label in rows["label"]]
    title_width = text_width(figure, names, fontsize=9)
    left = 0.15 + title_width + 0.15 + text_width(figure, labels, fontsize=8, **MONO) + 0.2
    right, top, bottom = 3.05 + (MISSES_INCHES if misses else 0), 0.95, 0.9
    body = max(len(rows), 2) * ROW_INCHES
    height = top + body + bottom
    figure.set_size_inches(width, height)
    low, high = _ratio_range(run, cell, rows)
    reach = _zoom_reach(run, cell)
    span = width - left - right
    needs_zoom = high / low > (1 + reach) ** 4 and rows["ratio"].notna().any()
    share = 0.62 if needs_zoom else 1.0
    wide = figure.add_axes(
        [left / width, bottom / height, share * span / width - (0.02 if needs_zoom else 0), body / height]
    )
    inches = wide.get_position().width * width
    label = "time / time of the reference, logarithmic" if inches > 3.2 else "time ratio, logarithmic"
    _ratio_axis(wide, low, high, len(rows), label, min(8, max(4, int(inches / 0.55))))
    zoom = None
    if needs_zoom:
        zoom = figure.add_axes(
            [(left + share * span) / width, bottom / height, (1 - share) * span / width, body / height]
        )
        _ratio_axis(zoom, 1 / (1 + reach), 1 + reach, len(rows), "enlarged around 1", 5)
        ticks = [1 - reach / 2, 1, 1 + reach / 2]
        zoom.set_xticks(ticks, [times(round(tick, 3)) for tick in ticks])
    figure.text(0.15 / width, 1 - 0.22 / height, f"{cell.name}", fontsize=12, fontweight="bold", va="top")
    figure.text(0.15 / width, 1 - 0.46 / height, _ranking_subtitle(run, cell), fontsize=9, color=MUTED, va="top")
    heights = (bottom, body, height)
    _ranking_columns(figure, rows, names, labels, (left, title_width, right), heights, misses, cell.unit)
    return figure, wide, zoom


def _miss_column(run, cell):
    """The column of L1D misses: (its head, which says where they come from, dict arm -> misses), or None.

    One source a figure: what the hardware counted where there is any, else what was simulated.
    """
    for source in SOURCES:
        found = of_cell(run, cell, "l1d_misses", source)
        if found:
            return f"L1D misses\n{source}", found
    return None


def _ranking_subtitle(run, cell):
    reference, margin = run.one(cell, "reference"), run.margin(cell)
    parts = (
        []
        if reference is None
        else [f"1\N{MULTIPLICATION SIGN} = {reference['label']}, {human_number(reference['ns_per_query'])} ns a {cell.unit}"]
    )
    if margin is not None:
        parts.append(f"grey: the margin, \N{PLUS-MINUS SIGN}{100 * margin:g} %, fixed before the run")
    return "; ".join([*parts, *filter(None, [run.unresolved(cell)])])


def _ratio_range(run, cell, rows):
    """The ends of the ratio axis: every interval, the empty line and the band, with some air."""
    margin, empty = run.margin(cell) or 0.01, run.empty_ratio(cell)
    values = np.concatenate([rows[name].dropna() for name in ("ratio", "ratio_low", "ratio_high")])
    values = np.append(values, [1 / (1 + 2 * margin), 1 + 2 * margin] + ([empty] if empty is not None else []))
    air = (values.max() / values.min()) ** 0.05
    return values.min() / air, values.max() * air


def _zoom_reach(run, cell):
    """How far the enlarged panel reaches either side of 1: far enough for the margin to be a visible band."""
    return min(0.5, max(0.10, 4 * (run.margin(cell) or 0)))


def _ratio_axis(axes, low, high, count, label, most):
    log_axis(axes.xaxis, low, high, times, most)
    axes.set_ylim(max(count, 2) - 0.5, -0.5)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", linewidth=0.6)
    axes.set_xlabel(label)


def _ranking_columns(figure, rows, names, labels, widths, heights, misses, unit):
    """The text beside the dot plot: title and id on the left, numbers on the right; all in inches."""
    (left, title_width, right), (bottom, body, height) = widths, heights
    width = figure.get_figwidth()
    heads = [("ratio", 0.62), (f"ns a {unit}", 1.37), ("net of empty", 2.15), ("tables", 2.95)]
    if misses:
        heads.append((misses[0], 2.95 + MISSES_INCHES))
    head_y = (bottom + body + 0.06) / height
    for head, x in heads:
        figure.text((width - right + x) / width, head_y, head, ha="right", va="bottom", fontsize=8, color=MUTED)
    step = body / max(len(rows), 2)
    for i, (row, name, label) in enumerate(zip(rows.itertuples(), names, labels)):
        y = (bottom + body - (i + 0.5) * step) / height
        weight = "bold" if row.role == "reference" else "normal"
        colour = method_colour(row.method)
        figure.text(0.15 / width, y, name, va="center_baseline", fontsize=9, fontweight=weight)
        figure.text(
            (0.15 + title_width + 0.15) / width, y, label, va="center_baseline", fontsize=8, color=colour, **MONO
        )
        numbers = [
            human_ratio(row.ratio),
            human_number(row.ns_per_query),
            human_number(row.net_ns_per_query),
            human_bytes(row.table_bytes) if math.isfinite(row.table_bytes) else "\N{EN DASH}",
            human_number(misses[1].get(row.arm), 3) if misses else "",
        ]
        for (_, x), number in zip(heads, numbers):
            figure.text((width - right + x) / width, y, number, ha="right", va="center_baseline", fontsize=8.5)


def _draw_band(axes, margin):
    if margin is not None:
        axes.axvspan(1 / (1 + margin), 1 + margin, color=BAND, linewidth=0, zorder=0)


def _draw_ratios(axes, rows, enlarged):
    """The points with their intervals; a small arrow at the edge for a row whose point is beyond the axis.

    In the enlarged panel the point is small and the interval has ends, because there its width can be read.
    """
    caps = {"marker": "|", "markersize": 10, "markeredgewidth": 1.4} if enlarged else {}
    low, high = axes.get_xlim()
    for y, row in enumerate(rows.itertuples()):
        if not math.isfinite(row.ratio):
            continue
        if not low <= row.ratio <= high:
            x, sign, side = (
                (0.008, "\N{LEFTWARDS ARROW}", "left") if row.ratio < low else (0.992, "\N{RIGHTWARDS ARROW}", "right")
            )
            axes.text(
                x,
                y,
                sign,
                transform=axes.get_yaxis_transform(),
                ha=side,
                va="center",
                color=MUTED,
                fontsize=8,
                bbox={"facecolor": PAPER, "linewidth": 0, "pad": 1},
            )
            continue
        if math.isfinite(row.ratio_low) and math.isfinite(row.ratio_high):
            axes.plot(
                [row.ratio_low, row.ratio_high],
                [y, y],
                color=method_colour(row.method),
                linewidth=2.2,
                solid_capstyle="butt",
                zorder=3,
                **caps,
            )
        axes.plot([row.ratio], [y], zorder=4, **marker_style(row.method, row.verdict, 5 if enlarged else 7))


def _ranking_legend(figure, rows, margin, empty):
    handles = verdict_handles(rows["verdict"])
    handles.append(Line2D([], [], color=MUTED, linewidth=2.2, marker="|", markersize=8, label="95 % interval"))
    if margin is not None:
        handles.append(Patch(facecolor=BAND, label="margin"))
    if empty is not None:
        handles.append(
            Line2D([], [], color=MUTED, linestyle=(0, (4, 3)), label=f"the empty loop, {times(round(empty, 3))}")
        )
    bottom_legend(figure, handles)


def footprint(run, cells):
    """Table size against time, a panel a workload.

    Args:
        run: Run.
        cells: list of Cell that share trace and pressure.

    Returns:
        Figure; None where no method has both a size and a time.
    """
    panels = [(cell, _sized(run.rows(cell, *COMPARED_ROLES))) for cell in cells]
    panels = [(cell, rows) for cell, rows in panels if not rows.empty]
    if not panels:
        return None
    most = max(len(rows) for _, rows in panels)
    across = 1 if most > 16 or len(panels) == 1 else 2
    down = math.ceil(len(panels) / across)
    panel_height = 4.6 if most <= 16 else 4.6 + 0.1 * (most - 16)
    figure, grid = plt.subplots(down, across, figsize=(12, down * panel_height + 0.5), squeeze=False, sharex=True)
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    for axes in grid.flat:
        axes.tick_params(labelbottom=True)
    # All panels get their limits before the layout is fixed, and labels after: placing needs the final pixels.
    sizes = np.concatenate([rows["table_bytes"] for _, rows in panels])
    places = [_footprint_axes(run, axes, cell, rows, sizes) for axes, (cell, rows) in zip(grid.flat, panels)]
    figure.tight_layout(h_pad=2.0, w_pad=2.5, rect=(0, 0.3 / figure.get_figheight(), 1, 1))
    for axes, (cell, rows), place in zip(grid.flat, panels, places):
        corners = _front_corners(axes, rows, place)
        place_labels(
            figure,
            axes,
            [place(b) for b in rows["table_bytes"]],
            list(rows["ns_per_query"]),
            [shorten(label, 26) for label in rows["label"]],
            [method_colour(m) for m in rows["method"]],
            lines=list(zip(corners, corners[1:])),
        )
    handles = verdict_handles(verdict for _, rows in panels for verdict in rows["verdict"])
    handles.append(Line2D([], [], color=BAND, linewidth=2, label="nothing is both smaller and faster"))
    bottom_legend(figure, handles)
    return figure


def _sized(rows):
    return rows[rows["table_bytes"].notna() & rows["ns_per_query"].notna()]


def _footprint_axes(run, axes, cell, rows, sizes):
    """One panel without its labels. Returns the function that turns bytes into x."""
    caches = {name: cache_bytes(run.info, level) for name, level in (("L1D", 1), ("L2", 2))}
    caches = {name: size for name, size in caches.items() if size is not None}
    place = size_axis(axes, sizes, caches.values())
    fastest, slowest = rows["ns_per_query"].min(), rows["ns_per_query"].max()
    air = max((slowest / fastest) ** 0.12, 1.1)
    log_axis(axes.yaxis, fastest / air, slowest * air, plain)
    axes.grid(linewidth=0.5)
    for name, size in caches.items():
        axes.axvline(place(size), color=MUTED, linewidth=1, linestyle=(0, (1, 2)))
        axes.annotate(
            f" {name} {human_bytes(size)}",
            (place(size), 1),
            xycoords=("data", "axes fraction"),
            va="bottom",
            ha="center",
            fontsize=8,
            color=MUTED,
        )
    axes.plot(*zip(*_front_corners(axes, rows, place)), color=BAND, linewidth=2, zorder=1)
    for row in rows.itertuples():
        axes.plot([place(row.table_bytes)], [row.ns_per_query], zorder=4, **marker_style(row.method, row.verdict))
    axes.set(xlabel="tables, bytes (logarithmic; 0 B has its own place)", ylabel="ns a query (logarithmic)")
    axes.set_title(cell.name, loc="left", pad=18)
    return place


def front(rows):
    """The methods that no other beats in both size and time.

    Args:
        rows: DataFrame with table_bytes and ns_per_query.

    Returns:
        list of (bytes, ns), smallest table first; times fall strictly.
    """
    best, points = math.inf, []
    for size, ns in sorted(zip(rows["table_bytes"], rows["ns_per_query"])):
        if ns < best:
            best = ns
            points.append((size, ns))
    return points


def _front_corners(axes, rows, place):
    """The corners of the step that joins the front, in data coordinates, up to the right end of the axis."""
    points = [(place(size), ns) for size, ns in front(rows)]
    corners = points[:1]
    for (_, above), (x, ns) in zip(points, points[1:]):
        corners += [(x, above), (x, ns)]
    return corners + [(axes.get_xlim()[1], points[-1][1])]


def orders(run, cells):
    """The bump chart: how the ranking changes from cell to cell, and how far the cells agree.

    Args:
        run: Run.
        cells: list of Cell, at least one.

    Returns:
        Figure.
    """
    columns = [run.ranked(cell) for cell in cells]
    deepest, count = max(len(rows) for rows in columns), len(columns)
    body = max(deepest, 3) * ROW_INCHES
    square = 0.3 * count
    width = min(max(9.0, 4.4 + 1.25 * count), 22.0)
    top, legend = 1.2, 0.45
    height = top + body + legend + (square + 0.8 if count > 1 else 0)
    figure = plt.figure(figsize=(width, height))
    axes = figure.add_axes([2.2 / width, 1 - (top + body) / height, 1 - 4.4 / width, body / height])
    _draw_bumps(axes, cells, columns, deepest)
    figure.text(
        0.15 / width,
        1 - 0.2 / height,
        "The order of the methods, cell by cell",
        fontsize=12,
        fontweight="bold",
        va="top",
    )
    if count > 1:
        matrix = figure.add_axes([3.2 / width, legend / height, 1.8 * square / width, square / height])
        _draw_agreement(matrix, run, cells)
    bottom_legend(figure, verdict_handles(verdict for rows in columns for verdict in rows["verdict"]))
    return figure


def _draw_bumps(axes, cells, columns, deepest):
    places = {}
    for x, rows in enumerate(columns):
        for rank, row in enumerate(rows.itertuples()):
            places.setdefault((row.arm, row.label, row.method), {})[x] = (rank, row.verdict)
    for (_, label, method), seen in places.items():
        # A cell without the method breaks its line: a line across would claim a rank that nobody measured.
        ranks = [seen[x][0] if x in seen else float("nan") for x in range(len(columns))]
        axes.plot(range(len(columns)), ranks, color=method_colour(method), linewidth=1.8, zorder=2)
        for x, (rank, verdict) in seen.items():
            axes.plot([x], [rank], zorder=3, **marker_style(method, verdict))
        for x, side, shift in ((min(seen), "right", -0.12), (max(seen), "left", 0.12)):
            if x in (0, len(columns) - 1):
                axes.text(
                    x + shift,
                    seen[x][0],
                    shorten(label, 26),
                    ha=side,
                    va="center",
                    fontsize=8,
                    color=method_colour(method),
                    **MONO,
                )
    axes.set(xlim=(-0.3, len(columns) - 0.7), ylim=(max(deepest, 3) - 0.5, -0.5), yticks=[])
    axes.set_xticks(range(len(columns)), [_stacked(*pair) for pair in enumerate(cells)], fontsize=8)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.grid(axis="x", linewidth=0.6)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _stacked(i, cell):
    """A column's heading: the letter that the matrix calls it by, and what the cell is."""
    return "\n".join([_letter(i)] + [shorten(part, 16) for part in (cell.trace, cell.workload, cell.pressure) if part])


def _draw_agreement(axes, run, cells):
    """The matrix of rank correlations; the numbers are written, the shade only helps to find the low ones."""
    count, known = len(cells), recorded(run)
    axes.set(xlim=(-0.5, count - 0.5), ylim=(count - 0.5, -0.5))
    for i, a in enumerate(cells):
        for j, b in enumerate(cells):
            if i == j:
                continue
            rho = known[a, b].rho if (a, b) in known else None
            depth = 0.0 if rho is None else min(1.0, 2 * (1 - rho))
            axes.add_patch(plt.Rectangle((j - 0.46, i - 0.46), 0.92, 0.92, facecolor=BAND, alpha=depth, linewidth=0))
            axes.text(j, i, human_number(rho), ha="center", va="center", fontsize=8)
    letters = [_letter(i) for i in range(count)]
    axes.set_xticks(range(count), letters, fontsize=8)
    axes.xaxis.tick_top()
    axes.set_yticks(range(count), [f"{shorten(c.name, 34)}  {letter}" for c, letter in zip(cells, letters)], fontsize=8)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_title(
        "Spearman's \N{GREEK SMALL LETTER RHO} between the orders of two cells (1 = the same order)",
        loc="left",
        fontsize=9,
        pad=8,
    )


def _letter(i):
    return chr(ord("A") + i) if i < 26 else str(i + 1)


def rounds(run, cells):
    """Diagnostics: what noise looked like. The A/A control's log ratio and the clock rate, round by round.

    Args:
        run: Run.
        cells: list of Cell, at least one.

    Returns:
        Figure with a row of two panels a cell.
    """
    count = len(cells)
    height = 0.8 + 1.75 * count
    figure, grid = plt.subplots(count, 2, figsize=(12, height), squeeze=False)
    # Set in inches: matplotlib's own layout gives up where there are many rows.
    figure.subplots_adjust(left=0.06, right=0.99, top=1 - 0.3 / height, bottom=0.5 / height, wspace=0.14, hspace=0.42)
    for (left, right), cell in zip(grid, cells):
        _draw_aa(left, run, cell)
        _draw_clock(right, run, cell)
    for axes in grid[-1]:
        axes.set_xlabel("round, over all launches (a line between launches)")
    return figure


def _draw_aa(axes, run, cell):
    axes.set_title(f"A/A, {cell.name}", loc="left", fontsize=9)
    ratios, margin = round_ratios(run, cell), run.margin(cell)
    if ratios is None:
        _say_missing(axes, "no A/A control in this cell")
        return
    if margin is not None:
        axes.axhspan(-100 * math.log1p(margin), 100 * math.log1p(margin), color=BAND, linewidth=0, zorder=0)
    axes.axhline(0, color=INK, linewidth=0.8)
    least = 200 * (margin or 0.01)
    _draw_rounds(axes, ratios, 100 * ratios["log_ratio"], ratios["disturbed"], 0.0, least)
    axes.set_ylabel("ln ratio, %")


def _draw_clock(axes, run, cell):
    axes.set_title(f"clock, {cell.name}", loc="left", fontsize=9)
    clock = clock_ghz(run, cell)
    if clock is None:
        _say_missing(axes, "no clock arm in this cell")
        return
    middle = clock["ghz"].median()
    _draw_rounds(axes, clock, clock["ghz"], np.zeros(len(clock), dtype=bool), middle, 0.02 * middle)
    axes.ticklabel_format(axis="y", useOffset=False)
    axes.set_ylabel("GHz")


def _draw_rounds(axes, frame, values, disturbed, middle, least):
    """Dots over the rounds in order, hollow where something disturbed the slice, with a line between launches.

    A few rounds far out would flatten all others: the axis holds what 19 of 20 rounds need, with room, and what lies
    beyond is a triangle at its edge. None is left out.

    Args:
        axes: matplotlib Axes.
        frame: DataFrame with launch, a row a round.
        values: (rounds,), unit of the axis.
        disturbed: bool, (rounds,).
        middle: value in the middle of the axis.
        least: the axis reaches at least so far either side of it.
    """
    x, values, disturbed = np.arange(len(frame)), np.asarray(values), np.asarray(disturbed, dtype=bool)
    reach = max(least, 1.8 * np.quantile(np.abs(values - middle), 0.95))
    shown = np.clip(values, middle - reach, middle + reach)
    high, low = values > shown, values < shown
    inside = ~high & ~low
    axes.plot(x[inside & ~disturbed], shown[inside & ~disturbed], ".", color=MUTED, markersize=4)
    axes.plot(
        x[inside & disturbed],
        shown[inside & disturbed],
        "o",
        markersize=4,
        markerfacecolor="none",
        markeredgecolor=INK,
        markeredgewidth=0.8,
    )
    for beyond, shape in ((high, "^"), (low, "v")):
        axes.plot(x[beyond], shown[beyond], shape, color=INK, markersize=5, clip_on=False)
    axes.set_ylim(middle - 1.05 * reach, middle + 1.05 * reach)
    launches = frame["launch"].to_numpy()
    for border in np.flatnonzero(launches[1:] != launches[:-1]):
        axes.axvline(border + 0.5, color=MUTED, linewidth=0.8, linestyle=(0, (2, 2)))
    axes.grid(axis="y", linewidth=0.5)


def _say_missing(axes, words):
    axes.text(0.5, 0.5, words, transform=axes.transAxes, ha="center", va="center", color=MUTED)
    axes.set(xticks=[], yticks=[])
