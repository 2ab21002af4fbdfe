# SPDX-License-Identifier: MIT
"""The page of runs side by side: a matrix of verdicts, method by run."""

import pandas as pd

from report.analysis.compare import changes, describe, side_by_side, start_cell, verdicts_sentences
from report.analysis.findings import has_failed
from report.data.files import dig
from report.data.words import human_interval, human_number, human_percent, human_ratio
from report.figures.style import VERDICT_SIGNS, VERDICT_WORDS
from report.page.html import render_page, table


def compare_page(compared):
    """The page of a comparison, an HTML document."""
    first = start_cell(compared)
    cells = [first, *(cell for cell in compared.cells if cell != first)]
    return render_page(
        "compare.html.j2",
        title="slidebench: runs compared",
        compared=compared,
        bad=_bad(compared),
        lead=verdicts_sentences(compared, first),
        verdict_words=VERDICT_WORDS,
        cells=[cell_part(compared, cell, number) for number, cell in enumerate(cells)],
        runs=[
            (f"{name}: {describe(run)}", [_about(run), run.info.get("machine"), run.info.get("build")])
            for name, run in zip(compared.letters, compared.runs)
        ],
    )


def cell_part(compared, cell, number):
    """One cell: dict of name, said, table, correlations."""
    rows, contenders = side_by_side(compared.runs, cell)
    differing = {contender for found in changes(compared, cell)[:2] for contender, _ in found}
    cells = [[contender, *(_judged(part, contender) for part in rows), "differs" if contender in differing else ""] for contender in contenders]
    heads = ["method", *(f"{name}: {describe(run)}" for name, run in zip(compared.letters, compared.runs)), "verdicts"]
    name = f"matrix-{number}"
    said = " ".join(verdicts_sentences(compared, cell))
    return {
        "name": cell.name,
        "said": said,
        "table": table(name, heads, cells),
        "correlations": _correlations(compared, rows),
    }


def _judged(rows, contender):
    """What a run says of a contender, and what to sort it by."""
    if contender not in rows.index:
        return ("\N{EN DASH}", None)
    row = rows.loc[contender]
    ratio = human_interval(row["ratio"], row["ratio_low"], row["ratio_high"], human_ratio)
    return (f"{VERDICT_SIGNS.get(row['verdict'], '')} {ratio}".strip(), float(row["ratio"]))


def _correlations(compared, rows):
    """Spearman's correlations of the runs' orders, in words."""
    ratios = pd.concat({name: run["ratio"] for name, run in zip(compared.letters, rows)}, axis=1)
    pairs = ratios.corr("spearman", min_periods=3).stack()
    return ", ".join(f"{a} and {b} {human_number(rho)}" for (a, b), rho in pairs.items() if a < b)


def _bad(compared):
    """Runs that say of themselves that they are not to be relied on."""
    bad = []
    for name, run in zip(compared.letters, compared.runs):
        if dig(run.info, "complete") is not True:
            bad.append(f"{name} is incomplete")
        if has_failed(run):
            bad.append(f"{name} failed its own checks: do not rely on its verdicts")
    return bad


def _about(run):
    """What tells a run apart, and how far identical code differed in it."""
    margin, bound = run.summary[["margin", "aa_bound"]].max().map(human_percent)
    return {
        "folder": run.folder.resolve().name,
        **{name: run.info.get(name) for name in ("commit", "profile", "started")},
        "margin": margin,
        "identical code differed by at most": bound,
    }
