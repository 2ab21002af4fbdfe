# SPDX-License-Identifier: MIT
"""Checks that a run's folder is what a report needs: complete, consistent, correctly labelled. Judges no time."""

import collections
import math
import sys

from report.data.files import parse_csv, read_info
from report.errors import ReportError
from studies.command import RUN, answered, parser_of

CELL_COLUMNS = ("workload", "kinds", "trace", "pressure", "pages", "corunners")
JUDGED = ("faster", "slower", "equivalent", "inconclusive", "unresolved", "void")
INTERVALS = [
    (f"{name}_low", value, f"{name}_high")
    for name, value in (("ns", "ns_per_query"), ("net", "net_ns_per_query"), ("ratio", "ratio"))
]
VERDICTS = {"reference": "reference", "twin": "twin", "control": "control", "empty": "baseline", "clock": "baseline"}


def rows_of(path):
    """The rows of a CSV file as dictionaries."""
    return parse_csv(path).to_dict("records")


def cell_of(row):
    """Under what circumstances a row was measured."""
    return tuple(str(row[column]) for column in CELL_COLUMNS)


def arms_of(cell, methods):
    """The arms that a cell must have, given the methods that can run here; without those that it may have."""
    workload, pressure = cell[0], cell[3]
    arms = methods | {"magic_fancy.twin", "clock"}
    if workload == "update":
        return {"empty", "clock"}
    if workload in ("engine", "perft"):
        return arms - {"empty"}
    if workload == "latency" and pressure in ("isolated", "lukewarm"):
        return arms | {"magic_fancy.control"}
    return arms


def check_samples(samples, record):
    """Every cell has its arms in every launch, and the reference in every round."""
    methods = {m["id"] for m in record["methods"]}
    expected = {cell_of(cell) for cell in record["cells"]}
    cells = {}
    for row in samples:
        launches = cells.setdefault(cell_of(row), {})
        launches.setdefault(row["launch"], {}).setdefault(row["round"], set()).add(row["arm"])
        if not float(row["time_ns"]) > 0:
            yield f"samples.csv: {cell_of(row)}: a slice without time"
    if set(cells) != expected or not cells:
        yield f"samples.csv: cells {sorted(cells)} instead of {sorted(expected)}"
    for cell, launches in cells.items():
        yield from check_arms(cell, launches.values(), methods, record)


def check_arms(cell, launches, methods, record):
    """One cell's launches, each a dictionary of the rounds' arms: methods leave a run that stops when it knows."""
    needed = arms_of(cell, methods)
    allowed = needed | methods if cell[0] == "update" else needed
    stays = (needed - methods) | (needed & {"magic_fancy", "empty"})
    for number, rounds in enumerate(launches):
        times = collections.Counter(arm for in_round in rounds.values() for arm in in_round)
        arms = set(times)
        joins_all = {"magic_fancy", "magic_fancy.twin"}  # where methods are split into several rounds
        if any(arms & joins_all - in_round for in_round in rounds.values()):
            yield f"samples.csv: {cell}: a round without the reference and its twin"
        if any(times[arm] != record["protocol"]["rounds"] for arm in arms - joins_all):
            yield f"samples.csv: {cell}: an arm was not timed in as many rounds as the others"
        least = stays if record["protocol"]["until_decided"] and number > 0 else needed
        if not least <= arms <= allowed:
            yield f"samples.csv: {cell}: arms {sorted(arms ^ needed)} are missing or too many"


def check_summary(summary):
    """Intervals hold their values, verdicts fit their roles, and what was not measured is empty."""
    for row in summary:
        name = f"summary.csv: {row['arm']} {cell_of(row)}"
        if not float(row["ns_per_query"]) > 0:
            yield f"{name}: no time"
        if row["role"] in VERDICTS and row["verdict"] != VERDICTS[row["role"]]:
            yield f"{name}: verdict '{row['verdict']}' of a {row['role']}"
        if row["role"] in ("empty", "clock") and row["ratio"]:
            yield f"{name}: a baseline was judged"
        for low, value, high in INTERVALS:
            if not is_sane(*(float(row[key]) if row[key] else None for key in (low, value, high))):
                yield f"{name}: {value} outside its interval"
        if row["role"] == "method":
            yield from check_verdict(name, row)
    yield from check_order(summary)


def check_verdict(name, row):
    """A method's verdict is one of the words, and not one that the A/A control withholds."""
    judged = bool(row["ratio"])
    if row["verdict"] not in (JUDGED if judged else ("",)) or row["best"] not in ("fastest", "among", "behind", ""):
        yield f"{name}: verdict '{row['verdict']}', best '{row['best']}'"
    bound = float(row["aa_bound"] or 0)
    if row["verdict"] == "equivalent" and bound > float(row["margin"]):
        yield f"{name}: equivalent, where identical code differed by up to {bound}"
    if row["verdict"] == "unresolved" and bound <= float(row["margin"]):
        yield f"{name}: unresolved, though identical code differed by no more than {bound}"
    if judged and row["holm_low"] and row["ratio_low"]:
        narrower = float(row["holm_low"]) > float(row["ratio_low"]) + 1e-4
        if narrower or float(row["holm_high"]) < float(row["ratio_high"]) - 1e-4:
            yield f"{name}: Holm's interval is narrower than the plain one"


def check_order(summary):
    """Within a cell, time, net time and ratio put the methods in the same order, up to the digits written."""
    cells = {}
    for row in summary:
        if row["role"] in ("method", "reference") and row["ratio"]:
            cells.setdefault(cell_of(row), []).append(row)
    for cell, rows in cells.items():
        rows.sort(key=lambda row: float(row["ratio"]))
        for column in ("ns_per_query", "net_ns_per_query"):
            values = [float(row[column]) for row in rows if row[column]]
            if any(b < a - 2e-4 - 2e-5 * abs(a) for a, b in zip(values, values[1:])):
                yield f"summary.csv: {cell}: {column} and ratio order the methods differently"


def check_results(record, summary):
    """What run.json says of the best, of crossings and of correlations holds together, and with summary.csv."""
    first = {(cell_of(row), row["arm"]) for row in summary if row["best"] in ("fastest", "among")}
    if first != {(cell_of(b["cell"]), arm) for b in record["bests"] if b["limit_bytes"] is None for arm in b["arms"]}:
        yield "run.json: bests and the column best of summary.csv name different methods"
    for best in record["bests"]:
        name, count, lead = f"run.json: bests {best['cell']}", len(best["arms"]), best["lead"]
        if not 1 <= count <= best["compared"] or best["sure"] != (count == 1):
            yield f"{name}: {count} arms of {best['compared']}, sure {best['sure']}"
        if lead and not (is_sane(lead["low"], lead["value"], lead["high"]) and lead["value"] <= 1):
            yield f"{name}: lead {lead}"
    for crossing in record["crossings"]:
        lines = crossing["lines"]
        if not is_sane(lines["low"], lines["value"], lines["high"]) or crossing["arm"] == crossing["against"]:
            yield f"run.json: crossing {crossing}"
    for entry in record["correlations"]:
        rho = entry["spearman"]
        if not (is_sane(entry["low"], rho, entry["high"]) and abs(rho) <= 1 and entry["methods"] > 1):
            yield f"run.json: correlation {entry}"


def is_sane(low, value, high):
    """Whether a value lies in its interval; an end that is not known, or no value at all, is no fault."""
    if value is None:
        return True
    return (low is None or low <= value) and (high is None or value <= high) and math.isfinite(value)


def check_record(record, folder):
    """run.json says what ran and why counters are missing; the page and the figures are there."""
    if record["schema"] != 3:
        yield f"run.json: schema {record['schema']} instead of 3"
    if not record["complete"]:
        yield "run.json: incomplete"
    if record["counters"]["status"] == "none" and not record["counters"]["reason"]:
        yield "run.json: no counters and no reason"
    versions = record["versions"]
    if not all(versions.values()) or not {"google_benchmark", "hwloc", "cli11", "nlohmann_json"} <= set(versions):
        yield f"run.json: versions {versions}"
    if not record["checks"]["twin"]:
        yield "run.json: the A/A control was not checked"
    figures = list((folder / "plots").glob("*.svg"))
    if not figures:
        yield "plots: no figure"
    for path in [folder / "index.html", *figures]:
        if not path.is_file() or path.stat().st_size < 1000:
            yield f"{path.relative_to(folder)}: missing or empty"


def check_simulated(counts, record):
    """Every method has simulated L1D misses on every trace, or run.json says why not.

    Nothing in a run without a PMU may claim to have been counted by the hardware.
    """
    counters = record["counters"]
    for row in counts:
        if row["source"] != "simulated" and counters["status"] == "none":
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


def faults_of(folder):
    """(what is wrong with a run's folder, list of str; rows of samples.csv and of summary.csv that were checked)."""
    samples, summary = rows_of(folder / "samples.csv"), rows_of(folder / "summary.csv")
    record, counts = read_info(folder), rows_of(folder / "counters.csv")
    faults = [*check_samples(samples, record), *check_summary(summary), *check_record(record, folder)]
    faults += [*check_results(record, summary), *check_simulated(counts, record)]
    return faults, len(samples), len(summary)


def work(options):
    """Prints the faults, a line each on standard error, and how much was checked; returns 1 where there are any."""
    try:
        faults, samples, rows = faults_of(options.folder)
    except (KeyError, TypeError, ValueError) as error:
        raise ReportError(f"{options.folder}: is no run of this version ({error}); run it again") from None
    for fault in faults:
        print(f"check_run.py: {fault}", file=sys.stderr)
    print(f"{samples} samples, {rows} summary rows checked, {len(faults)} faults")
    return 1 if faults else 0


def main(arguments=None):
    """The command; returns the exit status: 1 where there are faults, 2 where there is no run that can be read."""
    parser = parser_of(__doc__, "check_run.py reports/run1")
    parser.add_argument("folder", **RUN)
    return answered("check_run.py", work, parser.parse_args(arguments))
