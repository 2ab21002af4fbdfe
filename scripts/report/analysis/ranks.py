# SPDX-License-Identifier: MIT
"""Rank correlations and their intervals."""

import math

import numpy as np
from scipy.stats import rankdata, spearmanr


def spearman(a, b):
    """Spearman's rank correlation, float; NaN where one side is constant."""
    if len(set(a)) < 2 or len(set(b)) < 2:
        return math.nan
    return float(spearmanr(a, b)[0])


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
