# SPDX-License-Identifier: MIT
"""Rank correlations, and the ceiling that noise sets, on data of known reliability."""

import math

import numpy as np
import pytest

from report.analysis.ranks import ceiling, clustered_interval, reliability, spearman, spearman_interval


def noisy(methods, process_runs, wanted, seed=1):
    """(truth, measured): each process run is the truth plus noise, so that the mean over all has the wanted reliability."""
    draw = np.random.default_rng(seed)
    truth = draw.normal(size=methods)
    spread = math.sqrt(process_runs * (1 - wanted) / wanted)
    return truth, truth[:, None] + draw.normal(scale=spread, size=(methods, process_runs))


@pytest.mark.parametrize("wanted", [0.5, 0.8, 0.95])
def test_a_perfect_predictor_reaches_the_ceiling_and_no_more(wanted):
    truth, measured = noisy(2000, 24, wanted)
    # A rank correlation of normal values is a little below their correlation (Pearson 1907).
    assert reliability(measured) == pytest.approx(wanted, abs=0.04)
    assert spearman(truth, measured.mean(axis=1)) == pytest.approx(ceiling(measured), abs=0.02)
    few = [ceiling(noisy(40, 24, wanted, seed)[1]) for seed in range(20)]
    assert np.mean(few) == pytest.approx(math.sqrt(wanted), abs=0.06)


def test_ends_and_too_little():
    assert ceiling(np.random.default_rng(1).normal(size=(2000, 24))) < 0.3
    assert ceiling(np.tile(np.arange(40.0)[:, None], 8)) == pytest.approx(1)
    for few in (np.zeros((2, 8)), np.zeros((40, 1)), np.zeros((40, 8))):
        assert math.isnan(ceiling(few))
    assert math.isnan(spearman([1, 1, 1], [1, 2, 3]))
    low, high = spearman_interval(0.7, 40)
    assert -1 < low < 0.7 < high < 1
    assert spearman_interval(1.0, 40) == (1.0, 1.0)


def test_rows_of_one_cluster_count_once():
    draw = np.random.default_rng(3)
    a = draw.normal(size=40)
    b = a + draw.normal(size=40)
    alone = clustered_interval(a, b, range(40))
    repeated = clustered_interval(np.repeat(a, 12), np.repeat(b, 12), np.repeat(range(40), 12))
    fisher = spearman_interval(spearman(a, b), 40)
    assert np.ptp(repeated) == pytest.approx(np.ptp(alone), rel=0.1)
    assert np.ptp(alone) == pytest.approx(np.ptp(fisher), rel=0.3)
    assert np.isnan(clustered_interval(a, b, ["one"] * 40)).all()
