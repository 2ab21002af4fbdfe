# SPDX-License-Identifier: MIT
"""L1D misses beside times: joined to a run's methods, each source apart from the other, and drawn against what
explains them.

Counts of the hardware (`papi`) belong to the workload in which they were taken. Simulated ones belong to a replay of
the trace, and so to every workload on it under the same pressure.
"""

import math
from dataclasses import dataclass

import matplotlib.pyplot as plt

import report_data
from report_axes import log_axis, place_labels, plain, size_axis
from report_data import COMPARED_ROLES, Cell, human_number, one_line
from report_figures import bottom_legend, verdict_handles
from report_style import MUTED, marker_style, method_colour, shorten

METRIC = "l1d_misses"
REPLAY = "replay"
PAPI, SIMULATED = "papi", "simulated"


def sources(run):
    """The sources of L1D misses that a run has, counted before simulated.

    Args:
        run: Run.

    Returns:
        list of str.
    """
    if run.counters is None:
        return []
    found = set(run.counters[run.counters["metric"] == METRIC]["source"])
    return [source for source in (PAPI, SIMULATED) if source in found]


def of_cell(run, cell, source):
    """L1D misses a query of the methods of a cell, from one source.

    Args:
        run: Run.
        cell: Cell.
        source: `papi` or `simulated`.

    Returns:
        dict arm -> float; arms without a count are missing.
    """
    if run.counters is None:
        return {}
    counts = run.counters
    counts = counts[(counts["metric"] == METRIC) & (counts["source"] == source) & (counts["trace"] == cell.trace)]
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


@dataclass(frozen=True)
class Axis:
    """What misses are drawn against.

    Attributes:
        cell: whose rows; its time is the axis where `column` is `ns_per_query`.
        column: `table_bytes` or `ns_per_query`.
        rho: Spearman's rank correlation with the misses; NaN where it has none.
        methods: of how many methods.
    """

    cell: Cell
    column: str
    rho: float
    methods: int

    @property
    def name(self):
        """str: the axis in words."""
        return "table bytes" if self.column == "table_bytes" else f"time in {self.cell.workload}"


def candidates(run, cells, source):
    """What could explain the misses of some cells that share their counts, the best first.

    Args:
        run: Run.
        cells: list of Cell.
        source: `papi` or `simulated`.

    Returns:
        list of Axis: table bytes once, and the time of each cell, by the size of the rank correlation.
    """
    found = [_axis(run, cells[0], source, "table_bytes"), *(_axis(run, c, source, "ns_per_query") for c in cells)]
    return sorted(found, key=lambda axis: -abs(axis.rho) if math.isfinite(axis.rho) else 1)


def _axis(run, cell, source, column):
    rows = _joined(run, cell, source)[["misses", column]].dropna()
    rho = rows.rank().corr().iloc[0, 1] if len(rows) > 1 else math.nan
    return Axis(cell, column, float(rho), len(rows))


def _joined(run, cell, source):
    """The rows of a cell that have a count, with the column `misses`."""
    rows = run.rows(cell, *COMPARED_ROLES)
    return rows.assign(misses=rows["arm"].map(of_cell(run, cell, source))).dropna(subset=["misses"])


def groups(run):
    """Cells that share their counts: (source, list of Cell). Simulated counts hold for all workloads on a trace."""
    for source in sources(run):
        if source == SIMULATED:
            for key in dict.fromkeys((cell.trace, cell.pressure) for cell in run.plain):
                yield source, [cell for cell in run.plain if (cell.trace, cell.pressure) == key]
        else:
            for cell in run.plain:
                yield source, [cell]


def figure_of(run, cells, source):
    """Misses against table bytes or time, whichever goes with them more.

    Args:
        run: Run.
        cells: list of Cell that share their counts.
        source: `papi` or `simulated`; one figure never holds both.

    Returns:
        Figure; None where fewer than two methods have a count, or none misses.
    """
    axis, *others = candidates(run, cells, source)
    rows = _joined(run, axis.cell, source)
    rows = rows[rows[axis.column].notna()]
    if len(rows) < 2 or not rows["misses"].max() > 0:
        return None
    height = 5.6 if len(rows) <= 16 else 5.6 + 0.1 * (len(rows) - 16)
    figure = plt.figure(figsize=(12, height))
    axes = figure.add_axes([0.07, 1.2 / height, 0.91, 1 - 1.95 / height])
    xs = _x_axis(axes, axis, rows)
    most = rows["misses"].max()
    axes.set_ylim(-0.12 * most, 1.08 * most)
    axes.axhline(0, color=MUTED, linewidth=0.8)
    axes.set_yticks([tick for tick in axes.get_yticks() if 0 <= tick <= 1.08 * most])
    axes.set_ylabel(f"L1D misses a query, {_said(source)}")
    axes.grid(linewidth=0.5)
    for x, row in zip(xs, rows.itertuples()):
        axes.plot([x], [row.misses], zorder=4, **marker_style(row.method, row.verdict))
    place_labels(
        figure,
        axes,
        xs,
        list(rows["misses"]),
        [shorten(label, 26) for label in rows["label"]],
        [method_colour(method) for method in rows["method"]],
        lines=[((axes.get_xlim()[0], 0), (axes.get_xlim()[1], 0))],
    )
    title = f"L1D misses against {axis.name}: {_said(source)}"
    figure.text(0.15 / 12, 1 - 0.2 / height, title, fontsize=12, fontweight="bold", va="top")
    figure.text(0.15 / 12, 1 - 0.45 / height, _subtitle(axis, others), fontsize=9, color=MUTED, va="top")
    bottom_legend(figure, verdict_handles(rows["verdict"]))
    return figure


def _said(source):
    return "simulated, not measured" if source == SIMULATED else "counted by the hardware (papi)"


def _x_axis(axes, axis, rows):
    """Gives the x axis its scale; returns where the rows are on it."""
    values = list(rows[axis.column])
    if axis.column == "table_bytes":
        place = size_axis(axes, values, [])
        axes.set_xlabel("tables, bytes (logarithmic; 0 B has its own place)")
        return [place(value) for value in values]
    air = max((max(values) / min(values)) ** 0.08, 1.05)
    log_axis(axes.xaxis, min(values) / air, max(values) * air, plain)
    axes.set_xlabel(f"ns a query in {axis.cell.workload} (logarithmic)")
    return values


def _subtitle(axis, others):
    cell = axis.cell
    where = one_line(f"{cell.trace}, {cell.pressure}" if cell.pressure else cell.trace)
    rhos = "; ".join(f"{other.name} {human_number(other.rho)}" for other in (axis, *others))
    words = f"of {axis.methods} methods' misses with"
    return f"{where}; Spearman's \N{GREEK SMALL LETTER RHO} {words}: {rhos}"


def draw_all(run):
    """The figures of misses of a run.

    Args:
        run: Run.

    Yields:
        (stem, cells, Figure).
    """
    for source, cells in groups(run):
        figure = figure_of(run, cells, source)
        if figure is not None:
            cell = cells[0]
            where = [cell.trace] if source == SIMULATED else [cell.workload, cell.trace]
            yield f"misses_{source}_{report_data.slug(*where, cell.pressure)}", cells, figure
