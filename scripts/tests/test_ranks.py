# SPDX-License-Identifier: MIT
"""Rank correlations and their intervals."""

import math

import numpy as np
import pytest

from report.analysis.ranks import clustered_interval, spearman


def test_a_constant_has_no_rank_correlation():
    assert math.isnan(spearman([1, 1, 1], [1, 2, 3]))


def test_rows_of_one_cluster_count_once():
    draw = np.random.default_rng(3)
    a = draw.normal(size=40)
    b = a + draw.normal(size=40)
    alone = clustered_interval(a, b, range(40))
    repeated = clustered_interval(np.repeat(a, 12), np.repeat(b, 12), np.repeat(range(40), 12))
    assert np.ptp(repeated) == pytest.approx(np.ptp(alone), rel=0.1)
    rho = spearman(a, b)  # by Fisher's z, its interval is about as wide
    spread = 1.96 * math.sqrt((1 + rho * rho / 2) / 37)
    assert np.ptp(alone) == pytest.approx(math.tanh(math.atanh(rho) + spread) - math.tanh(math.atanh(rho) - spread), rel=0.3)
    assert np.isnan(clustered_interval(a, b, ["one"] * 40)).all()
