# SPDX-License-Identifier: MIT
"""The data inside the page: what its script draws from. Numbers are rounded to what a figure can show; the CSV files of
the run have them in full."""

import math

from report.analysis.answer import LOOPS, trace_of
from report.analysis.findings import cell_sentences
from report.analysis.misses import METRICS, SOURCES, kernels, of_cell, series
from report.data.cells import COMPARED_ROLES, opening_cell, touched
from report.data.files import dig, items, number, one_line
from report.data.headers import header_path
from report.figures.style import VERDICT_SIGNS, method_colour

BEST = {"fastest": "yes", "among": "may be", "behind": "no"}
# Columns of summary.csv that the rows of the page's data have.
NUMBERS = "ns_per_query ns_low ns_high net_ns_per_query net_low net_high".split()
NUMBERS += "ratio ratio_low ratio_high ratio_unflagged ns_per_node".split()


def short(value, digits=5):
    """A number of few digits for the page; None where it was not measured."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.{digits}g}")


def payload(run, answer):
    """Everything that the page's script draws: dict."""
    own = next(iter(run.summary[run.summary["role"] == "reference"]["method"]), "")
    return {
        "contenders": _contenders(run),
        "cells": [_cell(run, cell) for cell in run.cells],
        "signs": VERDICT_SIGNS,
        "reference": own,
        "answer": answer and answer_data(run, answer),
        "start": _start(run, answer),
        "counts": [{"metric": m, "name": METRICS[m], "source": SOURCES[source]} for m, source in series(run)],
    }


def _start(run, answer):
    """The cell that the page opens with: of the situation that decides, else a loop alone on the answer's trace."""
    deciding = [entry.cell for entry in (answer.situations if answer else ()) if entry.id == answer.deciding]
    found = [run.cells.index(cell) for cell in deciding if cell in run.cells]
    return found[0] if found else run.cells.index(opening_cell(run.cells, [trace_of(run)], LOOPS))


def _contenders(run):
    """Every contender that is compared, in a fixed order."""
    facts = {str(entry.get("id")): entry for entry in items(run.info, "methods")}
    found = run.summary[run.summary["role"].isin(COMPARED_ROLES)].drop_duplicates("contender")
    executed = kernels(run)
    contenders = []
    for row in found.sort_values(["family", "contender"]).itertuples():
        known = facts.get(row.method, {})
        contender = {name: getattr(row, name) for name in ("contender", "method", "label", "level")}
        contender |= {"title": row.title or row.label, "family": row.family or "other", "bytes": short(row.table_bytes, 12)}
        contender |= {name: one_line(dig(known, name) or "") for name in ("isa", "inventor", "reference")}
        contender |= {"year": number(known.get("year")), "header": header_path(row.method, row.family)}
        contender["colour"] = method_colour(row.method)
        contenders.append(contender | {name: short(value) for name, value in executed.get((row.method, row.level), {}).items()})
    return contenders


def columns_of(rows):
    """Rows, list of dict, as dict of columns, which are a third of the text; without those that are empty."""
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return {name: values for name, values in columns.items() if any(value not in (None, "") for value in values)}


def _cell(run, cell):
    """One cell: what it is, and columns with a value per contender."""
    clock, found, empty = run.one(cell, "clock"), touched(cell.pressure), run.one(cell, "empty")
    counts = {f"{metric} {SOURCES[source]}": of_cell(run, cell, metric, source) for metric, source in series(run)}
    rows = []
    for row in run.ranked(cell).drop_duplicates("contender").itertuples():
        numbers = {name: getattr(row, name) for name in NUMBERS}
        numbers |= {name: count[row.contender][0] for name, count in counts.items() if row.contender in count}
        numbers["cycles"] = None if clock is None else row.ns_per_query / clock["ns_per_query"]
        numbers = {name: short(value) for name, value in numbers.items()}
        rows.append({"contender": row.contender, "verdict": row.verdict, "best": BEST.get(row.best, "")} | numbers)
    return {
        **{name: getattr(cell, name) for name in ("workload", "trace", "kinds", "pages", "corunners", "name", "unit")},
        "pressure": cell.pressure or "isolated",
        "plain": cell in run.plain,
        "touches": f"{found.lines} lines of {found.block} at each {found.event}" if found else "",
        "margin": short(run.margin(cell)),
        "said": " ".join(cell_sentences(run, cell)),
        "empty_ns": None if empty is None else short(empty["ns_per_query"]),
        "columns": columns_of(rows),
    }


def answer_data(run, answer):
    """An Answer as the page's script takes it, dict; a situation's cell is its place among the cells, or None."""
    places = {cell: i for i, cell in enumerate(run.cells)}
    situations = [
        {name: getattr(entry, name) for name in ("id", "title", "verdict", "text", "method", "what", "change", "rest", "shown")}
        | {"cell": places.get(entry.cell), "ratio": [short(value) for value in entry.ratio]}
        | {"bound": None if entry.second_answer is None else short(1 - entry.second_answer)}
        for entry in answer.situations
    ]
    rows = [[method, [short(r) for r in ratios], sure] for method, _, ratios, sure in answer.rows]
    table = {"situations": [entry.id for entry in answer.drawn], "rows": rows}
    return {"deciding": answer.deciding, "situations": situations, "table": table, "next": list(answer.next)}
