#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns a run's output folder into figures and a page.

Reads samples.csv, summary.csv, run.json and, where there is one, counters.csv; writes plots/*.svg, plots/*.png and
index.html beside them, and prints the files written, one a line.
"""

import argparse
import sys
from pathlib import Path

from report_errors import ReportError

NEEDED = ("matplotlib", "numpy", "pandas", "scipy")


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
    """Makes the report of one run.

    Args:
        folder: the run's output folder.

    Returns:
        list of Path: the files written.

    Raises:
        ReportError: the folder does not hold a readable run.
        OSError: a file cannot be written.
    """
    import report_data
    import report_figures
    import report_page
    import report_style

    run = report_data.load(folder)
    report_style.set_defaults()
    plots = run.folder / "plots"
    plots.mkdir(exist_ok=True)
    written, figures = [], []
    for kind, stem, cells, figure in report_figures.draw_all(run):
        files = report_style.render(figure)
        figures.append((kind, stem, cells, files["svg"]))
        for suffix, data in files.items():
            path = plots / f"{stem}.{suffix}"
            write(path, data)
            written.append(path)
    index = run.folder / "index.html"
    write(index, report_page.page(run, figures).encode())
    return written + [index]


def main(arguments=None):
    """The command.

    Args:
        arguments: list of str; None for the process's own.

    Returns:
        int: exit status, 0 or 2.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="example: report.py reports/run1")
    parser.add_argument("folder", metavar="DIR", help="the folder that `slidebench run --out DIR` wrote")
    folder = parser.parse_args(arguments).folder
    try:
        written = report(folder)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in NEEDED:
            raise
        return _fail(
            f"Python has no {error.name}; install python3-matplotlib, python3-pandas, python3-numpy and "
            "python3-scipy (scripts/install_deps.sh does) and use the distribution's python3"
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
