# SPDX-License-Identifier: MIT
"""The figures of the comparison of plain and fancy magic; those of simulated counts are the report's own."""

import pandas as pd
from matplotlib.lines import Line2D

from report.data.simulation import LINE, PAGE
from report.figures.axes import log_axis, ratio_limits, row_panels, times
from report.figures.simulation import boards, curves
from report.figures.style import BAND, INK, VERDICTS, heading, marker_style, method_colour
from studies.plain_vs_fancy.data import HERE, PLAIN


def ratios(verdicts, title):
    """Plain over fancy, a panel per kind of page, with the band of the widest margin."""
    verdicts = verdicts.assign(shown=verdicts["name"] + " (" + verdicts["run"] + ")").dropna(subset="ratio")
    names, pages = list(verdicts["shown"].unique()), sorted(verdicts["pages"].unique(), reverse=True)
    figure, panels = row_panels(names, [f"{page} pages" for page in pages], 12.4, 0.25, 3.7)
    widest = 1 + verdicts["margin"].max()
    drawn = pd.concat([verdicts["ratio"], pd.Series([1 / widest, widest])])
    low, high = ratio_limits(drawn, pd.concat([verdicts["ratio_low"], verdicts["ratio_high"]]))
    for axes, page in zip(panels, pages):
        log_axis(axes.xaxis, low / 1.02, high * 1.02, times, 6)
        axes.axvspan(1 / widest, widest, color=BAND, linewidth=0, zorder=0)
        axes.axvline(1, color=INK, linewidth=0.8, zorder=1)
        axes.set_xlabel("time of plain / time of fancy, logarithmic")
        for row in verdicts[verdicts["pages"] == page].itertuples():
            y = names.index(row.shown)
            axes.plot([row.ratio_low, row.ratio_high], [y, y], color=method_colour(PLAIN), linewidth=1.8, zorder=3)
            axes.plot([row.ratio], [y], zorder=4, **marker_style(PLAIN, row.verdict, 6.5))
    heading(figure, title, f"bars: 95 % intervals; grey: up to {100 * (widest - 1):g} % apart; empty: not measured")
    used = {VERDICTS[verdict][2]: verdict for verdict in VERDICTS if verdict in set(verdicts["verdict"])}
    handles = [Line2D([], [], label=words, **marker_style(PLAIN, verdict, 6.5)) for words, verdict in used.items()]
    figure.legend(handles=handles, frameon=False, fontsize=8, loc="lower center", ncols=len(handles))
    return figure


def draw_all(study, verdicts, answers):
    """All figures: dict stem -> Figure."""
    return {
        "answer": ratios(answers, "Plain magic against fancy magic, measured"),
        "ratios": ratios(verdicts, "Plain magic against fancy magic in every setting, measured"),
        "simulated_curves": curves(study.simulation, HERE.trace, LINE),
        "simulated_curves_pages": curves(study.simulation, HERE.trace, PAGE),
        "simulated_boards": boards(study.simulation, HERE, "l1d_misses"),
    }
