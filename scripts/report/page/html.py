# SPDX-License-Identifier: MIT
"""What pages are made of: templates and parts that become one HTML file without a network. Jinja2 escapes all text; the
only markup that does not come from a template is matplotlib's SVG."""

import collections
import re
from pathlib import Path

import jinja2
from markupsafe import Markup

from report.analysis.glossary import GLOSSARY, JARGON
from report.data.files import file_of, items, one_line
from report.data.words import human_bytes
from report.errors import ReportError

PARTS = Path(__file__).resolve().parent
# Where the distributions' packages node-d3 and libjs-d3 put it; it becomes a part of the page, and none of the tree.
D3 = ("/usr/share/nodejs/d3/dist/d3.min.js", "/usr/share/javascript/d3/d3.min.js")
FILES = "summary.csv process_runs.csv samples.csv counters.csv kernel.csv correlations.csv "
FILES += "mrc.csv squares.csv tables.csv run.json answer.json"


def part(name):
    """A style sheet or a script of the pages, as text."""
    return (PARTS / "assets" / name).read_text(encoding="utf-8")


def d3():
    """The drawing library as text; ReportError where it is not installed."""
    for path in map(Path, D3):
        if path.exists():
            return path.read_text(encoding="utf-8").replace("</script", "<\\/script")
    raise ReportError(f"{D3[0]}: missing; install node-d3 (scripts/install_deps.sh does)")


def said(value):
    """Text for a page: one line; None shows as not recorded."""
    return "not recorded" if value is None else value if isinstance(value, Markup) else one_line(value)


def pairs(value):
    """An object of run.json as (name, text) pairs, none for anything else; what lies deeper is one text."""
    entries = value.items() if isinstance(value, dict) else ()
    return [(key.replace("_", " "), _text(key, inner)) for key, inner in entries]


def _text(key, value):
    if isinstance(value, dict):
        return ", ".join(f"{name} {text}" for name, text in pairs(value)) or "none"
    if isinstance(value, list):
        entries = [_text(key, entry) for entry in value]
        return ("; " if any(isinstance(entry, dict) for entry in value) else " ").join(entries) or "none"
    if isinstance(value, (int, float)) and key.endswith("bytes"):
        return human_bytes(value)
    if isinstance(value, float):
        return f"{value:.5g}"
    return "none" if value == "" else said(value)


def explained(text):
    """Text whose words of the glossary have a tooltip each."""
    words = "|".join(sorted(map(re.escape, JARGON), key=len, reverse=True))
    parts = re.split(rf"(?<![\w-])({words})(?![\w-])", one_line(text))
    abbreviation = Markup('<abbr title="{}">{}</abbr>')
    return Markup("").join(abbreviation.format(GLOSSARY[p], p) if p in JARGON else p for p in parts)


def sections_of(body):
    """The sections of a page for its navigation: list of (anchor, heading)."""
    found = re.findall(r'<section id="([\w-]+)">\s*(?:<details[^>]*><summary>)?<h2>(.*?)</h2>', body)
    return [(anchor, Markup(heading)) for anchor, heading in found]


ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader([PARTS / "templates"]),
    autoescape=True,
    finalize=said,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)
ENVIRONMENT.globals.update(part=lambda name: Markup(part(name)), sections_of=sections_of)
ENVIRONMENT.filters.update(explained=explained, pairs=pairs)


def render_page(template, packed=None, **context):
    """One HTML file that needs no network, from a template; `packed` is what the scripts read, in base 64, None for none."""
    library = None if packed is None else Markup(d3())
    try:
        return ENVIRONMENT.get_template(template).render(packed=packed, d3=library, **context)
    except RecursionError:
        raise ReportError("run.json: is nested too deeply; run it again") from None


def shown_figures(figures):
    """Figures as templates take them: dict kind -> list of dict of stem, about, svg."""
    found = collections.defaultdict(list)
    for number, (kind, stem, about, svg) in enumerate(figures):
        found[kind].append({"stem": stem, "about": about, "svg": Markup(inline(svg.decode(), number))})
    return found


def inline(svg, number):
    """matplotlib's SVG file as an element of the page: its style would be the page's, and the names that something in
    it refers to must be its own."""
    svg = re.sub(r"<(metadata|style).*?</\1>", "", svg[svg.index("<svg") :], flags=re.S)
    used = set(re.findall(r'(?:href="|url\()#([^")]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda m: f' id="f{number}-{m[1]}"' if m[1] in used else "", svg)
    return re.sub(r'(href="|url\()#', rf"\1#f{number}-", svg)


def table(name, heads, rows):
    """A sortable table for the template macro of that name; a cell is a text, a number, or (text, number to sort by),
    and stands on the right where it has a number."""
    cells = [[cell if isinstance(cell, tuple) else (cell, cell) for cell in row] for row in rows]
    numeric = [any(isinstance(row[i][1], (int, float)) for row in cells) for i in range(len(heads))]
    shown = [
        [(text, "" if n is None or n != n else n) if numeric[i] else (text, None) for i, (text, n) in enumerate(row)]
        for row in cells
    ]
    return {"id": name, "heads": list(zip(heads, numeric)), "rows": shown}


def about(folder, info):
    """What every page of a folder says of it: context for `render_page`."""
    command = info.get("command")
    return {
        "info": collections.defaultdict(lambda: None, info),
        "downloads": [path.name for path in (file_of(folder, name) for name in FILES.split()) if path.exists()],
        "skipped": [(entry.get("id"), entry.get("why")) for entry in items(info, "skipped")],
        "traces": items(info, "traces"),
        "command": " ".join(map(str, command)) if isinstance(command, list) else command,
    }
