#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How long a slice, how long a warm-up, how many arms in a round: which give the narrowest A/A interval for the time?

Measures the same cells with several protocols, each for about the same time, and prints a Markdown table of the half-width
of the A/A control's 95 % interval, scaled to one minute of machine time an arm (intervals shrink with the root of time).
Protocols take turns, so that what drifts drifts through all of them.

Usage: slice_study.py PROGRAM TRACE [--seconds N] [--turns N]      about 3 x N x protocols seconds in all
"""

import argparse
import csv
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from scipy.stats import t as student

FEW = ["pext", "hyperbola_avx2", "kindergarten"]
CELLS = {
    "isolated": ["--workload", "throughput", "--pressure", "isolated"],
    "nnue": ["--workload", "throughput", "--pressure", "nnue"],
    "engine": ["--workload", "engine", "--net", "256"],
}
# (slice ms, warm-up ms, methods; for the engine: nodes of a search, None, methods); [] is all methods, in one round
REPLAY = [(2, 0.5, FEW), (5, 1, FEW), (10, 2, FEW), (20, 2, FEW), (5, 0.2, FEW), (5, 4, FEW), (5, 1, [])]
ENGINE = [(5_000, None, FEW), (20_000, None, FEW), (80_000, None, FEW), (20_000, None, [])]


def launch_medians(path):
    """The A/A control's median log ratio of each launch."""
    times = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["role"] in ("twin", "reference"):
                key = (int(row["launch"]), int(row["round"]))
                times.setdefault(key, {})[row["role"]] = float(row["time_ns"]) / float(row["queries"])
    launches = {}
    for (launch, _), pair in times.items():
        launches.setdefault(launch, []).append(math.log(pair["twin"] / pair["reference"]))
    return [statistics.median(rounds) for rounds in launches.values()]


def arms_in(path):
    """How many arms a run had, the clock and the controls included."""
    with path.open(newline="") as file:
        return len({row["arm"] for row in csv.DictReader(file)})


def measure(program, trace, cell, protocol, launches, rounds):
    """One run: (launch medians of the A/A control, seconds of the run, arms)."""
    size, warm_up, methods = protocol
    lengths = ["--nodes", str(size)] if warm_up is None else ["--slice-ms", str(size), "--warm-up-ms", str(warm_up)]
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "run"
        command = [program, "run", "--no-random", "--trace", trace, *CELLS[cell], *lengths, "--out", str(out)]
        command += ["--methods-a-round", "99", "--launches", str(launches), "--rounds", str(rounds), "--seed", str(time.time_ns() % 10**9)]
        command += [word for method in methods for word in ("--method", method)]
        start = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return launch_medians(out / "samples.csv"), time.monotonic() - start, arms_in(out / "samples.csv")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("trace")
    parser.add_argument("--seconds", type=float, default=15, help="of each protocol, cell and turn")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    launches = 8
    print("| cell | slice | warm-up | arms | launches x rounds | A/A half-width at a minute an arm |")
    print("|---|---|---|---|---|---|")
    for cell in CELLS:
        protocols = ENGINE if cell == "engine" else REPLAY
        found = {i: ([], 0.0, 0) for i in range(len(protocols))}
        rounds = {i: 2 for i in found}
        for turn in range(options.turns + 1):  # the first only finds out how many rounds fill the time
            for i, protocol in enumerate(protocols):
                medians, seconds, arms = measure(options.program, options.trace, cell, protocol, launches, rounds[i])
                if turn == 0:
                    rounds[i] = max(2, min(200, round(2 * options.seconds / seconds)))
                    continue
                known, spent, _ = found[i]
                found[i] = (known + medians, spent + seconds, arms)
        for i, (size, warm_up, _) in enumerate(protocols):
            medians, seconds, arms = found[i]
            half = student.ppf(0.975, len(medians) - 1) * statistics.stdev(medians) / math.sqrt(len(medians))
            scaled = 100 * half * math.sqrt(seconds / 60 / arms)
            length = f"{size} nodes" if warm_up is None else f"{size} ms"
            warm = "a tenth" if warm_up is None else f"{warm_up} ms"
            print(f"| {cell} | {length} | {warm} | {arms} | {len(medians)} x {rounds[i]} | {scaled:.2f} % |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
