# SPDX-License-Identifier: MIT
"""The order of the methods, cell by cell, as a heat map; below it how far one order foretells another."""

import math

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from report.analysis.orders import recorded, shown_cells
from report.data.words import human_number
from report.figures.style import INK, label_colour, shorten, without_spines

MOST_CELLS = 14
# Blue is faster than the reference, orange slower: colour-blind readers tell them apart; dark text reads on all.
FAST_SLOW = LinearSegmentedColormap.from_list("fast_slow", ["#5b9bd8", "#b9d5ee", "#f7f7f5", "#f8d3a8", "#e8964a"])
DARK = "#101316"  # on shades that do not follow the page


def orders(run):
    """Ranks of all methods in the cells that stand side by side; None for a run of one cell, or without ratios."""
    cells = shown_cells(run)[:MOST_CELLS]
    if len(cells) < 2:
        return None
    columns = [run.ranked(cell).dropna(subset=["ratio"]).set_index("arm") for cell in cells]
    arms = list(dict.fromkeys(arm for rows in columns for arm in rows.index))
    ratios = np.array([[rows["ratio"].get(arm, math.nan) for rows in columns] for arm in arms], dtype=float)
    ranks = [{arm: i + 1 for i, arm in enumerate(rows.index)} for rows in columns]
    methods = {arm: method for rows in columns for arm, method in zip(rows.index, rows["method"])}
    step, left, head, row = 0.62, 2.3, 1.5, 0.21
    width, body, square = left + step * len(cells) + 0.4, row * len(arms), 0.36 * len(cells)
    height = head + body + 0.9 + square + 0.2
    figure = plt.figure(figsize=(width, height))
    axes = figure.add_axes([left / width, 1 - (head + body) / height, step * len(cells) / width, body / height])
    shade = np.clip(np.log2(ratios), -1, 1)
    axes.imshow(shade, cmap=FAST_SLOW, vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
    for y, arm in enumerate(arms):
        for x, known in enumerate(ranks):
            text = f"{known[arm]}" if arm in known else "\N{EN DASH}"
            axes.text(x, y, text, ha="center", va="center", fontsize=8, color=DARK if arm in known else INK)
    axes.set_yticks(range(len(arms)), [shorten(arm, 28) for arm in arms], fontsize=8)
    for label, arm in zip(axes.get_yticklabels(), arms):
        label.set_color(label_colour(methods[arm]))
    letters = [chr(ord("A") + i) for i in range(len(cells))]
    heads = [f"{letter}  {shorten(cell.name, 34)}" for letter, cell in zip(letters, cells)]
    axes.set_xticks(range(len(cells)), heads, fontsize=8, rotation=30, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    without_spines(axes)
    wide = figure.add_axes([left / width, 0.2 / height, step * len(cells) / width, square / height])
    _correlations(wide, run, cells, letters)
    return figure


def _correlations(axes, run, cells, letters):
    """Spearman's correlations with their intervals, as shade and numbers."""
    known = recorded(run)
    rho = np.array([[known[a, b].rho if (a, b) in known else math.nan for b in cells] for a in cells], dtype=float)
    shades = LinearSegmentedColormap.from_list("agreement", ["#e8964a", "#f7f7f5"])
    axes.imshow(rho, cmap=shades, vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    for i in range(len(cells)):
        for j in range(len(cells)):
            if math.isfinite(rho[i, j]):
                found = known[cells[i], cells[j]]
                axes.text(j, i - 0.18, human_number(found.rho), ha="center", va="center", fontsize=8, color=DARK)
                ends = f"[{human_number(found.low)}, {human_number(found.high)}]"
                axes.text(j, i + 0.25, ends, ha="center", va="center", fontsize=5.5, color=DARK)
    axes.set_xticks(range(len(cells)), letters, fontsize=8)
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(cells)), [f"{shorten(c.name, 30)}  {n}" for c, n in zip(cells, letters)], fontsize=8)
    axes.set_title("Spearman's rank correlation of two orders: 1 is the same order", loc="left", fontsize=9, pad=8)
    without_spines(axes)
