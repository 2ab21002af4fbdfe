# SPDX-License-Identifier: MIT
"""The page of a run: the answer, every situation, all methods, why, and whether to trust it."""

from report.analysis.answer import COMMAND, read_answer
from report.analysis.findings import alarms, check_rows, counters_sentence, interval_words, threats
from report.analysis.findings import twin_sentence, warnings
from report.analysis.glossary import LINES
from report.analysis.misses import SIMULATED, kernels, misses_sentence, series
from report.data.files import dig, one_line
from report.data.headers import engine_headers
from report.figures.style import VERDICT_WORDS
from report.page.html import FILES, about, render_page, table
from report.page.packed import packed, parts_of
from report.page.payload import payload

RAN = ("profile", "seed", "started", "finished", "commit", "pinned", "inference", "protocol", "effective_ghz")
CHANGED = ("cell", "method", "ratio now", "ratio then")
CHECKED = ("check", "cell", "expected", "found, 95 % interval", "result")


def run_page(run, figures, before=None):
    """The page of a run, an HTML document, with the static figures that `write_figures` returned, the files of
    headers/, and what `since` says of an earlier run."""
    answer = read_answer(run)
    data, checks = payload(run, answer), check_rows(run)
    headers = engine_headers(sorted({contender["method"] for contender in data["contenders"]}))
    context = about(run.folder, run.info)
    parts = parts_of(run, data, figures, headers)
    return render_page(
        "run.html.j2",
        packed(parts),
        **context,
        packed_files=sorted(parts["files"], key=FILES.split().index),
        title=f"slidebench: {(answer and answer.cpu) or one_line(dig(run.info, 'machine', 'cpu') or 'a run')}",
        run=run,
        answer=answer,
        answer_command=COMMAND,
        alarms=alarms(run),
        warnings=warnings(run),
        before=before and before[0],
        changed=table("before-table", CHANGED, before[1]) if before and before[1] else None,
        interval=interval_words(run),
        verdict_words=VERDICT_WORDS,
        simulated=any(source == SIMULATED for _, source in series(run)),
        executed=bool(kernels(run)),
        kinds={kind for kind, *_ in figures},
        misses_sentence=misses_sentence(run),
        twin_sentence=twin_sentence(run),
        checks=table("checks-table", CHECKED, checks) if checks else None,
        counters_sentence=counters_sentence(run),
        ran={name: run.info.get(name) for name in RAN},
        threats=threats(run),
        glossary=list(LINES.items()),
    )
