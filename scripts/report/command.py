# SPDX-License-Identifier: MIT
"""The command `report.py`: a run's or a simulation's folder in, figures and a page out."""

import argparse

from report.data.run import load
from report.data.simulation import is_simulation, load_simulation
from report.errors import ReportError
from report.figures.all import run_figures
from report.figures.simulation import simulation_figures
from report.figures.style import render, set_defaults
from report.needed import fail
from report.output import write
from report.page.run import run_page
from report.page.simulation import simulation_page


def report(folder):
    """Makes the report of one run or simulation.

    Args:
        folder: the output folder.

    Returns:
        list of Path: the files written.

    Raises:
        ReportError: the folder does not hold a readable run or simulation.
        OSError: a file cannot be written.
    """
    if is_simulation(folder):
        data = load_simulation(folder)
        drawn, write_page = simulation_figures(data), simulation_page
    else:
        data = load(folder)
        drawn, write_page = run_figures(data), run_page
    set_defaults()
    plots = data.folder / "plots"
    plots.mkdir(exist_ok=True)
    written, figures = [], []
    for kind, stem, shown, figure in drawn:
        files = render(figure)
        figures.append((kind, stem, shown, files["svg"]))
        for suffix, content in files.items():
            path = plots / f"{stem}.{suffix}"
            write(path, content)
            written.append(path)
    index = data.folder / "index.html"
    write(index, write_page(data, figures).encode())
    return written + [index]


def main(arguments=None):
    """The command.

    Args:
        arguments: list of str; None for the process's own.

    Returns:
        int: exit status, 0 or 2.
    """
    parser = argparse.ArgumentParser(description=ABOUT, epilog="example: report.py reports/run1")
    parser.add_argument(
        "folder",
        metavar="DIR",
        help="the folder that `slidebench run --out DIR` or `slidebench simulate --out DIR` wrote",
    )
    folder = parser.parse_args(arguments).folder
    try:
        written = report(folder)
    except OSError as error:
        return fail(
            "report.py",
            f"{error.filename or folder}: cannot be written ({error.strerror}); check the folder and the free space",
        )
    except ReportError as error:
        return fail("report.py", str(error))
    print("\n".join(str(path) for path in written))
    return 0


ABOUT = "Turns the output folder of a run or of a simulation into figures and a page."
