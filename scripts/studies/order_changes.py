# SPDX-License-Identifier: MIT
"""Where two machines order methods differently, and which property of the methods goes with it.

A pair of methods changes places if one is faster on one machine, the other on the other, each beyond both intervals of their
ratios. What a ratio changes by from machine to machine is ranked against what is counted of each method: instructions, loads,
branches (reports/kernels), bytes of tables, and what a model says of its chain.
"""

import itertools
import math
from pathlib import Path

import numpy as np
import pandas as pd

from report.analysis.ranks import spearman
from report.data.cells import COMPARED_ROLES
from report.data.words import human_number
from report.page.markdown import table

KERNELS = Path(__file__).resolve().parents[2] / "reports" / "kernels" / "kernels.csv.gz"
LEAST_VECTORS = 0.05  # cycles of a vector unit a query, of a kernel that uses them
FEWEST = 10  # methods of which a property is told
DRAWS = 4000
SHOWN = 3
# Property -> (workload, column) of kernels.csv.gz.
COUNTED = {name: ("throughput", name) for name in ("instructions", "loads", "branches")}
COUNTED |= {"modelled chain": ("latency", "mca_cycles")}
VECTORS = "vector registers"
TABLES = "table bytes"
PROPERTIES = (*COUNTED, VECTORS, TABLES)


def properties(path=KERNELS):
    """What is counted or modelled of each method, DataFrame by method with a column a property but the bytes of tables."""
    rows = pd.read_csv(path)
    by = {workload: part.set_index("method") for workload, part in rows.groupby("workload")}
    columns = {name: by[workload][column] for name, (workload, column) in COUNTED.items()}
    columns[VECTORS] = (by["throughput"]["vector_units"].fillna(0) > LEAST_VECTORS).astype(float)
    return pd.DataFrame(columns)


def of_cell(run, cell):
    """The methods of a run's cell, DataFrame by method: ratio, ratio_low, ratio_high, table_bytes."""
    rows = run.rows(cell, *COMPARED_ROLES).drop_duplicates("method").set_index("method")
    return rows[["ratio", "ratio_low", "ratio_high", "table_bytes"]].astype(float)


def changed_pairs(a, b):
    """Pairs (x, y, size) of methods of two tables of `of_cell`: x is faster than y in `a`, y faster than x in `b`, beyond both
    intervals each time; `size` is the smaller of the two differences, as a share. The largest first."""
    both = sorted(set(a.index) & set(b.index))
    found = []
    for x, y in itertools.permutations(both, 2):
        if a.loc[x, "ratio_high"] < a.loc[y, "ratio_low"] and b.loc[y, "ratio_high"] < b.loc[x, "ratio_low"]:
            sizes = a.loc[y, "ratio"] / a.loc[x, "ratio"], b.loc[x, "ratio"] / b.loc[y, "ratio"]
            found.append((x, y, min(sizes) - 1))
    return sorted(found, key=lambda pair: (-pair[2], pair))


def apart(a, b):
    """The methods whose ratios two tables tell apart, beyond both intervals: list of str."""
    both = sorted(set(a.index) & set(b.index))
    return [m for m in both if a.loc[m, "ratio_high"] < b.loc[m, "ratio_low"] or b.loc[m, "ratio_high"] < a.loc[m, "ratio_low"]]


def explained(a, b, known):
    """By which property the methods' ratios change from `a` to `b`: dict property -> (Spearman of it and of the change of the
    logarithm, probability that the largest of all properties is as far from 0 by chance). Empty of fewer than FEWEST methods.

    The probability is of the maximum over properties under random permutations of the methods (Westfall and Young 1993), so
    that to look at several properties does not make one of them seem important."""
    both = sorted(set(a.index) & set(b.index) & set(known.index))
    if len(both) < FEWEST:
        return {}
    change = np.log(b.loc[both, "ratio"] / a.loc[both, "ratio"]).rank().to_numpy()
    values = known.loc[both].assign(**{TABLES: a.loc[both, "table_bytes"]})[list(PROPERTIES)].rank()
    values = values.loc[:, values.nunique() > 1]
    scaled = ((values - values.mean()) / values.std(ddof=0)).to_numpy()
    shift = (change - change.mean()) / change.std()
    draw = np.random.default_rng(1)
    drawn = np.array([draw.permutation(shift) for _ in range(DRAWS)])
    largest = np.abs(drawn @ scaled / len(both)).max(axis=1)
    found = {name: spearman(change, values[name]) for name in values}
    return {name: (rho, (1 + (largest >= abs(rho) - 1e-12).sum()) / (1 + DRAWS)) for name, rho in found.items()}


def _named(pair):
    x, y, size = pair
    return f"`{x}`, `{y}` ({100 * size:.0f} %)"


def _cells(name, other, a, b, known):
    both = set(a.index) & set(b.index)
    pairs = changed_pairs(a, b)
    line = [f"{name}, {other}", str(len(both)), str(len(apart(a, b))), f"{len(pairs)} of {math.comb(len(both), 2)}"]
    line.append("; ".join(map(_named, pairs[:SHOWN])))
    told = explained(a, b, known)
    sure = sorted(((n, rho) for n, (rho, p) in told.items() if p < 0.05), key=lambda entry: -abs(entry[1]))
    line.append(", ".join(f"{n} {human_number(rho)}" for n, rho in sure) or ("none" if told else ""))
    return line


def section(named_runs, cells):
    """The part of the page on where the order changes, in Markdown; `named_runs` is a list of (letter, Run). Empty of fewer than
    two machines."""
    known, lines = properties(), []
    for cell in cells:
        tables = [(name, of_cell(run, cell)) for name, run in named_runs]
        having = [(name, rows) for name, rows in tables if len(rows) > 1]
        for (name, a), (other, b) in itertools.combinations(having, 2):
            lines.append([cell.name, *_cells(name, other, a, b, known)])
    return [INTRODUCTION, table(HEADS, lines)] if lines else []


HEADS = ["where", "machines", ">methods", ">ratios apart", ">pairs that change places", "the largest", "the change goes with"]
INTRODUCTION = f"""## Where the order changes

A ratio is *apart* if the intervals of two machines do not meet. Two methods *change places* if the first is faster on the first
machine and the second on the second, each beyond both intervals; the per cent are the smaller of the two differences. Such pairs
are found without a correction for their number. The last column has the properties of methods by which the ratios change from
the first machine to the second, with Spearman's rank correlation: plus is slower on the second machine the more the method has
of it. Looked at were {", ".join(PROPERTIES)}
([how they are counted](../archive/README.md#what-binds-a-kernel)); a property is named if chance gives the largest of all such a correlation less
than once in 20. The commits of the machines differ, and with them perhaps a method's code."""
