# SPDX-License-Identifier: MIT
"""The page of a run: the answer and a picture on top, then what a reader can change, then figures and provenance."""

from report.analysis.answer import COMMAND, read_answer
from report.analysis.findings import alarms, cell_sentences, check_rows, counters_sentence, interval_words, threats
from report.analysis.findings import twin_sentence, warnings
from report.analysis.glossary import GLOSSARY
from report.analysis.misses import SIMULATED, kernels, series
from report.data.files import dig, one_line
from report.data.headers import exported_headers, packed
from report.data.words import human_bytes, human_number, human_ratio
from report.figures.style import VERDICT_WORDS
from report.page.html import about, render_page, shown_figures, table
from report.page.payload import VERDICT_NAMES, payload


def run_page(run, figures, program=None):
    """The page of a run, an HTML document, with the static figures that `write_figures` returned, and the headers of
    `program`."""
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
        interval=interval_words(run),
        verdict_words=VERDICT_WORDS,
        simulated=any(source == SIMULATED for _, source in series(run)),
        executed=bool(kernels(run)),
        figures=shown_figures(figures),
        verdicts=VERDICT_NAMES[:6],
        in_words=[(cell.name, " ".join(cell_sentences(run, cell))) for cell in run.plain],
        has_sweeps=bool(data["sweeps"]),
        has_footprint=not run.is_duel and bool(run.summary["ratio"].notna().any()),
        twin_sentence=twin_sentence(run),
        checks=table("checks-table", heads, checks) if checks else None,
        counters=_counters(run),
        counters_sentence=counters_sentence(run),
        ran=_ran(run),
        threats=threats(run),
        glossary=list(GLOSSARY.items()),
        headers=packed(exported_headers(program, sorted({arm["method"] for arm in data["arms"]}))),
    )


def _eight(answer):
    """The table of the well-known methods: ratios of answer.json, a column a situation; * where it is not sure."""
    if answer is None or not answer.rows:
        return None
    heads = ["method", *(situation.title for situation in answer.drawn), "tables"]
    rows = []
    for method, size, ratios, sure in answer.rows:
        cells = [
            (human_ratio(r) + ("" if s or r is None else " *"), r if r is not None else float("nan"))
            for r, s in zip(ratios, sure)
        ]
        rows.append([method, *cells, ("\N{EN DASH}" if size is None else human_bytes(size), float(size or 0))])
    return table("eight", heads, rows)


SOURCES = {"papi": "Counted by the hardware (papi)", "simulated": "Simulated by the cache simulator, not measured"}
MOST_COUNTER_ROWS = 400


def _counters(run):
    """Tables of the counts, one a source, for measured and simulated numbers are not the same kind of thing."""
    if run.counters is None:
        return None
    keys, found = ["workload", "trace", "pressure", "arm", "metric", "event"], []
    for number, (source, rows) in enumerate(run.counters.groupby("source", sort=True)):
        medians = rows.groupby(keys, sort=True)["per_query"].median().reset_index()
        shown = medians.head(MOST_COUNTER_ROWS)
        cells = [
            [*(getattr(r, key) for key in keys), (human_number(r.per_query, 4), r.per_query)]
            for r in shown.itertuples()
        ]
        cut = "" if len(shown) == len(medians) else f", of which the first {len(shown)} are here, all in counters.csv"
        heading = f"{SOURCES.get(source, source)}: {len(medians)} rows{cut}"
        found.append((heading, table(f"counters-{number}", [*keys, "per query, median"], cells)))
    return found


def _ran(run):
    """How the run was made: list of (name, value)."""
    names = ("profile", "seed", "started", "finished", "commit")
    return [
        *((name, dig(run.info, name)) for name in names),
        ("pinned to CPU", dig(run.info, "pinned", "cpu")),
        ("intervals, 95 %", interval_words(run)),
        ("margin", dig(run.info, "inference", "margin")),
        ("process runs", human_number(run.summary["launches"].max(), 0)),
        ("rounds, all process runs", human_number(run.summary["rounds"].max(), 0)),
    ]
