# SPDX-License-Identifier: MIT
"""Writes the parts of the pages that come from elsewhere, or checks that they are up to date.

A part stands between <!-- name --> and <!-- end name -->. The methods come from `slidebench list` of a build with all,
the figures from the committed example report, the columns and
pressures from `slidebench help`; what that prints is kept as JSON for the report.
"""

import csv
import functools
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pandas as pd

from report.data.cells import COMPARED_ROLES, PRESSURES, Cell
from report.data.files import read_info
from report.data.process_runs import KEPT_NAME
from report.data.run import load_summary
from report.data.schema import COLUMNS, tables_of
from report.data.words import human_interval
from report.errors import ReportError
from report.figures.style import VERDICT_SIGNS
from report.page.markdown import table
from studies.kept import faults_of_age, faults_of_kept
from studies.machines import MACHINES, collected

ROOT = Path(__file__).resolve().parents[2]
METHODS, REPORTS = ROOT / "methods", ROOT / "reports"
EXAMPLE, SEARCHES = REPORTS / "example", REPORTS / "search"
PAGES = [*(folder / "README.md" for folder in (ROOT, METHODS, REPORTS)), REPORTS / "columns.md", REPORTS / "methodology.md"]

# The columns of the tables of figures: heading, and cell of the example.
ALONE = Cell("throughput", "search", "isolated")
REPLAYED = {
    "in a loop": ALONE,
    "each waits for the last": Cell("latency", "search", "isolated"),
    "engine without a network, replayed": Cell("throughput", "search", "net0"),
    "network of 1,024, replayed": Cell("throughput", "search", "net1024"),
}
FIGURES = REPLAYED | {
    "`both`, each waits for the last": Cell("latency", "search", "isolated", "both"),
    "set-wise": Cell("setwise", "search", "isolated"),
}
PERFT, SEARCH = Cell("perft", "positions", "isolated"), Cell("engine", "net1024", "isolated")
ENGINE = {
    "in a loop": ALONE,
    "network of 1,024, replayed": REPLAYED["network of 1,024, replayed"],
    "perft": PERFT,
    "search without a network": Cell("engine", "net0", "isolated"),
    "search, network of 256": Cell("engine", "net256", "isolated"),
    "search, network of 1,024": SEARCH,
}
EVERYWHERE = {
    "a search, network of 1,024": SEARCH,
    "a search without a network": Cell("engine", "net0", "isolated"),
    "perft": PERFT,
    "a replay with a network of 1,024": REPLAYED["network of 1,024, replayed"],
    "a replay without a network": REPLAYED["engine without a network, replayed"],
    "a loop, each query waits for the last": REPLAYED["each waits for the last"],
    "a loop": ALONE,
}
ORDERED = ("isolated", "net0", "net256", "net1024")


def method_link(method, methods=""):
    """The id, linked to its header; `methods` leads from the page to methods/."""
    header = next(METHODS.rglob(f"{method}.hpp"))
    return f"[`{method}`]({methods}{header.relative_to(METHODS).as_posix()})"


def reference_link(reference):
    """A reference as Markdown: an address or a file of methods/ becomes a link that shows where it leads."""
    if re.fullmatch(r"https?://\S+", reference):
        return f"[{re.sub(r'^https?://(www[.])?', '', reference).rstrip('/')}]({reference})"
    return f"[{reference}]({reference.removeprefix('methods/')})" if reference.startswith("methods/") else reference


def methods_table(methods):
    """Everything that is printed about the methods, one line each."""
    rows = []
    for m in methods.itertuples():
        rows.append([method_link(m.id), m.title, m.family, m.group, f"{m.inventor}, {m.year}", m.isa or "-"])
        rows[-1] += [f"{int(m.table_bytes):,}", reference_link(m.reference)]
    heads = ["id", "method", "family", "group", "inventor, year", "needs", ">table bytes", "reference"]
    return table(heads, rows)


@functools.cache
def example():
    """The run that the pages show."""
    return load_summary(EXAMPLE)


def rows_of(cell, *roles):
    """The example's rows, DataFrame by contender, of a cell."""
    return example().rows(cell, *roles).set_index("contender")


def lines_of(columns, contenders, show):
    """The lines of a table: a contender, and in each column what `show` says of its row; empty where it was not measured."""
    frames = [rows_of(cell) for cell in columns.values()]
    return [[f"`{contender}`", *(show(rows.loc[contender]) if contender in rows.index else "" for rows in frames)] for contender in contenders]


def ratio_or_time(row):
    """Ratio and verdict; of the empty loop its own time."""
    if row["role"] == "empty":
        return f"({row['ns_per_query']:.2f} ns)"
    return f"{row['ratio']:.2f} {VERDICT_SIGNS.get(row['verdict'], '')}".strip()


def figures_table():
    """Ratios of all methods, and the time of the empty loop."""
    contenders = rows_of(ALONE, *COMPARED_ROLES, "empty").index
    return table(["method", *FIGURES], lines_of(FIGURES, contenders, ratio_or_time))


def engine_table():
    """Ratios alone and inside the engine, method by method."""
    in_engine = set(rows_of(SEARCH).index)
    contenders = [name for name in rows_of(ALONE, *COMPARED_ROLES, "second_twin").index if name in in_engine]
    return table(["method", *ENGINE], lines_of(ENGINE, contenders, ratio_or_time))


def orders_table():
    """How far the orders of the methods in perft and in the search are those in a loop and in the replays."""
    found = pd.read_csv(SEARCHES / "correlations.csv").query("statistic == 'spearman'")
    found = found[found["workload_a"].isin(["perft", "engine"]) & (found["workload_b"] == "throughput")]
    found = found.assign(shown=[human_interval(row.value, row.low, row.high) for row in found.itertuples()])
    shown = found.set_index(["workload_a", "trace_a", "pressure_b"])["shown"]
    places = {name: cell for name, cell in ENGINE.items() if cell.workload in ("perft", "engine")}
    rows = [[name, *(shown[cell.workload, cell.trace, pressure] for pressure in ORDERED)] for name, cell in places.items()]
    return table(["Spearman with the order in", *(f"`{pressure}`" for pressure in ORDERED)], rows)


def verdict_text():
    """The example's verdict, a line a kind of engine, as the program says it, and its machine."""
    lines = []
    for said in json.loads((EXAMPLE / "answer.json").read_text())["verdict"]:
        text = re.sub(r"\b(\w+_\w+|pext)\b", r"`\1`", said["text"])
        lines.append(f"- **{said['title']}**: {text}.")
    return "\n".join([*lines, "", f"{machine_of(example().info)}, commit {example().info['commit']}: `build/bench/slidebench show reports/example`."])


def agreed(runs, cell):
    """The contenders that are faster than the reference on every machine with the cell, surest first, each with its ratios; and how
    many methods all of them compared. None where fewer than two machines have the cell."""
    rows = [run.rows(cell, "method").set_index("contender") for run in runs if cell in run.cells]
    if len(rows) < 2:
        return None
    both = pd.concat(rows, axis=1, join="inner", keys=range(len(rows))).swaplevel(axis=1)
    faster = both[(both["verdict"] == "faster").all(axis=1)]["ratio"]
    return faster.loc[faster.max(axis=1).sort_values().index], len(both)


def everywhere_text():
    """What is faster on all kept machines, situation by situation, and which machines these are."""
    runs, lines = collected(MACHINES), []
    for title, cell in EVERYWHERE.items():
        found = agreed(runs, cell)
        names, by = ["measured on one CPU"], ""
        if found:
            names = [f"`{name}`" for name in found[0].index] or [f"none of {found[1]}"]
            gains = 100 - 100 * found[0].head(1).to_numpy()
            by = f"{gains.min():.1f} to {gains.max():.1f} %" if len(gains) else ""
        lines.append([title, ", ".join(names), by])
    names = [f"[`{run.folder.name}`](reports/machines/{run.folder.name})" for run in runs]
    return f"{table(['in', 'faster than `magic_fancy` on every CPU', 'the first by'], lines)}\n\nCPUs: {', '.join(names)}."


def machine_of(record):
    """The machine, the compiler and the profile of a run."""
    machine, compiler = record["machine"], record["build"]["compiler"]
    known_by = f"family {machine['family']}, model {machine['model']}, {machine['hypervisor'] or 'no hypervisor'}"
    return f"{machine['cpu']} ({known_by}), {compiler}, profile {record['profile']}"


def runs_text():
    """The runs that the pages show, and the machines and commands that gave them."""
    lines = []
    for folder in (EXAMPLE, SEARCHES):
        record = load_summary(folder).info
        protocol, command = record["protocol"], " ".join(["slidebench", *record["command"][1:]])
        rounds = f"{protocol['process_runs']} process runs of {protocol['rounds']} rounds in {protocol['sessions']} sessions"
        facts = f"{machine_of(record)}, commit {record['commit']}, {rounds}, {protocol['layouts']} layouts of each module"
        lines.append(f"- [`{folder.name}`]({folder.name}): {facts}: `{command}`")
    return "\n".join(lines)


def columns_text(printed_columns):
    """Every column of every CSV file; what means the same in several files stands once, and so does what has `_a` and `_b`."""
    files = tables_of(json.loads(printed_columns)).values()
    uses = Counter((_stem(column), column.meaning) for file in files for column in file.columns if "the same" not in column.meaning)
    often = [use for use, times in uses.most_common() if times > 1]
    shared = {name: meaning for name, meaning in reversed(often)}
    parts = ["## In several files\n\n" + _columns_table(sorted(shared.items()))]
    for file in files:
        is_common = [shared.get(_stem(column)) == column.meaning for column in file.columns]
        common = ", ".join(f"`{column.name}`" for column, is_one in zip(file.columns, is_common) if is_one)
        own = [(column.name, column.meaning) for column, is_one in zip(file.columns, is_common) if not is_one]
        text = [f"## {file.name}", f"A row is {file.row}."] + [f"As above: {common}."] * bool(common)
        parts.append("\n\n".join(text + [_columns_table(own)] * bool(own)))
    return "\n\n".join(parts)


def _stem(column):
    return re.sub("_[ab]$", "", column.name)


def _columns_table(columns):
    return table(["column", "meaning"], [[f"`{name}`", meaning] for name, meaning in columns])


def terms_table(printed_terms):
    """The terms of the glossary."""
    return table(["term", "meaning"], [[words, f"{meaning}."] for words, meaning in json.loads(printed_terms).items()])


def printed(*command):
    """What a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def without_new(methods):
    """The methods that the page of methods has already; says which it lacks, because to add one takes no third touch."""
    page = (METHODS / "README.md").read_text()
    known = [method_link(method) in page for method in methods["id"]]
    if not all(known):
        new = ", ".join(method for method, is_known in zip(methods["id"], known) if not is_known)
        print(f"{new}: not on the pages yet; update-readme without --check adds it", file=sys.stderr)
    return methods[known]


def parts_of(program, check=False):
    """dict name -> content of every part of the pages; to check them, of the methods that they have."""
    listed = pd.DataFrame(csv.DictReader(printed(program, "list", "--method", "all", "--format", "csv").splitlines()))
    methods = listed[listed["group"] != "extension"]
    if check:
        methods = without_new(methods)
    return {
        "columns": columns_text(printed(program, "help", "columns", "--json")),
        "engine": engine_table(),
        "everywhere": everywhere_text(),
        "figures": figures_table(),
        "methods": methods_table(methods),
        "orders": orders_table(),
        "runs": runs_text(),
        "verdict": verdict_text(),
        "terms": terms_table(printed(program, "help", "glossary", "--json")),
    }


def filled(page, parts):
    """A page's text with its parts as they are now; ReportError for a part that does not end or that nothing makes."""
    text = page.read_text()
    names = re.findall(r"<!-- (\w+) -->", text)
    if names != re.findall(r"<!-- end (\w+) -->", text) or not set(names) <= set(parts):
        raise ReportError(f"{page}: of the parts {', '.join(names)} one is not ended, or made by nothing")
    part = r"(<!-- (\w+) -->\n).*?(<!-- end \2 -->)"
    return re.sub(part, lambda found: f"{found[1]}{parts[found[2]]}\n{found[3]}", text, flags=re.DOTALL)


def data_files(program):
    """dict path -> text of what the report knows from the program."""
    return {path: printed(program, "help", path.stem, "--json") for path in (COLUMNS, PRESSURES)}


def check_kept_runs():
    """Raises ReportError where a kept run's ratios are not what its process runs give, or what was timed has changed since."""
    for path in sorted(REPORTS.rglob(KEPT_NAME)):
        for fault in faults_of_kept(path.parent):
            raise ReportError(f"{path.parent}: {fault}; keep the run again")
        for fault in [] if REPORTS / "archive" in path.parents else faults_of_age(read_info(path.parent)):
            raise ReportError(f"{path.parent}: {fault}; measure again, or move it to reports/archive")


def work(options):
    """Writes the pages that are stale and returns them; with --check says which they are."""
    parts = parts_of(options.program, options.check)
    texts = {page: filled(page, parts) for page in PAGES}
    lost = [name for name in parts if not any(f"<!-- {name} -->" in text for text in texts.values())]
    if lost:
        raise ReportError(f"no page has the parts {', '.join(lost)}")
    texts |= data_files(options.program)
    check_kept_runs()
    stale = [page for page, text in texts.items() if not page.exists() or text != page.read_text()]
    if stale and options.check:
        raise ReportError(f"{', '.join(map(str, stale))}: stale; run it without --check")
    for page in stale:
        page.write_text(texts[page])
    return stale


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("program", metavar="SLIDEBENCH", help="of a build with all methods")
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 2 if a page is stale")

