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
import math
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

from report.analysis.answer import WELL_KNOWN
from report.data.cells import Cell
from report.data.files import parse_csv
from report.data.run import load_summary
from report.data.schema import FILES
from report.data.words import human_interval, human_number
from report.errors import ReportError
from report.figures.style import VERDICT_SIGNS
from report.page.markdown import table

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
        raise ReportError(f"methods/ has no {method}.hpp")
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
    rows = []
    for family in dict.fromkeys(m["family"] for m in methods):
        core, extra = (", ".join(method_link(m["id"], folder) for m in methods if (m["family"], m["group"]) == (family, group))
                       for group in ("core", "extra"))
        text = "; ".join(filter(None, [core, extra and f"extra: {extra}"]))
        rows.append([family, FAMILIES.get(family, ""), text])
    return table(["family", "idea", "methods"], rows)


def methods_table(methods, folder):
    """Everything that is printed about the methods, one line each."""
    rows = []
    for m in methods:
        size = int(m["table_bytes"])
        rows.append([method_link(m["id"], folder), cell(m["title"]), m["family"], m["group"],
                     f"{cell(m['inventor'])}, {m['year']}", m["isa"] or "-", f"{size:,}",
                     readable_bytes(size) if size >= 1024 else "", reference_link(m["reference"], folder)])
    heads = ["id", "method", "family", "group", "inventor, year", "needs", ">table bytes", ">", "reference"]
    return table(heads, rows)


def source_blocks(program, methods, folder):
    """The parts that slidebench_source_tables prints, by name; {id} becomes a link with the method's bytes."""
    output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    sizes = {m["id"]: int(m["table_bytes"]) for m in methods}

    def with_bytes(match):
        method = match[1]
        return f"{method_link(method, folder)} {sizes[method]:,}" if method in sizes else "-"

    blocks = re.findall(r"<!-- (\w+) -->\n(.*?)\n<!-- end \1 -->", output, re.DOTALL)
    return {name: re.sub(r"\{(\w+)\}", with_bytes, content) for name, content in blocks}


ROLES = ("method", "reference", "twin", "empty")
MARKS = {name: f" {sign}" for name, sign in VERDICT_SIGNS.items() if name != "reference"}
# The columns of the tables: heading, folder and cell.
FIGURES = (("alone: throughput", "", Cell("throughput", "search", "isolated")),
           ("alone: latency", "", Cell("latency", "search", "isolated")),
           ("`both`, latency", "", Cell("latency", "search", "isolated", "both")),
           ("set-wise", "", Cell("setwise", "search", "isolated")),
           ("as in an engine without a network", "", Cell("throughput", "search", "net0")),
           ("as in one with a network of 1,024", "", Cell("throughput", "search", "net1024")))
ENGINE = (("alone", "engine", Cell("throughput", "search", "isolated")),
          ("replay, `net1024`", "engine", Cell("throughput", "search", "net1024")),
          ("perft", "engine", Cell("perft", "positions", "isolated")),
          ("classical", "engine", Cell("engine", "net0", "isolated")),
          ("network of 256", "engine", Cell("engine", "net256", "isolated")),
          ("network of 1024", "engine", Cell("engine", "net1024", "isolated")))
FRONT = (FIGURES[0], FIGURES[1], FIGURES[5])
KNOWN = (("in a loop", *FIGURES[0][1:]), ("each waits for the last", *FIGURES[1][1:]),
         ("engine without a network, replayed", *FIGURES[4][1:]), ("network of 1,024, replayed", *FIGURES[5][1:]),
         ("perft", *ENGINE[2][1:]), ("search, network of 1,024", *ENGINE[5][1:]))


def rows_in(name):
    """The rows of one of the example's files, dictionaries of text."""
    return parse_csv(EXAMPLE / name).to_dict("records")


def example(columns):
    """The example's rows in some columns, dict arm -> list of rows, None where it has none; as the first has them."""
    runs = {folder: load_summary(EXAMPLE / folder) for folder in sorted({column[1] for column in columns})}
    tables = [runs[folder].rows(cell, *ROLES).set_index("arm") for _, folder, cell in columns]
    return {arm: [rows.loc[arm] if arm in rows.index else None for rows in tables] for arm in tables[0].index}


def with_interval(row, column, name=None, digits=2):
    """A number of a row with its interval, whose columns begin with `name`; without it where there is none."""
    prefix = f"{name}_" if name else ""
    ends = (math.nan if row[key] == "" else float(row[key]) for key in (column, f"{prefix}low", f"{prefix}high"))
    return human_interval(*ends, lambda value: human_number(value, digits))


def figure_cell(row):
    """Net time and ratio with their intervals; of the empty loop its own time."""
    if row is None:
        return ""
    if math.isnan(row["ratio"]):
        return f"({with_interval(row, 'ns_per_query', 'ns')})"
    return f"{with_interval(row, 'net_ns_per_query', 'net')} · {with_interval(row, 'ratio', 'ratio')}"


def command_of(record):
    """The command that made a run, as a reader would type it."""
    return " ".join(["slidebench", *record["command"][1:]])


def machine_of(record):
    """The machine of a run, as a reader names it."""
    machine = record["machine"]
    return (f"{machine['cpu']} (family {machine['family']}, model {machine['model']}, "
            f"{machine['hypervisor'] or 'no hypervisor'}), {record['build']['compiler']}, profile {record['profile']}")


def figures_table():
    """Net times and ratios of the example report, and the machine and command that gave them."""
    record, profile = load_summary(EXAMPLE).info, ""
    if record["profile"] != "quick":
        profile = f" --profile {record['profile']}"
    rows = [[f"`{arm}`", *map(figure_cell, cells)] for arm, cells in example(FIGURES).items() if "." not in arm]
    return "\n".join([table(["method", *(column[0] for column in FIGURES)], rows), "", (
        f"Nanoseconds a query without the loop's own (`empty`, in round brackets), and the ratio of whole times to "
        f"`magic_fancy`, each with its 95 % interval, on the search trace; {machine_of(record)}. Made by "
        f"`scripts/run_bench.sh{profile}` and so by `{command_of(record)}`. Figures differ by machine.")])


def front_table(own):
    """The methods that no other equals or beats in tables' size, throughput, latency and beside a network at once.

    Args:
        own: ids of the methods that were found here, marked; the last column leaves them out.
    """
    goals = {arm: (int(cells[0]["table_bytes"]), *(float(cell["ratio"]) for cell in cells))
             for arm, cells in example(FRONT).items() if "." not in arm and arm != "empty"}

    def beaten(arm, other):
        return goals[other] != goals[arm] and all(theirs <= its for theirs, its in zip(goals[other], goals[arm]))

    def unbeaten(arms):
        return [arm for arm in arms if not any(beaten(arm, other) for other in arms)]

    whole, without = unbeaten(goals), unbeaten([arm for arm in goals if arm not in own])
    rows = [[f"`{arm}`{' (ours)' if arm in own else ''}", readable_bytes(goals[arm][0]), *(f"{ratio:.2f}" for ratio in goals[arm][1:]),
             "yes" if arm in whole else "", "yes" if arm in without else ""]
            for arm in sorted({*whole, *without}, key=lambda arm: (goals[arm], arm))]
    heads = ["method", ">tables", *(f">{column[0]}" for column in FRONT), "of all", "without ours"]
    return table(heads, rows) + ("\n\nOnly methods that none of the others equals or beats in all four columns at once (Pareto front, by the medians); "
                                 "times over `magic_fancy`'s, from the run above.")


def engine_table():
    """Ratios alone and inside the engine, method by method, from the example's run with the engine."""
    record = load_summary(EXAMPLE / "engine").info
    protocol, said = record["protocol"], ", each drawing its modules from builds at other addresses"
    rows = [[f"`{arm}`", *(with_interval(row, "ratio", "ratio", 3) + MARKS.get(row["verdict"], "") for row in cells)]
            for arm, cells in example(ENGINE).items() if arm != "empty"]
    return "\n".join([table(["method", *(column[0] for column in ENGINE)], rows), "", prediction_text(), "", (
        f"Time over `magic_fancy`'s: of a query alone and under `net1024`, of a leaf of perft, and of a node of the "
        f"search with three evaluations; {protocol['launches']} process runs of {protocol['rounds']} "
        f"rounds{said if protocol['vary_layout'] else ''}, {record['machine']['cpu']}. \u25c0 faster, \u25a0 equivalent, "
        "\u25b6 slower, \u25cb inconclusive, \u25a1 unresolved (identical code differed by more than the margin), \u2715 "
        "void; `magic_fancy.twin` is the A/A control. Files: [`engine/`]"
        f"(engine); made by `{command_of(record)}`.")])


def prediction_text():
    """How well the orders of the methods alone, and under the preset for it, predict those of perft and of the search."""
    found = {(r["workload_a"], r["trace_a"], r["pressure_b"]): r for r in rows_in("engine/correlations.csv")
             if r["statistic"] == "spearman" and r["workload_b"] == "throughput"}
    said = []
    for heading, _, cell in ENGINE[2:]:
        preset = cell.trace if cell.trace.startswith("net") else "net0"
        pair = [found[cell.workload, cell.trace, pressure] for pressure in ("isolated", preset)]
        said.append(f"{heading} {' and '.join(with_interval(row, 'value') for row in pair)}")
    return (f"Spearman's rank correlation of the order of {pair[-1]['methods']} methods with their order alone, and with that "
            f"under the preset of the same name (of perft: `net0`), with 95 % intervals: {'; '.join(said)}.")


def sweep_text():
    """From how many lines on which methods of the example's sweep overtake the reference, and the command that gave it."""
    record = load_summary(EXAMPLE / "sweep").info
    certain = [r for r in rows_in("sweep/crossings.csv") if r["faster_below"] == "false"
               and r["against"] == "magic_fancy" and r["lines_low"] and r["lines_high"]]
    overtaking = ", ".join(f"`{r['arm']}` {with_interval(r, 'lines', 'lines', 0)}"
                           for r in sorted(certain, key=lambda row: float(row["lines"])))
    said = f"Lines an evaluation from which on a method is faster than `magic_fancy`, with 95 % intervals: {overtaking}."
    return said, f"{said} Files: [`sweep/`](sweep); made by `{command_of(record)}`."


def known_table():
    """Ratios of the well-known methods in the example report, with the empty loop as the floor."""
    found, lines = example(KNOWN), []
    for method in WELL_KNOWN:
        cells = found[method]
        judged = [row if row is not None and row["ratio"] > 0 else None for row in cells]
        ratios = ["" if row is None else f"{row['ratio']:.2f}{MARKS.get(row['verdict'], '')}" for row in judged]
        lines.append([f"`{method}`", *ratios, readable_bytes(int(cells[0]["table_bytes"]))])
    pairs = zip(found["empty"], found["magic_fancy"])
    floor = ["" if e is None or r is None else f"{e['ns_per_query'] / r['ns_per_query']:.2f}" for e, r in pairs]
    heads = ["method", *(f">{column[0]}" for column in KNOWN), ">tables"]
    return "\n".join([table(heads, [*lines, ["*the loop without a method*", *floor, ""]]), "", (
        f"{machine_of(load_summary(EXAMPLE).info)}. \u25c0 faster, \u25a0 equivalent, \u25b6 slower, \u25cb inconclusive, "
        "\u25a1 unresolved; empty: not measured.")])


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
    return "\n\n".join(f"## {file.name}\n\nA row is {file.row}.\n\n" + table(
        ["column", "meaning"], [[f"`{c.name}`", cell(c.meaning)] for c in file.columns]) for file in FILES)


def replace_block(text, name, content):
    """Replaces what stands between the markers <!-- name --> and <!-- end name -->."""
    pattern = re.compile(rf"<!-- {name} -->.*?<!-- end {name} -->", re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise ReportError(f"the page has not one part {name}")
    return pattern.sub(lambda _: f"<!-- {name} -->\n{content}\n<!-- end {name} -->", text)


def blocks_of_pages(program, source_tables):
    """Page -> part -> content."""
    methods = listed_methods(program)
    folder = ROOT / "methods"
    own = {method["id"] for method in methods if "slidebench" in method["inventor"]}
    return {
        ROOT / "README.md": {"eight": known_table(), "answer": answer_text(), "sweep": sweep_text()[0]},
        EXAMPLE / "README.md": {"engine": engine_table(), "figures": figures_table(), "front": front_table(own), "sweep": sweep_text()[1]},
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
    except ReportError as error:
        sys.exit(f"update_readme.py: {error}")
    if stale and "--check" in sys.argv:
        sys.exit(f"update_readme.py: {', '.join(stale)}: stale; run scripts/update_readme.py build/dev/slidebench "
                 "build/dev/slidebench_source_tables")


if __name__ == "__main__":
    main()
