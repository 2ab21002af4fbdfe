# SPDX-License-Identifier: MIT
"""The matrix of verdicts: runs side by side."""

import math

import matplotlib.pyplot as plt
import pandas as pd

from report.analysis.compare import describe
from report.data.cells import COMPARED_ROLES
from report.data.words import human_ratio
from report.figures.style import INK, VERDICT_WORDS, heading, marker_style, shorten, without_spines


def matrix(compared, cell):
    """The matrix of verdicts of one cell: a row a method, a column a run."""
    columns = [run.rows(cell, *COMPARED_ROLES).drop_duplicates("arm").set_index("arm") for run in compared.runs]
    wide = pd.concat([rows["ratio"].rename(i) for i, rows in enumerate(columns)], axis=1)
    order = list(wide.mean(axis=1).sort_values().index)
    width, height = 4.0 + 1.7 * len(columns), 1.3 + 0.24 * len(order)
    figure = plt.figure(figsize=(width, height))
    axes = figure.add_axes([2.6 / width, 0.2 / height, 1 - 2.8 / width, 1 - 1.2 / height])
    for x, rows in enumerate(columns):
        for y, arm in enumerate(order):
            if arm in rows.index and math.isfinite(rows.loc[arm, "ratio"]):
                row = rows.loc[arm]
                axes.plot([x - 0.25], [y], **marker_style(row["method"], row["verdict"]))
                axes.text(x - 0.1, y, human_ratio(row["ratio"]), va="center", fontsize=8.5, color=INK)
    axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(order) - 0.5, -0.5))
    axes.set_yticks(range(len(order)), [shorten(arm, 28) for arm in order], fontsize=8)
    names = [f"{n}: {shorten(describe(run), 22)}" for n, run in zip(compared.letters, compared.runs)]
    axes.set_xticks(range(len(columns)), names, fontsize=8)
    axes.xaxis.tick_top()
    without_spines(axes)
    heading(figure, cell.name, f"time / time of the reference: {VERDICT_WORDS}", top=0.15)
    return figure
