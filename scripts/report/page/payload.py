# SPDX-License-Identifier: MIT
"""The data inside the page: what its script draws from. Numbers are rounded to what a figure can show; the CSV files
beside the page have them in full."""

import json
import math

from report.analysis.answer import LOOPS, picture_of, trace_of
from report.analysis.crossings import crossings, sweep_leaders, sweeps
from report.analysis.findings import cell_sentences
from report.analysis.misses import METRICS, SOURCES, kernels, of_cell, series
from report.data.cells import COMPARED_ROLES, NETWORKS, opening_cell, touched
from report.data.files import cache_bytes, dig, items, number, one_line
from report.data.headers import header_link, header_path
from report.figures.style import label_colour, method_colour

BEST = {"fastest": "yes", "among": "may be", "behind": "no"}
# Columns of summary.csv that the rows of the page's data have.
NUMBERS = "ns_per_query ns_low ns_high net_ns_per_query net_low net_high".split()
NUMBERS += "ratio ratio_low ratio_high ratio_unflagged ns_per_node".split()
NAMED = 9


def script_json(data):
    """JSON that can stand inside a script element, whatever strings it holds."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def short(value, digits=5):
    """A number of few digits for the page; None where it was not measured."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.{digits}g}")


def payload(run):
    """Everything that the page's script draws: dict for `script_json`."""
    levels = [(name, cache_bytes(run.info, level)) for level, name in ((1, "L1D"), (2, "L2"), (3, "L3"))]
    return {
        "contenders": _contenders(run),
        "cells": [_cell(run, cell) for cell in run.cells],
        "caches": [{"name": name, "bytes": size} for name, size in levels if size is not None],
        "networks": [{"name": name, "lines": lines} for name, lines in NETWORKS.items()],
        "named": _named(run),
        "start": run.cells.index(opening_cell(run.cells, [trace_of(run)], LOOPS)),
        "sweeps": [_sweep(run, sweep) for sweep in sweeps(run)],
        "counts": [{"metric": m, "name": METRICS[m], "source": SOURCES[source]} for m, source in series(run)],
    }


def _contenders(run):
    """Every contender that is compared, in a fixed order."""
    facts = {str(entry.get("id")): entry for entry in items(run.info, "methods")}
    executed = kernels(run)
    rows = run.summary[run.summary["role"].isin(COMPARED_ROLES)].drop_duplicates("contender")
    contenders = []
    for row in rows.sort_values(["family", "contender"]).itertuples():
        known = facts.get(row.method, {})
        path = header_path(row.method, row.family)
        contender = {name: getattr(row, name) for name in ("contender", "method", "label", "level", "role")}
        contender |= {"title": row.title or row.label, "family": row.family or "other", "bytes": short(row.table_bytes, 12)}
        contender |= {name: one_line(dig(known, name) or "") for name in ("isa", "inventor", "reference")}
        contender |= {"year": number(known.get("year")), "header": path, "link": header_link(run.folder, path)}
        contender |= {"colour": method_colour(row.method), "text": label_colour(row.method)}
        contenders.append(contender | {name: short(value) for name, value in executed.get((row.method, row.level), {}).items()})
    return contenders


def _cell(run, cell):
    """One cell: what it is, and a row per contender."""
    clock, found = run.one(cell, "clock"), touched(cell.pressure)
    counts = {f"{metric} {SOURCES[source]}": of_cell(run, cell, metric, source) for metric, source in series(run)}
    rows = []
    for row in run.ranked(cell).drop_duplicates("contender").itertuples():
        numbers = {name: getattr(row, name) for name in NUMBERS}
        numbers |= {name: count.get(row.contender) for name, count in counts.items()}
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
        "unresolved": run.unresolved(cell),
        "empty": short(run.empty_ratio(cell)),
        "rows": rows,
    }


def _named(run):
    """The contenders that are marked at first: the reference, sweeps' leaders, and those of the first picture."""
    chosen = list(run.summary[run.summary["role"] == "reference"]["contender"][:1])
    for sweep in sweeps(run):
        chosen += sweep_leaders(run, sweep)
    return list(dict.fromkeys(chosen + picture_of(run)[1]))[:NAMED]


def _sweep(run, sweep):
    return {
        "name": sweep.name,
        "cells": [run.cells.index(cell) for cell in sweep.cells],
        "lines": list(sweep.lines),
        "what": sweep.what,
        "crossings": [[c.a, c.b, short(c.lines), short(c.low), short(c.high)] for c in crossings(run, sweep)],
    }
