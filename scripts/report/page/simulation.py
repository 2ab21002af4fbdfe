# SPDX-License-Identifier: MIT
"""The page of a simulation. Nothing on it was measured, and every section says so."""

import math

import pandas as pd

from report.data.files import one_line
from report.data.schema import CAUSES, PLACE
from report.data.simulation import NOT_A_METHOD, notes, pressure_words
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
        ran={name: info.get(name) for name in ("draws", "started", "finished", "commit", "counters")},
    )


def _table_of(name, rows):
    """A DataFrame as a sortable table."""
    cells = [[_shown(value) for value in row] for row in rows.to_numpy().tolist()]
    return table(name, [str(column).replace("_", " ") for column in rows.columns], cells)


def _shown(value):
    """A text as it is; a number with at most four decimals, and to sort by."""
    if not isinstance(value, float):
        return value
    return (f"{round(value, 4):.12g}" if math.isfinite(value) else "\N{EN DASH}", value)


def _miss_table(simulation):
    """The medians of all places and methods, misses per query."""
    medians = [(place, simulation.misses(place).xs("median", axis=1, level=1)) for place in simulation.places]
    rows = pd.concat([found.assign(**vars(place)) for place, found in medians]).reset_index()
    return _table_of("misses-table", rows[[*PLACE, *rows.columns.difference(PLACE, sort=False)]])


def _tables(simulation):
    """(heading, table) a place: every table of every method at every level."""
    if simulation.tables is None:
        return []
    rows = simulation.tables.assign(misses_a_query=simulation.tables["misses"] / simulation.tables["queries"])
    rows = rows[(rows["draw"] == rows["draw"].min()) & (rows["method"] != NOT_A_METHOD)]
    columns = ["method", "table", "table_bytes", "distinct_lines", "level", "accesses", "misses", *CAUSES]
    here = [(place.name, place.rows(rows)[[*columns, "misses_a_query"]]) for place in simulation.places]
    return [(f"{name}: {len(part)} rows", _table_of(f"tables-{i}", part)) for i, (name, part) in enumerate(here)]
