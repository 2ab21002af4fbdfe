# SPDX-License-Identifier: MIT
"""Synthetic runs with everything that a run can have, and simulations, of known truth."""

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
from simulated import CACHES, make_counts, make_mrc, make_squares, make_tables

from report.data.cells import Cell, touched
from report.data.schema import KEY, SUMMARY
from report.figures.style import METHOD_COLOURS

MARGIN = 0.01
# beginning of an id -> family; all others are calculations
FAMILIES = {"kogge_stone": "fill", "dumb7fill": "fill", "subtraction_fill": "fill", "rotated": "rotated", "magic": "magic"}
FAMILIES |= {"pext": "pext", "ray_masks": "simd", "ray_major": "simd"}
FAMILIES |= dict.fromkeys(["kindergarten", "congruent", "fold_hash", "superset", "product_hash"], "lookup")
REFERENCE = "magic_fancy"
COUNT = 43
GHZ = 3.6
SWEEP = (16, 32, 64, 128, 256, 512, 1536)
SWEPT = "8M/eval/rows"


def family_of(method):
    """The family of a method, from the beginning of its id."""
    return next((family for start, family in FAMILIES.items() if method.startswith(start)), "calculation")


def methods():
    """The methods of the synthetic run: dict id -> (family, table bytes, ns of pure work). The truth of every ratio."""
    works = {"fill": 11, "simd": 4.4, "calculation": 4.2, "lookup": 3.6, "rotated": 4.1, "pext": 2.2}
    found = {}
    for i, name in enumerate([m for m in METHOD_COLOURS if m != "empty"][:COUNT]):
        family = family_of(name)
        sizes = {"fill": 0, "simd": 4096, "calculation": 2048 + 512 * (i % 9), "lookup": 10_000 * (1 + i % 7)}
        found[name] = (family, sizes.get(family, 865_280 - 17_000 * (i % 40)), works.get(family, 3.0) * (1 + 0.02 * (i % 11)))
    found[REFERENCE] = ("magic", 865_280, 3.1)
    found["pext"] = ("pext", 863_232, 2.3)
    found["magic_plain"] = ("magic", 2_361_344, 3.1)
    found["hyperbola_avx2"] = ("calculation", 4_608, 3.7)
    found["hyperbola"] = ("calculation", 2_048, 4.0)
    return found


def lines_of(cell):
    """Lines touched at each event of a cell."""
    found = touched(cell.pressure)
    others = {"lukewarm": 200, "net0": 60, "net256": 300, "net1024": 500}
    return found.lines if found else others.get(cell.pressure, 0)


def true_ns(cell, size, work):
    """What a query costs: pure work, and misses that grow with tables and pressure."""
    stretch = {"latency": 2.0, "setwise": 4.0, "update": 0.7, "perft": 30.0, "engine": 400.0}.get(cell.workload, 1.0)
    lines = 600 if cell.workload == "engine" else lines_of(cell)
    missed = min(1.0, size / (1 << 20)) * lines / (lines + 300)
    random = 1.3 if cell.trace == "random" else 1.0
    both = 1.7 if cell.kinds == "both" else 1.0
    pages = 0.9 if cell.pages == "2m" and size > 1 << 17 else 1.0
    return stretch * both * random * pages * work + (2 + 0.02 * lines) + 9 * missed * both * (1 + 0.2 * cell.corunners)


def cells():
    """The cells of the synthetic run: presets, a sweep, kinds, pages, co-runners, perft and an engine of three nets."""
    presets = ("isolated", "net0", "net256", "net1024", "lukewarm", "light", "nnue", "nnue-xl")
    found = [
        Cell(workload, trace, pressure, kinds)
        for trace in ("game", "search")
        for workload in ("throughput", "latency", "setwise")
        for kinds in (("all", "both") if workload != "setwise" else ("all",))
        for pressure in presets
    ]
    found += [Cell("update", "game", "isolated"), Cell("perft", "suite", "isolated")]
    found += [Cell(workload, "random", "isolated") for workload in ("throughput", "latency")]
    found += [Cell("latency", "search", f"{lines}@{SWEPT}") for lines in SWEEP]
    found += [Cell("engine", net, "isolated") for net in ("net0", "net256", "net1024")]
    return found + [Cell("latency", "game", "isolated", pages="2m"), Cell("latency", "game", "nnue", corunners=2)]


def arms_of(known, cell):
    """Arms of a cell: list of (arm, method, role, true ns)."""
    arms = [
        (name, name, "reference" if name == REFERENCE else "method", true_ns(cell, size, work))
        for name, (_, size, work) in known.items()
    ]
    if REFERENCE in known:
        arms += [("magic_fancy.twin", REFERENCE, "twin", true_ns(cell, *known[REFERENCE][1:]))]
    return arms + [("empty", "empty", "empty", true_ns(cell, 0, 0.2)), ("clock", "", "clock", 1 / GHZ)]


def verdict_of(low, high, bound, margin=MARGIN):
    """The verdict of an interval, as the benchmark defines it."""
    apart = 1 + max(margin, bound or 0)
    if high < 1 / apart or low > apart:
        return "faster" if high < 1 else "slower"
    if bound and bound > margin:
        return "unresolved"
    return "equivalent" if 1 / (1 + margin) <= low and high <= 1 + margin else "inconclusive"


def tables_of(known, chosen, launches, rounds, seed, speed):
    """(samples, summary) of all cells."""
    random = np.random.default_rng(seed)
    samples, summary = [], []
    for cell in chosen:
        arms = arms_of(known, cell)
        true = np.array([ns for *_, ns in arms]) * speed
        shape = (launches * rounds, 1)
        times = true * np.exp(random.normal(0, 0.02, shape) + random.normal(0, 0.006, (shape[0], len(arms))))
        queries = np.maximum(1, np.round(1e7 / true)).astype(int)
        where = [getattr(cell, name) for name in KEY]
        steal = random.random(times.shape) < 0.01
        for i, line in enumerate(times):
            when = [i // rounds, i % rounds, 0]
            samples += [
                [*when, arm, method, "v3" if method else "", role, *where, n, round(ns * n, 1), 0, int(s)]
                for (arm, method, role, _), n, ns, s in zip(arms, queries, line, steal[i])
            ]
        summary += _summary(known, cell, arms, times, where, launches)
    columns = ["launch", "round", "layout", "arm", "method", "level", "role", *KEY]
    columns += ["queries", "time_ns", "minor_faults", "steal_ticks"]
    return pd.DataFrame(samples, columns=columns), pd.DataFrame(summary)[[*SUMMARY.text, *SUMMARY.numbers]]


def _summary(known, cell, arms, times, where, launches):
    """Rows of a cell. All intervals are of ratios inside a round; the times follow from them, so that orders agree."""
    names = [arm for arm, *_ in arms]
    at = names.index(REFERENCE) if REFERENCE in names else 0
    logs = np.log(times / times[:, [at]])
    ns = float(np.median(times[:, at]))
    middle, half = np.median(logs, axis=0), 2.5 * logs.std(axis=0) / math.sqrt(len(logs))
    low, ratio, high = (np.exp(middle + k * half) for k in (-1, 0, 1))
    empty = ns * ratio[names.index("empty")]
    compared = [i for i, (_, _, role, _) in enumerate(arms) if role in ("method", "reference")]
    reach = high[min(compared, key=lambda i: ratio[i])]
    ahead = [i for i in compared if low[i] <= reach]
    twins = [max(1 / low[i], high[i]) - 1 for i, (_, _, role, _) in enumerate(arms) if role == "twin"]
    bound = twins[0] if twins else None
    for i, (arm, method, role, _) in enumerate(arms):
        family, size, _ = known.get(method, ("baseline" if method else "", 0, 0))
        row = dict.fromkeys([*SUMMARY.text, *SUMMARY.numbers], "") | dict(zip(KEY, where))
        row.update(arm=arm, method=method, family=family, level="v3" if method else "", role=role)
        row.update(title=method.replace("_", " ").capitalize(), table_bytes=size if method else "")
        row.update(launches=launches, rounds=len(times), flagged_rounds=1)
        row.update(_numbers("ns", ns * np.array([low[i], ratio[i], high[i]])))
        row.update(verdict={"reference": "reference", "twin": "twin"}.get(role, "baseline"))
        if role not in ("empty", "clock"):
            row.update(_numbers("net", ns * np.array([low[i], ratio[i], high[i]]) - empty))
            if REFERENCE in names:
                row.update(_numbers("ratio", (low[i], ratio[i], high[i])))
                row.update({f"ratio_unflagged{end}": row[f"ratio{end}"] for end in ("", "_low", "_high")})
                row.update(margin=MARGIN, aa_bound=bound, holm_low=row["ratio_low"], holm_high=row["ratio_high"])
        if role in ("method", "reference") and REFERENCE in names:
            row["best"] = "behind" if i not in ahead else "among" if len(ahead) > 1 else "fastest"
        if role == "method" and REFERENCE in names:
            row["verdict"] = verdict_of(low[i], high[i], bound)
        if cell.workload in ("engine", "perft"):
            row["ns_per_node"] = row["ns_per_query"]
        yield row


def _numbers(name, ends):
    middle = {"ns": "ns_per_query", "net": "net_ns_per_query"}.get(name, name)
    return dict(zip((f"{name}_low", middle, f"{name}_high"), (round(float(value), 6) for value in ends)))


def bests_of(chosen, summary):
    """`bests` of run.json, from the column `best`: by cell and most bytes."""
    found = []
    for cell in chosen:
        own = (summary[KEY] == [getattr(cell, name) for name in KEY]).all(axis=1) & (summary["best"] != "")
        for limit in (None, 8 << 10, 64 << 10):
            rows = summary[own].astype({"ratio": float, "ratio_low": float, "ratio_high": float})
            rows = rows[rows["table_bytes"].astype(float) <= (limit or math.inf)].sort_values("ratio")
            if rows.empty:
                continue
            arms = list(rows[rows["ratio_low"] <= rows["ratio_high"].iloc[0]]["arm"])
            entry = {"cell": cell.__dict__, "limit_bytes": limit, "compared": len(rows), "arms": arms}
            ahead = rows["ratio"].iloc[0] / rows["ratio"].iloc[1] if len(rows) > 1 else None
            lead = None if ahead is None else {"value": ahead, "low": 0.99 * ahead, "high": min(1, 1.01 * ahead)}
            found.append(entry | {"sure": len(arms) == 1, "lead": lead})
    return found


def crossings_of(known, chosen):
    """`crossings` of run.json, from the true times: where each method crosses the reference along the sweep."""
    pressures = [f"{lines}@{SWEPT}" for lines in SWEEP]
    swept = [Cell("latency", "search", name) for name in ("isolated", "nnue", *pressures)]
    swept = sorted((cell for cell in swept if cell in chosen), key=lines_of)
    if len(swept) < 3 or REFERENCE not in known:
        return []
    places, found = np.log2(1 + np.array([lines_of(cell) for cell in swept])), []
    cell = replace(swept[-1], pressure=SWEPT).__dict__
    for arm, against in [(name, REFERENCE) for name in known if name != REFERENCE] + [("pext", "hyperbola_avx2")]:
        if not {arm, against} <= set(known):
            continue
        a, b = (np.array([true_ns(c, *known[name][1:]) for c in swept]) for name in (arm, against))
        logs = np.log(a / b)
        turns = np.flatnonzero((logs[1:] < 0) != (logs[:-1] < 0))
        if len(turns) == 1:
            i = turns[0]
            place = places[i] + (places[i + 1] - places[i]) * logs[i] / (logs[i] - logs[i + 1])
            lines = {key: 2 ** (place + by) - 1 for key, by in (("low", -0.1), ("value", 0), ("high", 0.1))}
            entry = {"cell": cell, "arm": arm, "against": against, "faster_below": bool(logs[0] < 0)}
            found.append(entry | {"lines": lines})
    return found


def correlations_of(summary):
    """`correlations` of run.json: every pair of cells, with an interval of a tenth either side."""
    rows = summary[summary["role"].isin(["method", "reference"]) & (summary["ratio"] != "")]
    if rows.empty:
        return []
    wide = rows.assign(ratio=rows["ratio"].astype(float)).pivot(index="arm", columns=KEY, values="ratio")
    rho = wide.corr(method="spearman").to_numpy()
    cells_ = [Cell(*key).__dict__ for key in wide.columns]
    return [
        {"a": cells_[i], "b": cells_[j], "methods": len(wide), "spearman": rho[i, j], "bound": 0.98}
        | {"low": max(-1.0, rho[i, j] - 0.1), "high": min(1.0, rho[i, j] + 0.1)}
        for i in range(len(cells_))
        for j in range(i)
        if math.isfinite(rho[i, j])
    ]


def info_of(known, chosen, **changes):
    """A run.json with everything in it; `changes` replaces entries."""
    trace_names = dict.fromkeys(cell.trace for cell in chosen if cell.workload not in ("engine", "perft"))
    cell = Cell("latency", "search", "isolated").__dict__
    twin = {"cell": cell, "ratio": 1.001, "low": 0.998, "high": 1.004, "margin": MARGIN, "result": "passed"}
    control = {"cell": cell, "expected_cycles": 3, "tolerance_cycles": 0.75, "result": "passed"}
    control |= {"measured_cycles": 3.02, "low": 2.9, "high": 3.1}
    cache = {"line_bytes": 64, "ways": 8, "shared_by": 1}
    caches = [("instruction", 1, 65536), ("data", 1, 32768), ("unified", 2, 1 << 20)]
    machine = {"cpu": "Imaginary CPU 9000", "family": 25, "model": 1, "stepping": 1, "hypervisor": "kvm"}
    machine["caches"] = [cache | {"type": kind, "level": level, "bytes": size} for kind, level, size in caches]
    listed = []
    for i, (name, (family, size, _)) in enumerate(known.items()):
        isa = "avx2" if name.endswith("avx2") else "bmi2" if name.startswith("pext") else ""
        inventor = "A. Inventor" if i % 2 else "B. Author and C. Coauthor"
        facts = {"id": name, "title": name.replace("_", " ").capitalize(), "family": family, "table_bytes": size}
        facts |= {"isa": isa, "year": 1995 + i % 31, "inventor": inventor, "reference": "https://example.org/"}
        listed.append(facts)
    info = {
        **{"schema": 3, "complete": True, "profile": "publication", "seed": 1, "commit": "abc1234", "dirty": False},
        **{"started": "2026-01-02T03:04:05Z", "finished": "2026-01-02T04:04:05Z"},
        "command": ["slidebench", "run", "--out", "out"],
        "inference": {"interval": "student-t", "confidence": 0.95, "margin": MARGIN},
        "protocol": {"launches": 3, "rounds": 12, "vary_layout": False, "until_decided": False, "max_seconds": None},
        "machine": machine,
        "build": {"compiler": "GNU 12.2.0", "flags": "-O3", "type": "Release"},
        "counters": {"status": "none", "reason": "the virtual machine offers no PMU"},
        "traces": [{"name": name, "file": f"{name}.trace", "xxh3": f"digest of {name}"} for name in trace_names],
        "methods": listed,
        "cells": [cell.__dict__ for cell in chosen],
        "skipped": [{"id": "ray_masks_avx512", "why": "needs avx512f"}],
        "effective_ghz": {"median": 3.6, "low": 3.5, "high": 3.65},
        "warnings": ["the clock rate moved"],
        "checks": {"valid": True, "twin": [twin], "control": [control]},
    }
    return {**info, **changes}


def write_simulated(folder, known, traces=("game", "search"), pressures=("isolated", "nnue"), caches=("host",), draws=1):
    """counters.csv, mrc.csv and squares.csv as the cache simulator writes them."""
    (folder / "counters.csv").write_text(make_counts(known, traces, pressures, caches, draws))
    (folder / "mrc.csv").write_text(make_mrc(known, traces))
    (folder / "squares.csv").write_text(make_squares(known, traces, pressures, caches))


def answer_of(chosen, summary):
    """answer.json as the program writes it: a situation a plain cell of one trace, and a table of methods."""
    plain = [c for c in chosen if (c.kinds, c.pages, c.corunners) == ("all", "4k", 0) and "@" not in c.pressure]
    trace = "search" if any(c.trace == "search" for c in plain) else plain[0].trace if plain else ""
    inside, loops = ("perft", "engine"), ("throughput", "latency")
    plain = [c for c in plain if c.workload in inside or (c.workload in loops and c.trace == trace)]
    first = plain[0].workload if plain else ""
    situations, tables = [], []
    for cell in (c for c in plain if c.workload in (first, *inside)):
        own = summary[(summary[KEY] == [getattr(cell, name) for name in KEY]).all(axis=1)]
        own = own[own["role"].isin(["method", "reference"]) & (own["ratio"] != "")]
        ratios = dict(zip(own["arm"], own["ratio"]))
        if not ratios:
            continue
        best = min(ratios, key=ratios.get)
        name = cell.pressure if cell.workload == first else f"{cell.workload} {cell.trace}"
        entry = {"id": "alone" if name == "isolated" else name, "title": f"In {name}", "cell": cell.__dict__}
        entry |= {"method": best, "level_with": [], "verdict": "sure", "ratio": ratios[best], "ratio_low": None}
        text = f"In {name}: {best}, {abs(100 * (ratios[best] - 1)):.0f} % less time than {REFERENCE}, sure."
        situations.append(entry | {"ratio_high": None, "ceiling": 0.5, "resolution": 0.01, "text": text})
        tables.append(ratios)
    few = ("pext", REFERENCE, "magic_plain", "hyperbola", "hyperbola_avx2", "kogge_stone")
    rows = [
        {"method": m, "table_bytes": 512, "ratios": [found.get(m) for found in tables], "sure": [True] * len(tables)}
        for m in few
        if tables and m in tables[0]
    ]
    table = {"situations": [entry["id"] for entry in situations], "rows": rows}
    return {"reference": REFERENCE, "trace": trace, "workload": first, "situations": situations, "table": table}


def make_full_run(folder, chosen=None, known=None, launches=3, rounds=12, seed=1, speed=1.0, simulated=True, **info):
    """Writes a synthetic run with the whole schema into a folder, made if missing, and returns the folder: of `cells()`
    and `methods()` unless others are given; `rounds` is per launch, `speed` a factor of every time, `simulated` says
    whether it has misses, miss-ratio curves and squares, and **info replaces entries of run.json."""
    known = methods() if known is None else known
    chosen = cells() if chosen is None else chosen
    folder.mkdir(parents=True, exist_ok=True)
    samples, summary = tables_of(known, chosen, launches, rounds, seed, speed)
    samples.to_csv(folder / "samples.csv", index=False)
    summary.to_csv(folder / "summary.csv", index=False)
    derived = {"bests": bests_of(chosen, summary), "crossings": crossings_of(known, chosen)}
    derived["correlations"] = correlations_of(summary)
    (folder / "run.json").write_text(json.dumps(info_of(known, chosen, **(derived | info))))
    (folder / "answer.json").write_text(json.dumps(answer_of(chosen, summary)))
    if simulated:
        write_simulated(folder, known)
    return folder


def make_simulation(folder, known, traces=("game",), pressures=("isolated", "light"), draws=2):
    """Writes a synthetic simulation into a folder, made if missing; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_simulated(folder, known, traces, pressures, tuple(CACHES), draws)
    (folder / "tables.csv").write_text(make_tables(known, traces, pressures, tuple(CACHES)))
    info = info_of(known, [Cell("latency", "game", "isolated")])
    for name in ("profile", "warnings", "effective_ghz", "checks"):
        del info[name]
    info |= {"kind": "simulation", "draws": draws, "command": ["slidebench", "simulate", "--out", "out"]}
    info["counters"] = {"status": "simulated", "reason": "read through PAPI's software-defined events"}
    info["caches"] = [{"name": n, "specification": cache[0], "notes": ["imaginary"]} for n, cache in CACHES.items()]
    info["pressures"] = [{"name": "isolated", "lines": 0, "when": "evaluation"}]
    info["pressures"] += [{"name": "light", "lines": 64, "when": "node"}]
    (folder / "run.json").write_text(json.dumps(info))
    return folder
