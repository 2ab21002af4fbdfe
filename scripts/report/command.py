# SPDX-License-Identifier: MIT
"""Turns the output folder of a run or of a simulation into figures and a page: plots/ and index.html."""

from report.analysis.before import since
from report.data.run import load
from report.data.simulation import is_simulation, load_simulation
from report.figures.all import run_figures
from report.figures.simulation import simulation_figures
from report.figures.style import render, set_defaults
from report.output import write_all
from report.page.run import run_page
from report.page.simulation import simulation_page


def write_figures(plots, drawn):
    """Writes (kind, stem, what it is about, Figure or None) as SVG into the folder `plots`, which is made if missing. Returns
    (list of (kind, stem, what it is about, svg bytes), files written)."""
    figures = [(kind, stem, about, render(figure, ("svg",))["svg"]) for kind, stem, about, figure in drawn if figure is not None]
    return figures, write_all(plots, {f"{stem}.svg": svg for _, stem, _, svg in figures})


def work(options):
    """Makes the report of one run or simulation; ReportError where `options.folder` holds none that can be read.
    `before` is the folder of an earlier run. Returns the files written."""
    set_defaults()
    if is_simulation(options.folder):
        data = load_simulation(options.folder)
        figures, written = write_figures(data.folder / "plots", simulation_figures(data))
        page = simulation_page(data, figures)
    else:
        data = load(options.folder)
        figures, written = write_figures(data.folder / "plots", run_figures(data))
        before = since(data, options.before) if options.before else None
        page = run_page(data, figures, before)
    return written + write_all(data.folder, {"index.html": page.encode()})


def add_arguments(parser):
    """What the command takes."""
    help_folder = "the folder that `slidebench run --out DIR` or `slidebench simulate --out DIR` wrote"
    parser.add_argument("folder", metavar="DIR", help=help_folder)
    parser.add_argument("--before", metavar="DIR", help="an earlier run of this machine, to compare with")
