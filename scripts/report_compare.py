# SPDX-License-Identifier: MIT
"""Runs of several machines, compilers or commits side by side: what may be compared, and what differs.

Runs are folders, wherever they were made. Only what each judged against its own reference is compared: ratios and
verdicts travel between machines, nanoseconds do not.
"""

import hashlib
import math
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

import report_data
import report_findings
from report_answer import TRACES
from report_data import COMPARED_ROLES, Cell, dig, human_percent, human_ratio, items, one_line, read_info
from report_errors import ReportError
from report_html import VERDICT_WORDS, build_pairs, definitions, document, esc, machine_pairs, table, text_cell
from report_payload import VERDICT_NAMES, header_path, short, themed
from report_style import INK, MUTED, marker_style, method_colour, shorten

MOST_FIGURES = 6


@dataclass(frozen=True)
class Compared:
    """Runs that may stand side by side.

    Attributes:
        runs: list of Run, without samples.
        letters: a letter a run, which figures and tables call it by.
        cells: list of Cell that at least two of the runs have.
    """

    runs: list
    letters: list
    cells: list


def letter(i):
    """The letter of run `i`: A to Z, then A2 and so on."""
    return chr(ord("A") + i % 26) + ("" if i < 26 else str(1 + i // 26))


def load(folders):
    """Reads runs and checks that they can be compared.

    Args:
        folders: list of paths, two or more.

    Returns:
        Compared.

    Raises:
        ReportError: a folder is no run, comes twice, or its schema, traces or reference do not fit the others'.
    """
    if len(folders) < 2:
        raise ReportError("nothing to compare: give the folders of two runs or more")
    runs, seen = [], {}
    for folder in map(Path, folders):
        run = _load_run(folder)
        content = hashlib.sha256((folder / "summary.csv").read_bytes()).hexdigest()
        if content in seen:
            raise ReportError(f"{folder}: is the same run as {seen[content]}; give each run once")
        seen[content] = folder
        runs.append(run)
    for other in runs[1:]:
        _check_pair(runs[0], other)
    _check_traces(runs)
    count = {}
    for run in runs:
        for cell in run.cells:
            count[cell] = count.get(cell, 0) + 1
    cells = sorted((cell for cell, n in count.items() if n > 1), key=Cell.sort_key)
    if not cells:
        raise ReportError(
            f"{runs[0].folder} and the others have no workload, trace and pressure in common; measure the same ones"
        )
    return Compared(runs, [letter(i) for i in range(len(runs))], cells)


def _load_run(folder):
    """A run without its samples, which a comparison does not need; ReportError for what is no run."""
    if read_info(folder).get("kind") == "simulation":
        raise ReportError(f"{folder}: is a simulation and no run; simulations are not compared")
    return report_data.load_summary(folder)


def _reference(run):
    names = sorted(set(run.summary[run.summary["role"] == "reference"]["method"]))
    return names[0] if len(names) == 1 else None


def _check_pair(first, other):
    a, b = _reference(first), _reference(other)
    if a is None or a != b:
        raise ReportError(
            f"{other.folder}: its reference is {b or 'missing'}, that of {first.folder} {a or 'missing'}; ratios to "
            "different references cannot be compared"
        )


def _check_traces(runs):
    """The same name must be the same trace in every run that used it."""
    first = {}
    for run in runs:
        used = {cell.trace for cell in run.cells if cell.workload not in ("engine", "perft")}
        digests = {str(entry.get("name")): dig(entry, "xxh3") for entry in items(run.info, "traces")}
        for name in sorted(used):
            digest = digests.get(name)
            if digest is None:
                raise ReportError(f"{run.folder}: run.json has no digest of the trace {name}; it cannot be compared")
            known, folder = first.setdefault(name, (digest, run.folder))
            if digest != known:
                raise ReportError(
                    f"{run.folder}: its trace {name} (xxh3 {one_line(digest)}) is not that of {folder} "
                    f"({one_line(known)}); replay the same trace on every machine"
                )


def describe(run):
    """What tells a run from others, in a few words."""
    machine = dig(run.info, "machine", "cpu") or "unknown CPU"
    compiler, commit = dig(run.info, "build", "compiler"), dig(run.info, "commit")
    changed = "+" if dig(run.info, "dirty") is True else ""
    parts = [machine, compiler, f"{commit}{changed}" if commit else None]
    return ", ".join(one_line(part) for part in parts if part)


def verdicts(compared):
    """Every verdict, tidy.

    Args:
        compared: Compared.

    Returns:
        DataFrame with run (letter), run_name, the coordinates of the cell, arm, method, family, table_bytes, ratio,
        ratio_low, ratio_high, margin, aa_bound, verdict, best; one row an arm, cell and run, for cells of at least two
        runs.
    """
    columns = ["arm", "method", "title", "family", "level", "role", "table_bytes"]
    columns += ["ratio", "ratio_low", "ratio_high", "margin", "aa_bound", "verdict", "best"]
    parts = []
    for name, run in zip(compared.letters, compared.runs):
        for cell in compared.cells:
            rows = run.rows(cell, *COMPARED_ROLES).drop_duplicates("arm")
            part = rows[report_data.KEY + columns].copy()
            part.insert(0, "run", name)
            part.insert(1, "run_name", describe(run))
            parts.append(part)
    return pd.concat(parts, ignore_index=True)


def changes(compared, cell):
    """The methods on which the runs do not agree.

    Args:
        compared: Compared.
        cell: Cell.

    Returns:
        (opposed, other, agreed): lists of (label, dict letter -> verdict). Opposed are faster in one run and slower in
        another; agreed have one verdict in all runs that have them, if more than one does.
    """
    found = {}
    for name, run in zip(compared.letters, compared.runs):
        for row in run.rows(cell, "method").drop_duplicates("arm").itertuples():
            found.setdefault(row.arm, {})[name] = row.verdict
    opposed, other, agreed = [], [], []
    for arm, seen in sorted(found.items()):
        values = set(seen.values())
        if len(seen) < 2:
            continue
        kind = agreed if len(values) == 1 else opposed if {"faster", "slower"} <= values else other
        kind.append((arm, seen))
    return opposed, other, agreed


def start_cell(compared):
    """The cell that the page opens with: latency, isolated, on the trace nearest to an engine, if there is one."""
    for trace in TRACES:
        for workload in ("latency", "throughput"):
            for pressure in ("isolated", ""):
                if Cell(workload, trace, pressure) in compared.cells:
                    return Cell(workload, trace, pressure)
    return compared.cells[0]


def sentences(compared, cell):
    """What a cell says about the runs, in sentences."""
    opposed, other, agreed = changes(compared, cell)
    count = len(opposed) + len(other) + len(agreed)
    if count == 0:
        return [f"{cell.name}: no method in common."]
    found = [f"{cell.name}: {len(agreed)} of {count} methods have the same verdict in every run."]
    if opposed:
        found.append(f"Faster than the reference in one and slower in another: {_listed(opposed)}.")
    return found


def _listed(entries, most=6):
    texts = [f"{arm} ({', '.join(f'{name} {v}' for name, v in seen.items())})" for arm, seen in entries[:most]]
    more = f" and {len(entries) - most} more" if len(entries) > most else ""
    return ", ".join(texts) + more


def payload(compared):
    """What the page's script draws from; for `report_html.document`."""
    table_ = verdicts(compared)
    arms = table_.drop_duplicates("arm").sort_values(["family", "arm"])
    places = {arm: i for i, arm in enumerate(arms["arm"])}
    grouped = {key: rows for key, rows in table_.groupby([*report_data.KEY, "run"], sort=False)}
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
    return tuple(getattr(cell, name) for name in report_data.KEY)


def _packed(rows, places):
    """A list an arm: place, verdict, ratio, low, high; empty for a run without the cell."""
    if rows is None:
        return []
    index = {name: i for i, name in enumerate(VERDICT_NAMES)}
    return [
        [places[r.arm], index.get(r.verdict, index[""]), short(r.ratio), short(r.ratio_low), short(r.ratio_high)]
        for r in rows.itertuples()
    ]


def figure_of(compared, cell):
    """The matrix of verdicts of one cell: a row a method, a column a run.

    Args:
        compared: Compared.
        cell: Cell.

    Returns:
        Figure.
    """
    columns = [run.rows(cell, *COMPARED_ROLES).drop_duplicates("arm").set_index("arm") for run in compared.runs]
    wide = pd.concat([rows["ratio"].rename(i) for i, rows in enumerate(columns)], axis=1)
    order = list(wide.mean(axis=1).sort_values().index)
    width, height = 4.0 + 1.7 * len(columns), 1.3 + 0.24 * len(order)
    figure = plt.figure(figsize=(width, height))
    axes = figure.add_axes([2.6 / width, 0.2 / height, 1 - 2.8 / width, 1 - 1.2 / height])
    for x, rows in enumerate(columns):
        for y, arm in enumerate(order):
            if arm in rows.index and math.isfinite(rows.loc[arm, "ratio"]):
                row = rows.loc[arm]
                axes.plot([x - 0.25], [y], **marker_style(row["method"], row["verdict"]))
                axes.text(x - 0.1, y, human_ratio(row["ratio"]), va="center", fontsize=8.5, color=INK)
    axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(order) - 0.5, -0.5))
    axes.set_yticks(range(len(order)), [shorten(arm, 28) for arm in order], fontsize=8)
    names = [f"{n}: {shorten(describe(run), 22)}" for n, run in zip(compared.letters, compared.runs)]
    axes.set_xticks(range(len(columns)), names, fontsize=8)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    figure.text(0.15 / width, 1 - 0.15 / height, cell.name, fontsize=12, fontweight="bold", va="top")
    figure.text(
        0.15 / width,
        1 - 0.42 / height,
        f"time / time of the reference: {VERDICT_WORDS}",
        fontsize=9,
        color=MUTED,
        va="top",
    )
    return figure


def drawn_cells(compared):
    """The cells that have a static figure: the first plain ones, the opening one among them."""
    first = start_cell(compared)
    others = [cell for cell in compared.cells if cell.is_plain and cell != first and cell.trace == first.trace]
    return [first, *others][:MOST_FIGURES]


READING = (
    "A row a method, a column a run. A number is the time over that of the same run's reference; the symbol is that "
    f"run's verdict: {VERDICT_WORDS}. Verdicts and ratios "
    "may be compared between machines, nanoseconds may not. Click a run to sort by it."
)


def page(compared, figures):
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
    data = payload(compared)
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
        if report_findings.has_failed(run):
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
