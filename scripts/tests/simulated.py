# SPDX-License-Identifier: MIT
"""Simulated counts of known truth, as the cache simulator writes them; methods are given as `synthetic.methods` has
them: dict id -> (family, table bytes, ns)."""

import itertools

from report.data.schema import COUNTERS, MRC, SQUARES, TABLES
from report.data.simulation import SQUARE_NAMES

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


def csv_of(table, rows):
    """A CSV file with a Table's columns."""
    return "\n".join([",".join(column.name for column in table.columns), *rows]) + "\n"


def make_counts(methods, traces, pressures=("isolated",), caches=("host",), draws=1):
    """counters.csv as the cache simulator writes it."""
    rows = []
    known = {"empty": ("", 0, 0), **methods}
    for trace, pressure, name, cache, draw in itertools.product(traces, pressures, known, caches, range(draws)):
        size, factor = known[name][1], CACHES[cache][1] * (2 if pressure != "isolated" else 1)
        for i, metric in enumerate(METRICS):
            if cache == "small" and metric == "l3_misses":
                continue  # it has no L3
            value = missed(size, 32768 << (5 * max(i - 1, 0)), factor) + (draw if size else 0)
            if metric == "accesses":
                value = 3 * SIM_QUERIES if size else 0
            rows.append(
                f"0,{name},{name},v3,replay,all,{trace},{pressure},0,{metric},simulated,X,{value},0,{SIM_QUERIES},"
                f"{value / SIM_QUERIES},,{cache},4k,{draw}"
            )
    return csv_of(COUNTERS, rows)


def make_mrc(methods, traces):
    """mrc.csv for lines and pages."""
    known, sizes = {"empty": ("", 0, 0), **methods}, (4, 16, 64, 256, 512, 1024, 4096, 16384)
    return csv_of(MRC, (
        f"{name},{trace},{granularity},{size},{lines},131072,{3 * SIM_QUERIES},{SIM_QUERIES},"
        f"{missed(known[name][1], size * granularity) * (1 + lines / 1024):g}"
        for trace, name, granularity, size, lines in itertools.product(traces, known, (64, 4096), sizes, (0, 64, 512))
    ))


def make_squares(methods, traces, pressures, caches):
    """squares.csv; nobody asks for a bishop on a1, and a queen's query misses twice as often."""
    rows, kinds = [], {"bishop": 1, "rook": 2, "queen": 3, "both": 3}
    places = itertools.product(traces, pressures, methods, caches, kinds, enumerate(SQUARE_NAMES))
    for trace, pressure, name, cache, kind, (i, square) in places:
        size = methods[name][1]
        if (kind, square) != ("bishop", "a1") and not (kind == "both" and square[1] > "2"):
            lines, misses = (i + 1) * kinds[kind] if size else 0, min(size, 100 if kind == "queen" else 50)
            rows.append(f"{name},{trace},{pressure},{cache},4k,{kind},{square},100,{lines},{misses},0")
    return csv_of(SQUARES, rows)


def make_tables(methods, traces, pressures, caches):
    """tables.csv: two tables per method, and the whole with causes where nothing else touches the cache."""
    rows = []
    for trace, pressure, (name, (_, size, _)), cache in itertools.product(traces, pressures, methods.items(), caches):
        where = f"{name},{trace},{pressure},{cache},4k,0"
        causes = "48,270,-7" if pressure == "isolated" else ",,"
        for level in ("L1D", "L2") if size else ():
            rows.append(f"{where},attacks,{size - 512},{SIM_QUERIES},40,{level},2000,300,,,")
            rows.append(f"{where},records,512,{SIM_QUERIES},8,{level},1000,11,,,")
            rows.append(f"{where},all,0,{SIM_QUERIES},48,{level},3000,311,{causes}")
    return csv_of(TABLES, rows)
