# SPDX-License-Identifier: MIT
"""Checks that a run's folder is what a report needs: complete, consistent, correctly labelled. Judges no time.

Usage: check_run.py DIR     exit status 1 and one line for each fault
"""

import csv
import json
import math
import pathlib
import sys

CELL_COLUMNS = ("workload", "kinds", "trace", "pressure", "pages", "corunners")
KEEP_A_BOARD = {"rotated_heinz", "rotated_hyatt"}  # the reference does not, so that `update` has no ratios
VERDICTS = {"reference": "reference", "twin": "twin", "control": "control", "empty": "baseline", "clock": "baseline"}


def rows_of(path):
    """The rows of a CSV file as dictionaries."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def cell_of(row):
    """Under what circumstances a row was measured."""
    return tuple(str(row[column]) for column in CELL_COLUMNS)


def arms_of(cell, methods):
    """The arms that a cell must have, given the methods that can run here."""
    workload, pressure = cell[0], cell[3]
    arms = methods | {"magic_fancy.twin", "clock"}
    if workload in ("engine", "perft"):
        return arms - {"empty"}
    if workload == "update":
        return methods & KEEP_A_BOARD | {"empty", "clock"}
    if workload == "latency" and pressure in ("isolated", "lukewarm"):
        return arms | {"magic_fancy.control"}
    return arms


def check_samples(samples, record):
    """Every cell has all of its arms in every round."""
    methods = {m["id"] for m in record["methods"]}
    expected = {cell_of(cell) for cell in record["cells"]}
    cells = {}
    for row in samples:
        cells.setdefault(cell_of(row), []).append(row)
    if set(cells) != expected or not cells:
        yield f"samples.csv: cells {sorted(cells)} instead of {sorted(expected)}"
    for cell, rows in cells.items():
        rounds = {}
        for row in rows:
            rounds.setdefault((row["launch"], row["round"]), set()).add(row["arm"])
            if not float(row["time_ns"]) > 0:
                yield f"samples.csv: {cell}: a slice without time"
        if any(arms != arms_of(cell, methods) for arms in rounds.values()):
            yield f"samples.csv: {cell}: a round without all arms"


def check_summary(summary):
    """Intervals hold their ratio, verdicts fit their roles, and what was not measured is empty."""
    for row in summary:
        name = f"summary.csv: {row['arm']} {cell_of(row)}"
        if not float(row["ns_per_query"]) > 0:
            yield f"{name}: no time"
        if row["role"] in VERDICTS and row["verdict"] != VERDICTS[row["role"]]:
            yield f"{name}: verdict '{row['verdict']}' of a {row['role']}"
        if row["role"] in ("empty", "clock") or row["workload"] == "update":
            if row["ratio"]:
                yield f"{name}: judged, and nothing to compare it with"
            continue
        low, ratio, high = (float(row[key]) for key in ("ratio_low", "ratio", "ratio_high"))
        if not low <= ratio <= high or math.isnan(ratio):
            yield f"{name}: ratio {ratio} outside its interval"
        if row["role"] != "method":
            continue
        if row["verdict"] not in ("faster", "slower", "equivalent", "inconclusive"):
            yield f"{name}: verdict '{row['verdict']}'"
        if not float(row["holm_low"]) <= low + 1e-4 or not float(row["holm_high"]) >= high - 1e-4:
            yield f"{name}: Holm's interval is narrower than the plain one"


def check_record(record, folder):
    """run.json says what ran and why counters are missing; the page and the figures are there."""
    if not record["complete"]:
        yield "run.json: incomplete"
    if record["counters"]["status"] == "none" and not record["counters"]["reason"]:
        yield "run.json: no counters and no reason"
    if not record["checks"]["twin"]:
        yield "run.json: the A/A arm was not checked"
    figures = list((folder / "plots").glob("*.svg"))
    if not figures:
        yield "plots: no figure"
    for path in [folder / "index.html", *figures]:
        if not path.is_file() or path.stat().st_size < 1000:
            yield f"{path.relative_to(folder)}: missing or empty"


def check_simulated(counts, record):
    """Without a PMU every method has simulated L1D misses on every trace, or run.json says why not.

    Nothing in such a run may claim to have been counted by the hardware.
    """
    counters = record["counters"]
    if counters["status"] != "none":
        return
    for row in counts:
        if row["source"] != "simulated":
            yield f"counters.csv: {row['method']} {row['metric']}: source '{row['source']}' without a PMU"
    misses = [row for row in counts if row["source"] == "simulated" and row["metric"] == "l1d_misses"]
    for row in misses:
        name = f"counters.csv: {row['method']} {row['trace']}"
        if row["workload"] != "replay":
            yield f"{name}: simulated in workload '{row['workload']}' instead of replay"
        if not is_count(row["per_query"]):
            yield f"{name}: l1d_misses a query are '{row['per_query']}'"
    if counters.get("not_simulated_reason"):
        return
    excused = {entry["id"] for entry in counters.get("not_simulated", []) if entry.get("why")}
    there = {(row["method"], row["trace"]) for row in misses}
    for method in sorted({m["id"] for m in record["methods"]} - excused):
        for trace in sorted(t["name"] for t in record["traces"]):
            if (method, trace) not in there:
                yield f"counters.csv: no simulated l1d_misses of {method} on {trace}, and run.json does not say why"


def is_count(text):
    """Whether a cell holds a number that a count can be."""
    try:
        return 0 <= float(text) < math.inf
    except ValueError:
        return False


def main():
    folder = pathlib.Path(sys.argv[1])
    samples, summary = rows_of(folder / "samples.csv"), rows_of(folder / "summary.csv")
    record = json.loads((folder / "run.json").read_text())
    counts = rows_of(folder / "counters.csv")
    faults = list(check_samples(samples, record)) + list(check_summary(summary)) + list(check_record(record, folder))
    faults += check_simulated(counts, record)
    for fault in faults:
        print(f"check_run.py: {fault}", file=sys.stderr)
    print(f"{len(samples)} samples, {len(summary)} summary rows checked, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
