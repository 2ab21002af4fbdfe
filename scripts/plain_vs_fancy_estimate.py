# SPDX-License-Identifier: MIT
"""A time estimate from simulated misses and the measured latency ladder, and how far it is from the measured times.

A miss costs what the next level's load costs more than this one's. What the method computes is not estimated: it
cancels out in differences, and only differences are compared: plain less fancy in one setting, and one method under
pressure less the same method alone. First touches of a line or page are not counted at a level that holds all that is
touched: a timed slice has been replayed before, untimed, and finds them there.
"""

import math
from dataclasses import dataclass

import pandas as pd

from plain_vs_fancy_data import FANCY, PLAIN, caches, first_touches, misses, pressure_bytes, rank, sorted_settings
from report.data.simulation import sizes_of

HOST = "host"
WORKLOADS = ["latency", "throughput"]
ISOLATED = "isolated"
PAGE, LINE = 4096, 64
LARGE_PAGE = 2 << 20
# metric of the simulation -> the part of the estimate
PARTS = {"l1d_misses": "L1D", "l2d_misses": "L2", "l3_misses": "L3", "dtlb_misses": "DTLB", "stlb_misses": "STLB"}
# A size shows a level if it is well inside it, and well outside the one before. Of a cache that others share, its near
# end is this core's for sure: so only sizes up to NEAR times the level before count.
INSIDE, OUTSIDE, NEAR = 0.75, 1.5, 8


@dataclass(frozen=True)
class Steps:
    """What the ladder says.

    Attributes:
        levels: level (`L1D`, `L2`, `L3`, `memory`) -> ns of a dependent load, in order.
        penalties: part -> ns of one miss; a part that the ladder cannot show is missing.
        pages: the pages on which the levels were measured.
    """

    levels: dict
    penalties: dict
    pages: str


def cache_sizes(machine):
    """The data caches of a machine: level's name -> bytes, in order."""
    names = {1: "L1D", 2: "L2", 3: "L3"}
    sizes = {}
    for cache in sorted(machine.get("caches") or [], key=lambda cache: cache.get("level", 0)):
        if cache.get("type") != "instruction" and cache.get("level") in names:
            sizes.setdefault(names[cache["level"]], cache["bytes"])
    return sizes


def latencies(rows, sizes):
    """The latency of each level: the median over the sizes that show it.

    Args:
        rows: rows of the ladder on one kind of page.
        sizes: level's name -> bytes, in order.

    Returns:
        dict level -> ns; a level that no size shows is missing.
    """
    found, before = {}, 0
    for level, size in sizes.items():
        most = min(INSIDE * size, NEAR * before if before else size)
        shown = rows[(rows["bytes"] > OUTSIDE * before) & (rows["bytes"] <= most)]
        if len(shown):
            found[level] = float(shown["ns_per_load"].median())
        before = size
    shown = rows[rows["bytes"] >= 2 * before]
    if before and len(shown):
        found["memory"] = float(shown["ns_per_load"].median())
    return found


def tlb_penalties(ladder, entries):
    """What a miss in each TLB costs: the ladder on small pages less that on large ones.

    Args:
        ladder: rows of both kinds of page.
        entries: `DTLB`, `STLB` -> entries of 4 KiB pages.

    Returns:
        dict part -> ns; empty where the ladder has no large pages or the TLBs are not known.
    """
    large = ladder[(ladder["pages"] == "2m") & (ladder["large_page_share"] >= 0.9)].set_index("bytes")["ns_per_load"]
    small = ladder[ladder["pages"] == "4k"].set_index("bytes")["ns_per_load"]
    both = (small - large).dropna()
    if both.empty or not {"DTLB", "STLB"} <= set(entries):
        return {}
    first, second = entries["DTLB"] * PAGE, entries["STLB"] * PAGE
    between = both[(both.index > OUTSIDE * first) & (both.index <= INSIDE * second)]
    beyond = both[both.index >= 2 * second]
    found = {}
    if len(between):
        found["DTLB"] = float(between.median())
        if len(beyond):
            found["STLB"] = float(beyond.median()) - found["DTLB"]
    return found


def steps(study):
    """Steps of the measured ladder on this machine's caches."""
    ladder = study.ladder
    large = ladder[(ladder["pages"] == "2m") & (ladder["large_page_share"] >= 0.9)]
    pages = "2m" if len(large) else "4k"
    rows = large if len(large) else ladder[ladder["pages"] == "4k"]
    levels = latencies(rows, cache_sizes(study.machine))
    names = list(levels)
    penalties = {name: levels[after] - levels[name] for name, after in zip(names, names[1:])}
    specification = next((text for name, text, _ in caches(study) if name == HOST), "")
    return Steps(levels, penalties | tlb_penalties(ladder, sizes_of(specification)), pages)


def parts(study, ladder):
    """The estimated memory time a query of every method in every simulated place of this machine.

    Args:
        study: Study.
        ladder: Steps.

    Returns:
        dict (method, trace, pressure, pages) -> dict part -> ns.
    """
    rows = misses(study, study.methods)
    cold = warm_touches(study)
    found = {}
    for row in rows[rows["cache"] == HOST].itertuples():
        part = PARTS.get(row.metric)
        if part in ladder.penalties:
            key = (row.method, row.trace, row.pressure, row.pages)
            missed = row.per_query - cold.get((*key, part), 0)
            found.setdefault(key, {})[part] = missed * ladder.penalties[part]
    return found


def warm_touches(study):
    """First touches that a warm level of this machine holds, with the block of the pressure beside them.

    Args:
        study: Study.

    Returns:
        dict (method, trace, pressure, pages, part) -> touches a query.
    """
    specification = next((text for name, text, _ in caches(study) if name == HOST), "")
    sizes = cache_sizes(study.machine)
    entries = {name: count for name, count in sizes_of(specification).items() if name in ("DTLB", "STLB")}
    found = {}
    for (method, trace, cache, pages, part), (touches, per_query) in first_touches(study).items():
        page = LARGE_PAGE if pages == "2m" else PAGE
        unit = page if part in entries else LINE
        capacity = entries[part] * page if part in entries else sizes.get(part, 0)
        for pressure, block in (pressure_bytes(study) | {ISOLATED: 0}).items():
            if cache == HOST and touches * unit + block <= capacity:
                found[method, trace, pressure, pages, part] = per_query
    return found


def estimates(study, ladder):
    """Estimated and measured differences side by side.

    Args:
        study: Study.
        ladder: Steps.

    Returns:
        DataFrame: comparison (`plain - fancy`, or `pressure - isolated` of one method), method, the setting,
        measured_ns with an interval where there is one, estimated_ns and its parts, residual_ns = measured - estimated.
    """
    known = parts(study, ladder)
    measured = study.summary[
        study.summary["role"].isin(["method", "reference"])
        & study.summary["workload"].isin(WORKLOADS)
        & (study.summary["kinds"] == "all")
        & (study.summary["corunners"] == "0")
    ]
    by_key = {(r.workload, r.method, r.trace, r.pressure, r.pages): r for r in measured.itertuples()}
    rows = []
    for (workload, method, trace, pressure, pages), row in by_key.items():
        own = known.get((method, trace, pressure, pages))
        fancy = by_key.get((workload, FANCY, trace, pressure, pages))
        alone = by_key.get((workload, method, trace, ISOLATED, pages))
        if method == PLAIN and fancy is not None:
            other = known.get((FANCY, trace, pressure, pages))
            span = [fancy.ns_per_query * (ratio - 1) for ratio in (row.ratio_low, row.ratio_high)]
            rows += _row("plain - fancy", row, row.ns_per_query - fancy.ns_per_query, span, own, other)
        if pressure != ISOLATED and alone is not None:
            other = known.get((method, trace, ISOLATED, pages))
            difference = row.net_ns_per_query - alone.net_ns_per_query
            rows += _row("pressure - isolated", row, difference, [math.nan, math.nan], own, other)
    columns = "comparison method workload kinds trace pressure pages corunners".split()
    columns += "measured_ns measured_low measured_high estimated_ns".split()
    columns += [*(_column(part) for part in PARTS.values()), "residual_ns"]
    frame = sorted_settings(pd.DataFrame(rows, columns=columns))
    order = [rank(["plain - fancy"], row.comparison) + rank([FANCY, PLAIN], row.method) for row in frame.itertuples()]
    return frame.iloc[sorted(range(len(frame)), key=order.__getitem__)].reset_index(drop=True)


def _column(part):
    return f"{part.lower()}_ns"


def _row(comparison, row, measured, span, own, other):
    """One row of the estimates as a list; an empty one where either side was not simulated."""
    if own is None or other is None or not math.isfinite(measured):
        return []
    differences = {part: own[part] - other[part] for part in own if part in other}
    found = {
        "comparison": comparison,
        "method": row.method,
        "workload": row.workload,
        "kinds": row.kinds,
        "trace": row.trace,
        "pressure": row.pressure,
        "pages": row.pages,
        "corunners": row.corunners,
    }
    found |= {"measured_ns": measured, "measured_low": span[0], "measured_high": span[1]}
    found |= {"estimated_ns": sum(differences.values()), "residual_ns": measured - sum(differences.values())}
    return [found | {_column(part): value for part, value in differences.items()}]


def shares(rows):
    """How much each part has in an estimated difference, over several rows.

    Args:
        rows: rows of `estimates`.

    Returns:
        dict part -> ns, the mean over the rows, the largest first; parts that the ladder cannot show are missing.
    """
    means = {part: rows[_column(part)].mean() for part in PARTS.values()}
    found = {part: float(value) for part, value in means.items() if math.isfinite(value)}
    return dict(sorted(found.items(), key=lambda item: -item[1]))
