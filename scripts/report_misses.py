# SPDX-License-Identifier: MIT
"""Misses and instructions of a run's methods: joined to its cells, what was counted beside what was simulated.

Counts of the hardware (`papi`) belong to the workload in which they were taken. Simulated ones belong to a replay of
the trace, and so to every workload on it under the same pressure. What a query executes (kernel.csv) belongs to the
method.
"""

import math

import matplotlib.pyplot as plt
from matplotlib.lines import Line2D

import report_data
import report_simulation
from report_axes import guide_rows
from report_data import COMPARED_ROLES, human_number, one_line, read_csv
from report_style import MUTED, method_colour, shorten

REPLAY = "replay"
PAPI, SIMULATED = "papi", "simulated"
SOURCES = {PAPI: "counted", SIMULATED: "simulated"}
# metric of counters.csv -> what a reader calls it
LEVELS = {metric: f"{level} misses" for metric, level in report_simulation.LEVELS.items()}
LEVELS["branch_misses"] = "mispredicted branches"
# column of kernel.csv -> its name on the page
KERNEL = {
    "instructions_per_query": "instructions",
    "loads_per_query": "loads",
    "branches_per_query": "branches",
    "code_bytes": "code",
}


def series(run):
    """What a run has counts of: list of (metric, source), in the order of LEVELS, counted before simulated."""
    if run.counters is None:
        return []
    found = set(zip(run.counters["metric"], run.counters["source"]))
    return [(metric, source) for metric in LEVELS for source in SOURCES if (metric, source) in found]


def of_cell(run, cell, metric, source):
    """Events a query of the methods of a cell, from one source.

    Args:
        run: Run.
        cell: Cell.
        metric: of LEVELS.
        source: `papi` or `simulated`.

    Returns:
        dict arm -> float; arms without a count are missing.
    """
    if run.counters is None:
        return {}
    counts = run.counters
    counts = counts[(counts["metric"] == metric) & (counts["source"] == source) & (counts["trace"] == cell.trace)]
    counts = counts[_usual(counts["pressure"]) == (cell.pressure or "isolated")]
    simulated = source == SIMULATED
    counts = counts[counts["workload"] == (REPLAY if simulated else cell.workload)]
    counts = _one_cache(_same_choices(counts, cell, "kinds"), cell.pages) if simulated else _same_choices(counts, cell)
    # A simulation replays a method, whatever level its arms were compiled for; hardware counts an arm.
    by = "method" if simulated else "arm"
    medians = counts.groupby(by)["per_query"].median()
    rows = run.rows(cell, *COMPARED_ROLES)
    return {arm: float(medians[key]) for arm, key in zip(rows["arm"], rows[by]) if key in medians.index}


def _usual(pressures):
    return pressures.where(pressures != "", "isolated")


def _same_choices(counts, cell, *columns):
    """Rows that were counted with a cell's kinds, pages and co-runners (or some of these)."""
    for column, usual in (("kinds", "all"), ("pages", "4k"), ("corunners", "0")):
        chosen = str(getattr(cell, column))
        if columns and column not in columns:
            continue
        if column in counts.columns:
            counts = counts[counts[column].where(counts[column] != "", usual) == chosen]
        elif chosen != usual:
            counts = counts.iloc[:0]
    return counts


def _one_cache(counts, pages):
    """Rows of this machine's caches, or of the first that was simulated; with the cell's pages if there are any."""
    for column, usual in (("cache", "host"), ("pages", pages)):
        if column in counts.columns and not counts.empty:
            names = counts[column]
            counts = counts[names == (usual if (names == usual).any() else names.iloc[0])]
    return counts


def kernels(run):
    """What a query executes, from the file kernel.csv of a run's folder, as `slidebench kernel --format csv` prints it.

    Args:
        run: Run.

    Returns:
        dict (method, level) -> dict of KERNEL's names -> float; empty without a file.

    Raises:
        ReportError: the file is broken.
    """
    path = run.folder / "kernel.csv"
    if not path.exists():
        return {}
    rows = read_csv(path, ["method", "level"], list(KERNEL))
    return {
        (row["method"], row["level"]): {name: row[column] for column, name in KERNEL.items()}
        for row in rows.to_dict("records")
    }


def groups(run):
    """Lists of cells that share a figure: a plain cell of its own where the hardware counted in it, else all workloads
    on a trace under a pressure, which share their simulated counts."""
    counted = [metric for metric, source in series(run) if source == PAPI]
    own = [cell for cell in run.plain if any(of_cell(run, cell, metric, PAPI) for metric in counted)]
    shared = {}
    for cell in run.plain:
        shared.setdefault(cell if cell in own else (cell.trace, cell.pressure), []).append(cell)
    return list(shared.values())


def figure_of(run, cells):
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
    metrics = [metric for metric in LEVELS if any(key[0] == metric for key in values)]
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
        axes.set_title(LEVELS[metric], loc="left", fontsize=9.5)
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


def draw_all(run):
    """The figures of misses of a run.

    Args:
        run: Run.

    Yields:
        (stem, cells, Figure).
    """
    for cells in groups(run):
        figure = figure_of(run, cells)
        if figure is not None:
            cell = cells[0]
            counted = any(source == PAPI and of_cell(run, cell, m, source) for m, source in series(run))
            where = [cell.workload, cell.trace] if counted else [cell.trace]
            yield f"misses_{report_data.slug(*where, cell.pressure)}", cells, figure
