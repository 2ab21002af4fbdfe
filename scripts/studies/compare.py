# SPDX-License-Identifier: MIT
"""The command `compare_runs.py`: folders of runs in, a matrix of verdicts, its figures and page out."""

from pathlib import Path

from report.analysis.compare import drawn_cells, load_runs, verdicts
from report.data.files import unused_stem
from report.errors import ReportError
from report.figures.compare import matrix
from report.figures.files import write_figures
from report.figures.style import set_defaults
from report.output import write
from report.page.compare import compare_page
from studies.command import RUN, answered, parser_of


def compare(folders, out):
    """Makes the comparison of the runs' folders in the folder `out`; returns the files written. ReportError where they
    cannot be compared."""
    compared = load_runs(folders)
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


def work(options):
    """Compares the runs and prints the files written, one a line."""
    print("\n".join(map(str, compare(options.runs, options.out))))


def main(arguments=None):
    """The command; returns the exit status."""
    parser = parser_of(ABOUT, "compare_runs.py reports/laptop reports/server --out reports/compared")
    parser.add_argument("runs", nargs="+", **RUN)
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="where the comparison goes")
    return answered("compare_runs.py", work, parser.parse_args(arguments))


ABOUT = "Puts runs of several machines, compilers or commits side by side: a matrix of verdicts, method by run."
