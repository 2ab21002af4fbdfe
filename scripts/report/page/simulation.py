# SPDX-License-Identifier: MIT
"""The page of a simulation. Nothing on it was measured, and every section says so."""

from report.data.files import one_line
from report.data.schema import CAUSES, PLACE
from report.data.simulation import LEVELS, NOT_A_METHOD, notes, pressure_words
from report.data.words import human_bytes, human_number
from report.page.html import about, render_page, shown_figures, table


def simulation_page(simulation, figures):
    """The page of a simulation, an HTML document, with the static figures that `write_figures` returned."""
    info = simulation.info
    names = ", ".join(name for name, _, _ in notes(info)) or "caches"
    pressures = {place.pressure: pressure_words(info, place.pressure) for place in simulation.places}
    return render_page(
        "simulation.html.j2",
        **about(simulation.folder, info),
        title=f"slidebench: simulated caches ({one_line(names)})",
        figures=shown_figures(figures),
        misses=_miss_table(simulation),
        tables=_tables(simulation),
        caches=notes(info),
        pressures={name: words for name, words in pressures.items() if words},
        ran={name: info.get(name) for name in ("seed", "draws", "started", "finished", "commit", "counters")},
    )


def _number(value, digits=4):
    return (human_number(value, digits), value)


def _miss_table(simulation):
    """The medians of all places and methods."""
    levels = [level for metric, level in LEVELS.items() if (simulation.counts["metric"] == metric).any()]
    rows = []
    for place in simulation.places:
        for method, row in simulation.misses(place).iterrows():
            values = [row.get((level, "median"), float("nan")) for level in levels]
            rows.append([*(getattr(place, name) for name in PLACE), method, *map(_number, values)])
    return table("misses-table", [*PLACE, "method", *(f"{level}, a query" for level in levels)], rows)


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
    size = ("\N{EN DASH}", None) if row.table == "all" else (human_bytes(row.table_bytes), row.table_bytes)
    counts = [_number(getattr(row, name), 0) for name in ("accesses", "misses", *CAUSES)]
    lines = _number(row.distinct_lines, 0)
    return [row.method, row.table, size, lines, row.level, *counts, _number(row.misses / row.queries)]
