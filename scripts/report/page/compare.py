# SPDX-License-Identifier: MIT
"""The page of runs side by side."""

from report.analysis.compare import describe, sentences, start_cell, verdicts
from report.analysis.findings import has_failed
from report.data.files import dig
from report.data.schema import KEY
from report.data.words import human_percent
from report.figures.style import VERDICT_WORDS, method_colour
from report.page.html import build_pairs, definitions, document, esc, machine_pairs, table, text_cell
from report.page.payload import VERDICT_NAMES, header_path, short, themed


def compare_payload(compared):
    """What the page's script draws from; for `report_html.document`."""
    table_ = verdicts(compared)
    arms = table_.drop_duplicates("arm").sort_values(["family", "arm"])
    places = {arm: i for i, arm in enumerate(arms["arm"])}
    grouped = {key: rows for key, rows in table_.groupby([*KEY, "run"], sort=False)}
    return {
        "runs": [{"letter": n, "name": describe(r)} for n, r in zip(compared.letters, compared.runs)],
        "verdicts": VERDICT_NAMES,
        "start": compared.cells.index(start_cell(compared)),
        "arms": [
            {
                "arm": row.arm,
                "title": row.title or row.arm,
                "family": row.family or "other",
                "bytes": short(row.table_bytes, 12),
                "role": row.role,
                "header": header_path(row.method, row.family),
                "colour": themed(method_colour(row.method)),
            }
            for row in arms.itertuples()
        ],
        "cells": [
            {
                "name": cell.name,
                "said": sentences(compared, cell),
                "rows": [_packed(grouped.get((*_key(cell), name)), places) for name in compared.letters],
            }
            for cell in compared.cells
        ],
    }


def _key(cell):
    return tuple(getattr(cell, name) for name in KEY)


def _packed(rows, places):
    """A list an arm: place, verdict, ratio, low, high; empty for a run without the cell."""
    if rows is None:
        return []
    index = {name: i for i, name in enumerate(VERDICT_NAMES)}
    return [
        [places[r.arm], index.get(r.verdict, index[""]), short(r.ratio), short(r.ratio_low), short(r.ratio_high)]
        for r in rows.itertuples()
    ]


READING = (
    "A row a method, a column a run. A number is the time over that of the same run's reference; the symbol is that "
    f"run's verdict: {VERDICT_WORDS}. Verdicts and ratios "
    "may be compared between machines, nanoseconds may not. Click a run to sort by it."
)


def compare_page(compared, figures):
    """Writes the page of a comparison.

    Args:
        compared: Compared.
        figures: list of str, the stems of the static figures in plots/.

    Returns:
        str, the whole HTML document.
    """
    first = start_cell(compared)
    lead = "".join(f'<p class="lead">{esc(sentence)}</p>\n' for sentence in sentences(compared, first))
    matrix = (
        f'<p class="note"><strong>How to read it.</strong> {esc(READING)}</p>\n'
        '<noscript><p class="banner">This table is drawn by a script inside the page; verdicts.csv has its data.</p>'
        '</noscript>\n<div class="controls" id="controls"></div>\n<p id="said"></p>\n'
        '<p class="note" id="count" role="status"></p>\n'
        '<div class="scroll"><table class="matrix" id="matrix"></table></div>\n'
    )
    correlation = (
        '<p class="note">Spearman\'s rank correlation between the runs, over the methods that both have: 1 is the same '
        'order, 0 no relation.</p>\n<div class="scroll"><table class="matrix" id="correlations"></table></div>\n'
    )
    sections = [
        ("answer", "What differs", lead + _runs_table(compared)),
        ("matrix-section", "Verdicts, run by run", matrix),
        ("ratios", "Ratios", '<div class="plot" id="ratios-plot"></div>'),
        ("order", "Does the order hold?", correlation),
        ("machines", "Machines and builds", _machines(compared)),
        ("downloads", "Data", _downloads(figures)),
    ]
    subtitle = f"The same methods and traces in {len(compared.runs)} runs."
    data = compare_payload(compared)
    return document(
        "slidebench: runs compared",
        subtitle,
        _banners(compared),
        sections,
        ("run.css",),
        ("tables.js", "charts.js", "compare.js"),
        data,
    )


def _banners(compared):
    """Runs that say of themselves that they are not to be relied on."""
    bad = []
    for name, run in zip(compared.letters, compared.runs):
        if dig(run.info, "complete") is not True:
            bad.append(f"{name} is incomplete")
        if has_failed(run):
            bad.append(f"{name} failed its own checks: do not rely on its verdicts")
    entries = "".join(f"<li>{esc(text)}</li>" for text in bad)
    return f'<div class="banner bad" role="alert"><ul>{entries}</ul></div>\n' if bad else ""


def _runs_table(compared):
    rows = []
    for name, run in zip(compared.letters, compared.runs):
        numbers = [run.summary[column].max() for column in ("margin", "aa_bound")]
        cells = [text_cell(name), text_cell(run.folder.resolve().name), text_cell(dig(run.info, "machine", "cpu"))]
        cells += [text_cell(dig(run.info, *path)) for path in (("build", "compiler"), ("commit",), ("profile",))]
        cells += [text_cell(dig(run.info, "started")), *((human_percent(n), n) for n in numbers)]
        rows.append(("", cells))
    heads = ["run", "folder", "CPU", "compiler", "commit", "profile", "started"]
    numeric = [("margin", True), ("identical code differed by at most", True)]
    return table("runs-table", [(head, False) for head in heads] + numeric, rows)


def _machines(compared):
    html = ""
    for name, run in zip(compared.letters, compared.runs):
        pairs = definitions(machine_pairs(run.info) + build_pairs(run.info))
        html += f"<details><summary>{esc(name)}: {esc(describe(run))}</summary>\n{pairs}</details>\n"
    return html


def _downloads(figures):
    plots = " ".join(
        f'<a href="plots/{esc(stem)}.{suffix}">{esc(stem)}.{suffix}</a>'
        for stem in figures
        for suffix in ("svg", "png")
    )
    return f'<p><a href="verdicts.csv">verdicts.csv</a></p>\n<p class="note">{plots}</p>'
