# SPDX-License-Identifier: MIT
"""The command `report.py`: a run's or a simulation's folder in, figures and a page out."""

import argparse

from report.analysis.before import since
from report.data.run import load
from report.data.simulation import is_simulation, load_simulation
from report.errors import ReportError
from report.figures.all import run_figures
from report.figures.files import write_figures
from report.figures.simulation import simulation_figures
from report.figures.style import set_defaults
from report.needed import fail
from report.output import write
from report.page.run import run_page
from report.page.simulation import simulation_page

ABOUT = "Turns the output folder of a run or of a simulation into figures and a page: plots/ and index.html."


def report(folder, program=None, before=None):
    """Makes the report of one run or simulation; ReportError where the folder holds none that can be read. `program`, a
    slidebench, gives the page the methods' headers; `before` is the folder of an earlier run. Returns the files
    written."""
    set_defaults()
    if is_simulation(folder):
        data = load_simulation(folder)
        figures, written = write_figures(data.folder / "plots", simulation_figures(data))
        page = simulation_page(data, figures)
    else:
        data = load(folder)
        figures, written = write_figures(data.folder / "plots", run_figures(data))
        page = run_page(data, figures, program, since(data, before) if before else None)
    index = data.folder / "index.html"
    write(index, page.encode())
    return written + [index]


def main(arguments=None):
    """The command; returns the exit status, 0 or 2."""
    parser = argparse.ArgumentParser(
        prog="report.py", description=ABOUT, epilog="example: report.py reports/run1 --program build/bench/slidebench"
    )
    parser.add_argument(
        "folder",
        metavar="DIR",
        help="the folder that `slidebench run --out DIR` or `slidebench simulate --out DIR` wrote",
    )
    parser.add_argument("--program", metavar="PATH", help="slidebench: the page then carries the methods' headers")
    parser.add_argument("--before", metavar="DIR", help="an earlier run of this machine, to compare with")
    options = parser.parse_args(arguments)
    try:
        written = report(options.folder, options.program, options.before)
    except OSError as error:
        where = error.filename or options.folder
        return fail("report.py", f"{where}: cannot be written ({error.strerror}); check the folder and the free space")
    except ReportError as error:
        return fail("report.py", str(error))
    print("\n".join(str(path) for path in written))
    return 0
