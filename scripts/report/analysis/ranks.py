# SPDX-License-Identifier: MIT
"""Rank correlations: their intervals, and how high noise lets them be."""

import math

import numpy as np
from scipy.stats import rankdata, spearmanr

from report.data.cells import cell_of
from report.data.files import items, number

SPLITS = 400


def spearman(a, b):
    """Spearman's rank correlation, float; NaN where one side is constant."""
    if len(set(a)) < 2 or len(set(b)) < 2:
        return math.nan
    return float(spearmanr(a, b)[0])


def spearman_interval(rho, n):
    """95 % interval of a rank correlation of n pairs, by Fisher's z (Bonett and Wright 2000): (low, high)."""
    if n < 4 or not abs(rho) < 1:
        return rho, rho
    spread = 1.96 * math.sqrt((1 + rho * rho / 2) / (n - 3))
    return math.tanh(math.atanh(rho) - spread), math.tanh(math.atanh(rho) + spread)


def clustered_interval(a, b, clusters, seed=1, draws=1000):
    """95 % interval of the rank correlation of pairs that belong to clusters, by drawing whole clusters (Davison and
    Hinkley 1997, 3.8): (low, high). Rows of one method share what the model gets wrong about it, and count once."""
    pairs = [np.flatnonzero(np.asarray(clusters) == cluster) for cluster in sorted(set(clusters))]
    if len(pairs) < 4:
        return math.nan, math.nan
    a, b, draw = np.asarray(a), np.asarray(b), np.random.default_rng(seed)
    rows = (np.concatenate([pairs[i] for i in draw.integers(len(pairs), size=len(pairs))]) for _ in range(draws))
    with np.errstate(invalid="ignore"):  # a draw of constants has no correlation
        found = [np.corrcoef(rankdata(a[drawn]), rankdata(b[drawn]))[0, 1] for drawn in rows]
    return tuple(np.nanquantile(found, (0.025, 0.975)))


def reliability(process_runs, seed=1):
    """How well a ranking by means over process runs would agree with one from as many other process runs: at most 1, 0 where
    halves do not agree at all, NaN where it cannot be told. `process_runs` is an array (methods, process runs). The process runs
    are split into two halves at random, many times; the mean of the halves' rank correlations is stepped up to the full
    length (Spearman 1910; Brown 1910). Noise that all process runs share, such as one placement of the code, is in both halves
    and not seen."""
    values = np.asarray(process_runs, dtype="float64")
    if values.shape[0] < 3 or values.shape[1] < 2:
        return math.nan
    draw = np.random.default_rng(seed)
    half = values.shape[1] // 2
    orders = np.array([draw.permutation(values.shape[1]) for _ in range(SPLITS)])
    parts = orders[:, :half], orders[:, half : 2 * half]
    first, second = (rankdata(values[:, part].mean(axis=2), axis=0) for part in parts)
    if (np.ptp(first, axis=0) == 0).any() or (np.ptp(second, axis=0) == 0).any():
        return math.nan
    halves = np.mean([np.corrcoef(a, b)[0, 1] for a, b in zip(first.T, second.T)])
    return float(2 * halves / (1 + halves)) if halves > 0 else 0.0


def ceiling(process_runs, seed=1):
    """The rank correlation that a perfect predictor would reach with noisy truth, in [0, 1]: the root of its
    `reliability`."""
    return math.sqrt(reliability(process_runs, seed))


def correlations(run):
    """Spearman's rank correlations between the orders of two cells: dict (Cell, Cell), both ways round, -> (value, low,
    high); an end of the interval that the run did not find is None."""
    found = {}
    for entry in items(run.info, "correlations"):
        a, b = cell_of(entry.get("a")), cell_of(entry.get("b"))
        values = [number(entry.get(name)) for name in ("spearman", "low", "high")]
        if a is not None and b is not None and values[0] is not None:
            found[a, b] = found[b, a] = values
    return found
