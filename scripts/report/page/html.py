# SPDX-License-Identifier: MIT
"""What pages are made of: one HTML file that needs no network, its tables, and figures inside it.

All text goes through `esc`; the only markup that is not written in these modules is matplotlib's SVG.
"""

import json
import math
import re
from html import escape
from pathlib import Path

from report.analysis.findings import skipped
from report.data.files import dig, items, one_line
from report.data.words import human_bytes
from report.page.payload import script_json, themed

PARTS = Path(__file__).resolve().parent / "assets"
NOT_RECORDED = "not recorded"
DOWNLOADS = [f"{name}.csv" for name in "summary samples counters kernel mrc squares tables".split()] + ["run.json"]


def part(name):
    """A style sheet or a script of the pages, as text."""
    return (PARTS / name).read_text(encoding="utf-8")


CSS = part("base.css")


def esc(value):
    """Text for HTML: one line, escaped, quotes too; None shows as not recorded."""
    return escape(NOT_RECORDED if value is None else one_line(value), quote=True)


def _dark_colours(html):
    """The rule that gives each colour that occurs in `html` its lighter twin: a third of the way to white."""
    colours = sorted(set(re.findall(r"var\(--c-([0-9a-f]{6}),", html)))
    lighter = lambda c: "".join(f"{int(c[i : i + 2], 16) * 2 // 3 + 85:02x}" for i in (0, 2, 4))  # noqa: E731
    twins = "".join(f" --c-{c}: #{lighter(c)};" for c in colours)
    return f"@media screen and (prefers-color-scheme: dark) {{ :root {{{twins} }} }}\n"


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


def document(title, subtitle, banners, sections, styles=(), scripts=("tables.js",), data=None):
    """One HTML file that needs no network.

    Args:
        title: plain text.
        subtitle, banners: HTML.
        sections: list of (anchor, heading as plain text, HTML); None is left out.
        styles, scripts: names of files of scripts/page, put into the page.
        data: what the scripts read, for `script_json`; None for none.

    Returns:
        str.
    """
    sections = [section for section in sections if section]
    nav = " ".join(f'<a href="#{anchor}">{esc(heading)}</a>' for anchor, heading, _ in sections)
    body = "\n".join(
        f'<section id="{anchor}">\n<h2>{esc(heading)}</h2>\n{html}\n</section>' for anchor, heading, html in sections
    )
    carried = "" if data is None else f'<script type="application/json" id="data">{script_json(data)}</script>\n'
    css = CSS + "".join(part(name) for name in styles) + _dark_colours(body + carried)
    code = "".join(f"<script>{part(name)}</script>\n" for name in scripts)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{esc(title)}</title>
<style>{css}</style>
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
{carried}{code}</body>
</html>
"""


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


def text_cell(value):
    """A table cell of text; a dash where there is none."""
    return (esc(value) if value else "\u2013", None)


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
    left_out = skipped(run)
    if left_out:
        lines = "".join(f'<li><span class="id">{esc(name)}</span>: {esc(why)}</li>' for name, why in left_out)
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
    none = "No trace was replayed." if dig(run.info, "traces") == [] else f"The traces were {NOT_RECORDED}."
    return "traces", "Traces", html or f"<p>{none}</p>"


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
