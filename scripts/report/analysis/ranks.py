# SPDX-License-Identifier: MIT
"""Rank correlations: their intervals, and how high noise lets them be."""

import math

import numpy as np
from scipy.stats import rankdata, spearmanr

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
