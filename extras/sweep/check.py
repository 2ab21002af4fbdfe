# SPDX-License-Identifier: MIT
"""What a simulation's folder must be before it is believed: of this commit, trace and order, and whole."""

import csv
import json

from report.data.schema import COUNTERS, SQUARES, TABLES
from sweep.folder import read_record

RUN_SCHEMA = 2  # of a simulation's run.json
FILES = {"counters.csv": COUNTERS, "tables.csv": TABLES, "squares.csv": SQUARES}


def rows_of(path):
    """(columns, rows as dicts) of a CSV file."""
    with open(path, newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    return reader.fieldnames or [], rows


def simulation_faults(folder, job, plan):
    """What is wrong with the folder that `slidebench simulate` wrote for a job: list of str."""
    try:
        return [f"{folder.name}: {text}" for text in _faults(folder, job, plan)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        return [f"{folder.name}: is no simulation of this version ({error})"]


def _faults(folder, job, plan):
    what, info = job.what, json.loads((folder / "run.json").read_text())
    trace = read_record(job.reads[0])["xxh3"]
    expected = {
        "schema": RUN_SCHEMA,
        "kind": "simulation",
        "complete": True,
        "commit": plan.commit,
        "dirty": plan.dirty,
        "draws": what["draws"],
        "segment_queries": what["segment_queries"],
    }
    for name, value in expected.items():
        if info[name] != value:
            yield f"run.json: {name} is {info[name]}, not {value}"
    if [(t["name"], t["xxh3"]) for t in info["traces"]] != [(what["trace"], trace)]:
        yield f"run.json: its trace is not {what['trace']} of digest {trace}"
    methods = {"empty", *what["methods"]} - {entry["id"] for entry in info["skipped"]}
    if {method["id"] for method in info["methods"]} != methods:
        yield "run.json: other methods than asked for"
    for name, table in FILES.items():
        columns, rows = rows_of(folder / name)
        missing = [column for column in table.text + table.numbers if column not in columns]
        if missing:
            yield f"{name}: has no column {', '.join(missing)}"
            continue
        if any(row[columns[-1]] is None or None in row for row in rows):
            yield f"{name}: has a row of another length"
        if not {row["method"] for row in rows} <= methods:  # one without tables has no rows of them
            yield f"{name}: has other methods than asked for"
        if name == "counters.csv":
            yield from _count_faults(rows, methods, what)


def _count_faults(rows, methods, what):
    """Every method has its accesses in every draw, and nothing claims to have been measured."""
    seen = [(row["method"], int(row["draw"])) for row in rows if row["metric"] == "accesses"]
    wanted = sorted((method, draw) for method in methods for draw in range(what["draws"]))
    if sorted(seen) != wanted:
        yield "counters.csv: not every method has its accesses once in every draw"
    if {row["source"] for row in rows} != {"simulated"}:
        yield "counters.csv: has counts that were not simulated"
