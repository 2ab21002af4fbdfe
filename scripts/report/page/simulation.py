# SPDX-License-Identifier: MIT
"""The page of a simulation. Nothing on it was measured, and every section says so."""

from report.data.files import dig, one_line
from report.data.schema import CAUSES, PLACE
from report.data.simulation import LEVELS, LINE, NOT_A_METHOD, REFERENCE, notes, pressure_words
from report.data.words import human_bytes, human_number
from report.page.html import about, render_page, shown_figures, table


def simulation_page(simulation, figures):
    """The page of a simulation, an HTML document, with the static figures that `write_figures` returned."""
    info = simulation.info
    names = ", ".join(name for name, _, _ in notes(info)) or "caches"
    done = [(name, dig(info, name)) for name in ("seed", "draws", "started", "finished", "commit")]
    return render_page(
        "simulation.html.j2",
        **about(simulation.folder, info),
        title=f"slidebench: simulated caches ({one_line(names)})",
        findings=[(place.name, _said(simulation, place)) for place in simulation.places],
        figures=shown_figures(figures),
        numbers={"misses": _miss_table(simulation), "curves": _curve_table(simulation), "boards": None},
        tables=_tables(simulation),
        caches=notes(info),
        done=[*done, ("counts", dig(info, "counters", "reason"))],
    )


def _said(simulation, place):
    """One sentence on a place: who misses least and most in the first level, and where the reference stands."""
    wide = simulation.misses(place)
    level = wide.columns.get_level_values(0)[0]
    middle = wide[level]["median"]
    least = lambda rows: f"from {human_number(rows.iloc[0], 4)} ({rows.index[0]})"  # noqa: E731
    free, rest = int((middle < 0.00005).sum()), middle[middle >= 0.00005]
    said = f"{level} misses a query: " + (f"none, to four decimals, in {free} of {len(middle)} methods" if free else "")
    if rest.empty:
        return said + "."
    said += f"{'; then ' if free else ''}{least(rest)} to {human_number(middle.iloc[-1], 4)} ({middle.index[-1]})"
    if REFERENCE in middle.index:
        said += f"; the reference, {REFERENCE}, {human_number(middle[REFERENCE], 4)}"
    words = pressure_words(simulation.info, place.pressure)
    return f"{said}." + (f" Pressure: {words}." if words else "")


def _number(value, digits=4):
    return (human_number(value, digits), float(value))


def _miss_table(simulation):
    """(heading, table) of all medians."""
    levels = [level for metric, level in LEVELS.items() if (simulation.counts["metric"] == metric).any()]
    rows = []
    for place in simulation.places:
        wide = simulation.misses(place)
        for method in wide.index:
            values = [wide.loc[method].get((level, "median"), float("nan")) for level in levels]
            rows.append([*(getattr(place, name) for name in PLACE), method, *map(_number, values)])
    heads = [*PLACE, "method", *(f"{level}, a query" for level in levels)]
    return "All numbers, simulated: medians over the draws", table("misses-table", heads, rows)


def _curve_table(simulation):
    """(heading, table) of misses a query at the sizes that the simulated caches have; None without curves."""
    sizes, rows, shown = sorted({mark.size for mark in simulation.marks("L1D", "L2")}), [], []
    for trace in dict.fromkeys(place.trace for place in simulation.places):
        at = simulation.curves(trace, LINE, 0)
        if not at.empty:
            wide = at.pivot_table(index="method", columns="cache_lines", values="per_query")
            shown = [size for size in sizes if size / LINE in wide.columns]
            rows += [
                [trace, method, *(_number(wide.loc[method, size / LINE]) for size in shown)] for method in wide.index
            ]
    if not rows or not shown:
        return None
    heading = "Every method at the sizes of the simulated caches, misses a query"
    return heading, table("curves-table", ["trace", "method", *map(human_bytes, shown)], rows)


def _tables(simulation):
    """(heading, table) a place: every table of every method at every level."""
    if simulation.tables is None:
        return []
    heads = ["method", "table", "bytes", "different lines", "level", "accesses", "misses", *CAUSES, "misses a query"]
    rows, found = simulation.tables, []
    rows = rows[(rows["draw"] == rows["draw"].min()) & (rows["method"] != NOT_A_METHOD)]
    for number, place in enumerate(simulation.places):
        here = place.rows(rows)
        if not here.empty:
            cells = [_table_row(row) for row in here.itertuples()]
            found.append((f"{place.name}: {len(here)} rows", table(f"tables-{number}", heads, cells)))
    return found


def _table_row(row):
    size = (
        ("\N{EN DASH}", float("nan")) if row.table == "all" else (human_bytes(row.table_bytes), float(row.table_bytes))
    )
    counts = [_number(getattr(row, name), 0) for name in ("accesses", "misses", *CAUSES)]
    lines = _number(row.distinct_lines, 0)
    return [row.method, row.table, size, lines, row.level, *counts, _number(row.misses / row.queries)]
