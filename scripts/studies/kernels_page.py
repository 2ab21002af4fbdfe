# SPDX-License-Identifier: MIT
"""The tables of reports/kernels/README.md, from the files beside it."""

import gzip
import json

import pandas as pd

from report.data.words import human_number
from report.page.markdown import table
from studies.kernels_measured import agreement
from studies.kernels_paths import WORKLOADS

LEAST_VECTORS = 0.05  # cycles of a vector unit a query, of a kernel that uses them


def parts_of(folder):
    """dict name -> Markdown: the parts of the page, from kernels.csv.gz and kernels.json.gz of a folder."""
    rows = pd.read_csv(folder / "kernels.csv.gz", keep_default_na=True)
    facts = json.loads(gzip.decompress((folder / "kernels.json.gz").read_bytes()))
    parts = {"agreement": agreement_table(rows), "bounds": counts_table(rows)}
    return parts | {"bound": bound_table(rows, facts), "runs": runs_text(facts)}


def agreement_table(rows):
    """How far the model is from each run's times: of all methods, of those that use no vector unit, and of the others."""
    vectors = rows["vector_units"].fillna(0) > LEAST_VECTORS
    lines = []
    for column in [name for name in rows.columns if name.startswith("measured_")]:
        for workload in WORKLOADS:
            for kind, chosen in (("all", vectors | True), ("scalar", ~vectors), ("vectors", vectors)):
                found = agreement(rows[(rows["workload"] == workload) & (chosen | (rows["method"] == "empty"))], column)
                shown = [*_shares(found["alone"]), *(_shares(found["beside"]) if found["beside"] else ["", ""])]
                lines.append([column.removeprefix("measured_"), workload, kind, str(found["alone"]["methods"]), *shown])
    heads = ["run", "workload", "kernels", ">methods", ">within 15 %", ">modelled / measured, median"]
    return table([*heads, ">within 15 %, with the loop's excess", ">median, with it"], lines)


def _shares(found):
    return [f"{100 * found['near']:.0f} %", human_number(found["median"])]


def counts_table(rows):
    """How many kernels each part binds."""
    methods = rows[rows["method"] != "empty"]
    counts = methods.groupby(["bound_by", "workload"]).size().unstack(fill_value=0)
    counts = counts.reindex(columns=list(WORKLOADS), fill_value=0).sort_values(list(WORKLOADS), ascending=False)
    lines = [[part, *map(str, line)] for part, *line in counts.itertuples()]
    return table(["bound by", *(f">{name}" for name in WORKLOADS)], lines)


def bound_table(rows, facts):
    """A line a method: what a query executes, the modelled and the measured cycles, and what binds it."""
    by = {workload: rows[rows["workload"] == workload].set_index("method") for workload in WORKLOADS}
    last = [name for name in rows.columns if name.startswith("measured_")][-1:]
    known, lines = facts["methods"], []
    for method in by["throughput"].sort_values(["mca_cycles"]).index:
        counts = [human_number(by["throughput"].loc[method, name], 1) for name in ("instructions", "loads", "branches")]
        line = [f"`{method}`", *counts]
        for workload in WORKLOADS:
            row = by[workload].loc[method]
            line += [human_number(row["mca_cycles"], 1), *(human_number(row[name], 1) for name in last)]
            line += [row["bound_by"] if isinstance(row["bound_by"], str) else known[method][workload].get("unmodelled", "")]
        lines.append([*line, human_number(known[method].get("chain_cycles"), 0)])
    each = [">{}, modelled", *[">measured"] * len(last), "bound by"]
    heads = [head.format(name) for name in WORKLOADS for head in each]
    return table(["method", ">instructions", ">loads", ">branches", *heads, ">a rook's chain"], lines)


def runs_text(facts):
    """The runs whose times stand in the tables."""
    lines = []
    for number, run in enumerate(facts["about"]["runs"], 1):
        cpu = f"{run['cpu']}, family {run['family']}, model {run['model']}, {run['hypervisor'] or 'no hypervisor'}"
        segment = f", segments of {run['segment_queries']:,} queries" if run["segment_queries"] else ""
        amount = f"{run['process_runs']} process runs of {run['rounds']} rounds{segment}"
        lines.append(f"{number}. {cpu}, {run['ghz']} GHz, commit {run['commit']}, {amount}")
    return "\n".join(lines)
