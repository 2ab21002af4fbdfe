# SPDX-License-Identifier: MIT
"""Figures written into a folder."""

from report.figures.style import render
from report.output import write


def write_figures(plots, drawn):
    """Writes (kind, stem, what it is about, Figure or None) as SVG and PNG into the folder `plots`, which is made if
    missing. Returns (list of (kind, stem, what it is about, svg bytes), files written)."""
    plots.mkdir(parents=True, exist_ok=True)
    figures, written = [], []
    for kind, stem, about, figure in drawn:
        if figure is None:
            continue
        files = render(figure)
        figures.append((kind, stem, about, files["svg"]))
        for suffix, content in files.items():
            written.append(plots / f"{stem}.{suffix}")
            write(written[-1], content)
    return figures, written
