# SPDX-License-Identifier: MIT
"""The figure of an advice: what each method would bring, sorted, with intervals and a line at the method of now."""

import math

from engines.advise_words import FREE, quantity
from report.figures.axes import row_panels
from report.figures.style import INK, MUTED, label_colour, marker_style, shorten

KIND, STEM = "advice", "advice"
WIDTH, ROW, LEFT = 4.7, 0.26, 1.6  # inches; so narrow that a telephone shows it without scrolling


def limits(drawn, bound):
    """From where to where the axis goes: all dots, zero and the bound, and ends of intervals not far beyond them."""
    dots = [0.0, bound, *(value for value, *_ in drawn)]
    low, high = min(dots), max(dots)
    reach = max(high - low, 1e-9)
    ends = [end for _, *both in drawn for end in both if math.isfinite(end)]
    low, high = max(min([low, *ends]), low - reach), min(max([high, *ends]), high + reach)
    air = 0.04 * (high - low)
    return low - air, high + air


def advice_figure(advice):
    """(kind, stem, what it is about, Figure), as `write_figures` takes it."""
    names = [shorten(row.method, 24) for row in advice.rows]
    scale, unit = quantity(advice.bound)[1:]
    what = "more nodes a second, %" if unit == "%" else "ns a node saved"
    drawn = [[scale * end for end in quantity(row.prediction)[0]] for row in advice.rows]
    bound = scale * quantity(advice.bound)[0].value
    figure, (axes,) = row_panels(names, [f"against {shorten(advice.reference, 24)}"], WIDTH, ROW, LEFT, edge=0.55)
    axes.set_xlim(*limits(drawn, bound))
    axes.axvline(0, color=INK, linewidth=1.0, zorder=1)
    axes.axvline(bound, color=MUTED, linewidth=1.0, linestyle="--", zorder=1)
    for y, (row, (value, low, high)) in enumerate(zip(advice.rows, drawn)):
        style = marker_style(row.method, "faster" if row.is_shown else "inconclusive", 6.5)
        style["marker"] = "o"
        ends = [max(low, axes.get_xlim()[0]), min(high, axes.get_xlim()[1])]
        axes.plot(ends, [y, y], color=style["markeredgecolor"], linewidth=1.6, solid_capstyle="butt", zorder=2)
        axes.plot([value], [y], zorder=3, **style)
        axes.get_yticklabels()[y].set_color(label_colour(row.method))
    axes.set_xlabel(what)
    about = f"{len(names)} methods against {advice.reference}: {what}, predicted, with 95 % intervals, sorted; dashed: {FREE}"
    return KIND, STEM, about, figure
