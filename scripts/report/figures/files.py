# SPDX-License-Identifier: MIT
"""Figures written into a folder."""

from report.figures.style import render
from report.output import write_all


def write_figures(plots, drawn):
    """Writes (kind, stem, what it is about, Figure or None) as SVG into the folder `plots`, which is made if missing. Returns
    (list of (kind, stem, what it is about, svg bytes), files written)."""
    figures = [(kind, stem, about, render(figure, ("svg",))["svg"]) for kind, stem, about, figure in drawn if figure is not None]
    return figures, write_all(plots, {f"{stem}.svg": svg for _, stem, _, svg in figures})
