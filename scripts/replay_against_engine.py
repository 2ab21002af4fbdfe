#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How well does a replay predict the engine, in nanoseconds a query?

Compares, method by method, the difference to the reference in the engine with the one in each replay of a trace that was
recorded in the same form of the engine, as its provenance says. The engine's difference is its time a node divided by
the queries a node of that trace.

Prints a Markdown table: the slope of engine over replay (Theil and Sen, with its 95 % interval; 1 is a prediction to
scale), the median and the root mean square of |engine - replay|, Spearman's correlation with its 95 % interval (Fisher's z
by Bonett and Wright, 2000), and `noise`, the median half-width of the engine's own intervals: no error can be found below
it. Methods are split into two halves by the parity of their place in the alphabet; presets are chosen on the first one.

Usage: replay_against_engine.py RUN... [--half chosen|tested|all] [--csv FILE]
"""

import argparse
import csv
import json
import math
import pathlib
import statistics
import sys

from scipy.stats import spearmanr, theilslopes

REFERENCE = "magic_fancy"


class BadRun(Exception):
    """What is wrong with the runs, in one line."""


def read_run(folder):
    """(rows of summary.csv, {trace: (form of the engine that asked, queries a searched node)}) of a run's folder."""
    try:
        with (folder / "summary.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        info = json.loads((folder / "run.json").read_text())
    except (OSError, ValueError) as error:
        raise BadRun(f"{folder}: no run that can be read: {error}") from error
    recorded = {}
    for trace in info.get("traces", []):
        provenance = trace.get("provenance", {})
        nodes = provenance.get("search", {}).get("nodes")
        if nodes:
            form = f"net{provenance['network']}{'-threats' if provenance['threats'] else ''}"
            recorded[trace["name"]] = (form, trace["queries"] / nodes)
    return rows, recorded


def compared(rows):
    """The methods and the reference among the rows of a cell."""
    return {row["method"]: row for row in rows if row["role"] in ("method", "reference")}


def by_cell(rows, wanted):
    """{(trace, workload, pressure): {method: row}} of the rows whose workload is wanted."""
    cells = {}
    for row in rows:
        if wanted(row["workload"]) and row["kinds"] == "all" and row["pages"] == "4k" and row["corunners"] == "0":
            cells.setdefault((row["trace"], row["workload"], row["pressure"]), []).append(row)
    return {key: compared(found) for key, found in cells.items()}


def half_of(methods, half):
    """The methods of a half: every second one of the alphabet."""
    ordered = sorted(methods)
    return set({"all": ordered, "chosen": ordered[0::2], "tested": ordered[1::2]}[half])


def engine_differences(cell, queries_a_node):
    """{method: (difference to the reference, half-width of its interval)}, ns a query."""
    scale = float(cell[REFERENCE]["ns_per_node"]) / queries_a_node
    return {
        method: (
            (float(row["ratio"]) - 1) * scale,
            (float(row["ratio_high"]) - float(row["ratio_low"])) / 2 * scale,
        )
        for method, row in cell.items()
        if method != REFERENCE
    }


def replay_differences(cell):
    """{method: difference to the reference}, ns a query."""
    scale = float(cell[REFERENCE]["ns_per_query"])
    return {method: (float(row["ratio"]) - 1) * scale for method, row in cell.items() if method != REFERENCE}


def spearman_interval(rho, n):
    """95 % interval of a rank correlation of n pairs."""
    if n < 4 or abs(rho) >= 1:
        return rho, rho
    spread = 1.96 * math.sqrt((1 + rho * rho / 2) / (n - 3))
    return math.tanh(math.atanh(rho) - spread), math.tanh(math.atanh(rho) + spread)


def agreement(engine, replay, methods):
    """One row of figures over the methods that both have."""
    common = sorted(methods & engine.keys() & replay.keys())
    if len(common) < 4:
        raise BadRun(f"only {len(common)} methods in common; at least 4 are needed")
    e = [engine[method][0] for method in common]
    r = [replay[method] for method in common]
    errors = [abs(a - b) for a, b in zip(e, r)]
    slope, _, low, high = theilslopes(e, r)
    rho = float(spearmanr(e, r)[0])
    rho_low, rho_high = spearman_interval(rho, len(common))
    return {
        "methods": len(common),
        "slope": slope,
        "slope_low": low,
        "slope_high": high,
        "median_error_ns": statistics.median(errors),
        "rms_error_ns": math.sqrt(statistics.fmean(error * error for error in errors)),
        "noise_ns": statistics.median(engine[method][1] for method in common),
        "spearman": rho,
        "spearman_low": rho_low,
        "spearman_high": rho_high,
    }


def compare(folders, half):
    """A row of figures for each replay cell that has an engine's cell."""
    engines, replays = {}, {}
    for folder in folders:
        rows, recorded = read_run(folder)
        engines |= {form: cell for (form, _, _), cell in by_cell(rows, lambda name: name == "engine").items()}
        for (trace, workload, pressure), cell in by_cell(rows, lambda name: name in ("throughput", "latency")).items():
            if trace in recorded:
                form, queries_a_node = recorded[trace]
                replays[form, workload, pressure] = (cell, queries_a_node)
    found = []
    for (form, workload, pressure), (cell, queries_a_node) in sorted(replays.items()):
        if REFERENCE not in cell or REFERENCE not in engines.get(form, {}):
            continue
        engine = engine_differences(engines[form], queries_a_node)
        figures = agreement(engine, replay_differences(cell), half_of(engine.keys(), half))
        found.append({"form": form, "workload": workload, "pressure": pressure, "half": half} | figures)
    if not found:
        raise BadRun("no replay of a search trace whose form of the engine was measured as well")
    return found


def print_table(found):
    print("| form | workload | pressure | methods | slope | median error, ns | rms, ns | noise, ns | Spearman |")
    print("|---|---|---|--:|--:|--:|--:|--:|--:|")
    for row in found:
        print(
            f"| {row['form']} | {row['workload']} | `{row['pressure']}` | {row['methods']} "
            f"| {row['slope']:.2f} [{row['slope_low']:.2f}, {row['slope_high']:.2f}] | {row['median_error_ns']:.2f} "
            f"| {row['rms_error_ns']:.2f} | {row['noise_ns']:.2f} "
            f"| {row['spearman']:.2f} [{row['spearman_low']:.2f}, {row['spearman_high']:.2f}] |"
        )


def main(arguments=None):
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("runs", nargs="+", type=pathlib.Path, metavar="RUN", help="folder of `slidebench run`")
    parser.add_argument("--half", choices=("all", "chosen", "tested"), default="all")
    parser.add_argument("--csv", type=pathlib.Path, help="also write the figures to this file")
    options = parser.parse_args(arguments)
    try:
        found = compare(options.runs, options.half)
        if options.csv:
            with options.csv.open("w", newline="") as file:
                writer = csv.DictWriter(file, found[0].keys())
                writer.writeheader()
                writer.writerows(found)
    except (BadRun, OSError) as error:
        print(f"replay_against_engine.py: {error}", file=sys.stderr)
        return 2
    print_table(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
