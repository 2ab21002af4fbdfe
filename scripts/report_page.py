# SPDX-License-Identifier: MIT
"""The page: one HTML file that needs no network, with the figures inside it.

All text goes through `esc`; the only markup that is not written here is matplotlib's SVG.
"""

import json
import math
import re
from html import escape

import report_data
import report_findings
import report_misses
from report_data import COMPARED_ROLES, dig, human_bytes, human_number, human_ratio, items, one_line
from report_style import PAGE_VARIABLES, method_colour, verdict_marker

NOT_RECORDED = "not recorded"
DOWNLOADS = ["summary.csv", "samples.csv", "counters.csv", "mrc.csv", "squares.csv", "tables.csv", "run.json"]

CSS = """
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1b1e23; --muted: #5c636e; --grid: #dde0e5;
  --band: #c6cbd3; --soft: #f3f4f6; --link: #0b5cad; --warn: #fff3d6; --warn-ink: #5e4200; --bad: #fde3e1;
  --bad-ink: #7d1a12; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171c; --ink: #e4e7ec; --muted: #a2a9b4; --grid: #2e333c;
  --band: #434a56; --soft: #1d2128; --link: #7fb4f0; --warn: #3a2e10; --warn-ink: #f3d68b; --bad: #451c19;
  --bad-ink: #ffb9b2; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1.25rem 4rem; max-width: 84rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", Verdana, sans-serif; }
h1 { font-size: 1.6rem; margin: 0.5rem 0 0; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.25rem; }
p, ul, dl { max-width: 52rem; }
.sub, figcaption, .note { color: var(--muted); }
figcaption, .note { font-size: 0.9rem; max-width: 58rem; }
a { color: var(--link); }
nav { margin: 0.75rem 0; }
nav a { margin-right: 1rem; white-space: nowrap; }
.lead { font-size: 1.1rem; }
.banner { padding: 0.6rem 0.9rem; border-radius: 6px; margin: 1rem 0; background: var(--warn);
  color: var(--warn-ink); }
.banner.bad { background: var(--bad); color: var(--bad-ink); }
.banner ul { margin: 0; padding-left: 1.2rem; }
figure { margin: 1rem 0 2rem; }
figure svg { display: block; width: 100%; height: auto; }
figure svg * { stroke-linejoin: round; stroke-linecap: butt; }
.scroll { overflow-x: auto; }
@media (max-width: 48rem) { figure svg { min-width: 44rem; } }
table { border-collapse: collapse; font-size: 0.82rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.5rem; border-bottom: 1px solid var(--grid); text-align: left; vertical-align: top;
  white-space: nowrap; }
#methods-table td:last-child { white-space: normal; min-width: 16rem; }
td.n, th.n { text-align: right; }
thead th { background: var(--soft); }
th button { all: unset; cursor: pointer; font-weight: 600; }
th button:focus-visible { outline: 2px solid var(--link); }
th[aria-sort=ascending] button::after { content: " \\25B4"; }
th[aria-sort=descending] button::after { content: " \\25BE"; }
tr.reference td { background: var(--soft); }
tbody tr:hover { background: var(--soft); }
code, pre, .id { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 0.92em; }
pre { overflow-x: auto; background: var(--soft); padding: 0.75rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1rem; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
label input { font: inherit; padding: 0.2rem 0.5rem; color: inherit; background: var(--soft);
  border: 1px solid var(--grid); border-radius: 4px; }
details { margin: 0.5rem 0; }
summary { cursor: pointer; }
"""

# Sorts a table by the clicked column: by data-v where a cell has it (numbers; "not measured" always last), else by its
# text.
SCRIPT = """
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const value = (row, i) => row.cells[i].dataset.v ?? row.cells[i].textContent;
  heads.forEach((head, i) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numeric = head.classList.contains("n"), sign = down ? -1 : 1;
    const compare = (a, b) => {
      const x = value(a, i), y = value(b, i);
      if (!numeric) return sign * x.localeCompare(y);
      return x === "" || y === "" ? (x === "") - (y === "") : sign * (x - y);
    };
    body.append(...[...body.rows].sort(compare));
  }));
}
for (const input of document.querySelectorAll("input[data-filter]")) {
  const rows = [...document.getElementById(input.dataset.filter).tBodies[0].rows];
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\\s+/);
    for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
  });
}
"""

CAPTIONS = {
    "ranking": (
        "A row a method, the fastest on top. A point is the median over rounds of the time divided by the "
        "reference's time in the same round; left of 1 is faster. The bar is its 95 % bootstrap interval, often "
        "narrower than the point. An arm whose whole interval lies in the grey band is equivalent to the "
        "reference: the band is 1 % wide either side, or as wide as identical code was seen to differ. An interval "
        "across its edge is inconclusive. The dashed line is the bare replay loop: nothing can be left of it, so judge "
        "distances from there (the column \u201cnet of null\u201d). The axis is logarithmic: equal distances are "
        "equal factors. An arrow stands for a point outside the enlarged panel. L1D misses are per query; "
        "their head says whether they were simulated, and so not measured, or counted by the hardware (papi)."
    ),
    "footprint": (
        "Down is faster, left is smaller. The grey step joins the methods that no other beats in both: whatever "
        "lies above it pays for nothing. Dotted lines are this machine's caches; tables right of one cannot all "
        "stay in it, and an engine leaves them only a part of it. Shapes are the verdicts of the ranking."
    ),
    "misses": (
        "L1D misses a query against whichever goes with them more: the bytes of the tables or the time of a workload "
        "(by Kendall's rank correlation, which the subtitle gives for each). Each figure has one source: misses that "
        "the hardware counted, minus the bare loop's, or misses that a model of this machine's caches gave for a "
        "replay of the trace. The simulated ones were not measured, and know nothing of what a miss costs. Shapes "
        "are the verdicts of the ranking."
    ),
    "orders": (
        "A column a cell, the fastest method on top. Lines that cross change places from one cell to the next. "
        "Neighbours inside the margin are in no real order; the shapes are the verdicts of the ranking. A "
        "correlation well below 1 means: the order in one loop says little about another, and less about an engine."
    ),
    "rounds": (
        "Left: the A/A arm against the reference, which is the same code, round by round; it should scatter about 0 "
        "inside the grey margin, without steps or drift. Right: the effective clock rate, from a chain of one-cycle "
        "additions. A hollow dot is a round in which the operating system switched the process out, a page came from "
        "disk or the host took time; a triangle at an edge is a round further out. No round is left out."
    ),
}


def esc(value):
    """Text for HTML: one line, escaped, quotes too; None shows as not recorded."""
    return escape(NOT_RECORDED if value is None else one_line(value), quote=True)


def themed(colour):
    """A colour as the page writes it: greys are the page's own, others have a lighter twin in the dark."""
    return PAGE_VARIABLES.get(colour, f"var(--c-{colour[1:]}, {colour})")


def _dark_colours(html):
    """The rule that gives each colour that occurs in `html` its lighter twin: a third of the way to white."""
    colours = sorted(set(re.findall(r"var\(--c-([0-9a-f]{6}),", html)))
    lighter = lambda c: "".join(f"{int(c[i : i + 2], 16) * 2 // 3 + 85:02x}" for i in (0, 2, 4))  # noqa: E731
    twins = "".join(f" --c-{c}: #{lighter(c)};" for c in colours)
    return f"@media (prefers-color-scheme: dark) {{ :root {{{twins} }} }}\n"


def inline_svg(svg, number, label):
    """Makes a matplotlib SVG file a part of the page.

    Names of elements are made unique to the figure, or dropped where nothing refers to them; the greys become the
    page's own, so that the figure follows light and dark; what belongs to a file of its own goes.

    Args:
        svg: bytes of the file.
        number: of the figure on the page; part of the names.
        label: what a screen reader says, plain text.

    Returns:
        str, one svg element.
    """
    text = svg.decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"<style[^>]*>.*?</style>", "", text, flags=re.S)
    used = set(re.findall(r'(?:href="|url\()#([^")]+)', text))
    text = re.sub(r' id="([^"]*)"', lambda m: f' id="f{number}-{m[1]}"' if m[1] in used else "", text)
    text = re.sub(r'(href="|url\()#', rf"\1#f{number}-", text)
    text = re.sub(r": (#[0-9a-f]{6})\b", lambda m: f": {themed(m[1])}", text)
    head = re.match(r"<svg[^>]*>", text)[0]
    box = re.search(r'viewBox="[^"]*"', head)[0]
    start = f'<svg {box} role="img" aria-label="{esc(label)}" xmlns:xlink="http://www.w3.org/1999/xlink">'
    return start + text[len(head) :].strip()


def page(run, figures):
    """Writes the page of a run.

    Args:
        run: Run.
        figures: list of (kind, stem, cells, svg bytes) in the order of the page.

    Returns:
        str, the whole HTML document.
    """
    sections = [
        _findings(run),
        _figures(run, figures, "ranking", "rankings", "Rankings"),
        _figures(run, figures, "footprint", "footprint", "Tables against time"),
        _figures(run, figures, "misses", "misses", "Cache misses"),
        _figures(run, figures, "orders", "orders", "Does the order hold?"),
        _summary(run),
        _counters(run),
        methods_section(run),
        _figures(run, figures, "rounds", "rounds", "Diagnostics"),
        _machine(run),
        traces_section(run),
        _threats(run),
        downloads_section(run, figures),
    ]
    title = f"slidebench: {one_line(dig(run.info, 'machine', 'cpu') or 'a run')}"
    return document(title, _subtitle(run), _banners(run), sections)


def document(title, subtitle, banners, sections):
    """One HTML file that needs no network.

    Args:
        title: plain text.
        subtitle, banners: HTML.
        sections: list of (anchor, heading as plain text, HTML); None is left out.

    Returns:
        str.
    """
    sections = [section for section in sections if section]
    nav = " ".join(f'<a href="#{anchor}">{esc(heading)}</a>' for anchor, heading, _ in sections)
    body = "\n".join(
        f'<section id="{anchor}">\n<h2>{esc(heading)}</h2>\n{html}\n</section>' for anchor, heading, html in sections
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{esc(title)}</title>
<style>{CSS}{_dark_colours(body)}</style>
</head>
<body>
<header>
<h1>{esc(title)}</h1>
<p class="sub">{subtitle}</p>
{banners}<nav aria-label="Sections">{nav}</nav>
</header>
<main>
{body}
</main>
<script>{SCRIPT}</script>
</body>
</html>
"""


def _subtitle(run):
    commit = dig(run.info, "commit")
    changed = ", with uncommitted changes" if dig(run.info, "dirty") is True else ""
    return (
        "Chess sliding-piece attack generators on occupancies from real games. Profile"
        f" {esc(dig(run.info, 'profile'))}, started {esc(dig(run.info, 'started'))}, commit"
        f" <code>{esc(commit)}</code>{changed}."
    )


def _banners(run):
    html = ""
    if dig(run.info, "complete") is not True:
        known = dig(run.info, "complete") is False
        state = "This run is incomplete" if known else f"Whether this run is complete was {NOT_RECORDED}"
        html += (
            f'<p class="banner bad" role="alert"><strong>{state}.</strong> It may have been stopped before all rounds '
            "were measured; what follows holds for the rounds there are, and verdicts may change.</p>\n"
        )
    warnings = dig(run.info, "warnings")
    if isinstance(warnings, list) and warnings:
        entries = "".join(f"<li>{esc(warning)}</li>" for warning in warnings)
        html += f'<div class="banner" role="note"><strong>Warnings of the run</strong><ul>{entries}</ul></div>\n'
    return html


def _findings(run):
    html = "".join(f'<p class="lead">{esc(sentence)}</p>\n' for sentence in report_findings.overall(run))
    cells = "".join(
        f"<li><strong>{esc(cell.name)}.</strong> {esc(' '.join(report_findings.cell_sentences(run, cell)))}</li>\n"
        for cell in run.cells
    )
    return "findings", "What this run says", f"{html}<ul>\n{cells}</ul>"


def _figures(run, figures, kind, anchor, heading):
    chosen = [(i, *figure[1:]) for i, figure in enumerate(figures) if figure[0] == kind]
    if not chosen:
        return None
    html = f'<p class="note"><strong>How to read it.</strong> {esc(CAPTIONS[kind])}</p>\n'
    for number, stem, cells, svg in chosen:
        about = "; ".join(cell.name for cell in cells)
        html += (
            f'<figure>\n<div class="scroll">{inline_svg(svg, number, f"{heading}: {about}")}</div>\n<figcaption>'
            f"{esc(_figure_caption(run, kind, cells))} "
            f'<a href="plots/{esc(stem)}.svg">SVG</a> <a href="plots/{esc(stem)}.png">PNG</a></figcaption>\n</figure>\n'
        )
    return anchor, heading, html


def _figure_caption(run, kind, cells):
    """What this one figure shows, beyond how to read its kind."""
    if kind == "ranking":
        return f"{cells[0].name}: {' '.join(report_findings.cell_sentences(run, cells[0]))}"
    if kind == "footprint":
        sizes = [(f"L{level}", report_data.cache_bytes(run.info, level)) for level in (1, 2)]
        known = ", ".join(f"{name} {human_bytes(size)}" for name, size in sizes if size is not None)
        return f"{cells[0].trace}: {', '.join(c.workload for c in cells)}. Data caches: {known or NOT_RECORDED}."
    if kind == "misses":
        return f"{cells[0].trace}: {', '.join(c.workload for c in cells)}."
    if kind == "orders":
        return " ".join(report_findings.overall(run)[1:])
    return report_findings.twin_sentence(run)


def table(name, heads, rows):
    """A sortable table.

    Args:
        name: its id.
        heads: list of (heading, is numeric).
        rows: list of (class of the row, list of cells); a cell is (html, value to sort by or None).

    Returns:
        str.
    """
    head = "".join(
        f'<th scope="col"{css_class("n" if numeric else "")}><button type="button">{esc(text)}</button></th>'
        for text, numeric in heads
    )
    body = ""
    for css, cells in rows:
        tds = "".join(_td(html, value, numeric) for (html, value), (_, numeric) in zip(cells, heads))
        body += f"<tr{css_class(css)}>{tds}</tr>\n"
    return (
        f'<div class="scroll"><table class="sortable" id="{name}"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}</tbody></table></div>"
    )


def css_class(name):
    """A class attribute, or nothing."""
    return f' class="{name}"' if name else ""


def _td(html, value, numeric):
    if not numeric:
        return f"<td>{html}</td>"
    sort = "" if value is None or not math.isfinite(value) else repr(float(value))
    return f'<td class="n" data-v="{sort}">{html}</td>'


SUMMARY_HEADS = [
    ("workload", False),
    ("trace", False),
    ("pressure", False),
    ("rank", True),
    ("method", False),
    ("ratio", True),
    ("95 % interval", True),
    ("verdict", False),
    ("ns a query", True),
    ("net ns", True),
    ("cycles", True),
    ("tables", True),
    ("family", False),
    ("level", False),
]


def _summary(run):
    rows = []
    # Each source has a column of its own, and its head says which it is.
    sources = report_misses.sources(run)
    heads = SUMMARY_HEADS + [(f"L1D misses a query, {source}", True) for source in sources]
    for cell in run.cells:
        misses = [report_misses.of_cell(run, cell, source) for source in sources]
        clock = run.one(cell, "clock")
        cycle_ns = float("nan") if clock is None else clock["ns_per_query"]
        for rank, row in enumerate(run.ranked(cell).itertuples(), start=1):
            rows.append((row.role, _summary_cells(row, str(rank), rank, cycle_ns, misses)))
        for row in run.rows(cell).itertuples():
            if row.role not in COMPARED_ROLES and row.role != "clock":
                rows.append((row.role, _summary_cells(row, "\u2013", None, cycle_ns, misses)))
    note = (
        "Net is minus the bare replay loop. Cycles are the time over that of one dependent addition, which takes one"
        " cycle: an estimate. Click a heading to sort."
    )
    if report_misses.SIMULATED in sources:
        note += (
            " L1D misses headed \u201csimulated\u201d are a cache model's, for a replay of the trace, the same for"
            " every workload; they were not measured."
        )
    return (
        "summary",
        "All numbers",
        f'<p class="note">{esc(note)}</p>\n<p><label>Filter rows: <input type="search" '
        'data-filter="summary-table" placeholder="throughput magic"></label></p>\n'
        + table("summary-table", heads, rows),
    )


def _summary_cells(row, rank_text, rank, cycle_ns, misses):
    mark = (
        f'<span style="color: {themed(method_colour(row.method))}">\u25a0</span> ' if row.role in COMPARED_ROLES else ""
    )
    cycles = row.ns_per_query / cycle_ns
    interval = "\u2013"
    if math.isfinite(row.ratio_low) and math.isfinite(row.ratio_high):
        interval = f"{human_ratio(row.ratio_low)} to {human_ratio(row.ratio_high)}"
    size = human_bytes(row.table_bytes) if math.isfinite(row.table_bytes) else "\u2013"
    return [
        text_cell(row.workload),
        text_cell(row.trace),
        text_cell(row.pressure),
        (rank_text, rank),
        (f'{mark}<span class="id">{esc(row.arm)}</span> {esc(row.title)}', None),
        (human_ratio(row.ratio), row.ratio),
        (interval, row.ratio_low),
        text_cell(row.verdict),
        (human_number(row.ns_per_query), row.ns_per_query),
        (human_number(row.net_ns_per_query), row.net_ns_per_query),
        (human_number(cycles, 1), cycles),
        (size, row.table_bytes),
        text_cell(row.family),
        text_cell(row.level),
        *((human_number(found.get(row.arm), 4), found.get(row.arm)) for found in misses),
    ]


def text_cell(value):
    """A table cell of text; a dash where there is none."""
    return (esc(value) if value else "\u2013", None)


SOURCES = {"papi": "Counted by the hardware (papi)", "simulated": "Simulated by the cache laboratory, not measured"}


def _counters(run):
    html = f"<p>{esc(report_findings.counters_sentence(run))}</p>\n"
    if run.counters is None:
        return "counters", "Counters", html + "<p>This run has no counter values.</p>"
    keys = ["workload", "trace", "pressure", "arm", "metric", "event"]
    # Measured and simulated numbers stand in tables of their own: they are not the same kind of thing.
    for number, (source, rows) in enumerate(run.counters.groupby("source", sort=True)):
        medians = rows.groupby(keys, sort=True)["per_query"].median().reset_index()
        heads = [(key, False) for key in keys] + [("per query, median", True)]
        cells = [
            ("", [text_cell(getattr(row, key)) for key in keys] + [(human_number(row.per_query, 4), row.per_query)])
            for row in medians.itertuples()
        ]
        heading = f"{SOURCES.get(source, source)}: {len(cells)} rows"
        rows_html = table(f"counters-{number}", heads, cells)
        html += f"<details><summary>{esc(heading)}</summary>\n{rows_html}</details>\n"
    return "counters", "Counters", html


def methods_section(run):
    """The section on the methods: (anchor, heading, HTML)."""
    entries = items(run.info, "methods")
    fields = ["id", "title", "family", "inventor", "year", "isa", "level", "table_bytes", "status", "reference"]
    html = ""
    if entries:
        numeric = {"year", "table_bytes"}
        rows = [("", [_value(entry.get(name)) for name in fields]) for entry in entries]
        html += table("methods-table", [(name.replace("_", " "), name in numeric) for name in fields], rows)
    else:
        html += f"<p>The list of methods was {NOT_RECORDED}.</p>"
    skipped = report_findings.skipped(run)
    if skipped:
        lines = "".join(f'<li><span class="id">{esc(name)}</span>: {esc(why)}</li>' for name, why in skipped)
        html += f"\n<h3>Not run</h3>\n<ul>{lines}</ul>"
    return "methods", "Methods", html


def _value(value):
    """A table cell of whatever run.json holds; numbers sort as such."""
    return (esc(value), float(value) if isinstance(value, (int, float)) else None)


def definitions(pairs):
    """A list of names and values; values are escaped, None shows as not recorded."""
    return "<dl>\n" + "".join(f"<dt>{esc(name)}</dt><dd>{esc(value)}</dd>\n" for name, value in pairs) + "</dl>"


def machine_pairs(info):
    """What run.json says of the machine: list of (name, value), for `definitions`."""
    machine = [
        ("CPU", dig(info, "machine", "cpu")),
        ("family, model, stepping", _joined(info, "family", "model", "stepping")),
    ]
    machine += [(name.replace("_", " "), dig(info, "machine", name)) for name in ("vendor", "microcode", "cores")]
    machine += [
        ("hypervisor", "none" if _is_bare(info) else dig(info, "machine", "hypervisor")),
        ("governor", dig(info, "machine", "governor")),
        ("kernel", dig(info, "machine", "kernel")),
        ("memory", _size(dig(info, "machine", "memory_bytes"))),
        ("page", _size(dig(info, "machine", "page_bytes"))),
        ("transparent huge pages", dig(info, "machine", "thp")),
        ("effective clock", _clock(info)),
    ]
    machine += [
        (f"L{esc(c.get('level'))} {one_line(c.get('type', ''))}", _cache(c)) for c in items(info, "machine", "caches")
    ]
    return machine


def build_pairs(info):
    """What run.json says of the build: list of (name, value), for `definitions`."""
    build = [(name, dig(info, "build", name)) for name in ("compiler", "type", "flags")]
    versions = dig(info, "versions")
    build += sorted(versions.items()) if isinstance(versions, dict) else []
    return build


def command_text(info):
    """The command line that made the folder, or None."""
    command = dig(info, "command")
    return " ".join(map(str, command)) if isinstance(command, list) else command


def _machine(run):
    info = run.info
    ran = [
        ("command", command_text(info)),
        ("profile", dig(info, "profile")),
        ("seed", dig(info, "seed")),
        ("started", dig(info, "started")),
        ("finished", dig(info, "finished")),
        ("commit", dig(info, "commit")),
        ("launches", human_number(run.summary["launches"].max(), 0)),
        ("rounds, all launches", human_number(run.summary["rounds"].max(), 0)),
    ]
    parts = [("Machine", machine_pairs(info)), ("Build", build_pairs(info)), ("Run", ran)]
    html = "\n".join(f"<h3>{heading}</h3>\n{definitions(pairs)}" for heading, pairs in parts)
    return "machine", "Machine, build and run", html


def _is_bare(info):
    """Whether the run says that there was no hypervisor (an empty string), rather than nothing."""
    machine = info.get("machine")
    return isinstance(machine, dict) and machine.get("hypervisor") == ""


def _joined(info, *names):
    values = [dig(info, "machine", name) for name in names]
    return None if all(v is None for v in values) else ", ".join(NOT_RECORDED if v is None else str(v) for v in values)


def _size(value):
    return human_bytes(value) if isinstance(value, (int, float)) else value


def _clock(info):
    values = [dig(info, "effective_ghz", name) for name in ("median", "low", "high")]
    if not all(isinstance(v, (int, float)) for v in values):
        return None
    return f"{values[0]:.2f} GHz (from {values[1]:.2f} to {values[2]:.2f})"


def _cache(cache):
    shown = lambda name: NOT_RECORDED if cache.get(name) is None else cache[name]  # noqa: E731
    return (
        f"{_size(cache.get('bytes')) or NOT_RECORDED}, {shown('ways')} ways, lines of {shown('line_bytes')} B, "
        f"shared by {shown('shared_by')}"
    )


def traces_section(run):
    """The section on the traces: (anchor, heading, HTML)."""
    html = ""
    for trace in items(run.info, "traces"):
        pairs = [(name.replace("_", " "), trace.get(name)) for name in ("file", "nodes", "queries", "xxh3")]
        html += f"<h3>{esc(trace.get('name'))}</h3>\n{definitions(pairs)}\n"
        if trace.get("provenance") is not None:
            provenance = json.dumps(trace["provenance"], indent=2, ensure_ascii=False, sort_keys=True)
            html += f"<details><summary>Provenance</summary><pre>{escape(provenance, quote=True)}</pre></details>\n"
    return "traces", "Traces", html or f"<p>The traces were {NOT_RECORDED}.</p>"


def _threats(run):
    entries = "".join(
        f"<li><strong>{esc(heading)}.</strong> {esc(text)}</li>\n" for heading, text in report_findings.threats(run)
    )
    return "threats", "Threats to validity", f"<ul>\n{entries}</ul>"


def downloads_section(run, figures):
    """The section with links to the data and the figures: (anchor, heading, HTML)."""
    files = [name for name in DOWNLOADS if (run.folder / name).exists()]
    files += [f"plots/{stem}.{suffix}" for _, stem, _, _ in figures for suffix in ("svg", "png")]
    data = "".join(f'<li><a href="{esc(name)}">{esc(name)}</a></li>' for name in files if "/" not in name)
    plots = " ".join(f'<a href="{esc(name)}">{esc(name)}</a>' for name in files if "/" in name)
    note = (
        "Tidy CSV, one observation a row; names carry units; an empty cell was not measured. The page is made from "
        "these files alone."
    )
    return "downloads", "Data", f'<p class="note">{esc(note)}</p>\n<ul>{data}</ul>\n<p class="note">{plots}</p>'
