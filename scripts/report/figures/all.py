# SPDX-License-Identifier: MIT
"""Every static figure of a run. What needs a reader's choices is drawn by the page's script instead."""

import matplotlib.pyplot as plt

from report.analysis.findings import twin_sentence
from report.analysis.ranks import correlations
from report.data.files import unused_stem
from report.data.simulation import of_run
from report.figures.misses import miss_figures
from report.figures.orders import orders
from report.figures.overview import NARROW, SHARED, WIDE, overview
from report.figures.rounds import rounds
from report.figures.simulation import simulation_figures


def run_figures(run):
    """Every static figure of a run: yields (kind, stem of the file, what it is about, Figure or None); the kind
    `narrow` is the first picture for a phone."""
    used = set()
    pictures = (("ranking", "ranking", WIDE), ("narrow", "ranking_narrow", NARROW), ("share", "share", SHARED))
    for kind, stem, shape in pictures:
        yield kind, unused_stem(stem, used), "well-known methods in every situation", overview(run, shape)
    for stem, about, figure in miss_figures(run):
        yield "misses", unused_stem(stem, used), about, figure
    simulation = of_run(run)
    for kind, stem, about, figure in simulation_figures(simulation) if simulation else ():
        if kind == "misses":
            plt.close(figure)  # miss_figures has them beside the times
        else:
            yield kind, unused_stem(stem, used), about, figure
    yield "orders", unused_stem("orders", used), f"the order of the methods, cell by cell{_agreement(run)}", orders(run)
    yield "rounds", unused_stem("rounds", used), f"the A/A control and the clock. {twin_sentence(run)}", rounds(run)


def _agreement(run):
    """How far the orders of two cells agree, for a reader who does not see it."""
    found = [value for value, *_ in correlations(run).values()]
    return f": rank correlations of two cells from {min(found):.2f} to {max(found):.2f}" if found else ""
