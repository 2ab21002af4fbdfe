# SPDX-License-Identifier: MIT
"""Writes the parts of the pages that come from elsewhere, or checks that they are up to date.

The pages are README.md, methods/README.md, reports/example/README.md and reports/columns.md. The methods come from
`slidebench list --method all --format csv` of a build with all, the tables of the sources from
slidebench_source_tables, the figures from the committed example report, the columns from report/data/schema.py. Each
part stands between <!-- name --> and <!-- end name -->.

Usage: update_readme.py SLIDEBENCH SOURCE_TABLES [--check]     exit status 1 if --check finds a stale page
"""

import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

from report.analysis.answer import WELL_KNOWN
from report.data.schema import FILES

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "reports" / "example"

# What the methods of a family have in common. A family without a line here is shown without one.
FAMILIES = {
    "baseline": "the replay loop without a method",
    "calculation": "arithmetic on the occupancy, ray by ray or line by line; small tables or none",
    "fill": "shift whole sets of sliders over the board, direction by direction; no tables",
    "lookup": "hash the occupancy of one line to a few bits, and look up its attacks",
    "magic": "hash the two lines of a piece at once, by multiplication; large tables",
    "pext": "gather the relevant bits with one instruction of BMI2",
    "rotated": "keep rotated copies of the board, in which every line is a run of bits",
    "simd": "several lines, rays or squares at once in vector registers",
}


class StalePage(Exception):
    """A page that cannot be brought up to date: a part has no place in it, or names what does not exist."""


def readable_bytes(count):
    """865280 as "845 KiB"; 0 as "0"."""
    if count < 1024:
        return str(count)
    return f"{count / 1024:.1f} KiB".replace(".0 ", " ") if count < 1024 * 1024 else f"{count / 1024 / 1024:.2f} MiB"


def cell(text):
    """Text as it can stand in a cell of a Markdown table."""
    return str(text).replace("|", "\\|")


def listed_methods(program):
    """The methods that the program lists: dictionaries with the columns of `list --format csv`."""
    command = [program, "list", "--method", "all", "--format", "csv"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(output.splitlines()))


def header_of(method):
    """The method's header; where it stands is looked up, not typed."""
    found = sorted((ROOT / "methods").rglob(f"{method}.hpp"))
    if not found:
        raise StalePage(f"methods/ has no {method}.hpp")
    return found[0]


def method_link(method, folder):
    """The id, linked to its header from a page in `folder`."""
    return f"[`{method}`]({pathlib.Path(os.path.relpath(header_of(method), folder)).as_posix()})"


def reference_link(reference, folder):
    """A reference as Markdown: an address becomes a link that shows where it leads, a file of ours a relative one."""
    if reference.startswith("methods/"):
        return f"[{reference}]({pathlib.Path(os.path.relpath(ROOT / reference, folder)).as_posix()})"
    if not re.fullmatch(r"https?://\S+", reference):
        return cell(reference)
    address = urllib.parse.urlsplit(reference)
    if address.netloc == "www.chessprogramming.org":
        page = urllib.parse.unquote(address.path.strip("/") + ("#" + address.fragment if address.fragment else ""))
        return f"[wiki: {cell(page.replace('_', ' '))}]({reference})"
    return f"[{cell((address.netloc + address.path).rstrip('/'))}]({reference})"


def families_table(methods, folder):
    """The families, what they have in common, and their methods."""
    lines = ["| family | idea | methods |", "|---|---|---|"]
    for family in dict.fromkeys(m["family"] for m in methods):
        links = {group: ", ".join(method_link(m["id"], folder) for m in methods if (m["family"], m["group"]) == (family, group))
                 for group in ("core", "extra")}
        text = "; extra: ".join(filter(None, links.values())) if links["core"] else f"extra: {links['extra']}"
        lines.append(f"| {family} | {FAMILIES.get(family, '')} | {text} |")
    return "\n".join(lines)


def methods_table(methods, folder):
    """Everything that is printed about the methods, one line each."""
    lines = ["| id | method | family | group | inventor, year | needs | table bytes | | reference |",
             "|---|---|---|---|---|---|---:|---:|---|"]
    for m in methods:
        size = int(m["table_bytes"])
        lines.append(f"| {method_link(m['id'], folder)} | {cell(m['title'])} | {m['family']} | "
                     f"{m['group']} | {cell(m['inventor'])}, {m['year']} | {m['isa'] or '-'} | {size:,} | "
                     f"{readable_bytes(size) if size >= 1024 else ''} | {reference_link(m['reference'], folder)} |")
    return "\n".join(lines)


def source_blocks(program, methods, folder):
    """The parts that slidebench_source_tables prints, by name; {id} becomes a link with the method's bytes."""
    output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    sizes = {m["id"]: int(m["table_bytes"]) for m in methods}

    def with_bytes(match):
        method = match[1]
        return f"{method_link(method, folder)} {sizes[method]:,}" if method in sizes else "-"

    blocks = re.findall(r"<!-- (\w+) -->\n(.*?)\n<!-- end \1 -->", output, re.DOTALL)
    return {name: re.sub(r"\{(\w+)\}", with_bytes, content) for name, content in blocks}


# The columns of the README's figures: heading, workload, kinds of query, pressure.
FIGURE_CELLS = (
    ("alone: throughput", "throughput", "all", "isolated"),
    ("alone: latency", "latency", "all", "isolated"),
    ("`both`, latency", "latency", "both", "isolated"),
    ("set-wise", "setwise", "all", "isolated"),
    ("as in an engine without a network", "throughput", "all", "net0"),
    ("as in one with a network of 1,024", "throughput", "all", "net1024"),
)


def rows_of_example():
    """The example's rows by workload, kinds, pressure and method, of its first trace that is not random."""
    record = record_of(EXAMPLE)
    trace = next(t["name"] for t in record["traces"] if t["name"] != "random")
    with (EXAMPLE / "summary.csv").open(newline="") as file:
        rows = [r for r in csv.DictReader(file) if r["trace"] == trace and r["role"] in ("method", "reference", "empty")]
    return record, trace, {(r["workload"], r["kinds"], r["pressure"], r["method"]): r for r in rows}


def figure_cell(row):
    """Net time and ratio with their intervals; of the empty loop its own time."""
    if not row:
        return ""
    if not row["ratio"]:
        return f"({with_interval(row, 'ns_per_query', 'ns')})"
    return f"{with_interval(row, 'net_ns_per_query', 'net')} · {with_interval(row, 'ratio', 'ratio')}"


def with_interval(row, column, name=None, digits=2):
    """A number of a row with its interval, whose columns begin with `name`; without it where there is none."""
    prefix = f"{name}_" if name else ""
    columns = (column, f"{prefix}low", f"{prefix}high")
    value, low, high = (f"{float(row[key]):.{digits}f}" if row[key] else "" for key in columns)
    return f"{value} [{low}, {high}]" if low and high else value


def record_of(folder):
    """run.json of a committed run, if it is of the format that this version reads."""
    record = json.loads((folder / "run.json").read_text())
    if record.get("schema") != 3:
        raise StalePage(f"{folder.relative_to(ROOT)}: was written by an older version; run it again")
    return record


def command_of(record):
    """The command that made a run, as a reader would type it."""
    return " ".join(["slidebench", *record["command"][1:]])


def figures_table():
    """Net times and ratios of the example report, and the machine and command that gave them."""
    record, trace, rows = rows_of_example()
    first = FIGURE_CELLS[0][1:]
    methods = [method for (*cell_key, method) in rows if tuple(cell_key) == first]
    lines = ["| method | " + " | ".join(heading for heading, *_ in FIGURE_CELLS) + " |",
             "|---|" + "---|" * len(FIGURE_CELLS)]
    for method in methods:
        cells = [figure_cell(rows.get((*key, method))) for _, *key in FIGURE_CELLS]
        lines.append(f"| `{method}` | " + " | ".join(cells) + " |")
    machine, profile = record["machine"], "" if record["profile"] == "quick" else f" --profile {record['profile']}"
    lines += ["", f"Nanoseconds a query without the loop's own (`empty`, in round brackets), and the ratio of whole times to "
                  f"`magic_fancy`, each with its 95 % interval, on the {trace} trace; {machine['cpu']} (family "
                  f"{machine['family']}, model {machine['model']}, {machine['hypervisor'] or 'no hypervisor'}), "
                  f"{record['build']['compiler']}, profile {record['profile']}. Made by "
                  f"`scripts/run_bench.sh{profile}` and so by "
                  f"`{command_of(record)}`. Figures differ by machine."]
    return "\n".join(lines)


ENGINE_CELLS = (("alone", "throughput", "search", "isolated"), ("replay, `net1024`", "throughput", "search", "net1024"),
                ("perft", "perft", "positions", "isolated"), ("classical", "engine", "net0", "isolated"),
                ("network of 256", "engine", "net256", "isolated"), ("network of 1024", "engine", "net1024", "isolated"))


VERDICT_MARKS = {"faster": " \u25c0", "equivalent": " \u25a0", "slower": " \u25b6", "inconclusive": " \u25cb",
                 "unresolved": " \u25a1", "void": " \u2715"}


def engine_table():
    """Ratios alone and inside the engine, method by method, from the example's run with the engine."""
    folder = EXAMPLE / "engine"
    record = record_of(folder)
    with (folder / "summary.csv").open(newline="") as file:
        rows = {(r["workload"], r["trace"], r["pressure"], r["arm"]): r for r in csv.DictReader(file)
                if r["kinds"] == "all" and r["role"] in ("method", "reference", "twin")}
    arms = [arm for (*key, arm) in rows if tuple(key) == ENGINE_CELLS[0][1:]]
    lines = ["| method | " + " | ".join(heading for heading, *_ in ENGINE_CELLS) + " |", "|---|" + "---|" * len(ENGINE_CELLS)]
    for arm in arms:
        cells = []
        for _, *key in ENGINE_CELLS:
            row = rows[(*key, arm)]
            cells.append(with_interval(row, "ratio", "ratio", 3) + VERDICT_MARKS.get(row["verdict"], ""))
        lines.append(f"| `{arm}` | " + " | ".join(cells) + " |")
    lines += ["", prediction_text(folder), ""]
    lines += [f"Time over `magic_fancy`'s: of a query alone and under `net1024`, of a leaf of perft, and of a node of the "
                  f"search with three evaluations; {record['protocol']['launches']} process runs of {record['protocol']['rounds']} "
                  f"rounds{layouts_of(record)}, {record['machine']['cpu']}. \u25c0 faster, \u25a0 equivalent, \u25b6 slower, "
                  "\u25cb inconclusive, \u25a1 unresolved (identical code differed by more than the margin), \u2715 void; "
                  "`magic_fancy.twin` is the A/A control. Files: [`engine/`]"
                  f"(engine); made by `{command_of(record)}`."]
    return "\n".join(lines)


def prediction_text(folder):
    """How well the orders of the methods alone, and under the preset for it, predict those of perft and of the search."""
    with (folder / "correlations.csv").open(newline="") as file:
        found = {(r["workload_a"], r["trace_a"], r["pressure_b"]): r for r in csv.DictReader(file)
                 if r["statistic"] == "spearman" and r["workload_b"] == "throughput"}
    said = []
    for heading, workload, trace, _ in ENGINE_CELLS[2:]:
        values = []
        for pressure in ("isolated", trace if trace.startswith("net") else "net0"):
            row = found[workload, trace, pressure]
            values.append(with_interval(row, "value"))
        said.append(f"{heading} {values[0]} and {values[1]}")
    return (f"Spearman's rank correlation of the order of {row['methods']} methods with their order alone, and with that "
            f"under the preset of the same name (of perft: `net0`), with 95 % intervals: {'; '.join(said)}.")


def layouts_of(record):
    """Whether the process runs drew from several code layouts, in words."""
    return ", each drawing its modules from builds at other addresses" if record["protocol"]["vary_layout"] else ""


def sweep_text():
    """From how many lines on which methods of the example's sweep overtake the reference, and the command that gave it."""
    folder = EXAMPLE / "sweep"
    record = record_of(folder)
    with (folder / "crossings.csv").open(newline="") as file:
        certain = [r for r in csv.DictReader(file) if r["faster_below"] == "false" and r["against"] == "magic_fancy"
                   and r["lines_low"] and r["lines_high"]]
    overtaking = ", ".join(f"`{r['arm']}` {with_interval(r, 'lines', 'lines', 0)}"
                           for r in sorted(certain, key=lambda row: float(row["lines"])))
    said = f"Lines an evaluation from which on a method is faster than `magic_fancy`, with 95 % intervals: {overtaking}."
    return said, f"{said} Files: [`sweep/`](sweep); made by `{command_of(record)}`."


# The columns of the README's own table: heading, folder, workload, trace, pressure.
KNOWN_CELLS = (("in a loop", "", "throughput", "search", "isolated"), ("each waits for the last", "", "latency", "search", "isolated"),
               ("engine without a network, replayed", "", "throughput", "search", "net0"),
               ("network of 1,024, replayed", "", "throughput", "search", "net1024"),
               ("perft", "engine", "perft", "positions", "isolated"),
               ("search, network of 1,024", "engine", "engine", "net1024", "isolated"))


def known_table():
    """Ratios of the well-known methods in the example report, with the empty loop as the floor."""
    rows, records = {}, {}
    for folder in ("", "engine"):
        records[folder] = record_of(EXAMPLE / folder)
        with (EXAMPLE / folder / "summary.csv").open(newline="") as file:
            for row in csv.DictReader(file):
                if row["kinds"] == "all" and row["pages"] == "4k" and row["role"] in ("method", "reference", "empty"):
                    rows[folder, row["workload"], row["trace"], row["pressure"], row["method"]] = row
    lines = ["| method | " + " | ".join(heading for heading, *_ in KNOWN_CELLS) + " | tables |", "|---|" + "---:|" * (len(KNOWN_CELLS) + 1)]
    for method in WELL_KNOWN:
        found = [rows.get((*cell_key, method)) for _, *cell_key in KNOWN_CELLS]
        size = next((readable_bytes(int(row["table_bytes"])) for row in found if row), "")
        ratios = [f"{float(row['ratio']):.2f}{VERDICT_MARKS.get(row['verdict'], '')}" if row and row["ratio"] else "" for row in found]
        lines.append(f"| `{method}` | " + " | ".join(ratios) + f" | {size} |")
    floor = []
    for _, *cell_key in KNOWN_CELLS:
        empty, reference = rows.get((*cell_key, "empty")), rows.get((*cell_key, "magic_fancy"))
        floor.append(f"{float(empty['ns_per_query']) / float(reference['ns_per_query']):.2f}" if empty and reference else "")
    lines.append("| *the loop without a method* | " + " | ".join(floor) + " | |")
    machine = records[""]["machine"]
    return "\n".join([*lines, "", f"{machine['cpu']} (family {machine['family']}, model {machine['model']}, "
                                  f"{machine['hypervisor'] or 'no hypervisor'}), {records['']['build']['compiler']}, profile "
                                  f"{records['']['profile']}. \u25c0 faster, \u25a0 equivalent, \u25b6 slower, \u25cb inconclusive, "
                                  "\u25a1 unresolved; empty: not measured."])


def answer_text():
    """The example's answer in the program's words; empty where it wrote none."""
    texts = []
    for folder, ids in ((EXAMPLE, ("alone", "small", "net1024")), (EXAMPLE / "engine", ("perft", "engine_net1024"))):
        path = folder / "answer.json"
        if path.exists():
            texts += [s["text"] for s in json.loads(path.read_text())["situations"] if s["id"] in ids]
    return "> " + " ".join(texts) if texts else ""


def columns_text():
    """Every column of every CSV file."""
    parts = []
    for table in FILES:
        rows = [f"| `{c.name}` | {cell(c.meaning)} |" for c in table.columns]
        parts.append("\n".join([f"## {table.name}", "", f"A row is {table.row}.", "", "| column | meaning |", "|---|---|", *rows]))
    return "\n\n".join(parts)


def replace_block(text, name, content):
    """Replaces what stands between the markers <!-- name --> and <!-- end name -->."""
    pattern = re.compile(rf"<!-- {name} -->.*?<!-- end {name} -->", re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise StalePage(f"the page has not one part {name}")
    return pattern.sub(lambda _: f"<!-- {name} -->\n{content}\n<!-- end {name} -->", text)


def blocks_of_pages(program, source_tables):
    """Page -> part -> content."""
    methods = listed_methods(program)
    folder = ROOT / "methods"
    return {
        ROOT / "README.md": {"eight": known_table(), "answer": answer_text(), "sweep": sweep_text()[0]},
        EXAMPLE / "README.md": {"engine": engine_table(), "figures": figures_table(), "sweep": sweep_text()[1]},
        ROOT / "reports" / "columns.md": {"columns": columns_text()},
        folder / "README.md": {"families": families_table(methods, folder), "methods": methods_table(methods, folder),
                               **source_blocks(source_tables, methods, folder)},
    }


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    if len(arguments) != 2:
        sys.exit(__doc__.strip())
    stale = []
    try:
        for page, blocks in blocks_of_pages(*arguments).items():
            before = after = page.read_text()
            for name, content in blocks.items():
                after = replace_block(after, name, content)
            if after == before:
                continue
            stale.append(str(page.relative_to(ROOT)))
            if "--check" not in sys.argv:
                page.write_text(after)
    except StalePage as error:
        sys.exit(f"update_readme.py: {error}")
    if stale and "--check" in sys.argv:
        sys.exit(f"update_readme.py: {', '.join(stale)}: stale; run scripts/update_readme.py build/dev/slidebench "
                 "build/dev/slidebench_source_tables")


if __name__ == "__main__":
    main()
