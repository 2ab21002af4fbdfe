# SPDX-License-Identifier: MIT
"""Every static figure of a run. What needs a reader's choices is drawn by the page's script instead."""

import matplotlib.pyplot as plt

from report.analysis.findings import twin_sentence
from report.data.files import unused_stem
from report.data.simulation import of_run
from report.figures.misses import miss_figures
from report.figures.rounds import rounds
from report.figures.simulation import simulation_figures


def run_figures(run):
    """Every static figure of a run: yields (kind, stem of the file, what it is about, Figure or None)."""
    used = set()
    for stem, about, figure in miss_figures(run):
        yield "misses", unused_stem(stem, used), about, figure
    simulation = of_run(run)
    for kind, stem, about, figure in simulation_figures(simulation) if simulation else ():
        if kind == "misses":
            plt.close(figure)  # miss_figures has them beside the times
        else:
            yield kind, unused_stem(stem, used), about, figure
    yield "rounds", unused_stem("rounds", used), f"the A/A control and the clock. {twin_sentence(run)}", rounds(run)
