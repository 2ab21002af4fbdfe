# SPDX-License-Identifier: MIT
"""The page of a run: the answer and a picture on top, then what a reader can change, then figures and provenance."""

from report.analysis.answer import COMMAND, read_answer
from report.analysis.findings import alarms, cell_sentences, check_rows, counters_sentence, interval_words, threats
from report.analysis.findings import twin_sentence, warnings
from report.analysis.glossary import LINES
from report.analysis.misses import SIMULATED, kernels, series
from report.data.files import dig, one_line
from report.data.headers import exported_headers, packed
from report.data.words import human_bytes, human_ratio
from report.figures.style import VERDICT_WORDS
from report.page.html import about, render_page, shown_figures, table
from report.page.payload import payload

RAN = ("profile", "seed", "started", "finished", "commit", "pinned", "inference", "protocol", "effective_ghz")
CHANGED = ("cell", "method", "ratio now", "ratio then")


def run_page(run, figures, program=None, before=None):
    """The page of a run, an HTML document, with the static figures that `write_figures` returned, the headers of
    `program`, and what `since` says of an earlier run."""
    answer, data = read_answer(run), payload(run)
    checks = check_rows(run)
    heads = ["check", "cell", "expected", "found, 95 % interval", "result"]
    return render_page(
        "run.html.j2",
        data,
        **about(run.folder, run.info),
        title=f"slidebench: {(answer and answer.cpu) or one_line(dig(run.info, 'machine', 'cpu') or 'a run')}",
        run=run,
        answer=answer,
        answer_command=COMMAND,
        eight=_eight(answer),
        reference=next(iter(run.summary[run.summary["role"] == "reference"]["label"]), "the reference"),
        alarms=alarms(run),
        warnings=warnings(run),
        before=before and before[0],
        changed=table("before-table", CHANGED, before[1]) if before and before[1] else None,
        interval=interval_words(run),
        verdict_words=VERDICT_WORDS,
        simulated=any(source == SIMULATED for _, source in series(run)),
        executed=bool(kernels(run)),
        figures=shown_figures(figures),
        in_words=[(cell.name, " ".join(cell_sentences(run, cell))) for cell in run.plain],
        has_sweeps=bool(data["sweeps"]),
        has_footprint=not run.is_duel and bool(run.summary["ratio"].notna().any()),
        twin_sentence=twin_sentence(run),
        checks=table("checks-table", heads, checks) if checks else None,
        counters_sentence=counters_sentence(run),
        ran={name: run.info.get(name) for name in RAN},
        threats=threats(run),
        glossary=list(LINES.items()),
        headers=packed(exported_headers(program, sorted({contender["method"] for contender in data["contenders"]}))),
    )


def _eight(answer):
    """The table of the well-known methods: ratios of answer.json, a column a situation; * where it is not sure."""
    if answer is None or not answer.rows:
        return None
    rows = []
    for method, size, ratios, sure in answer.rows:
        cells = [(human_ratio(r) + ("" if s or r is None else " *"), r) for r, s in zip(ratios, sure)]
        rows.append([method, *cells, ("\N{EN DASH}" if size is None else human_bytes(size), size)])
    return table("eight", ["method", *(situation.title for situation in answer.drawn), "tables"], rows)
