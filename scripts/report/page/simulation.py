# SPDX-License-Identifier: MIT
"""The page of a simulation, of the same parts and looks as a run's."""

import math

from report.data.files import dig, one_line
from report.data.schema import CAUSES, PLACE
from report.data.simulation import LEVELS, LINE, NOT_A_METHOD, REFERENCE, notes, pressure_words
from report.data.words import human_bytes, human_number
from report.figures.style import method_colour
from report.page.html import (
    build_pairs,
    command_text,
    definitions,
    document,
    downloads_section,
    esc,
    inline_svg,
    machine_pairs,
    methods_section,
    table,
    text_cell,
    traces_section,
)
from report.page.payload import themed

SECTIONS = {
    "misses": (
        "misses",
        "Misses a query",
        "Simulated, not measured. A row a method, the fewest L1D misses on top; a panel a level, each with a scale of "
        "its own. A point is the median over the draws, which place the tables on random physical pages; the bar "
        "reaches from the least to the most. Only what the method itself reads is counted, updates of its own board "
        "included; what the pressure misses is not. A miss of the first level is no cost by itself: most are hidden "
        "behind other work, and the simulation cannot say how many.",
    ),
    "curves": (
        "curves",
        "Misses for every cache size",
        "Simulated, not measured, from exact reuse distances: what a fully associative cache with LRU replacement "
        "would miss at each size, without conflicts and with nothing else in it. Where a curve falls, a part of the "
        "tables begins to fit. Dotted lines are the levels of the simulated caches. With many methods only the "
        "reference and the best of each family (fewest misses in the smallest simulated L1D) have a colour; the table "
        "below has all of them. Methods without tables never miss and are left out.",
    ),
    "surface": (
        "surface",
        "Misses over cache size and pressure",
        "Simulated, not measured: the same model, with an engine that touches so many lines of an 8 MiB block at "
        "each evaluation. Light misses little. A row from bottom to top is an engine that does more between queries; "
        "a method whose contours lean far to the right needs a cache that such an engine does not leave it. Rows and "
        "columns are not evenly spaced in lines and bytes.",
    ),
    "boards": (
        "boards",
        "Square by square",
        "Simulated, not measured. Two boards a method, a1 at the bottom left; all of a figure share one scale. Misses "
        "are those of the first simulated cache's L1D over queries, and a query for a queen or for both pieces counts "
        "on both boards in full. Different lines are cache lines that were read at least once; they come from queries "
        "for the one piece alone, because a queen's query reads the lines of both. Methods whose boards would hold "
        "nothing but zeros are left out.",
    ),
}


def simulation_page(simulation, figures):
    """Writes the page.

    Args:
        simulation: Simulation.
        figures: list of (kind, stem, caption, svg bytes) in the order of the page.

    Returns:
        str, the whole HTML document.
    """
    names = ", ".join(name for name, _, _ in notes(simulation.info)) or "caches"
    sections = [_findings(simulation)]
    for kind in SECTIONS:
        sections.append(_figures(simulation, figures, kind))
    sections += [
        _tables(simulation),
        _caches(simulation),
        methods_section(simulation),
        _machine(simulation),
        traces_section(simulation),
        downloads_section(simulation, figures),
    ]
    return document(f"slidebench: simulated caches ({names})", _subtitle(simulation), _banners(simulation), sections)


def _subtitle(simulation):
    info = simulation.info
    changed = ", with uncommitted changes" if dig(info, "dirty") is True else ""
    return (
        "What the tables of chess sliding-piece attack generators miss in modelled caches. Started "
        f"{esc(dig(info, 'started'))}, commit <code>{esc(dig(info, 'commit'))}</code>{changed}."
    )


def _banners(simulation):
    html = (
        '<p class="banner" role="note"><strong>Simulated, not measured.</strong> Every number on this page comes from '
        "a model of caches and TLBs. It can explain a measured ranking; it does not replace one.</p>\n"
    )
    complete = dig(simulation.info, "complete")
    if complete is not True:
        state = "This simulation is incomplete" if complete is False else "Whether it is complete was not recorded"
        html += (
            f'<p class="banner bad" role="alert"><strong>{state}.</strong> Methods, pressures or traces may be '
            "missing.</p>\n"
        )
    return html


def _findings(simulation):
    sentences = "".join(
        f"<li><strong>{esc(p.name)}.</strong> {esc(_said(simulation, p))}</li>\n" for p in simulation.places
    )
    return "findings", "What this simulation says", f"<ul>\n{sentences}</ul>"


def _said(simulation, place):
    """One sentence on a place: who misses least and most in L1D, and where the reference stands."""
    wide = simulation.misses(place)
    level = wide.columns.get_level_values(0)[0]
    middle = wide[level]["median"]
    free = list(middle[middle < 0.00005].index)
    said = f"{level} misses a query: "
    if free:
        said += f"none, to four decimals, in {len(free)} of {len(middle)} methods"
        rest = middle[middle >= 0.00005]
        if rest.empty:
            return said + "."
        said += f"; then from {human_number(rest.iloc[0], 4)} ({rest.index[0]})"
    else:
        said += f"from {human_number(middle.iloc[0], 4)} ({middle.index[0]})"
    said += f" to {human_number(middle.iloc[-1], 4)} ({middle.index[-1]})"
    if REFERENCE in middle.index:
        reference = REFERENCE
        said += f"; the reference, {reference}, {human_number(middle[reference], 4)}"
    words = pressure_words(simulation.info, place.pressure)
    return f"{said}." + (f" Pressure: {words}." if words else "")


def _figures(simulation, figures, kind):
    anchor, heading, caption = SECTIONS[kind]
    chosen = [(i, *figure[1:]) for i, figure in enumerate(figures) if figure[0] == kind]
    if not chosen:
        return None
    html = f'<p class="note"><strong>How to read it.</strong> {esc(caption)}</p>\n'
    for number, stem, about, svg in chosen:
        html += (
            f'<figure>\n<div class="scroll">{inline_svg(svg, number, f"{heading}, simulated: {about}")}</div>\n'
            f"<figcaption>Simulated, not measured: {esc(about)}. "
            f'<a href="plots/{esc(stem)}.svg">SVG</a> <a href="plots/{esc(stem)}.png">PNG</a></figcaption>\n</figure>\n'
        )
    if kind == "misses":
        html += _miss_table(simulation)
    if kind == "curves":
        html += _curve_table(simulation)
    return anchor, heading, html


def _method_cell(method):
    mark = f'<span style="color: {themed(method_colour(method))}">\u25a0</span> '
    return (f'{mark}<span class="id">{esc(method)}</span>', None)


def _number_cell(value, digits=4):
    return (human_number(value, digits), value)


def _miss_table(simulation):
    heads = [(name, False) for name in ("trace", "pressure", "cache", "pages", "method")]
    levels = [level for metric, level in LEVELS.items() if (simulation.counts["metric"] == metric).any()]
    heads += [(f"{level}, a query", True) for level in levels]
    rows = []
    for place in simulation.places:
        wide = simulation.misses(place)
        for method in wide.index:
            cells = [text_cell(getattr(place, name)) for name in PLACE] + [_method_cell(method)]
            for level in levels:
                there = (level, "median") in wide.columns
                cells.append(_number_cell(float(wide.loc[method, (level, "median")]) if there else math.nan))
            rows.append(("", cells))
    return (
        "<details><summary>All numbers, simulated: medians over the draws</summary>\n"
        '<p><label>Filter rows: <input type="search" data-filter="misses-table" placeholder="game magic"></label></p>\n'
        f"{table('misses-table', heads, rows)}</details>\n"
    )


def _curve_table(simulation):
    """Misses a query of every method at the sizes that the simulated caches have."""
    curves = simulation.curves
    traces = list(dict.fromkeys(place.trace for place in simulation.places))
    sizes = sorted({mark.size for mark in simulation.marks("L1D", "L2")})
    rows, shown = [], {}
    for trace in traces:
        at = curves(trace, LINE, 0)
        if at.empty:
            continue
        wide = at.pivot_table(index="method", columns="cache_lines", values="per_query")
        shown = {size: size / LINE for size in sizes if size / LINE in wide.columns}
        for method in wide.index:
            numbers = [_number_cell(float(wide.loc[method, lines])) for lines in shown.values()]
            rows.append(("", [text_cell(trace), _method_cell(method), *numbers]))
    if not rows or not shown:
        return ""
    heads = [("trace", False), ("method", False)] + [(human_bytes(size), True) for size in shown]
    return (
        "<details><summary>Every method at the sizes of the simulated caches, misses a query</summary>\n"
        f"{table('curves-table', heads, rows)}</details>\n"
    )


TABLE_HEADS = [
    ("method", False),
    ("table", False),
    ("bytes", True),
    ("different lines", True),
    ("level", False),
    ("accesses", True),
    ("misses", True),
    *((cause, True) for cause in CAUSES),
    ("misses a query", True),
]


def _tables(simulation):
    if simulation.tables is None:
        return None
    note = (
        "Simulated, not measured; one draw of pages. For every table of a method and every level: how often it was "
        "read and how often that missed. The row \u201call\u201d is the method as a whole; only there is it known why: "
        "compulsory is the first read of a line, capacity what a fully associative cache of the same size would miss "
        "as well, conflict the rest, below 0 where the sets did better than that. The three sum up to the misses. "
        "They are not told apart under a pressure."
    )
    html = f'<p class="note">{esc(note)}</p>\n'
    rows = simulation.tables
    rows = rows[(rows["draw"] == rows["draw"].min()) & (rows["method"] != NOT_A_METHOD)]
    for number, place in enumerate(simulation.places):
        here = rows
        for name in PLACE:
            here = here[here[name] == getattr(place, name)]
        if here.empty:
            continue
        name = f"tables-{number}"
        html += (
            f"<details><summary>{esc(place.name)}: {len(here)} rows</summary>\n"
            f'<p><label>Filter rows: <input type="search" data-filter="{name}" placeholder="magic L1D"></label></p>\n'
            f"{table(name, TABLE_HEADS, [_table_row(row) for row in here.itertuples()])}</details>\n"
        )
    return "tables", "Table by table", html


def _table_row(row):
    whole = row.table == "all"
    size = ("\u2013", None) if whole else (human_bytes(row.table_bytes), row.table_bytes)
    cells = [
        _method_cell(row.method),
        text_cell(row.table),
        size,
        _number_cell(row.distinct_lines, 0),
        text_cell(row.level),
        _number_cell(row.accesses, 0),
        _number_cell(row.misses, 0),
        *(_number_cell(getattr(row, cause), 0) for cause in CAUSES),
        _number_cell(row.misses / row.queries),
    ]
    return ("reference" if whole else "", cells)


def _caches(simulation):
    html = ""
    for name, specification, said in notes(simulation.info):
        entries = "".join(f"<li>{esc(note)}</li>" for note in said)
        html += f"<h3>{esc(name)}</h3>\n<p><code>{esc(specification)}</code></p>\n<ul>{entries}</ul>\n"
    return "caches", "Simulated caches", html or "<p>The caches were not recorded.</p>"


def _machine(simulation):
    info = simulation.info
    done = [("command", command_text(info))]
    done += [(name, dig(info, name)) for name in ("seed", "draws", "started", "finished", "commit")]
    done.append(("counts", one_line(dig(info, "counters", "reason") or "") or None))
    parts = [("Simulation", done), ("Build", build_pairs(info)), ("Machine that simulated", machine_pairs(info))]
    html = "\n".join(f"<h3>{heading}</h3>\n{definitions(pairs)}" for heading, pairs in parts)
    return "machine", "Simulation, build and machine", html
