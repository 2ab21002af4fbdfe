# SPDX-License-Identifier: MIT
"""What pages are made of: templates and parts that become one HTML file without a network. Jinja2 escapes all text; the
only markup that does not come from a template is matplotlib's SVG."""

import collections
import json
import re
from pathlib import Path

import jinja2
from markupsafe import Markup

from report.analysis.glossary import COMMON, GLOSSARY
from report.data.files import dig, items, one_line
from report.data.words import human_bytes
from report.errors import ReportError
from report.page.payload import script_json
from report.page.svg import dark_colours, inline_svg

PARTS = Path(__file__).resolve().parent
# Where the distributions' packages node-d3 and libjs-d3 put it; it becomes a part of the page, and none of the tree.
D3 = ("/usr/share/nodejs/d3/dist/d3.min.js", "/usr/share/javascript/d3/d3.min.js")
NOT_RECORDED = "not recorded"
DOWNLOADS = "summary.csv samples.csv counters.csv kernel.csv correlations.csv crossings.csv mrc.csv squares.csv "
DOWNLOADS += "tables.csv run.json answer.json"


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
    return NOT_RECORDED if value is None else value if isinstance(value, Markup) else one_line(value)


ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(PARTS / "templates"),
    autoescape=True,
    finalize=said,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)


class Recorded(dict):
    """run.json for a template: what is not recorded is None."""

    def __missing__(self, key):
        return None


def sections_of(body):
    """The sections of a page for its navigation: list of (anchor, heading)."""
    found = re.findall(r'<section id="([\w-]+)">\s*<h2>(.*?)</h2>', body)
    return [(anchor, Markup(heading)) for anchor, heading in found]


def explained(text):
    """Text whose words of the glossary have a tooltip each, at their first place."""
    words, seen = "|".join(sorted(map(re.escape, set(GLOSSARY) - COMMON), key=len, reverse=True)), set()

    def mark(match):
        if match[1] in seen:
            return match[1]
        seen.add(match[1])
        return f'<abbr title="{Markup.escape(GLOSSARY[match[1]])}">{match[1]}</abbr>'

    return Markup(re.sub(rf"(?<![\w-])({words})(?![\w-])", mark, str(Markup.escape(one_line(text)))))


ENVIRONMENT.globals.update(part=lambda name: Markup(part(name)), sections_of=sections_of)
ENVIRONMENT.filters["explained"] = explained


def render_page(template, data=None, **context):
    """One HTML file that needs no network, from a template; `data` is what the scripts read, None for none."""
    carried = None if data is None else Markup(script_json(data))
    library = None if data is None else Markup(d3())
    html = ENVIRONMENT.get_template(template).render(data=carried, d3=library, **context)
    return html.replace("/* dark colours */", dark_colours(html), 1)


def shown_figures(figures):
    """Figures as templates take them: dict kind -> list of dict of stem, about, svg."""
    found = collections.defaultdict(list)
    for number, (kind, stem, about, svg) in enumerate(figures):
        label = Markup.escape(one_line(about))
        entry = {"stem": stem, "about": about, "svg": Markup(inline_svg(svg, number, label))}
        found[kind].append(entry)
    return found


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


def methods_table(info):
    """The table of every method of the build; None where run.json does not list them."""
    fields = ["id", "title", "family", "inventor", "year", "isa", "level", "table_bytes", "status", "reference"]
    rows = [[entry.get(name) for name in fields] for entry in items(info, "methods")]
    return table("methods-table", [name.replace("_", " ") for name in fields], rows) if rows else None


def machine_pairs(info):
    """What run.json says of the machine: list of (name, value)."""
    machine, of = info.get("machine"), lambda name: dig(info, "machine", name)
    bare = isinstance(machine, dict) and machine.get("hypervisor") == ""
    pairs = [("CPU", of("cpu")), ("family, model, stepping", _joined(of(n) for n in ("family", "model", "stepping")))]
    pairs += [(name, of(name)) for name in ("vendor", "microcode", "cores")]
    pairs += [("hypervisor", "none" if bare else of("hypervisor"))]
    pairs += [("emulator", of("emulator"))] if of("emulator") is not None else []
    pairs += [(name, of(name)) for name in ("governor", "kernel")]
    pairs += [("memory", _size(of("memory_bytes"))), ("page", _size(of("page_bytes")))]
    pairs += [("transparent huge pages", of("thp")), ("effective clock", _clock(info))]
    caches = items(info, "machine", "caches")
    return pairs + [(f"L{said(cache.get('level'))} {cache.get('type', '')}", _cache(cache)) for cache in caches]


def build_pairs(info):
    """What run.json says of the build: list of (name, value)."""
    versions = dig(info, "versions")
    build = [(name, dig(info, "build", name)) for name in ("compiler", "type", "flags")]
    return build + (sorted(versions.items()) if isinstance(versions, dict) else [])


def trace_entries(info):
    """The traces: list of (name, pairs, provenance as text or None)."""
    found = []
    for trace in items(info, "traces"):
        pairs = [(name.replace("_", " "), trace.get(name)) for name in ("file", "nodes", "queries", "xxh3")]
        origin = trace.get("provenance")
        text = None if origin is None else json.dumps(origin, indent=2, ensure_ascii=False, sort_keys=True)
        found.append((trace.get("name"), pairs, None if text is None else Markup(Markup.escape(text))))
    return found


def about(folder, info):
    """What every page of a folder says of it: context for `render_page`."""
    command = dig(info, "command")
    return {
        "info": Recorded(info),
        "downloads": [name for name in DOWNLOADS.split() if (folder / name).exists()],
        "methods_table": methods_table(info),
        "skipped": [(entry.get("id"), entry.get("why")) for entry in items(info, "skipped")],
        "machine": machine_pairs(info),
        "build": build_pairs(info),
        "traces": trace_entries(info),
        "command": " ".join(map(str, command)) if isinstance(command, list) else command,
        "changed": ", with uncommitted changes" if dig(info, "dirty") is True else "",
    }


def _joined(values):
    values = list(values)
    return None if all(v is None for v in values) else ", ".join(str(said(v)) for v in values)


def _size(value):
    return human_bytes(value) if isinstance(value, (int, float)) else value


def _clock(info):
    values = [dig(info, "effective_ghz", name) for name in ("median", "low", "high")]
    if not all(isinstance(v, (int, float)) for v in values):
        return None
    return f"{values[0]:.2f} GHz (from {values[1]:.2f} to {values[2]:.2f})"


def _cache(cache):
    shown = {name: said(cache.get(name)) for name in ("ways", "line_bytes", "shared_by")}
    size = _size(cache.get("bytes")) or NOT_RECORDED
    return f"{size}, {shown['ways']} ways, lines of {shown['line_bytes']} B, shared by {shown['shared_by']}"
