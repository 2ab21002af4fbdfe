# SPDX-License-Identifier: MIT
"""The slope of a line between two measured variables, both with errors.

A fit that takes the errors of one variable alone finds too small a slope where the other is noisy. Here both have the errors
that their process runs show: the line is the one from which the points are away least, in units of these errors (W. E. Deming,
Statistical Adjustment of Data, 1943; D. York, Canadian Journal of Physics 44, 1966). The interval comes from drawing whole
process runs anew, since the methods of a process run share what disturbs it (B. Efron, The Annals of Statistics 7(1), 1979).
"""

import math

import numpy as np
from scipy.optimize import minimize_scalar

DRAWS = 300
NO_ERROR = 1e-18  #: a variance below which points count as exact


def line(x, y, x_variance, y_variance):
    """The slope and the intercept of the line that is nearest to the points: two floats; arrays of one length."""

    def fitted(angle):
        slope = math.tan(angle)
        weights = 1 / np.maximum(y_variance + slope**2 * x_variance, NO_ERROR)
        intercept = np.average(y - slope * x, weights=weights)
        return slope, intercept, weights

    def distance(angle):
        slope, intercept, weights = fitted(angle)
        return float(np.sum(weights * (y - intercept - slope * x) ** 2))

    angles = np.linspace(-1.5, 1.5, 31)
    near = min(angles, key=distance)
    best = minimize_scalar(distance, bounds=(near - 0.1, near + 0.1), method="bounded")
    return fitted(best.x)[:2]


def moments(runs):
    """The means over process runs and their variances, of an array (methods, process runs)."""
    return runs.mean(axis=1), runs.var(axis=1, ddof=1) / runs.shape[1]


def slope_with_interval(x_runs, y_runs, seed=1, draws=DRAWS):
    """(slope, low, high) of y over x with a 95 % interval; two arrays (methods, process runs) with the same methods, and two process
    runs each at least."""

    def slope_of(x, y):
        (x_mean, x_variance), (y_mean, y_variance) = moments(x), moments(y)
        return line(x_mean, y_mean, x_variance, y_variance)[0]

    random = np.random.default_rng(seed)
    drawn = []
    for _ in range(draws):
        drawn.append(slope_of(*(runs[:, random.integers(0, runs.shape[1], runs.shape[1])] for runs in (x_runs, y_runs))))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return slope_of(x_runs, y_runs), float(low), float(high)
