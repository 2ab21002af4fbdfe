# SPDX-License-Identifier: MIT
"""A synthetic simulation of known truth, written as the cache simulator writes it."""

import json

import synthetic

from folders import METHODS
from report.data.cells import Cell

# Caches of the synthetic simulation: name -> (specification, factor of the misses).
CACHES = {
    "host": ("L1=32K/8/64:lru,L2=1M/8/64:lru,L3=32M/16/64:lru:victim,DTLB=72/72,STLB=3072/12,PAGE=4K", 1.0),
    "small": ("L1=16K/8/64:plru,L2=256K/8/64:plru,L3=none,DTLB=64/4:2M=32/4,STLB=none,PAGE=4K", 1.5),
}
SIM_QUERIES = 1000
METRICS = ["accesses", "l1d_misses", "l2d_misses", "l3_misses", "dtlb_misses"]


def missed(size, cache_bytes, factor=1.0):
    """Misses of SIM_QUERIES queries, known truth: none without tables, fewer the more of them the cache holds."""
    return round(factor * SIM_QUERIES * min(1.0, size / (8 * cache_bytes))) + size // 4096


def make_counts(methods, traces, pressures=("isolated",), caches=("host",), draws=1):
    """Rows of counters.csv as the cache simulator writes them."""
    rows = []
    for trace in traces:
        for pressure in pressures:
            for name, entry in {"empty": ("", "", 0), **methods}.items():
                for cache in caches:
                    factor = CACHES[cache][1] * (2 if pressure != "isolated" else 1)
                    for draw in range(draws):
                        for i, metric in enumerate(METRICS):
                            if cache == "small" and metric == "l3_misses":
                                continue  # it has no L3
                            value = missed(entry[2], 32768 << (5 * max(i - 1, 0)), factor) + (draw if entry[2] else 0)
                            if metric == "accesses":
                                value = 3 * SIM_QUERIES if entry[2] else 0
                            rows.append(
                                f"0,{name},{name},v3,replay,{trace},{pressure},{metric},simulated,sde:::X,{value},0,"
                                f"{SIM_QUERIES},{value / SIM_QUERIES},{cache},4k,{draw}"
                            )
    head = (
        "launch,arm,method,level,workload,trace,pressure,metric,source,event,value,value_empty,queries,per_query,"
        "cache,pages,draw"
    )
    return "\n".join([head, *rows]) + "\n"


def make_mrc(methods, traces):
    """Rows of mrc.csv for lines and pages."""
    rows = ["method,trace,granularity_bytes,cache_lines,lines_per_evaluation,block_lines,accesses,queries,misses"]
    for trace in traces:
        for name, entry in {"empty": ("", "", 0), **methods}.items():
            for granularity in (64, 4096):
                for size in (4, 16, 64, 256, 512, 1024, 4096, 16384):
                    for lines in (0, 64, 512):
                        misses = missed(entry[2], size * granularity) * (1 + lines / 1024)
                        rows.append(
                            f"{name},{trace},{granularity},{size},{lines},131072,{3 * SIM_QUERIES},{SIM_QUERIES},"
                            f"{misses:g}"
                        )
    return "\n".join(rows) + "\n"


def make_squares(methods, traces, pressures, caches):
    """Rows of squares.csv; nobody asks for a bishop on a1, and a queen's query misses twice as often."""
    rows = ["method,trace,pressure,cache,pages,kind,square,queries,distinct_lines,l1d_misses,l2d_misses"]
    for trace in traces:
        for pressure in pressures:
            for name, entry in methods.items():
                for cache in caches:
                    for kind in ("bishop", "rook", "queen", "both"):
                        for i in range(64):
                            square = "abcdefgh"[i % 8] + str(i // 8 + 1)
                            if (kind, square) == ("bishop", "a1") or (kind == "both" and square[1] > "2"):
                                continue
                            lines = (i + 1) * {"bishop": 1, "rook": 2}.get(kind, 3) if entry[2] else 0
                            misses = min(entry[2], 50 if kind != "queen" else 100)
                            rows.append(f"{name},{trace},{pressure},{cache},4k,{kind},{square},100,{lines},{misses},0")
    return "\n".join(rows) + "\n"


def make_tables(methods, traces, pressures, caches):
    """Rows of tables.csv: two tables a method, and the whole with causes where nothing else touches the cache."""
    rows = [
        "method,trace,pressure,cache,pages,draw,table,table_bytes,queries,distinct_lines,level,accesses,misses,"
        "compulsory,capacity,conflict"
    ]
    for trace in traces:
        for pressure in pressures:
            for name, entry in methods.items():
                for cache in caches:
                    where = f"{name},{trace},{pressure},{cache},4k,0"
                    for level in ("L1D", "L2") if entry[2] else ():
                        rows.append(f"{where},attacks,{entry[2] - 512},{SIM_QUERIES},40,{level},2000,300,,,")
                        rows.append(f"{where},records,512,{SIM_QUERIES},8,{level},1000,11,,,")
                        causes = "48,270,-7" if pressure == "isolated" else ",,"
                        rows.append(f"{where},all,0,{SIM_QUERIES},48,{level},3000,311,{causes}")
    return "\n".join(rows) + "\n"


def make_simulation(folder, methods=None, traces=("game",), pressures=("isolated", "light"), draws=2):
    """Writes a synthetic simulation.

    Args:
        folder: Path, made if missing.
        methods: like METHODS.
        traces, pressures: names.
        draws: how many.

    Returns:
        folder.
    """
    methods = METHODS if methods is None else methods
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "counters.csv").write_text(make_counts(methods, traces, pressures, tuple(CACHES), draws))
    (folder / "mrc.csv").write_text(make_mrc(methods, traces))
    (folder / "squares.csv").write_text(make_squares(methods, traces, pressures, tuple(CACHES)))
    (folder / "tables.csv").write_text(make_tables(methods, traces, pressures, tuple(CACHES)))
    known = {name: entry[1:] for name, entry in methods.items()}
    info = synthetic.info_of({n: (*e, 0) for n, e in known.items()}, [Cell("latency", "game", "isolated")])
    for name in ("profile", "warnings", "effective_ghz", "checks"):
        del info[name]
    info.update(
        kind="simulation",
        draws=draws,
        command=["slidebench", "simulate", "--out", "out"],
        counters={"status": "simulated", "reason": "read through PAPI's software-defined events"},
        caches=[{"name": name, "specification": cache[0], "notes": ["imaginary"]} for name, cache in CACHES.items()],
        pressures=[
            {"name": "isolated", "lines": 0, "when": "evaluation"},
            {"name": "light", "lines": 64, "when": "node"},
        ],
    )
    (folder / "run.json").write_text(json.dumps(info))
    return folder
