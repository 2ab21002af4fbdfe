# SPDX-License-Identifier: MIT
"""Puts runs of several machines, compilers or commits side by side: a matrix of verdicts, method by run."""

from pathlib import Path

from report.analysis.compare import load_runs, verdicts
from report.errors import ReportError
from report.needed import RUN, answered, parser_of
from report.output import write_all
from report.page.compare import compare_page


def compare(folders, out):
    """Makes the comparison of the runs' folders in the folder `out`; returns the files written. ReportError where they
    cannot be compared."""
    compared = load_runs(folders)
    if (out / "run.json").exists():
        raise ReportError(f"{out}: holds a run; give --out a folder of its own")
    table = verdicts(compared).to_csv(index=False, lineterminator="\n")
    return write_all(out, {"verdicts.csv": table.encode(), "index.html": compare_page(compared).encode()})


def work(options):
    """Compares the runs; returns the files written."""
    return compare(options.runs, options.out)


def main(arguments=None):
    """The command; returns the exit status."""
    parser = parser_of(__doc__, "compare_runs.py reports/laptop reports/server --out reports/compared")
    parser.add_argument("runs", nargs="+", **RUN)
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="where the comparison goes")
    return answered("compare_runs.py", work, parser.parse_args(arguments))
