# SPDX-License-Identifier: MIT
"""Predicted against measured differences."""

import matplotlib.pyplot as plt

from report.figures.style import GRID, MUTED, method_colour


def colours(rows):
    """A colour a row, by its method."""
    return [method_colour(method) for method in rows["method"]]


def draw(rows, branching):
    """A panel for each comparison and workload of times.residuals, a colour a method, bars for the measured
    intervals where known; crosses for the rows that `branching` marks."""
    groups = list(rows.groupby(["comparison", "workload"]))
    figure, axes = plt.subplots(1, len(groups), figsize=(4.2 * len(groups), 4.4), squeeze=False)
    for axis, ((comparison, workload), group) in zip(axes[0], groups):
        for marker, chosen in (("o", group[~branching[group.index]]), ("x", group[branching[group.index]])):
            axis.scatter("measured_ns", "predicted_ns", data=chosen, s=14, c=colours(chosen), marker=marker)
            known = chosen.dropna(subset=["measured_low", "measured_high"])
            axis.hlines("predicted_ns", "measured_low", "measured_high", colours(known), alpha=0.3, data=known)
        ends = group[["measured_ns", "predicted_ns"]]
        span = [ends.min().min(), ends.max().max()]
        axis.plot(span, span, color=GRID, linewidth=1, zorder=0)
        axis.set_xscale("symlog", linthresh=1)
        axis.set_yscale("symlog", linthresh=1)
        for direction in (axis.xaxis, axis.yaxis):
            direction.set_major_formatter("{x:g}")
        axis.set_title(f"{comparison}, {workload}", fontsize=10)
        axis.set_xlabel("measured, ns per query")
    axes[0][0].set_ylabel("predicted, ns per query")
    if branching.any():
        words = "o: without, x: with conditional branches that depend on the occupancy"
        figure.text(0.01, 0.01, words, color=MUTED, fontsize=8)
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    return figure
