#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the output folder of a run or of a simulation into figures and a page.

Of a run it reads samples.csv, summary.csv, run.json and, where there is one, counters.csv; of a simulation
counters.csv, run.json and, where there are any, mrc.csv, squares.csv and tables.csv. It writes plots/*.svg,
plots/*.png and index.html beside them, and prints the files written, one a line.
"""

import argparse
import sys

from report_errors import ReportError

NEEDED = ("matplotlib", "numpy", "pandas")


def write(path, data):
    """Writes a file whole or not at all: a reader never sees half a page.

    Args:
        path: where.
        data: bytes.

    Raises:
        OSError: it cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


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
    import report_simulation
    import report_style

    if report_simulation.is_simulation(folder):
        import report_simulation_figures as figures_module
        import report_simulation_page as page_module

        data = report_simulation.load(folder)
    else:
        import report_data
        import report_figures as figures_module
        import report_page as page_module

        data = report_data.load(folder)
    report_style.set_defaults()
    plots = data.folder / "plots"
    plots.mkdir(exist_ok=True)
    written, figures = [], []
    for kind, stem, shown, figure in figures_module.draw_all(data):
        files = report_style.render(figure)
        figures.append((kind, stem, shown, files["svg"]))
        for suffix, content in files.items():
            path = plots / f"{stem}.{suffix}"
            write(path, content)
            written.append(path)
    index = data.folder / "index.html"
    write(index, page_module.page(data, figures).encode())
    return written + [index]


def main(arguments=None):
    """The command.

    Args:
        arguments: list of str; None for the process's own.

    Returns:
        int: exit status, 0 or 2.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="example: report.py reports/run1")
    parser.add_argument(
        "folder",
        metavar="DIR",
        help="the folder that `slidebench run --out DIR` or `slidebench simulate --out DIR` wrote",
    )
    folder = parser.parse_args(arguments).folder
    try:
        written = report(folder)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in NEEDED:
            raise
        return _fail(
            f"Python has no {error.name}; install python3-matplotlib, python3-pandas and python3-numpy "
            "(scripts/install_deps.sh does) and use the distribution's python3"
        )
    except OSError as error:
        return _fail(
            f"{error.filename or folder}: cannot be written ({error.strerror}); check the folder and the free space"
        )
    except ReportError as error:
        return _fail(str(error))
    print("\n".join(str(path) for path in written))
    return 0


def _fail(words):
    """Says in one line what is wrong; returns the exit status of bad input."""
    print("report.py:", " ".join(words.split()), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
