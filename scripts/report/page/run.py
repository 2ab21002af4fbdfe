# SPDX-License-Identifier: MIT
"""The page of a run: the answer and a picture on top, then what a reader can change, then figures and provenance."""

from report.analysis.answer import COMMAND, read_answer
from report.analysis.findings import (
    alarms,
    cell_sentences,
    check_rows,
    counters_sentence,
    interval_words,
    threats,
    twin_sentence,
    warnings,
)
from report.analysis.glossary import GLOSSARY
from report.analysis.misses import SIMULATED, kernels, series
from report.analysis.orders import sentence
from report.data.files import dig, one_line
from report.data.headers import exported_headers, packed
from report.data.words import human_bytes, human_number, human_ratio
from report.figures.style import VERDICT_WORDS
from report.page.html import about, render_page, shown_figures, table
from report.page.payload import VERDICT_NAMES, payload

PICTURE = (
    "A line a method; its height is its time over the reference's, logarithmic, with 95 % intervals. The grey floor "
    "is the "
    "loop without a method: what it takes itself, no method can save. Shapes are verdicts: " + VERDICT_WORDS + "."
)
CAPTIONS = {
    "ranking": (
        "A row a method, the least ratio on top. A point is the time divided by the reference's time in the same "
        "round; left of 1 is faster. The bar is its 95 % interval: {interval}. The grey band is the margin, fixed "
        "before the run. A method is equivalent to the reference if its interval, adjusted for the number of methods, "
        "lies within the band, faster or slower if it lies outside. Unresolved: identical code differed by more than "
        "the margin, so that no equality is shown, and a difference only beyond it. Void: the empty loop was slower "
        "than a method, so that the cell's verdicts are withheld. The dashed line is the empty loop, the replay "
        "without a method. An arrow is a method further out. Shapes are verdicts: "
        + VERDICT_WORDS
        + ". Click a row to mark "
        "its method in every figure."
    ),
    "crossover": (
        "What more pressure does: to the right an engine touches more cache lines between queries. A line a method, a "
        "band as wide as its 95 % interval. A diamond is where two marked methods cost the same, its bar the 95 % "
        "interval of the place; the run computed both along log2(1 + lines), which is the axis. Grey lines are methods "
        "that are not marked. Above the axis: how much the engine here touches from one evaluation to the next, by its "
        "network."
    ),
    "footprint": (
        "A panel a pressure. Down is faster, left is smaller. The step joins the methods that no other beats in both; "
        "they are named. Where the step moves, small tables gain or lose. Dotted lines are this machine's caches. "
        "Shapes are verdicts."
    ),
    "misses": (
        "A row a method, a panel a level: dots were counted by the hardware, rings are a cache model's, not measured. "
        "Simulated counts are those of a replay of the trace, the same for every workload on it."
    ),
    "curves": (
        "Simulated, not measured. Misses a query for every cache size, from exact reuse distances: a fully associative "
        "cache with nothing in it but the method. Where a curve falls, a part of the tables begins to fit."
    ),
    "boards": (
        "Simulated, not measured. a1 at the bottom left; all boards share one scale. Of many methods, the reference "
        "and the best of each family. Misses are those of queries that ask for the piece; a query for a queen or for "
        "both pieces counts on both boards in full."
    ),
    "orders": (
        "Ranks in every cell; 1 has the least ratio. Blue is faster than the reference, orange slower, the stronger "
        "the more, to twice as fast or slow; neighbours whose intervals overlap may be in the other order. Below, "
        "Spearman's rank correlation between the cells: well below 1 means that one order says little about the "
        "other. correlations.csv has the intervals, and what noise lets any correlation reach."
    ),
    "rounds": (
        "The A/A control against the reference, which is the same code, round by round: it should scatter about 0, "
        "without steps or drift. The grey band is the margin, which concerns the mean and not single rounds. The "
        "effective clock comes from a chain of one-cycle additions. A ring is a round that the operating system or the "
        "host disturbed; a triangle is a round further out. No round is left out."
    ),
    "methods": (
        "The chosen cell. In brackets are 95 % intervals. Net is minus the empty loop; cycles are the time over that "
        "of one dependent addition, an estimate. Click a heading to sort. The name links to the header to copy where "
        "the page lies among the sources. Verdicts use intervals that are adjusted for the number of methods."
    ),
}
MISSES_NOTE = (
    " Misses headed \u201csimulated\u201d are a cache model's, for a replay of the trace, the same for every "
    "workload; they were not measured."
)
KERNEL_NOTE = (
    " Instructions, loads, conditional branches and bytes of code are those of the throughput loop on some of the "
    "trace's queries, counted one by one and less the empty loop's."
)


def run_page(run, figures, program=None, before=None):
    """The page of a run, an HTML document, with the static figures that `write_figures` returned, the headers of
    `program`, and what `since` says of an earlier run."""
    answer, data = read_answer(run), payload(run)
    captions = dict(CAPTIONS, ranking=CAPTIONS["ranking"].format(interval=interval_words(run)))
    if any(source == SIMULATED for _, source in series(run)):
        captions["methods"] += MISSES_NOTE
    if kernels(run):
        captions["methods"] += KERNEL_NOTE
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
        before=before
        and {**before, "table": before["rows"] and table("before-table", before["heads"], before["rows"])},
        captions=captions,
        picture_caption=PICTURE,
        figures=shown_figures(figures),
        verdicts=VERDICT_NAMES[:6],
        in_words=[(cell.name, " ".join(cell_sentences(run, cell))) for cell in run.plain],
        has_sweeps=bool(data["sweeps"]),
        has_footprint=not run.is_duel and bool(run.summary["ratio"].notna().any()),
        order_sentence=sentence(run),
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
