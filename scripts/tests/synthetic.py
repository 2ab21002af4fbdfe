# SPDX-License-Identifier: MIT
"""Synthetic runs with everything that a run can have, and simulations, of known truth."""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import t as student
from scipy.stats import trim_mean

from report.data.cells import Cell, touched
from report.data.schema import COUNTERS, KEY, MRC, PROCESS_RUNS, SAMPLES, SQUARES, SUMMARY, TABLES
from report.data.simulation import SQUARE_NAMES
from report.figures.style import METHOD_COLOURS

ROOT = Path(__file__).resolve().parents[2]
REFERENCE, COUNT, MARGIN, BOUND = "magic_fancy", 43, 0.01, 0.005
HALF = 0.004  # of every interval
SWEEP = (16, 32, 64, 128, 256, 512, 1536)
SWEPT = "8M/eval/rows"
# family -> (table bytes, ns of pure work) of its first method
FAMILIES = {"fill": (0, 11), "lookup": (9_728, 3.6), "rotated": (90_112, 4.1), "magic": (865_280, 3.0)}
FAMILIES |= {"pext": (863_232, 2.4), "calculation": (2_560, 4.2)}
STRETCH = {"latency": 2.0, "setwise": 4.0, "update": 0.7, "perft": 30.0, "engine": 400.0}
TOUCHED = {"lukewarm": 200, "net0": 60, "net256": 300, "net1024": 500}
# Caches of the synthetic simulation: name -> (specification, factor of the misses).
CACHES = {
    "host": ("L1=32K/8/64:lru,L2=1M/8/64:lru,L3=32M/16/64:lru:victim,DTLB=72/72,STLB=3072/12,PAGE=4K", 1.0),
    "small": ("L1=16K/8/64:plru,L2=256K/8/64:plru,L3=none,DTLB=64/4:2M=32/4,STLB=none,PAGE=4K", 1.5),
}
SIM_QUERIES = 1000
BEYOND_L1 = {"l1d_misses": 0, "l2d_misses": 5, "l3_misses": 10, "dtlb_misses": 15}  # metric -> log2 of its cache over 32 KiB


def methods():
    """The methods of the synthetic run: dict id -> (family, table bytes, ns of pure work). The truth of every ratio."""
    families = {path.stem: path.parent.name for path in (ROOT / "methods").glob("*/*.hpp")}
    found = {}
    for i, name in enumerate([m for m in METHOD_COLOURS if m in families][:COUNT]):
        size, work = FAMILIES[families[name]]
        found[name] = (families[name], size + (512 * (i % 9) if size else 0), work * (1 + 0.02 * (i % 11)))
    found |= {REFERENCE: ("magic", 865_280, 3.1), "magic_plain": ("magic", 2_361_344, 3.1)}
    found |= {"pext": ("pext", 863_232, 2.3)}
    return found | {"hyperbola": ("calculation", 2_048, 4.0), "hyperbola_avx2": ("calculation", 4_608, 3.7)}


def true_ns(cell, size, work):
    """What a query costs: pure work, and misses that grow with tables and pressure."""
    found = touched(cell.pressure)
    lines = 600 if cell.workload == "engine" else found.lines if found else TOUCHED.get(cell.pressure, 0)
    misses = min(1.0, size / (1 << 20)) * lines / (lines + 300)
    both = 1.7 if cell.kinds == "both" else 1.0
    stretch = both * (1.3 if cell.trace == "random" else 1.0) * (0.9 if cell.pages == "2m" else 1.0)
    stretch *= STRETCH.get(cell.workload, 1.0)
    return stretch * work + 2 + 0.02 * lines + 9 * misses * both * (1 + 0.2 * cell.corunners)


def cells():
    """The cells of the synthetic run: presets, a sweep, kinds, pages, co-runners, perft and an engine of three nets."""
    presets = ("isolated", "net0", "net256", "net1024", "lukewarm", "light", "nnue", "nnue-xl")
    asked = [("throughput", "all"), ("throughput", "both"), ("latency", "all"), ("latency", "both"), ("setwise", "all")]
    found = [Cell(w, trace, name, kinds) for trace in ("game", "search") for w, kinds in asked for name in presets]
    found += [Cell("update", "game", "isolated"), Cell("perft", "suite", "isolated")]
    found += [Cell(workload, "random", "isolated") for workload in ("throughput", "latency")]
    found += [Cell("latency", "search", f"{lines}@{SWEPT}") for lines in SWEEP]
    found += [Cell("engine", net, "isolated") for net in ("net0", "net256", "net1024")]
    return found + [Cell("latency", "game", "isolated", pages="2m"), Cell("latency", "game", "nnue", corunners=2)]


def contenders_of(known, cell):
    """The contenders of a cell: DataFrame with contender, method, role and true ns; the reference is among the known."""
    rows = [(m, m, "method" if m != REFERENCE else "reference", true_ns(cell, *known[m][1:])) for m in known]
    reference = true_ns(cell, *known[REFERENCE][1:])
    rows += [(f"magic_fancy.{role}", REFERENCE, role, reference) for role in ("twin", "second_twin")]
    if cell.workload != "latency":
        rows += [("magic_fancy.twice", REFERENCE, "twice", 1.5 * reference)]
    if cell.workload == "engine" or (cell.workload in ("throughput", "latency") and cell.pressure != "lukewarm"):
        rows += [("magic_fancy.control", REFERENCE, "control", 1.1 * reference)]
    rows += [("empty", "empty", "empty", true_ns(cell, 0, 0.2)), ("clock", "", "clock", 1 / 3.6)]
    table = pd.DataFrame(rows, columns=["contender", "method", "role", "ns"])
    return table.assign(level=np.where(table["method"] == "", "", "v3"))


def verdict_of(low, high, bound):
    """The verdict of an interval, as the benchmark defines it."""
    apart = 1 + max(MARGIN, bound)
    if high < 1 / apart or low > apart:
        return "faster" if high < 1 else "slower"
    if bound > MARGIN:
        return "unresolved"
    return "equivalent" if 1 / (1 + MARGIN) <= low and high <= 1 + MARGIN else "inconclusive"


def samples_of(contenders, process_runs, rounds, random):
    """The samples of a cell: its contenders in every round of every process run."""
    when = pd.MultiIndex.from_product([range(process_runs), range(rounds)], names=["process_run", "round"]).to_frame(index=False)
    table = when.merge(contenders, how="cross").assign(placement=0, minor_faults=0)
    noise = np.exp(random.normal(0, 0.006, len(table)))
    queries = np.maximum(1, np.round(1e7 / table["ns"]))
    times = (table["ns"] * noise * queries).round(1)
    return table.assign(queries=queries, time_ns=times, steal_ticks=(random.random(len(table)) < 0.01).astype(int))


def summary_of(contenders, known, cell, process_runs, rounds):
    """The rows of a cell in summary.csv: intervals as wide as HALF around each value."""
    judged = contenders["role"].isin(["method", "reference", "twin", "second_twin", "twice", "control"])
    compared = contenders["role"].isin(["method", "reference"])
    ratio = (contenders["ns"] / contenders.loc[contenders["role"] == "reference", "ns"].iloc[0]).where(judged)
    net = (contenders["ns"] - contenders.loc[contenders["role"] == "empty", "ns"].iloc[0]).where(judged)
    facts = [known.get(method, ("", 0, 0)) for method in contenders["method"]]
    table = contenders.assign(family=[f[0] for f in facts], table_bytes=[f[1] for f in facts], process_runs=process_runs)
    table = table.assign(title=contenders["method"].str.replace("_", " ").str.capitalize(), rounds=process_runs * rounds)
    values = {"ns": ("ns_per_query", contenders["ns"]), "net": ("net_ns_per_query", net), "ratio": ("ratio", ratio)}
    values |= {"ratio_unflagged": ("ratio_unflagged", ratio), "holm": ("holm", ratio)}
    for name, (middle, value) in values.items():
        for column, scale in ((f"{name}_low", np.exp(-HALF)), (middle, 1), (f"{name}_high", np.exp(HALF))):
            table[column] = (value * scale).round(6)
    table["margin"], table["aa_bound"] = (np.where(judged, value, np.nan) for value in (MARGIN, BOUND))
    ahead = compared & (table["ratio_low"] <= table["ratio_high"][compared].min())
    table["best"] = np.where(ahead, "fastest" if ahead.sum() == 1 else "among", np.where(compared, "behind", ""))
    verdicts = [verdict_of(low, high, BOUND) for low, high in zip(table["ratio_low"], table["ratio_high"])]
    roles = contenders["role"].replace({"empty": "baseline", "clock": "baseline"})
    table["verdict"] = roles.where(contenders["role"] != "method", verdicts)
    table["ns_per_node"] = contenders["ns"] if cell.workload in ("engine", "perft") else np.nan
    return table.assign(flagged_rounds=1)


def process_runs_of(summary, samples):
    """The rows of process_runs.csv: their times are those of the samples, and the ratios of a summary follow from theirs."""
    compared = summary[summary["ratio"].notna()]
    n = int(compared["process_runs"].iloc[0])
    steps = np.linspace(-1, 1, n)
    steps *= HALF / (student.ppf(0.975, max(1, 0.75 * n - 1)) * steps.std(ddof=1) / math.sqrt(n))
    rows = compared.merge(pd.DataFrame({"process_run": range(n), "step": steps}), how="cross")
    place = [*KEY, "contender", "process_run"]
    logs = np.log(samples["time_ns"] / samples["queries"]).groupby([samples[name] for name in place])
    middle = logs.agg(lambda values: trim_mean(values, 0.25))  # the rounds are a multiple of four
    rows = rows.drop(columns="ns_per_query").join(np.exp(middle).rename("ns_per_query").round(4), on=place)
    return rows.assign(placement=0, rounds=rows["rounds"] // n, log_ratio=np.log(rows["ratio"]) + rows["step"])


def bests_of(summary):
    """`bests` of run.json, from the column `best`."""
    found = []
    for key, rows in summary[summary["best"] != ""].groupby(KEY, sort=False):
        rows = rows.sort_values("ratio", kind="stable")
        contenders = list(rows["contender"][rows["best"] != "behind"])
        ahead = rows["ratio"].iloc[0] / rows["ratio"].iloc[1] if len(rows) > 1 else None
        lead = ahead and {"value": ahead, "low": 0.99 * ahead, "high": min(1, 1.01 * ahead)}
        entry = {"cell": Cell(*key).__dict__, "limit_bytes": None, "compared": len(rows), "contenders": contenders}
        found.append(entry | {"sure": len(contenders) == 1, "lead": lead})
    return found


def info_of(known, chosen, **changes):
    """A run.json with everything in it; `changes` replaces entries."""
    names = dict.fromkeys(cell.trace for cell in chosen if cell.workload not in ("engine", "perft"))
    cell = {"cell": Cell("latency", "search", "isolated").__dict__, "result": "passed"}
    twin = cell | {"ratio": 1.001, "low": 0.998, "high": 1.004, "margin": MARGIN}
    control = cell | {"expected_ratio": 1.1, "tolerance_ratio": 0.025, "measured_ratio": 1.102, "low": 1.09, "high": 1.11}
    machine = {"cpu": "Imaginary CPU 9000", "family": 25, "model": 1, "stepping": 1, "hypervisor": "kvm"}
    caches = [("instruction", 1, 65536), ("data", 1, 32768), ("unified", 2, 1 << 20)]
    cache = {"line_bytes": 64, "ways": 8, "shared_by": 1}
    machine["caches"] = [cache | {"type": kind, "level": level, "bytes": size} for kind, level, size in caches]
    listed = [
        {"id": name, "title": name.replace("_", " ").capitalize(), "family": family, "table_bytes": size}
        | {"isa": "avx2" if "avx2" in name else "", "year": 1995 + i % 31, "inventor": f"{'AB'[i % 2]}. Inventor"}
        for i, (name, (family, size, _)) in enumerate(known.items())
    ]
    return {
        **{"schema": 4, "complete": True, "profile": "publication", "seed": 1, "commit": "abc1234", "dirty": False},
        **{"started": "2026-01-02T03:04:05Z", "finished": "2026-01-02T04:04:05Z"},
        "command": ["slidebench", "run", "--out", "out"],
        "inference": {"interval": "student-t", "confidence": 0.95, "margin": MARGIN},
        "protocol": {"process_runs": 3, "rounds": 12, "layouts": 8, "sessions": 1, "until_decided": False, "max_seconds": None},
        "machine": machine,
        "build": {"compiler": "GNU 12.2.0", "flags": "-O3", "type": "Release"},
        "counters": {"status": "none", "reason": "the virtual machine offers no PMU"},
        "pressures": {cell.pressure: f"definition of {cell.pressure}" for cell in chosen},
        "traces": [{"name": name, "file": f"{name}.trace", "xxh3": f"digest of {name}"} for name in names],
        "methods": listed,
        "cells": [cell.__dict__ for cell in chosen],
        "skipped": [{"id": "ray_masks_avx512", "why": "needs avx512f"}],
        "effective_ghz": {"median": 3.6, "low": 3.5, "high": 3.65},
        "warnings": ["the clock rate moved"],
        "checks": {"valid": True, "twin": [twin], "control": [control]},
    } | changes


FEW = ("pext", REFERENCE, "magic_plain", "hyperbola", "hyperbola_avx2", "kogge_stone")


def asked_of(chosen):
    """The cells that an answer is about: the plain ones of one trace, and those of a move generator and an engine."""
    plain = [c for c in chosen if (c.kinds, c.pages, c.corunners) == ("all", "4k", 0) and "@" not in c.pressure]
    loops = sorted((c for c in plain if c.workload in ("throughput", "latency")), key=lambda c: c.trace, reverse=True)
    first = [(c.trace, c.workload) for c in loops][:1]
    asked = [c for c in loops if [(c.trace, c.workload)] == first]
    return asked + [c for c in plain if c.workload in ("perft", "engine")], first[0][0] if first else ""


def answer_of(chosen, summary):
    """answer.json as the program writes it: a situation a cell, and a table of methods."""
    asked, trace = asked_of(chosen)
    rows = summary[summary["role"].isin(["method", "reference"])].drop_duplicates([*KEY, "contender"])
    found = {Cell(*key): part.set_index("contender") for key, part in rows.groupby(KEY)}
    situations, winners = [], []
    for cell in asked:
        name = f"{cell.workload} {cell.trace}" if cell.workload in ("perft", "engine") else cell.pressure
        best = found[cell]["ratio"].idxmin()
        row = found[cell].loc[best]
        change = f"{100 * (row['ratio'] - 1):+.1f} % [{100 * (row['ratio_low'] - 1):.1f}, {100 * (row['ratio_high'] - 1):.1f}]"
        shown = row["verdict"] == "faster"
        line = {"what": best, "change": change, "rest": "tied with 2 others"}
        if not shown:
            line = {"what": "no significant difference", "change": "", "rest": f"least: {best} {change}"}
        entry = {"id": name, "title": f"In {name}", "cell": cell.__dict__, "folder": ""}
        entry |= {"method": best if shown else None, "shown": shown, "tied_with": [], "verdict": "sure" if shown else "unsure"}
        entry |= {end: row[end] if shown else None for end in ("ratio", "ratio_low", "ratio_high")}
        said = " ".join(filter(None, [f"In {name}:", line["what"], line["change"]]))
        situations.append(entry | {"line": line, "second_answer": 0.05, "text": f"{said} against {REFERENCE}."})
        winners.append(best)
    last = [cell for cell in asked if cell.pressure == "net1024"][:1]
    order = [m for cell in (last or asked)[:1] for m in found[cell]["ratio"].sort_values().index if m in {*FEW, *winners}]
    table = [
        {"method": m, "table_bytes": 512, "ratios": [found[c]["ratio"].get(m) for c in asked]}
        | {"sure": [found[c]["verdict"].get(m) not in ("inconclusive", "unresolved") for c in asked]}
        for m in order
    ]
    table = {"situations": [entry["id"] for entry in situations], "rows": table}
    command = "slidebench run --resume DIR --time 20m"
    following = {"command": command, "minutes": 20, "why": f"would tell differences of about 0.6 % to {REFERENCE}"}
    answer = {"schema": 3, "reference": REFERENCE, "trace": trace, "situations": situations}
    return answer | {"deciding": "net1024" if last else "", "table": table, "next": following}


def make_full_run(folder, chosen=None, known=None, process_runs=3, rounds=12, seed=1, simulated=True, **info):
    """Writes a synthetic run with the whole schema into a folder, made if missing, and returns the folder: of `cells()`
    and `methods()` unless others are given; `rounds` is per process run, `simulated` says whether it has misses, miss-ratio
    curves and squares, and **info replaces entries of run.json."""
    known, chosen = known or methods(), chosen or cells()
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)
    samples, summary = [], []
    for cell in chosen:
        contenders = contenders_of(known, cell).assign(**cell.__dict__)
        contenders["ns"] *= np.exp(random.normal(0, 0.0005, len(contenders)))
        samples.append(samples_of(contenders, process_runs, rounds, random))
        summary.append(summary_of(contenders, known, cell, process_runs, rounds))
    samples, summary = pd.concat(samples), pd.concat(summary)
    columns = [*SAMPLES.text, *SAMPLES.numbers, "minor_faults", "steal_ticks"]
    samples.to_csv(folder / "samples.csv", columns=columns, index=False)
    summary.to_csv(folder / "summary.csv", columns=[*SUMMARY.text, *SUMMARY.numbers], index=False)
    columns = [*PROCESS_RUNS.text, *PROCESS_RUNS.numbers]
    process_runs_of(summary, samples).to_csv(folder / "process_runs.csv", columns=columns, index=False)
    pairs = itertools.combinations([cell.__dict__ for cell in chosen], 2)
    estimate = {"methods": COUNT, "spearman": 0.8, "low": 0.7, "high": 0.87, "bound": 0.98}
    derived = {"bests": bests_of(summary), "correlations": [{"a": a, "b": b} | estimate for a, b in pairs]}
    for name, content in (("run", info_of(known, chosen, **(derived | info))), ("answer", answer_of(chosen, summary))):
        (folder / f"{name}.json").write_text(json.dumps(content, default=lambda value: value.item()))  # numpy's
    if simulated:
        write_simulated(folder, known, ("game", "search"), ("isolated", "nnue"), ("host",), 1)
    return folder


def missed(size, cache_bytes, factor=1.0):
    """Misses of SIM_QUERIES queries, known truth: none without tables, fewer the more of them the cache holds."""
    return round(factor * SIM_QUERIES * min(1.0, size / (8 * cache_bytes))) + size // 4096


def csv_of(table, rows):
    """A CSV file with a Table's columns."""
    return "\n".join([",".join(column.name for column in table.columns), *rows]) + "\n"


def make_counts(known, traces, pressures=("isolated",), caches=("host",), draws=1):
    """counters.csv as the cache simulator writes it."""
    rows, known = [], {"empty": ("", 0, 0), **known}
    for trace, pressure, name, cache, draw in itertools.product(traces, pressures, known, caches, range(draws)):
        size, factor = known[name][1], CACHES[cache][1] * (2 if pressure != "isolated" else 1)
        values = {"accesses": 3 * SIM_QUERIES if size else 0}
        values |= {metric: missed(size, 32768 << bits, factor) + (draw if size else 0) for metric, bits in BEYOND_L1.items()}
        for metric, value in values.items():
            if (cache, metric) != ("small", "l3_misses"):  # it has no L3
                where = f"0,{name},{name},v3,replay,all,{trace},{pressure},0,{metric},simulated,X"
                rows.append(f"{where},{value},0,{SIM_QUERIES},{value / SIM_QUERIES},,{cache},4k,{draw},Imaginary,abc1234,2026")
    return csv_of(COUNTERS, rows)


def make_mrc(known, traces):
    """mrc.csv for lines and pages."""
    known, sizes = {"empty": ("", 0, 0), **known}, (4, 16, 64, 256, 512, 1024, 4096, 16384)
    return csv_of(MRC, (
        f"{name},{trace},{granularity},{size},{lines},131072,{3 * SIM_QUERIES},{SIM_QUERIES},"
        f"{missed(known[name][1], size * granularity) * (1 + lines / 1024):g}"
        for trace, name, granularity, size, lines in itertools.product(traces, known, (64, 4096), sizes, (0, 64, 512))
    ))


def make_squares(known, traces, pressures, caches):
    """squares.csv; nobody asks for a bishop on a1, and a queen's query misses twice as often."""
    rows, kinds = [], {"bishop": 1, "rook": 2, "queen": 3, "both": 3}
    places = itertools.product(traces, pressures, known, caches, kinds, enumerate(SQUARE_NAMES))
    for trace, pressure, name, cache, kind, (i, square) in places:
        size = known[name][1]
        if (kind, square) != ("bishop", "a1") and not (kind == "both" and square[1] > "2"):
            lines, misses = (i + 1) * kinds[kind] if size else 0, min(size, 100 if kind == "queen" else 50)
            rows.append(f"{name},{trace},{pressure},{cache},4k,{kind},{square},100,{lines},{misses},0")
    return csv_of(SQUARES, rows)


def make_tables(known, traces, pressures, caches):
    """tables.csv: two tables per method, and the whole with causes where nothing else touches the cache."""
    rows = []
    for trace, pressure, (name, (_, size, _)), cache in itertools.product(traces, pressures, known.items(), caches):
        where = f"{name},{trace},{pressure},{cache},4k,0"
        causes = "48,270,-7" if pressure == "isolated" else ",,"
        for level in ("L1D", "L2") if size else ():
            rows.append(f"{where},attacks,{size - 512},{SIM_QUERIES},40,{level},2000,300,,,")
            rows.append(f"{where},records,512,{SIM_QUERIES},8,{level},1000,11,,,")
            rows.append(f"{where},all,0,{SIM_QUERIES},48,{level},3000,311,{causes}")
    return csv_of(TABLES, rows)


def write_simulated(folder, known, traces, pressures, caches, draws):
    """counters.csv, mrc.csv and squares.csv as the cache simulator writes them."""
    (folder / "counters.csv").write_text(make_counts(known, traces, pressures, caches, draws))
    (folder / "mrc.csv").write_text(make_mrc(known, traces))
    (folder / "squares.csv").write_text(make_squares(known, traces, pressures, caches))


def make_simulation(folder, known, traces=("game",), pressures=("isolated", "light"), draws=2):
    """Writes a synthetic simulation into a folder, made if missing; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_simulated(folder, known, traces, pressures, tuple(CACHES), draws)
    (folder / "tables.csv").write_text(make_tables(known, traces, pressures, tuple(CACHES)))
    info = info_of(known, [Cell("latency", "game", "isolated")])
    for name in ("profile", "warnings", "effective_ghz", "checks"):
        del info[name]
    info |= {"kind": "simulation", "draws": draws, "command": ["slidebench", "simulate", "--out", "out"]}
    info["counters"] = {"status": "simulated", "reason": ""}
    info["caches"] = [{"name": n, "specification": cache[0], "notes": ["imaginary"]} for n, cache in CACHES.items()]
    info["pressures"] = [{"name": "isolated", "lines": 0, "when": "evaluation"}, {"name": "light", "lines": 64, "when": "node"}]
    (folder / "run.json").write_text(json.dumps(info))
    return folder
