# SPDX-License-Identifier: MIT
"""Puts runs of several machines, compilers or commits side by side: a matrix of verdicts, method by run."""

from pathlib import Path

from report.analysis.compare import load_runs, verdicts
from report.errors import ReportError
from report.arguments import RUN
from report.output import write_all
from report.page.compare import compare_page


def work(options):
    """Makes the comparison of the runs; returns the files written. ReportError where they cannot be compared."""
    compared, out = load_runs(options.runs), options.out
    if (out / "run.json").exists():
        raise ReportError(f"{out}: holds a run; give --out a folder of its own")
    table = verdicts(compared).to_csv(index=False, lineterminator="\n")
    return write_all(out, {"verdicts.csv": table.encode(), "index.html": compare_page(compared).encode()})


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("runs", nargs="+", **RUN)
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="where the comparison goes")
