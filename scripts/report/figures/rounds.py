# SPDX-License-Identifier: MIT
"""What noise looked like: the A/A control and the clock, round by round, a row per cell."""

import math

import matplotlib.pyplot as plt
import numpy as np

from report.data.run import clock_ghz, round_ratios
from report.figures.style import BAND, INK, MUTED, shorten

MOST_CELLS = 24


def rounds(run):
    """The A/A control's ln ratio in per cent, and the clock rate, over all rounds; None without both, or without
    samples."""
    found = [(cell, round_ratios(run, cell), clock_ghz(run, cell)) for cell in run.plain]
    found = [entry for entry in found if entry[1] is not None or entry[2] is not None][:MOST_CELLS]
    if not found:
        return None
    row, head = 0.62, 0.5
    height = head + row * len(found) + 0.5
    figure, grid = plt.subplots(len(found), 2, figsize=(11, height), squeeze=False, width_ratios=(3, 2))
    figure.subplots_adjust(
        left=0.235, right=0.985, top=1 - head / height, bottom=0.45 / height, wspace=0.1, hspace=0.25
    )
    for (left, right), (cell, ratios, clock) in zip(grid, found):
        left.set_ylabel(shorten(cell.name, 36), rotation=0, ha="right", va="center", fontsize=8, labelpad=26)
        for axes, values in ((left, ratios), (right, clock)):
            if values is None:
                axes.set(xticks=[], yticks=[])
        if ratios is not None:
            margin = min(run.margin(cell) or 0, 1)
            left.axhspan(-100 * math.log1p(margin), 100 * math.log1p(margin), color=BAND, linewidth=0, zorder=0)
            left.axhline(0, color=INK, linewidth=0.6)
            disturbed = ratios["disturbed"].to_numpy()
            _draw(left, 100 * ratios["log_ratio"].to_numpy(), disturbed, 0.0, 200 * (margin or 0.01))
        if clock is not None:
            middle = float(clock["ghz"].median())
            _draw(right, clock["ghz"].to_numpy(), np.zeros(len(clock), dtype=bool), middle, 0.02 * middle)
            right.ticklabel_format(axis="y", useOffset=False)
    grid[0][0].set_title("A/A control, ln ratio in %", loc="left", fontsize=9)
    grid[0][1].set_title("effective clock, GHz", loc="left", fontsize=9)
    for axes in grid[-1]:
        axes.set_xlabel("round, over all process runs", fontsize=8)
    return figure


def _draw(axes, values, disturbed, middle, least):
    """A line over the rounds; rings where something disturbed one, triangles at the edge for what lies beyond it.

    A few rounds far out would flatten all others: the axis holds what 19 of 20 need, with room. None is left out.
    """
    reach = max(least, 1.8 * float(np.quantile(np.abs(values - middle), 0.95)))
    shown, x = np.clip(values, middle - reach, middle + reach), np.arange(len(values))
    axes.plot(x, shown, color=MUTED, linewidth=0.7)
    axes.plot(x[disturbed], shown[disturbed], "o", markersize=3.5, markerfacecolor="none", markeredgecolor=INK)
    for beyond, shape in ((values > shown, "^"), (values < shown, "v")):
        axes.plot(x[beyond], shown[beyond], shape, color=INK, markersize=4, clip_on=False)
    axes.set_ylim(middle - 1.1 * reach, middle + 1.1 * reach)
    axes.set_xlim(-0.5, len(values) - 0.5)
    axes.locator_params(axis="y", nbins=3)
    axes.tick_params(labelsize=7)
    axes.tick_params(axis="x", labelbottom=axes.get_subplotspec().is_last_row())
