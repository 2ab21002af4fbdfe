# SPDX-License-Identifier: MIT
"""What binds the kernel of each method: loads, units, the front end, or its chain of dependencies?

The instructions that the timed kernels execute in a window of queries, seen one by one, are given to llvm-mca, and what it says
is compared with measured times. reports/kernels/README.md says what the files hold and what was found.
"""

import json
import sys
from pathlib import Path

import pandas as pd

from report.output import compressed, write, write_all
from studies import kernels_measured, kernels_model, kernels_paths
from studies.kernels_page import parts_of
from studies.readme import filled

EMPTY = "empty"
PART_COLUMNS = {"front end": "front_end", "loads and stores": "loads_and_stores", "integer units": "integer_units"}
PART_COLUMNS |= {"vector units": "vector_units"}


def kernel_facts(tools, cpu, line, counts):
    """What is known of one kernel, dict: a query's instructions, loads and branches, and what the model says; of the empty
    loop, whose counts are subtracted from the others', the model's alone."""
    lines = kernels_paths.in_order(kernels_paths.disassembled(tools, line["kernel"]["code"]), line["kernel"])
    facts = dict(counts.get(line["method"], dict.fromkeys(kernels_paths.COUNTS)))
    try:
        figures = kernels_model.window(tools, cpu, lines, line["queries"])
    except kernels_model.Unmodelled as lacking:
        return facts | {"mca_cycles": None, "bound_by": None, "unmodelled": str(lacking)}
    needs = {part: round(n, 2) for part, n in figures["needs"].items()}
    bound = kernels_model.bound_by(figures)
    return facts | {"mca_cycles": round(figures["cycles"], 2), "bound_by": bound, "needs": needs, "busiest_unit": figures["unit"]}


def query_facts(tools, cpu, line):
    """What is known of one query by itself, dict: what it asks, its instructions for readers, and of a rook the cycles from
    the occupancy to the answer."""
    once = line["once"]
    facts = {"asks": line["once_asks"], "disassembly": kernels_paths.listing(tools, once, line["tables"])}
    if line["once_asks"] == "rook":
        try:
            lines = kernels_paths.in_order(kernels_paths.disassembled(tools, once["code"]), once)
            facts["chain_cycles"] = round(kernels_model.chain_cycles(tools, cpu, lines), 1)
        except kernels_model.Unmodelled:
            facts["chain_cycles"] = None
    return facts


def all_facts(options):
    """What is known of all methods, as kernels.json.gz has it. ReportError where a program is missing or refuses."""
    tools = kernels_paths.Tools(options.llvm)
    asked = (options.program, options.trace)
    methods = {}
    for workload in kernels_paths.WORKLOADS:
        traced = kernels_paths.traced(*asked, workload, options.queries, [*options.method, EMPTY] if options.method else [])
        counts = kernels_paths.counted(*asked, workload, options.queries, options.method)
        for line in traced:
            facts = methods.setdefault(line["method"], {"level": line["level"]})
            facts[workload] = kernel_facts(tools, options.cpu, line, counts)
            if "disassembly" not in facts and line["method"] != EMPTY:
                facts |= query_facts(tools, options.cpu, line)
            methods[line["method"]] = facts
    about = {"llvm": options.llvm, "cpu": options.cpu, "trace": traced[0]["trace"], "queries": traced[0]["queries"]}
    about |= {"square": traced[0]["once_square"], "occupied": f"0x{traced[0]['once_occupied']:016x}"}
    return {"about": about, "methods": methods}


def table_of(facts, runs):
    """A row a kernel, DataFrame, with its measured cycles in each run as measured_1, measured_2 and so on."""
    rows = []
    for method, known in facts["methods"].items():
        for workload in kernels_paths.WORKLOADS:
            kernel = known[workload]
            row = {"method": method, "level": known["level"], "workload": workload}
            row |= {name: kernel[name] for name in (*kernels_paths.COUNTS, "mca_cycles", "bound_by")}
            row |= {column: kernel.get("needs", {}).get(part) for part, column in PART_COLUMNS.items()}
            row["busiest_unit"] = kernel.get("busiest_unit")
            row |= {f"measured_{n}": run.cycles.get((workload, method)) for n, run in enumerate(runs, 1)}
            rows.append(row)
    return pd.DataFrame(rows)


def work(options):
    """Writes the files and fills the parts of a README.md that is there; returns the paths."""
    runs = [kernels_measured.measured(folder) for folder in options.run]
    facts = all_facts(options)
    facts["about"]["runs"] = [run.about for run in runs]
    table = table_of(facts, runs)
    text = table.to_csv(index=False, lineterminator="\n", float_format="%.5g")
    data = json.dumps(facts, separators=(",", ":"), sort_keys=True).encode()
    paths = write_all(options.out, {"kernels.csv.gz": compressed(text.encode()), "kernels.json.gz": compressed(data)})
    parts = parts_of(options.out)
    print(parts["agreement"], file=sys.stdout)
    page = options.out / "README.md"
    if page.exists():
        write(page, filled(page, parts).encode())
    return [*paths, *([page] if page.exists() else [])]


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("--program", required=True, metavar="SLIDEBENCH", help="the program; its modules are looked at")
    parser.add_argument("--trace", required=True, metavar="FILE", help="whose first queries are replayed")
    parser.add_argument("--run", type=Path, action="append", default=[], metavar="RUN", help="measured times; may be repeated")
    parser.add_argument("--method", action="append", default=[], metavar="ID", help="may be repeated (default: core)")
    parser.add_argument("--queries", type=int, default=256, metavar="N", help="of the window (default: 256)")
    parser.add_argument("--llvm", default="19", metavar="VERSION", help="whose llvm-mca and llvm-mc (default: 19)")
    parser.add_argument("--cpu", default="znver4", metavar="NAME", help="as llvm-mca -mcpu=help has it (default: znver4)")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="for the files; fills the tables of a README.md")
