# SPDX-License-Identifier: MIT
"""The figures of the comparison of plain and fancy magic; those of simulated counts are the report's own."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.lines import Line2D

from report.data.files import cache_bytes
from report.data.simulation import LINE, PAGE, Place
from report.data.words import human_bytes
from report.figures.axes import log_axis, plain, row_panels, size_axis, times
from report.figures.simulation import boards, curves
from report.figures.style import BAND, INK, MUTED, PAPER, heading, method_colour
from studies.plain_vs_fancy.data import DIFFERENT, EQUIVALENT, FANCY, HOST, ISOLATED, MARGIN, PLAIN, UNDECIDED
from studies.plain_vs_fancy.data import UNRESOLVED, main_trace
from studies.plain_vs_fancy.words import PAGE_NAMES
from studies.times import is_branching
from studies.times_figure import draw

WIDTH = 12
# verdict -> (marker, filled). Shape and filling carry the meaning, as in every report.
MARKERS = {EQUIVALENT: ("s", True), DIFFERENT: ("D", True), UNRESOLVED: ("s", False), UNDECIDED: ("o", False)}


def _legend(figure, handles):
    place = {"loc": "lower center", "bbox_to_anchor": (0.5, 0.06 / figure.get_figheight()), "borderaxespad": 0}
    figure.legend(handles=handles, frameon=False, fontsize=8, columnspacing=1.6, ncols=min(len(handles), 4), **place)


def setting_name(row):
    """A setting without its pages, as a row of a figure or table has it."""
    more = [] if row.kinds == "all" else [f"{row.kinds} only"]
    more += [] if row.corunners == 0 else [f"{row.corunners} co-runners"]
    return ", ".join([row.workload, row.trace, row.pressure, *more])


def ratios(verdicts, title, shown):
    """Plain over fancy, a panel a kind of page, with the band within which they count as equal; `shown` names the
    rows."""
    verdicts = verdicts.assign(shown=list(shown))
    names, pages = list(verdicts["shown"].unique()), [page for page in PAGE_NAMES if page in set(verdicts["pages"])]
    figure, panels = row_panels(names, [PAGE_NAMES[page] for page in pages], WIDTH, 0.25, 2.9)
    low, high = min(verdicts["ratio_low"].min(), 1 / MARGIN**2), max(verdicts["ratio_high"].max(), MARGIN**2)
    air, colour = (high / low) ** 0.05, method_colour(PLAIN)
    for axes, page in zip(panels, pages):
        log_axis(axes.xaxis, low / air, high * air, times, 6)
        axes.axvspan(1 / MARGIN, MARGIN, color=BAND, linewidth=0, zorder=0)
        axes.axvline(1, color=INK, linewidth=0.8, zorder=1)
        axes.grid(axis="x", linewidth=0.6)
        axes.set_xlabel("time of plain / time of fancy, logarithmic")
        own = verdicts[verdicts["pages"] == page]
        for y in (y for y, name in enumerate(names) if name not in set(own["shown"])):
            axes.text(1.005 * MARGIN, y, "not measured", va="center", size=8, color=MUTED, backgroundcolor=PAPER)
        for row in own.itertuples():
            y, (shape, filled) = names.index(row.shown), MARKERS[row.verdict]
            axes.plot([row.ratio_low, row.ratio_high], [y, y], color=colour, linewidth=1.8, zorder=3)
            face = colour if filled else PAPER
            axes.plot([row.ratio], [y], shape, color=colour, markerfacecolor=face, markersize=6, zorder=4)
    equal = f"grey: within {100 * (MARGIN - 1):g} % they count as equal"
    heading(figure, title, f"left of {times(1)}: plain is faster; {equal}; bars: 95 % intervals")
    _legend(
        figure,
        [
            Line2D([], [], color=colour, marker=shape, ls="none", label=verdict, mfc=colour if filled else PAPER)
            for verdict, (shape, filled) in MARKERS.items()
        ],
    )
    return figure


def ladder(study):
    """Latency of a dependent load against the bytes in between, on each kind of page, with this machine's caches."""
    figure = plt.figure(figsize=(WIDTH, 5.2))
    axes = figure.add_axes([0.75 / WIDTH, 0.95 / 5.2, (WIDTH - 0.75 - 0.2) / WIDTH, (5.2 - 0.95 - 0.95) / 5.2])
    rows = pd.concat([part.assign(ladder=name) for name, part in study.ladders.items()]).sort_values("bytes")
    low, high = rows["bytes"].min(), rows["bytes"].max()
    size_axis(axes, low, high, 1.2, human_bytes, 2)
    log_axis(axes.yaxis, rows["ns_per_load_q1"].min() / 1.2, rows["ns_per_load_q3"].max() * 1.2, plain)
    words = {"ladder": ("all in one chain", INK), "touches": ("others touched quickly", MUTED)}
    for (name, page), line in rows.groupby(["ladder", "pages"]):
        said, colour = words[name]
        axes.fill_between(line["bytes"], line["ns_per_load_q1"], line["ns_per_load_q3"], color=BAND, alpha=0.6, lw=0)
        style = {"linestyle": "--" if page == "2m" else "-", "marker": "s" if page == "2m" else "o", "markersize": 4}
        label = f"{said}, {PAGE_NAMES.get(page, page)}"
        axes.plot(line["bytes"], line["ns_per_load"], color=colour, label=label, **style)
    for level in (1, 2, 3):
        size = cache_bytes(study.info, level)
        if size and low <= size <= high:
            axes.axvline(size, color=MUTED, linewidth=0.9, linestyle=(0, (2, 3)), zorder=1)
            place = {"xycoords": axes.get_xaxis_transform(), "ha": "center", "va": "bottom"}
            axes.annotate(f"L{level} {human_bytes(size)}", (size, 1.01), fontsize=8, color=MUTED, **place)
    for method in (FANCY, PLAIN):
        size, colour = study.table_bytes(method), method_colour(method)
        axes.axvline(size, color=colour, linewidth=1.6, zorder=1, label=f"{method}'s tables")
    axes.grid(linewidth=0.5)
    axes.set(ylabel="ns a dependent load, logarithmic", xlabel="bytes read in between")
    said = "in one dependent chain, or after these were touched quickly, as an engine does"
    heading(
        figure,
        "The latency ladders of this machine, measured",
        f"a line is read again after all others: {said}; medians, shaded between the quartiles",
    )
    _legend(figure, axes.get_legend_handles_labels()[0])
    return figure


def draw_all(study, verdicts, head):
    """All figures: yields (stem, Figure)."""
    if len(head):
        names = [name + (" (other run)" if place else "") for name, place in zip(head["name"], head["place"])]
        yield "answer", ratios(head, "Plain magic against fancy magic, measured", names)
    title = "Plain magic against fancy magic in every setting, measured"
    yield "ratios", ratios(verdicts, title, map(setting_name, verdicts.itertuples()))
    simulation = study.simulation
    trace = main_trace(simulation.counts)
    found = {
        "ladder": ladder(study),
        "predicted": draw(study.predicted, is_branching(study.predicted)) if len(study.predicted) else None,
        "simulated_curves": curves(simulation, trace, LINE),
        "simulated_curves_pages": curves(simulation, trace, PAGE),
        "simulated_boards": boards(simulation, Place(trace, ISOLATED, HOST, "4k"), "l1d_misses"),
    }
    yield from ((stem, figure) for stem, figure in found.items() if figure is not None)
