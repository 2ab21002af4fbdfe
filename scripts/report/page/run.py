# SPDX-License-Identifier: MIT
"""The page of a run: the answer on top, then figures that its script draws from data inside the page.

matplotlib's figures lie beside the page, in plots/; they are the reference, and what a reader without scripts has.
"""

from report.analysis.answer import FOOTPRINTS, SITUATIONS, USES, WHEN, answers, engine_answers, source_of
from report.analysis.findings import (
    alarms,
    cell_sentences,
    check_rows,
    choice_of_many,
    counters_sentence,
    headline,
    interval_words,
    overall,
    threats,
    twin_sentence,
    warnings,
)
from report.analysis.misses import SIMULATED, kernels, series
from report.analysis.orders import sentence
from report.data.files import dig, one_line
from report.data.words import human_bytes, human_interval, human_number, human_ratio
from report.figures.style import VERDICT_WORDS
from report.page.html import (
    build_pairs,
    command_text,
    css_class,
    definitions,
    document,
    downloads_section,
    esc,
    machine_pairs,
    methods_section,
    table,
    text_cell,
    traces_section,
)
from report.page.payload import VERDICT_NAMES, header_link, header_path, payload

# In the order in which they need each other.
SCRIPTS = ("tables.js", "charts.js") + tuple(
    f"run_{part}.js"
    for part in ("state", "controls", "ranking", "table", "lines", "footprint", "boards", "orders", "rounds", "all")
)

CAPTIONS = {
    "ranking": (
        "A row a method, the least ratio on top. A point is the time divided by the reference's time in the same "
        "round; left of 1 is faster. The bar is its 95 % interval: {interval}. The grey band is the margin, fixed "
        "before the run. A method is equivalent to the reference if its interval, adjusted for the number of methods, "
        "lies within the band, faster or slower if it lies outside. Unresolved: identical code differed by more than "
        "the margin, so that no equality is shown, and a difference only beyond it. Void: the empty loop was slower "
        "than a method, so that the cell's verdicts are withheld. The dashed line is the empty loop, the replay "
        "without a method: the distance from it is the net time, whose interval is in the table and may reach below 0. "
        f"An arrow is a method further out. Shapes are verdicts: {VERDICT_WORDS}. Beside it, in the same order, what "
        "each method misses at the chosen level: a filled point was counted by the hardware, a hollow one simulated. Click a "
        "row to mark its method in every figure."
    ),
    "crossover": (
        "What more pressure does: to the right an engine touches more cache lines between queries. A line a method, a "
        "band as wide as its 95 % interval. A diamond is where two marked methods cost the same, its bar the 95 % "
        "interval of the place; the run computed both along log2(1 + lines), which is the axis. Grey lines are methods "
        "that are not marked."
    ),
    "footprint": (
        "Down is faster, left is smaller. The blue step joins the methods that no other beats in both under the chosen "
        "pressure; thin steps are the same for the other pressures, with their names at the end. Where the steps move, "
        "small tables gain or lose. Dotted lines are this machine's caches. Shapes are the verdicts."
    ),
    "curves": (
        "Misses a query for every cache size, from exact reuse distances: a fully associative cache with nothing in it "
        "but the method and what the pressure touches. Where a curve falls, a part of the tables begins to fit. The "
        "blue line is the slider's size."
    ),
    "boards": (
        "a1 at the bottom left; all boards share one scale. Misses are those of queries that ask for the piece; a "
        "query for a queen or for both pieces counts on both boards in full."
    ),
    "orders": (
        "Ranks in every cell of the chosen trace, and in the engine where it ran: 1 leads. Blue is faster than "
        "the reference, orange slower, the stronger the more; neighbours whose intervals overlap may be in the other "
        "order. Below, Spearman's rank correlation between the cells with its 95 % interval: well below 1 means that "
        "one order says little about the other. The bound is what noise lets any correlation reach, from the halves "
        "of the launches."
    ),
    "rounds": (
        "The A/A control against the reference, which is the same code, round by round: it should scatter about 0, "
        "without steps or drift. The grey band is the margin, which concerns the mean and not single rounds. The "
        "effective clock comes from a chain of one-cycle additions. A "
        "hollow dot is a round that the operating system or the host disturbed; a triangle is a round further out. No "
        "round is left out."
    ),
}


def run_page(run, figures):
    """Writes the page of a run.

    Args:
        run: Run.
        figures: list of (kind, stem, cells, svg bytes), the static figures.

    Returns:
        str, the whole HTML document.
    """
    data = payload(run)
    sections = [
        ("answer", "The answer", _answer(run)),
        ("ranking", "Ranking and misses", _explore(run, figures)),
        ("methods", "All methods", _methods(run)),
        _plot("crossover", "Crossover under pressure", figures, ("crossover",)) if data["sweeps"] else None,
        _plot("footprint", "Footprint against speed", figures, ("footprint",)) if _shows_footprint(run) else None,
        _plot("curves", "Miss-ratio curves", figures, ("curves", "surface")) if data["misses"] else None,
        _plot("boards", "Square by square", figures, ("boards",)) if data["boards"] else None,
        _orders(run, figures) if len(data["orders"]["cells"]) > 1 else None,
        _diagnostics(run, figures, bool(data["rounds"])),
        _counters(run) if run.counters is not None else None,
        _machine(run),
        traces_section(run),
        ("threats", "Threats to validity", _listed(threats(run))),
        downloads_section(run, figures),
    ]
    title = f"slidebench: {one_line(dig(run.info, 'machine', 'cpu') or 'a run')}"
    return document(title, _subtitle(run), _banners(run), sections, ("run.css",), SCRIPTS, data)


def _shows_footprint(run):
    return not run.is_duel and bool(run.summary["ratio"].notna().any())


def _subtitle(run):
    changed = ", with uncommitted changes" if dig(run.info, "dirty") is True else ""
    what = "chess engines search" if run.is_duel else "chess engines' sliding-piece attack generators are"
    return (
        f"How fast {what} on this machine. Profile"
        f" {esc(dig(run.info, 'profile'))}, started {esc(dig(run.info, 'started'))}, commit"
        f" <code>{esc(dig(run.info, 'commit'))}</code>{changed}."
    )


def _banners(run):
    html = ""
    for heading, texts in alarms(run):
        entries = "".join(f"<li>{esc(text)}</li>" for text in texts)
        html += f'<div class="banner bad" role="alert"><strong>{esc(heading)}</strong><ul>{entries}</ul></div>\n'
    said = warnings(run)
    if said:
        entries = "".join(f"<li>{esc(warning)}</li>" for warning in said)
        heading = "1 warning of the run" if len(said) == 1 else f"{len(said)} warnings of the run"
        html += f'<details class="banner"><summary>{heading}</summary><ul>{entries}</ul></details>\n'
    return html


# ---- the answer


def _answer(run):
    found = answers(run)
    html = "".join(f'<p class="lead">{esc(sentence)}</p>\n' for sentence in headline(run, found))
    cards = "".join(_card(run, use, found) for use in USES if any(key[0] is use for key in found))
    engine = engine_answers(run)
    if engine:
        blocks = "".join(_block(run, cell.trace, limits) for cell, limits in engine)
        words = "time a node in a real search, only the attack method exchanged"
        cards += f'<section class="card"><h3>Inside a search</h3><p class="note">{words}</p>{blocks}</section>\n'
    if cards:
        html += f'<div class="answers">\n{cards}</div>\n'
        html += f'<p class="note">{esc(READING)}</p>\n'
    html += _missing(found)
    shown = [answer for limits in found.values() for _, group in limits for answer in group]
    html += _headers(run, shown + [answer for _, limits in engine for _, group in limits for answer in group])
    sentences = "".join(
        f"<li><strong>{esc(cell.name)}.</strong> {esc(' '.join(cell_sentences(run, cell)))}</li>\n"
        for cell in run.plain
    )
    whole = "".join(f"<p>{esc(line)}</p>\n" for line in overall(run))
    return f"{html}<details><summary>In words, cell by cell</summary>\n{whole}<ul>\n{sentences}</ul></details>"


READING = (
    "Numbers are the time over that of the reference, Fancy magic bitboards in its own module, with the 95 % interval; "
    "below 1 is faster. The fastest: no other method of that size can be, by multiple comparisons with the best "
    "(Hsu 1984) at 95 %. Cannot be told apart: any of these may be the fastest, so take the smaller or the simpler one."
)


def _card(run, use, found):
    blocks = "".join(
        _block(run, _with_source(run, pressure, title), found[use, pressure])
        for pressure, title in SITUATIONS
        if (use, pressure) in found
    )
    return f'<section class="card"><h3>{esc(use.name)}</h3><p class="note">{esc(use.words)}</p>{blocks}</section>\n'


def _with_source(run, pressure, title):
    source = source_of(run, pressure)
    return f"{title} ({source})" if source else title


def _block(run, title, limits):
    """One situation of a card: a line an answer; footprints with the same answer share it, the largest first."""
    seen = []
    for limit, answers in reversed(limits):
        key = {answer.first.arm for answer in answers}
        if seen and seen[-1][0] == key:
            seen[-1][1].append(limit)
        elif key:
            seen.append((key, [limit], answers))
    words = dict(FOOTPRINTS)
    lines = "".join(
        _line(run, ", even ".join(dict.fromkeys([words[shared[0]], words[shared[-1]]])), group, len(key) > 1)
        for key, shared, answers in seen
        for group in _merged(answers)
    )
    return f"<h4>{esc(title)}</h4><ul>{lines}</ul>"


def _merged(answers):
    """Answers of the workloads that name the same method become one."""
    groups = {}
    for answer in answers:
        groups.setdefault(answer.first.arm, []).append(answer)
    return list(groups.values())


def _line(run, limit, group, several):
    """One answer: the method, what it costs, and how sure that is."""
    first = group[0].first
    sure = all(answer.sure for answer in group)
    which = (
        f", {WHEN[group[0].cell.workload]}"
        if several and group[0].cell.workload in WHEN
        else ""
    )
    costs = "; ".join(_cost(answer, len(group) > 1) for answer in group)
    choice = _linked(run, first, "strong")
    if any(answer.undecided for answer in group):
        many = choice_of_many(group)
        choice = f'<strong>{esc(many)}</strong><span class="limit">; least</span> {_linked(run, first, "span")}'
    return (
        f'<li{css_class("sure" if sure else "")}><span class="limit">{esc(limit + which)}:</span> {choice} '
        f'<span class="limit">{esc(human_bytes(first.table_bytes))}</span><span class="how">{esc(costs)}. '
        f"{esc(certainty(group))}</span></li>"
    )


def _linked(run, row, tag):
    """A method's name in an element, with a link to the header to copy where there is one."""
    path = header_path(row.method, row.family)
    link = header_link(run.folder, path)
    name = f"<{tag}>{esc(row.title or row.label)}</{tag}>"
    return f'<a href="{esc(link)}" title="{esc(path)}">{name}</a>' if link else name


def _headers(run, answers):
    """The headers of the methods that are an answer: what to copy."""
    rows = {row.method: row for row in sorted((answer.first for answer in answers), key=lambda row: row.method)}
    entries = ""
    for row in rows.values():
        path = header_path(row.method, row.family)
        if path is not None:
            link = header_link(run.folder, path)
            code = f"<code>{esc(path)}</code>"
            shown = f'<a href="{esc(link)}">{code}</a>' if link else code
            command = f"<code>slidebench export {esc(row.method)} --out attacks.h</code>"
            entries += f"<li>{esc(row.title or row.label)}: {command}, from {shown}</li>"
    if not entries:
        return ""
    note = "The command writes one header that needs nothing else, in C++17; --language c11 is there for many."
    return f'<h3>Headers to take home</h3>\n<ul>{entries}</ul>\n<p class="note">{esc(note)}</p>\n'


def _cost(answer, named):
    first = answer.first
    of = f"{answer.cell.workload} " if named else ""
    return of + human_interval(first.ratio, first.ratio_low, first.ratio_high, human_ratio)


def certainty(group):
    """How sure an answer is, in words.

    Args:
        group: list of Answer with the same best method.

    Returns:
        str.
    """
    if not all(answer.compared for answer in group):
        return "Not compared with the others: the run has one launch, or no ratios."
    others = {row.arm: row for answer in group for row in answer.others}
    if not others:
        leads = [f"{human_interval(*a.lead, human_ratio)} of the second's time" for a in group if a.lead]
        said = f"The fastest: {'; '.join(leads)}." if leads else "The fastest."
        return "The only one of that size." if group[0].compared == 1 else said
    rows = sorted(others.values(), key=lambda row: (row.table_bytes, row.ratio))
    names = ", ".join(row.label for row in rows[:3])
    more = f" and {len(rows) - 3} more" if len(rows) > 3 else ""
    return f"Cannot be told apart from {names}{more}."


def _missing(found):
    """One line on what the run did not measure of what readers ask."""
    uses = [use.name.lower() for use in USES if not any(key[0] is use for key in found)]
    pressures = [title for pressure, title in SITUATIONS if not any(key[1] == pressure for key in found)]
    if not uses and not pressures:
        return ""
    return f'<p class="note">Not measured in this run: {esc(", ".join(uses + pressures))}.</p>\n'


# ---- figures


def _explore(run, figures):
    caption = CAPTIONS["ranking"].format(interval=interval_words(run))
    return (
        f'<p class="note"><strong>How to read it.</strong> {esc(caption)}</p>\n'
        '<noscript><p class="banner">The tables and figures of this page are drawn by a script inside it. Without '
        "scripts, see the files at its end.</p></noscript>\n"
        '<div class="controls top" id="controls"></div>\n'
        '<div class="chips" id="families" role="group" aria-label="Families shown"></div>\n'
        "<details><summary>Methods marked in the figures</summary>"
        '<div class="chips marks" id="marks"></div></details>\n'
        '<h3 class="cell-name"></h3>\n<p class="note" id="ranking-note"></p>\n'
        '<div class="pair"><div><div class="plot" id="ranking-plot"></div></div>'
        '<div id="misses-side"><div class="plot" id="misses-plot"></div><p class="note" id="misses-note"></p></div></div>\n'
        + _static(figures, ("ranking", "misses"))
    )


def _plot(kind, heading, figures, kinds):
    """A section with a figure that the script draws, and links to the static ones."""
    html = (
        f'<p class="note"><strong>How to read it.</strong> {esc(CAPTIONS[kind])}</p>\n'
        f'<div class="controls" id="{kind}-controls"></div>\n<p class="note" id="{kind}-note"></p>\n'
    )
    if kind == "boards":
        html += '<div class="boards" id="boards-plot"></div>\n'
    else:
        html += f'<div class="plot" id="{kind}-plot"></div>\n'
    if kind == "crossover":
        html += (
            '<ul id="crossings"></ul>\n<details><summary id="crossings-head"></summary>'
            '<ul id="crossings-rest"></ul></details>\n'
        )
    if kind == "footprint":
        html = html.replace(f'<div class="controls" id="{kind}-controls"></div>\n', '<h3 class="cell-name"></h3>\n')
    return kind, heading, html + _static(figures, kinds)


def _static(figures, kinds):
    """Links to matplotlib's figures of some kinds."""
    stems = [stem for kind, stem, _, _ in figures if kind in kinds]
    links = " \u00b7 ".join(
        f'{esc(stem)} <a href="plots/{esc(stem)}.svg">SVG</a> <a href="plots/{esc(stem)}.png">PNG</a>' for stem in stems
    )
    return f'<details><summary>Static figures</summary><p class="note">{links}</p></details>\n' if stems else ""


def _methods(run):
    note = (
        "The chosen cell. In brackets are 95 % intervals. Net is minus the empty loop; cycles are the time over that "
        "of one dependent addition, an estimate. Click a heading to sort. The name links to the header to copy where "
        "the page lies among the sources. Verdicts use intervals that are adjusted for the number of methods."
    )
    if any(source == SIMULATED for _, source in series(run)):
        note += (
            " Misses headed \u201csimulated\u201d are a cache model's, for a replay of the trace, the same for every "
            "workload; they were not measured."
        )
    if kernels(run):
        note += (
            " Instructions, loads, conditional branches and bytes of code are those of the throughput loop on some of "
            "the trace's queries, counted one by one and less the empty loop's."
        )
    _, _, listed = methods_section(run)
    options = "".join(f'<option value="{v}">{v}</option>' for v in VERDICT_NAMES[:6])
    return (
        f'<p class="note">{esc(note)}</p>\n<h3 class="cell-name"></h3>\n<div class="controls">'
        '<label class="wide">Filter <input type="search" id="methods-filter" placeholder="magic avx2 2007"></label>'
        f'<label>Verdict <select id="methods-verdict"><option value="">any</option>{options}</select></label>'
        '<p class="note" id="methods-count" role="status"></p></div>\n'
        '<div class="scroll"><table id="methods-live"></table></div>\n'
        f"<details><summary>Every method of the build, with its source</summary>\n{listed}</details>\n"
    )


def _orders(run, figures):
    said = sentence(run)
    lead = f"<p>{esc(said)}</p>\n" if said else ""
    html = (
        f'{lead}<p class="note"><strong>How to read it.</strong> {esc(CAPTIONS["orders"])}</p>\n'
        '<div class="scroll"><table class="matrix" id="ranks"></table></div>\n'
        '<h3>Rank correlation</h3>\n<div class="scroll"><table class="matrix" id="correlations"></table></div>\n'
    )
    return "orders", "Does the order hold?", html + _static(figures, ("orders",))


def _diagnostics(run, figures, has_rounds):
    html = f"<p>{esc(twin_sentence(run))}</p>\n"
    rows = check_rows(run)
    if rows:
        heads = [(head, False) for head in ("check", "cell", "expected", "found, 95 % interval", "result")]
        html += table("checks-table", heads, [("", [text_cell(value) for value in row]) for row in rows])
    if has_rounds:
        html += (
            f'<p class="note"><strong>How to read it.</strong> {esc(CAPTIONS["rounds"])}</p>\n'
            '<p class="note" id="rounds-note"></p>\n<div class="plot" id="rounds-plot"></div>\n'
        )
    return "rounds", "Diagnostics", html + _static(figures, ("rounds",))


# ---- counters, machine


SOURCES = {"papi": "Counted by the hardware (papi)", "simulated": "Simulated by the cache laboratory, not measured"}
MOST_COUNTER_ROWS = 400


def _counters(run):
    html = f"<p>{esc(counters_sentence(run))}</p>\n"
    keys = ["workload", "trace", "pressure", "arm", "metric", "event"]
    # Measured and simulated numbers stand in tables of their own: they are not the same kind of thing.
    for number, (source, rows) in enumerate(run.counters.groupby("source", sort=True)):
        medians = rows.groupby(keys, sort=True)["per_query"].median().reset_index()
        heads = [(key, False) for key in keys] + [("per query, median", True)]
        shown = medians.head(MOST_COUNTER_ROWS)
        cells = [
            ("", [text_cell(getattr(row, key)) for key in keys] + [(human_number(row.per_query, 4), row.per_query)])
            for row in shown.itertuples()
        ]
        cut = "" if len(shown) == len(medians) else f", of which the first {len(shown)} are here, all in counters.csv"
        heading = f"{SOURCES.get(source, source)}: {len(medians)} rows{cut}"
        rows_html = table(f"counters-{number}", heads, cells)
        html += f"<details><summary>{esc(heading)}</summary>\n{rows_html}</details>\n"
    return "counters", "Counters", html


def _machine(run):
    info = run.info
    ran = [
        ("command", command_text(info)),
        ("profile", dig(info, "profile")),
        ("seed", dig(info, "seed")),
        ("started", dig(info, "started")),
        ("finished", dig(info, "finished")),
        ("commit", dig(info, "commit")),
        ("pinned to CPU", dig(info, "pinned", "cpu")),
        ("intervals, 95 %", interval_words(run)),
        ("margin", dig(info, "inference", "margin")),
        ("launches", human_number(run.summary["launches"].max(), 0)),
        ("rounds, all launches", human_number(run.summary["rounds"].max(), 0)),
    ]
    parts = [("Machine", machine_pairs(info)), ("Build", build_pairs(info)), ("Run", ran)]
    html = "\n".join(f"<h3>{heading}</h3>\n{definitions(pairs)}" for heading, pairs in parts)
    return "machine", "Machine, build and run", html


def _listed(pairs):
    entries = "".join(f"<li><strong>{esc(heading)}.</strong> {esc(text)}</li>\n" for heading, text in pairs)
    return f"<ul>\n{entries}</ul>"
