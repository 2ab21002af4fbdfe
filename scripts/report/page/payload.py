# SPDX-License-Identifier: MIT
"""The data inside the page: what its script draws from, small enough to travel with it.

Numbers are rounded to what a figure can show; the CSV files beside the page have them in full.
"""

import json
import math
import os
import re
from pathlib import Path

import numpy as np

from report.analysis.answer import LOOPS, answers, trace_of
from report.analysis.crossings import crossings, leaders, sweeps
from report.analysis.misses import METRICS, SOURCES, kernels, of_cell, series
from report.analysis.orders import recorded, shown_cells
from report.data.cells import COMPARED_ROLES, Cell, touched
from report.data.files import cache_bytes, dig, items, number, one_line
from report.data.run import clock_ghz, round_ratios
from report.data.schema import MRC
from report.data.simulation import boards_of, optional, read_squares
from report.figures.style import PAGE_VARIABLES, method_colour

ROOT = Path(__file__).resolve().parent.parent
VERDICT_NAMES = ["faster", "equivalent", "inconclusive", "unresolved", "slower", "void", "reference", ""]
BEST_NAMES = ["fastest", "among", "behind", ""]
NAMED = 9


def themed(colour):
    """A colour as the page writes it: greys are the page's own, others have a lighter twin in the dark."""
    return PAGE_VARIABLES.get(colour, f"var(--c-{colour[1:]}, {colour})")


def script_json(data):
    """JSON that can stand inside a script element, whatever strings it holds."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def short(value, digits=5):
    """A number of few digits for the page; None where it was not measured."""
    if value is None or not math.isfinite(value):
        return None
    rounded = float(f"{value:.{digits}g}")
    return int(rounded) if rounded == int(rounded) and abs(rounded) < 1e15 else rounded


def header_path(method, family):
    """Where a method's header lies in the sources, relative to their root; None for a method from elsewhere."""
    if not re.fullmatch(r"\w+", method) or not re.fullmatch(r"\w*", family):
        return None
    for path in (Path("methods") / family / f"{method}.hpp", Path("methods") / f"{method}.hpp"):
        if (ROOT / path).is_file():
            return path.as_posix()
    return None


def header_link(run_folder, path):
    """A relative link from a run's page to a header; None where the page does not lie among the sources."""
    folder = Path(run_folder).resolve()
    if path is None or not folder.is_relative_to(ROOT):
        return None
    return Path(os.path.relpath(ROOT / path, folder)).as_posix()


def payload(run):
    """Everything that the page's script draws.

    Args:
        run: Run.

    Returns:
        dict for `script_json`.
    """
    arms = _arms(run)
    places = {arm["arm"]: i for i, arm in enumerate(arms)}
    return {
        "arms": arms,
        "verdicts": VERDICT_NAMES,
        "bests": BEST_NAMES,
        "cells": [_cell(run, cell, places) for cell in run.cells],
        "caches": _caches(run.info),
        "named": [places[arm] for arm in named_arms(run) if arm in places],
        "start": _start(run),
        "sweeps": [_sweep(run, sweep, places) for sweep in sweeps(run)],
        "misses": _curves(run, arms),
        "boards": _boards(run, arms),
        "orders": _orders(run),
        "rounds": _rounds(run),
        "counts": [
            {"metric": metric, "name": METRICS[metric], "source": SOURCES[source]}
            for metric, source in series(run)
        ],
    }


def _arms(run):
    """Every arm that is compared, in a fixed order."""
    facts = {str(entry.get("id")): entry for entry in items(run.info, "methods")}
    executed = kernels(run)
    rows = run.summary[run.summary["role"].isin(COMPARED_ROLES)].drop_duplicates("arm")
    arms = []
    for row in rows.sort_values(["family", "arm"]).itertuples():
        known = facts.get(row.method, {})
        path = header_path(row.method, row.family)
        arms.append(
            {
                "arm": row.arm,
                "method": row.method,
                "label": row.label,
                "title": row.title or row.label,
                "family": row.family or "other",
                "level": row.level,
                "role": row.role,
                "bytes": short(row.table_bytes, 12),
                "isa": one_line(dig(known, "isa") or ""),
                "year": number(known.get("year")),
                "inventor": one_line(dig(known, "inventor") or ""),
                "header": path,
                "link": header_link(run.folder, path),
                "colour": themed(method_colour(row.method)),
            }
            | {name: short(value) for name, value in executed.get((row.method, row.level), {}).items()}
        )
    return arms


def _cell(run, cell, places):
    """One cell: what it is, and a row an arm."""
    clock, found = run.one(cell, "clock"), touched(cell.pressure)
    counts = [of_cell(run, cell, *key) for key in series(run)]
    empty = run.empty_ratio(cell)
    rows = []
    for row in run.rows(cell, *COMPARED_ROLES).drop_duplicates("arm").itertuples():
        numbers = [row.ns_per_query, row.ns_low, row.ns_high, row.net_ns_per_query, row.net_low, row.net_high]
        numbers += [row.ratio, row.ratio_low, row.ratio_high, row.ratio_unflagged, row.ns_per_node]
        verdict = row.verdict if row.verdict in VERDICT_NAMES else ""
        best = row.best if row.best in BEST_NAMES else ""
        names = [VERDICT_NAMES.index(verdict), BEST_NAMES.index(best)]
        rows.append([places[row.arm], *names, *map(short, [*numbers, *(found.get(row.arm) for found in counts)])])
    return {
        "workload": cell.workload,
        "trace": cell.trace,
        "pressure": cell.pressure or "isolated",
        "kinds": cell.kinds,
        "pages": cell.pages,
        "corunners": cell.corunners,
        "name": cell.name,
        "plain": cell in run.plain,
        "lines": found.lines if found else 0,
        "touches": f"{found.lines} lines of {found.block} at each {_event(found.when)}" if found else "",
        "margin": short(run.margin(cell)),
        "unresolved": run.unresolved(cell),
        "empty": short(empty),
        "cycle": None if clock is None else short(clock["ns_per_query"]),
        "rows": rows,
    }


def _event(when):
    return {"eval": "evaluation", "make": "move"}.get(when, when)


def _caches(info):
    sizes = [(name, cache_bytes(info, level)) for level, name in ((1, "L1D"), (2, "L2"), (3, "L3"))]
    return [{"name": name, "bytes": int(size)} for name, size in sizes if size is not None]


def _start(run):
    """The place in `cells` of the cell that the page opens with: the answer's trace in its heaviest use."""
    trace = trace_of(run)
    for pressure in ("isolated", ""):
        for workload in LOOPS:
            cell = Cell(workload, trace, pressure)
            if trace is not None and cell in run.cells:
                return run.cells.index(cell)
    return 0


def named_arms(run):
    """The arms that line figures name at first: the answers, the reference, sweeps' leaders, a best of each family."""
    chosen = []
    for limits in answers(run).values():
        chosen += [answer.first.arm for limit, found in limits for answer in found if limit is None]
    reference = run.summary[run.summary["role"] == "reference"]["arm"]
    chosen += list(reference[:1])
    for sweep in sweeps(run):
        chosen += leaders(run, sweep)
    rows = run.ranked(run.cells[_start(run)])
    chosen += list(rows.drop_duplicates("family")["arm"])
    return list(dict.fromkeys(chosen))[:NAMED]


def _sweep(run, sweep, places):
    return {
        "name": sweep.name,
        "cells": [run.cells.index(cell) for cell in sweep.cells],
        "lines": list(sweep.lines),
        "what": sweep.what,
        "crossings": [
            [places[c.a], places[c.b], short(c.lines, 4), short(c.low, 4), short(c.high, 4)]
            for c in crossings(run, sweep)
            if c.a in places and c.b in places
        ],
    }


def _curves(run, arms):
    """Misses a query for every cache size and load: by trace and granularity, a grid a method."""
    path = run.folder / "mrc.csv"
    mrc = optional(path, MRC)
    if mrc is None:
        return None
    mrc = mrc[mrc["method"].isin({arm["method"] for arm in arms}) & mrc["misses"].notna()]
    mrc = mrc.assign(per_query=mrc["misses"] / mrc["queries"])
    grids = []
    for (trace, granularity), rows in mrc.groupby(["trace", "granularity_bytes"], sort=True):
        sizes, loads = (sorted(rows[name].unique()) for name in ("cache_lines", "lines_per_evaluation"))
        wide = rows.pivot_table(index=["method", "lines_per_evaluation"], columns="cache_lines", values="per_query")
        methods = {method: part.droplevel(0).reindex(loads).to_numpy() for method, part in wide.groupby(level=0)}
        grids.append(
            {
                "trace": trace,
                "granularity": int(granularity),
                "sizes": [short(size * granularity, 12) for size in sizes],
                "loads": [short(load) for load in loads],
                "methods": {m: [[short(value, 3) for value in line] for line in grid] for m, grid in methods.items()},
            }
        )
    return grids or None


def _boards(run, arms):
    """Squares: by trace and pressure of the first simulated cache, boards of each method and piece."""
    squares = read_squares(run.folder / "squares.csv")
    if squares is None:
        return None
    cache = "host" if (squares["cache"] == "host").any() else squares["cache"].iloc[0]
    squares = squares[(squares["cache"] == cache) & squares["method"].isin({arm["method"] for arm in arms})]
    boards = []
    for (trace, pressure, pages), rows in squares.groupby(["trace", "pressure", "pages"], sort=True):
        methods = {method: {} for method in sorted(rows["method"].unique())}
        for piece in ("bishop", "rook"):
            for column in ("l1d_misses", "distinct_lines"):
                for method, values in boards_of(rows, piece, column).items():
                    # A board of nothing but zeros, such as a method without tables has, is 0 alone.
                    methods[method][f"{piece} {column}"] = [short(v, 3) for v in values] if np.any(values > 0) else 0
        boards.append({"trace": trace, "pressure": pressure, "pages": pages, "cache": cache, "methods": methods})
    return boards or None


def _orders(run):
    """The cells that stand side by side, and the rank correlations between them."""
    cells = shown_cells(run)
    known = recorded(run)
    numbers = {pair: [short(v, 3) for v in (c.rho, c.low, c.high, c.methods, c.bound)] for pair, c in known.items()}
    return {
        "cells": [run.cells.index(cell) for cell in cells],
        "rho": [[numbers.get((a, b)) for b in cells] for a in cells],
    }


def _rounds(run):
    """The A/A control and the clock, round by round, of the plain cells: ln ratio in per cent, and GHz."""
    found = []
    for place, cell in enumerate(run.cells):
        ratios = round_ratios(run, cell) if cell in run.plain else None
        clock = clock_ghz(run, cell) if cell in run.plain else None
        if ratios is None and clock is None:
            continue
        entry = {"cell": place}
        if ratios is not None:
            starts = np.flatnonzero(np.diff(ratios["launch"], prepend=-1))
            entry["launches"] = [int(start) for start in starts]
            entry["twin"] = [short(100 * value, 3) for value in ratios["log_ratio"]]
            entry["disturbed"] = [int(i) for i in np.flatnonzero(ratios["disturbed"])]
        if clock is not None:
            entry["ghz"] = [short(value, 4) for value in clock["ghz"]]
        found.append(entry)
    return found
