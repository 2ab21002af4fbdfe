# SPDX-License-Identifier: MIT
"""Misses per query of every method at every level: dots for what the hardware counted, rings for what was simulated."""

from matplotlib.lines import Line2D

from report.analysis.misses import MEASURED, METRICS, SIMULATED, SOURCES, chosen_cells, of_cell, rank_correlation, series
from report.data.files import one_line, slug
from report.data.simulation import LEVELS
from report.data.words import human_number
from report.figures.axes import row_panels
from report.figures.style import MUTED, heading, method_colour, shorten

WORDS = {MEASURED: "counted by the hardware", SIMULATED: "simulated, not measured"}
ROW, LEFT = 0.2, 2.2


def misses(run, cell):
    """What the methods of a cell miss, counted and simulated, in the order of their times. None where fewer than two
    methods have a count, or none misses."""
    values = {key: of_cell(run, cell, *key) for key in series(run)}
    values = {key: found for key, found in values.items() if len(found) > 1 and max(v for v, _, _ in found.values()) > 0}
    if not values:
        return None
    rows = run.ranked(cell)
    rows = rows[rows["contender"].isin({contender for found in values.values() for contender in found})]
    panels = []
    for metric in METRICS:
        found = {source: values[metric, source] for source in SOURCES if (metric, source) in values}
        rhos = {source: human_number(rank_correlation(rows, counts)) for source, counts in found.items()}
        said = [f"\N{GREEK SMALL LETTER RHO} = {rho}, {SOURCES[source]}" for source, rho in rhos.items()]
        if found:
            panels.append((METRICS[metric], found, said))
    where = one_line(", ".join(name for name in (cell.trace, cell.pressure) if name))
    of = f"{where}; methods by time in {cell.workload}; \N{GREEK SMALL LETTER RHO}: rank correlation with that time"
    return _figure(of, list(zip(rows["contender"], rows["label"], rows["method"])), panels)


def simulated_misses(simulation, place):
    """What the methods of a simulation miss in a place: the median over the draws, with the least and the most."""
    wide = simulation.misses(place)
    panels = []
    for level in LEVELS.values():
        if level in wide.columns.get_level_values(0):
            spread = {row.Index: (row.median, row.low, row.high) for row in wide[level].itertuples()}
            panels.append((f"{level} misses", {SIMULATED: spread}, []))
    draws = simulation.counts["draw"].nunique()
    of = f"{place.name}; sorted by the first panel; medians" + (
        f", and from least to most of {draws} draws" if draws > 1 else ""
    )
    return _figure(of, [(method, method, method) for method in wide.index], panels)


def _figure(subtitle, rows, panels):
    """Panels that share their rows, (key, label, method) each; a panel is (name, source -> key -> spread, notes)."""
    names = [shorten(label, 26) for _, label, _ in rows]
    width = max(8.0, LEFT + 0.2 + 1.9 * len(panels))
    figure, drawn = row_panels(names, [name for name, *_ in panels], width, ROW, LEFT)
    for axes, (_, sources, said) in zip(drawn, panels):
        most = max((high for spreads in sources.values() for _, _, high in spreads.values()), default=0) or 1
        axes.set_xlim(-0.06 * most, 1.06 * most)
        axes.locator_params(axis="x", nbins=4)
        axes.grid(axis="x", linewidth=0.5)
        axes.axvline(0, color=MUTED, linewidth=0.8, zorder=1)
        axes.set_xlabel("\n".join(["per query", *said]), fontsize=8.5)
        _draw_points(axes, rows, sources)
    used = [source for source in SOURCES if any(source in sources for _, sources, _ in panels)]
    title = f"Misses per query at every level: {' and '.join(WORDS[source] for source in used)}"
    heading(figure, title, subtitle)
    if len(used) > 1:
        style = {"color": MUTED, "marker": "o", "linestyle": "none"}
        handles = [Line2D([], [], label=SOURCES[s], markerfacecolor=_filling(MUTED, s), **style) for s in used]
        figure.legend(handles=handles, loc="lower left", bbox_to_anchor=(0.005, 0.0), ncols=2, frameon=False)
    return figure


def _draw_points(axes, rows, sources):
    """A dot or a ring at each median, with a bar from the least to the most."""
    for source, spreads in sources.items():
        for y, (key, _, method) in enumerate(rows):
            if key in spreads:
                middle, low, high = spreads[key]
                ends = [[middle - low], [high - middle]] if high > low else None
                colour = method_colour(method)
                style = {"color": colour, "markerfacecolor": _filling(colour, source), "markersize": 6, "capsize": 3}
                axes.errorbar([middle], [y], xerr=ends, fmt="o", zorder=4, **style)


def _filling(colour, source):
    return "none" if source == SIMULATED else colour


def miss_figures(run):
    """The figures of misses of a run: yields (stem, what it is about, Figure or None)."""
    for cell in chosen_cells(run):
        about = ", ".join(filter(None, [cell.trace, cell.pressure]))
        yield f"misses_{slug(cell.trace, cell.pressure)}", f"{about}{_finding(run, cell)}", misses(run, cell)


def _finding(run, cell):
    """What the first panel shows, for a reader who does not see it."""
    found = [(key, of_cell(run, cell, *key)) for key in series(run)]
    (metric, source), counts = next(((key, c) for key, c in found if c), ((None, None), {}))
    if not counts:
        return ""
    counts = {name: value for name, (value, _, _) in counts.items()}
    ends = [f"{counts[name]:.3g} ({name})" for name in (min(counts, key=counts.get), max(counts, key=counts.get))]
    return f": {METRICS[metric]} a query, {SOURCES[source]}, from {' to '.join(ends)}"
