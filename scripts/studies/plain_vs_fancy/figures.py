# SPDX-License-Identifier: MIT
"""The figures of the comparison of plain and fancy magic; those of simulated counts are the report's own."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.lines import Line2D

from report.data.simulation import LINE, PAGE
from report.figures.axes import log_axis, ratio_limits, row_panels, size_axis, times
from report.figures.simulation import boards, curves
from report.figures.style import BAND, INK, MUTED, VERDICTS, heading, marker_style, method_colour
from studies.plain_vs_fancy.data import HERE, PLAIN, curve


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


def by_working_set(rows):
    """Plain over fancy against what competes for the L2, rows of `curve`: a panel a workload, a line a kind of page."""
    figure, panels = plt.subplots(1, rows["workload"].nunique(), figsize=(12, 4.4), sharex=True, squeeze=False)
    figure.subplots_adjust(0.06, 0.13, 0.98, 0.8, 0.14)
    for axes, (workload, shown) in zip(panels[0], rows.groupby("workload", sort=False)):
        size_axis(axes, rows["share"].min(), rows["share"].max(), 1.1, times)
        axes.axhline(1, color=INK, linewidth=0.8, zorder=1)
        for (pages, own), colour in zip(shown.groupby("pages"), (MUTED, method_colour(PLAIN))):
            bars = [own["ratio"] - own["ratio_low"], own["ratio_high"] - own["ratio"]]
            axes.errorbar(own["share"], own["ratio"], bars, color=colour, marker="o", capsize=3, label=f"{pages} pages")
        axes.set(xlabel="plain's tables and the block, over the L2", ylabel="time of plain / time of fancy")
        axes.set_title(f"{workload} look-ups", loc="left")
    panels[0][0].legend(frameon=False)
    heading(figure, "Plain against fancy magic as the L2 fills, measured", "bars: 95 % intervals")
    return figure


def draw_all(study, verdicts, answers):
    """All figures: dict stem -> Figure."""
    rows = curve(study, verdicts)
    measured = {} if rows is None else {"working_set": by_working_set(rows)}
    return measured | {
        "answer": ratios(answers, "Plain magic against fancy magic, measured"),
        "ratios": ratios(verdicts, "Plain magic against fancy magic in every setting, measured"),
        "simulated_curves": curves(study.simulation, HERE.trace, LINE),
        "simulated_curves_pages": curves(study.simulation, HERE.trace, PAGE),
        "simulated_boards": boards(study.simulation, HERE, "l1d_misses"),
    }
