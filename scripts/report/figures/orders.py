# SPDX-License-Identifier: MIT
"""The order of the methods, cell by cell, as a heat map; below it how far one order foretells another, as the program
found."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap

from report.analysis.ranks import correlations
from report.data.cells import COMPARED_ROLES
from report.data.words import human_number
from report.figures.style import INK, label_colour, shorten, without_spines

MOST_CELLS = 14
# Blue is faster than the reference, orange slower: colour-blind readers tell them apart; dark text reads on all.
FAST_SLOW = LinearSegmentedColormap.from_list("fast_slow", ["#5b9bd8", "#b9d5ee", "#f7f7f5", "#f8d3a8", "#e8964a"])
AGREEMENT = LinearSegmentedColormap.from_list("agreement", ["#e8964a", "#f7f7f5"])
DARK = "#101316"  # on shades that do not follow the page
STEP, ROW, SQUARE = 0.62, 0.21, 0.36  # inches: a column, and a row of each table
LEFT, RIGHT, ABOVE, BETWEEN, BELOW = 2.3, 1.4, 1.5, 0.9, 0.2


def orders(run):
    """Ranks of all methods in the plain cells that have ratios, side by side; None for fewer than two cells."""
    cells = [c for c in run.plain if run.rows(c, *COMPARED_ROLES)["ratio"].notna().any()][:MOST_CELLS]
    if len(cells) < 2:
        return None
    ranked = [run.ranked(cell).dropna(subset=["ratio"]).drop_duplicates("contender").set_index("contender") for cell in cells]
    methods = pd.concat([rows["method"] for rows in ranked]).groupby(level=0, sort=False).first()
    ratios = pd.concat([rows["ratio"] for rows in ranked], axis=1).reindex(methods.index)
    width, body, square = LEFT + STEP * len(cells) + RIGHT, ROW * len(methods), SQUARE * len(cells)
    height = ABOVE + body + BETWEEN + square + BELOW
    figure, (axes, below) = plt.subplots(2, figsize=(width, height), height_ratios=(body, square))
    figure.subplots_adjust(LEFT / width, BELOW / height, 1 - RIGHT / width, 1 - ABOVE / height)
    figure.subplots_adjust(hspace=2 * BETWEEN / (body + square))
    _draw_ranks(axes, ratios, methods)
    letters = [chr(ord("A") + i) for i in range(len(cells))]
    heads = [f"{letter}  {shorten(cell.name, 34)}" for letter, cell in zip(letters, cells)]
    axes.set_xticks(range(len(cells)), heads, fontsize=8, rotation=30, ha="left", rotation_mode="anchor")
    _draw_correlations(below, run, cells)
    below.set_xticks(range(len(cells)), letters, fontsize=8)
    below.set_yticks(range(len(cells)), [f"{shorten(c.name, 30)}  {n}" for c, n in zip(cells, letters)], fontsize=8)
    for table in (axes, below):
        table.xaxis.tick_top()
        without_spines(table)
    return figure


def _draw_ranks(axes, ratios, methods):
    """A row per method: its place in each cell on a shade of its ratio."""
    shade = np.clip(np.log2(ratios), -1, 1)
    axes.imshow(shade, cmap=FAST_SLOW, vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
    for (y, x), rank in np.ndenumerate(ratios.rank(method="first")):
        text, colour = (f"{rank:.0f}", DARK) if rank == rank else ("\N{EN DASH}", INK)
        axes.text(x, y, text, ha="center", va="center", fontsize=8, color=colour)
    axes.set_yticks(range(len(methods)), [shorten(contender, 28) for contender in methods.index], fontsize=8)
    for label, method in zip(axes.get_yticklabels(), methods):
        label.set_color(label_colour(method))


def _draw_correlations(axes, run, cells):
    """Spearman's correlations with their intervals, as shade and numbers."""
    known = correlations(run)
    rho = [[known.get((a, b), [np.nan])[0] for b in cells] for a in cells]
    axes.imshow(rho, cmap=AGREEMENT, vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    for i, a in enumerate(cells):
        for j, b in enumerate(cells):
            if (a, b) in known:
                value, low, high = map(human_number, known[a, b])
                axes.text(j, i - 0.18, value, ha="center", va="center", fontsize=8, color=DARK)
                axes.text(j, i + 0.25, f"[{low}, {high}]", ha="center", va="center", fontsize=5.5, color=DARK)
    axes.set_title("Spearman's rank correlation of two orders: 1 is the same order", loc="left", fontsize=9, pad=8)
