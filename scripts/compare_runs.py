#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts runs of several machines, compilers or commits side by side: a matrix of verdicts, method by run.

Reads summary.csv and run.json of each folder. Writes verdicts.csv, plots/*.svg, plots/*.png and index.html into DIR,
and prints the files written, one a line. Runs that cannot be compared are refused with one line and exit status 2.
"""

import argparse
import sys
from pathlib import Path

from report.errors import ReportError
from report.needed import PACKAGES
from report.output import write


def compare(folders, out):
    """Makes the comparison.

    Args:
        folders: list of the runs' folders.
        out: folder to write into; made if missing.

    Returns:
        list of Path: the files written.

    Raises:
        ReportError: the runs cannot be compared.
        OSError: a file cannot be written.
    """

    from report.analysis.compare import drawn_cells, load_runs, verdicts
    from report.data.files import unused_stem
    from report.figures.compare import matrix
    from report.figures.files import write_figures
    from report.figures.style import set_defaults
    from report.page.compare import compare_page

    compared = load_runs(folders)
    out = Path(out)
    if (out / "run.json").exists():
        raise ReportError(f"{out}: holds a run; give --out a folder of its own")
    set_defaults()
    used, cells = set(), drawn_cells(compared)
    drawn = (("matrix", unused_stem(f"matrix_{c.slug}", used), c.name, matrix(compared, c)) for c in cells)
    figures, written = write_figures(out / "plots", drawn)
    table = verdicts(compared).to_csv(index=False, lineterminator="\n")
    for name, text in (("verdicts.csv", table), ("index.html", compare_page(compared, figures))):
        write(out / name, text.encode())
        written.append(out / name)
    return written


def main(arguments=None):
    """The command.

    Args:
        arguments: list of str; None for the process's own.

    Returns:
        int: exit status, 0 or 2.
    """
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        epilog="example: compare_runs.py reports/laptop reports/server --out reports/compared",
    )
    parser.add_argument("runs", metavar="RUN", nargs="+", help="a folder that `slidebench run --out RUN` wrote")
    parser.add_argument("--out", metavar="DIR", required=True, help="where the comparison goes")
    options = parser.parse_args(arguments)
    try:
        written = compare(options.runs, options.out)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in PACKAGES:
            raise
        return _fail(f"Python has no {error.name}; scripts/install_deps.sh installs what the reports need")
    except OSError as error:
        return _fail(f"{error.filename or options.out}: cannot be written ({error.strerror}); check the folder")
    except ReportError as error:
        return _fail(str(error))
    print("\n".join(str(path) for path in written))
    return 0


def _fail(words):
    """Says in one line what is wrong; returns the exit status of bad input."""
    print("compare_runs.py:", " ".join(words.split()), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
