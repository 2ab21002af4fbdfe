# SPDX-License-Identifier: MIT
"""Figures written into a folder."""

from report.figures.style import render
from report.output import write_all


def write_figures(plots, drawn):
    """Writes (kind, stem, what it is about, Figure or None) as SVG, and the picture to share as PNG too, into the folder
    `plots`, which is made if missing. Returns (list of (kind, stem, what it is about, svg bytes), files written)."""
    figures, files = [], {}
    for kind, stem, about, figure in drawn:
        if figure is not None:
            rendered = render(figure, ("svg", "png") if kind == "share" else ("svg",))
            figures.append((kind, stem, about, rendered["svg"]))
            files |= {f"{stem}.{suffix}": content for suffix, content in rendered.items()}
    return figures, write_all(plots, files)
