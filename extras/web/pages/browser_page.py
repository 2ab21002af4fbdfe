# SPDX-License-Identifier: MIT
"""The page "Measure in this browser": one file that holds the WebAssembly module, a short trace, what measures
(extras/web/browser) and the committed machines."""

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path

from markupsafe import Markup

from report.data.cells import COMPARED_ROLES, Cell
from report.data.files import dig, one_line
from report.data.process_runs import t_quantile
from report.errors import ReportError
from report.figures.style import VERDICT_SIGNS, VERDICT_WORDS, method_colour
from report.output import write
from report.page.html import render_page
from studies.browsers import MOST_STARTS, PRESSURES, judged, results_in
from studies.machines import MACHINES, collected

ROOT = Path(__file__).resolve().parents[3]
WEB = ROOT / "extras" / "web"
WORKER = ("wasm/suite.mjs", "wasm/rounds.mjs", "browser/worker.mjs")
ON_THE_PAGE = tuple(f"browser/{name}.mjs" for name in ("statistics", "protocol", "ranking", "result", "page"))
# What the page measures, and where the machines have the like of it.
CELLS = {f"throughput {pressure}": Cell("throughput", "search", pressure) for pressure in ("isolated", "net1024")}
MOST_BYTES = 1_500_000
LIMITS = """A start of a worker is not a fresh process; the browser's compiler is measured too; heat, batteries, other tabs and
programs are not seen. The loop is not your engine, and a search may order the methods otherwise."""


def joined(names):
    """Modules without imports as one script, in their order; Chromium starts no worker that is a module in a page of a disk."""
    text = "\n".join((WEB / name).read_text(encoding="utf-8") for name in names)
    return Markup(re.sub(r"^export (?=const|function|async function)", "", text, flags=re.M))


def methods_in(module):
    """The methods of the tree whose names the module has: as C strings, or as ends of some, which linkers share."""
    known = re.findall(r"^add_method\((?:\w+/)?(\w+) ", (ROOT / "methods/CMakeLists.txt").read_text(encoding="utf-8"), re.M)
    return [name for name in known if f"{name}\0".encode() in module]


def native_ratios(run, methods):
    """A machine's ratios for the page: dict cell -> dict method -> [ratio, low, high, verdict]; of several builds of a
    method the quickest."""
    tables = {name: run.rows(cell, *COMPARED_ROLES).sort_values("ratio") for name, cell in CELLS.items()}
    return {name: shown_ratios(rows.drop_duplicates("method").set_index("method"), methods) for name, rows in tables.items()}


def browser_ratios(result, methods):
    """The same of a browser of the collection."""
    tables = {f"throughput {pressure}": judged(result, pressure)[0] for pressure in PRESSURES}
    return {name: shown_ratios(rows[rows["verdict"] != ""], methods) for name, rows in tables.items()}


def shown_ratios(rows, methods):
    """Rows by method, quickest first, as the page has them: dict method -> [ratio, low, high, verdict]."""
    numbers = rows[["ratio", "ratio_low", "ratio_high"]].round(4).values.tolist()
    return {name: [*row, said] for name, row, said in zip(rows.index, numbers, rows["verdict"]) if name in methods}


def machines(methods):
    """The collection as the page shows it: list of {name, ratios}."""
    found = []
    for run in collected(MACHINES):
        name = " ".join(str(dig(run.info, "machine", key) or "") for key in ("cpu", "hypervisor"))
        found.append({"name": f"{one_line(name)}, native", "ratios": native_ratios(run, methods)})
    return found + [{"name": result.name, "ratios": browser_ratios(result, methods)} for result in results_in(MACHINES)]


def page_data(module, trace):
    """What the page's scripts draw from: dict. `module` and `trace` are the unpacked files."""
    methods = methods_in(module)
    sharing = range(1, len(methods) + 1)
    return {
        "module": hashlib.sha256(module).hexdigest(),
        "trace": hashlib.sha256(trace).hexdigest(),
        "colours": {name: method_colour(name) for name in methods if name != "empty"},
        "signs": VERDICT_SIGNS,
        "machines": machines(methods),
        "reaches": [[float(f"{t_quantile(n, k):.6g}") for k in sharing] for n in range(2, MOST_STARTS + 1)],
    }


def packed(data):
    """Bytes as they travel in the page: gzip, in base64; the same bytes give the same text."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def page(module, trace):
    """The page as text. ReportError: it is larger than a page may be."""
    data = json.dumps(page_data(module, trace), separators=(",", ":"), allow_nan=False)
    text = render_page(
        "browser.html.j2",
        title="Measure in this browser",
        data=Markup(data.replace("<", "\\u003c")),
        module=packed(module),
        trace=packed(trace),
        worker=joined(WORKER),
        page=joined(ON_THE_PAGE),
        style=Markup((WEB / "browser/page.css").read_text(encoding="utf-8")),
        verdict_words=VERDICT_WORDS,
        limits=LIMITS,
    )
    if len(text.encode()) > MOST_BYTES:
        words = f"has {len(text.encode())} bytes, more than {MOST_BYTES}; give a shorter trace or fewer methods"
        raise ReportError(f"the page {words}")
    return text


def given(path, beginning, what):
    """A file's bytes, unpacked where they are gzip. ReportError: it is none, or of another kind."""
    try:
        data = path.read_bytes()
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (OSError, EOFError, gzip.BadGzipFile) as error:
        raise ReportError(f"{path}: cannot be read ({error}); give {what}") from None
    if not data.startswith(beginning):
        raise ReportError(f"{path}: is not {what}")
    return data


def work(options):
    """Writes the page; returns what was written."""
    module = given(options.module, b"\0asm", "the module that preset wasm builds (extras/web/wasm/build.sh)")
    trace = given(options.trace, b"SLTRACE\n", "a trace of slidebench trace build, not in .zst")
    if "magic_fancy" not in methods_in(module):
        raise ReportError(f"{options.module}: has no magic_fancy, the reference; build one with it")
    text = page(module, trace)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write(options.out, text.encode())
    return [options.out]


def add_arguments(parser):
    """What the command takes."""
    usual = ROOT / "build/wasm/slidebench.wasm"
    parser.add_argument("--module", type=Path, metavar="FILE", default=usual, help="slidebench.wasm (default: that of build/wasm)")
    parser.add_argument("--trace", type=Path, metavar="FILE", required=True, help="of slidebench trace build")
    parser.add_argument("--out", type=Path, metavar="HTML", required=True, help="the page")
