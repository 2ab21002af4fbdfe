# SPDX-License-Identifier: MIT
"""One figure for a paper: ratios of some methods in one cell or several, with their 95 % intervals and the margin."""

import io
import re
from pathlib import Path

import matplotlib.pyplot as plt

from report.data.files import RUN
from report.data.cells import COMPARED_ROLES
from report.data.run import load_summary
from report.errors import ReportError
from report.figures.axes import ratio_limits
from report.figures.style import BAND, GRID, INK, marker_style, set_defaults
from report.output import write_all

FORMATS = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {}}
INCHES = {"in": 1, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72.27}


def inches(text):
    """A length such as 3.3in or 84mm, in inches."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(in|cm|mm|pt)", text)
    if not found or not 1 <= float(found[1]) * INCHES[found[2]] <= 40:
        raise ValueError(text)
    return float(found[1]) * INCHES[found[2]]


def chosen(asked, known, what):
    """The entries of a dict that are asked for, all where none is; ReportError with the list for a name that is not there."""
    for name in asked or ():
        if name not in known:
            raise ReportError(f"no {what} '{name}' in this run; it has: {'; '.join(known)}")
    return [known[name] for name in dict.fromkeys(asked or known)]


def draw(run, cells, methods, width):
    """The figure: a panel a cell, a row a method, fastest in the first cell on top."""
    first = list(run.ranked(cells[0])["contender"])
    order = sorted(methods, key=lambda name: first.index(name) if name in first else len(first))
    figure, panels = plt.subplots(1, len(cells), sharey=True, squeeze=False, layout="constrained",
                                  figsize=(width, 0.95 + 0.16 * len(order)))  # fmt: skip
    for axes, cell in zip(panels[0], cells):
        rows = run.rows(cell, *COMPARED_ROLES).set_index("contender")
        rows = rows.loc[[name for name in order if name in rows.index]]
        margin = run.margin(cell) or 0
        axes.axvspan(1 / (1 + margin), 1 + margin, color=BAND, linewidth=0)
        axes.axvline(1, color=INK, linewidth=0.8)
        for name, row in rows.iterrows():
            y = order.index(name)
            axes.hlines(y, row["ratio_low"], row["ratio_high"], color=INK, linewidth=1)
            axes.plot([row["ratio"]], [y], **marker_style(row["method"], row["verdict"], 4), clip_on=False, zorder=3)
        low, high = ratio_limits(rows["ratio"], rows[["ratio_low", "ratio_high"]].stack())
        axes.set_xlim(low - 0.03 * (high - low), high + 0.03 * (high - low))
        axes.set_yticks(range(len(order)), order, family="monospace")
        axes.set_ylim(len(order) - 0.5, -0.5)
        axes.tick_params(length=0, labelsize=6.5)
        axes.grid(axis="x", color=GRID, linewidth=0.4)
        axes.set_title(cell.name.removesuffix(", isolated").replace(" on ", "\non ").replace(", ", ",\n", 1), fontsize=7)
    reference = next(iter(run.summary[run.summary["role"] == "reference"]["contender"]), "the reference")
    figure.supxlabel(f"time / time of {reference}, 95 % intervals", fontsize=7)
    return figure


def work(options):
    """Writes the figure; returns its file. ReportError for what the run has not."""
    suffix = options.out.suffix.removeprefix(".")
    if suffix not in FORMATS:
        raise ReportError(f"{options.out}: is no {', '.join(FORMATS)}; give --out one of these endings")
    set_defaults()
    plt.rcParams.update({"pdf.fonttype": 42, "axes.titleweight": "normal"})
    run = load_summary(options.run)
    judged = [cell for cell in run.cells if run.rows(cell, *COMPARED_ROLES)["ratio"].notna().any()]
    cells = chosen(options.cell, {cell.name: cell for cell in judged}, "cell")
    there = {name: name for cell in cells for name in run.ranked(cell).dropna(subset=["ratio"])["contender"]}
    methods = chosen(options.method, there, "method")
    if not cells:
        raise ReportError(f"{options.run}: has no ratios; measure a reference and a method")
    buffer = io.BytesIO()
    figure = draw(run, cells, methods, options.width)
    figure.savefig(buffer, format=suffix, dpi=300, metadata=FORMATS[suffix])
    plt.close(figure)
    return write_all(options.out.parent, {options.out.name: buffer.getvalue()})


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("run", **RUN)
    parser.add_argument("--cell", nargs="+", metavar="CELL", help="such as 'throughput on search, isolated' (default: all)")
    parser.add_argument("--method", nargs="+", metavar="ID", help="the methods, and the reference (default: all of the cells)")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="a .pdf, .svg or .png")
    parser.add_argument("--width", type=inches, default=3.3, metavar="LENGTH", help="such as 3.3in, 84mm (default: 3.3in)")
