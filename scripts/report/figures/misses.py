# SPDX-License-Identifier: MIT
"""Misses a query of every method at every level: counted ones beside simulated ones."""

import math

import matplotlib.pyplot as plt
from matplotlib.lines import Line2D

from report.analysis.misses import METRICS, PAPI, SIMULATED, SOURCES, groups, of_cell, series
from report.data.files import one_line, slug
from report.data.words import human_number
from report.figures.axes import guide_rows
from report.figures.style import MUTED, method_colour, shorten


def misses(run, cells):
    """Events a query of every method at every level, counted ones filled, simulated ones hollow.

    Args:
        run: Run.
        cells: list of Cell that share their counts; the first has the order of the methods.

    Returns:
        Figure; None where fewer than two methods have a count, or none misses.
    """
    cell = cells[0]
    values = {key: of_cell(run, cell, *key) for key in series(run)}
    values = {key: found for key, found in values.items() if len(found) > 1 and max(found.values()) > 0}
    if not values:
        return None
    rows = run.ranked(cell)
    rows = rows[rows["arm"].isin({arm for found in values.values() for arm in found})].reset_index(drop=True)
    metrics = [metric for metric in METRICS if any(key[0] == metric for key in values)]
    figure, panels = _panels(rows, len(metrics))
    for axes, metric in zip(panels, metrics):
        said = []
        for source in SOURCES:
            found = values.get((metric, source), {})
            for y, row in enumerate(rows.itertuples()):
                if row.arm in found:
                    _point(axes, found[row.arm], y, row.method, source)
            if found:
                said.append(f"\N{GREEK SMALL LETTER RHO} = {human_number(_rho(rows, found))}, {SOURCES[source]}")
        axes.axvline(0, color=MUTED, linewidth=0.8, zorder=1)
        axes.set_title(METRICS[metric], loc="left", fontsize=9.5)
        axes.set_xlabel("\n".join(["a query", *said]), fontsize=8.5)
    sources = [source for source in SOURCES if any(key[1] == source for key in values)]
    _head(figure, cell, sources)
    return figure


def _panels(rows, count):
    """A figure with a panel a metric, which share their rows: names on the left."""
    left, right, top, bottom, gap = 2.2, 0.2, 0.95, 1.15, 0.2
    body = max(len(rows), 3) * 0.2
    width, height = max(8.0, left + right + 1.9 * count), top + body + bottom
    figure = plt.figure(figsize=(width, height))
    each = (width - left - right - gap * (count - 1)) / count
    panels = []
    for i in range(count):
        axes = figure.add_axes(
            [(left + i * (each + gap)) / width, bottom / height, each / width, body / height],
        )
        axes.set_ylim(max(len(rows), 3) - 0.5, -0.5)
        names = [shorten(label, 26) for label in rows["label"]] if i == 0 else []
        axes.set_yticks(range(len(names)), names, fontsize=8.5)
        axes.tick_params(length=0, axis="y")
        axes.spines["left"].set_visible(False)
        axes.locator_params(axis="x", nbins=4)
        axes.margins(x=0.06)
        axes.grid(axis="x", linewidth=0.5)
        guide_rows(axes, len(rows))
        panels.append(axes)
    return figure, panels


def _point(axes, value, y, method, source):
    """A dot for what was counted, a ring for what was simulated."""
    colour = method_colour(method)
    fill = "none" if source == SIMULATED else colour
    axes.plot([value], [y], "o", color=colour, markerfacecolor=fill, markersize=6, zorder=4, linestyle="none")


def _rho(rows, found):
    """Spearman's rank correlation of counts with the cell's times; NaN where there is none."""
    both = rows[["arm", "ns_per_query"]].assign(count=rows["arm"].map(found)).dropna()
    return both[["count", "ns_per_query"]].rank().corr().iloc[0, 1] if len(both) > 1 else math.nan


def _head(figure, cell, sources):
    width, height = figure.get_size_inches()
    words = {PAPI: "counted by the hardware (papi)", SIMULATED: "simulated, not measured"}
    title = f"Misses a query at every level: {' beside '.join(words[source] for source in sources)}"
    where = one_line(", ".join(name for name in (cell.trace, cell.pressure) if name))
    of = f"{where}; methods by time in {cell.workload}; \N{GREEK SMALL LETTER RHO}: rank correlation with that time"
    figure.text(0.15 / width, 1 - 0.2 / height, title, fontsize=12, fontweight="bold", va="top")
    figure.text(0.15 / width, 1 - 0.45 / height, of, fontsize=9, color=MUTED, va="top")
    if len(sources) > 1:
        handles = [
            Line2D([], [], color=MUTED, marker="o", linestyle="none", label=label, markerfacecolor=fill)
            for label, fill in (("counted", MUTED), ("simulated", "none"))
        ]
        figure.legend(handles=handles, loc="lower left", bbox_to_anchor=(0.005, 0.0), ncols=2, frameon=False)


def miss_figures(run):
    """The figures of misses of a run.

    Args:
        run: Run.

    Yields:
        (stem, cells, Figure).
    """
    for cells in groups(run):
        figure = misses(run, cells)
        if figure is not None:
            cell = cells[0]
            counted = any(source == PAPI and of_cell(run, cell, m, source) for m, source in series(run))
            where = [cell.workload, cell.trace] if counted else [cell.trace]
            yield f"misses_{slug(*where, cell.pressure)}", cells, figure
