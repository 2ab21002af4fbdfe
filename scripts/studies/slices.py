# SPDX-License-Identifier: MIT
"""Which slices, warm-ups and arms in a round give the narrowest A/A interval for the time?

The half-width of the A/A control's 95 % interval is scaled to one minute of machine time an arm. Protocols take turns,
so that what drifts drifts through all of them.
"""

import math
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.stats import t as student

from report.data.files import read_csv
from report.errors import ReportError
from report.needed import answered, parser_of
from report.page.markdown import table

FEW = ["pext", "hyperbola_avx2", "kindergarten"]
CELLS = {
    "isolated": ["--workload", "throughput", "--pressure", "isolated"],
    "nnue": ["--workload", "throughput", "--pressure", "nnue"],
    "engine": ["--workload", "engine", "--net", "256"],
}
# (slice ms, warm-up ms, methods; for the engine: nodes of a search, None, methods); [] is all methods, in one round
REPLAY = [(2, 0.5, FEW), (5, 1, FEW), (10, 2, FEW), (20, 2, FEW), (5, 0.2, FEW), (5, 4, FEW), (5, 1, [])]
ENGINE = [(5_000, None, FEW), (20_000, None, FEW), (80_000, None, FEW), (20_000, None, [])]
LAUNCHES = 8


def aa_of(path):
    """(the A/A control's median log ratio of each launch, arms in the run), of samples.csv."""
    rows = read_csv(path, ["arm", "role"], ["launch", "round", "time_ns", "queries"])
    times = rows.assign(ns=rows["time_ns"] / rows["queries"]).set_index(["launch", "round"])
    twin, reference = (times.loc[times["role"] == role, "ns"] for role in ("twin", "reference"))
    return np.log(twin / reference).dropna().groupby("launch").median().tolist(), rows["arm"].nunique()


def measure(options, cell, protocol, rounds):
    """One run: (launch medians of the A/A control, arms, seconds of the run)."""
    size, warm_up, methods = protocol
    lengths = ["--nodes", size] if warm_up is None else ["--slice-ms", size, "--warm-up-ms", warm_up]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        command = [options.program, "run", "--no-random", "--trace", options.trace, *CELLS[cell], *lengths]
        command += ["--out", out, "--methods-a-round", 99, "--launches", LAUNCHES, "--rounds", rounds]
        command += ["--seed", time.time_ns() % 10**9, *(word for method in methods for word in ("--method", method))]
        start = time.monotonic()
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ReportError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "slidebench run failed")
        return *aa_of(out / "samples.csv"), time.monotonic() - start


def row_of(cell, protocol, medians, rounds, seconds, arms):
    """A row of the table."""
    size, warm_up, _ = protocol
    half = student.ppf(0.975, len(medians) - 1) * np.std(medians, ddof=1) / math.sqrt(len(medians))
    scaled = f"{100 * half * math.sqrt(seconds / 60 / arms):.2f} %"
    lengths = [f"{size} nodes", "a tenth"] if warm_up is None else [f"{size} ms", f"{warm_up} ms"]
    return [cell, *lengths, str(arms), f"{len(medians)} x {rounds}", scaled]


def work(options):
    """Measures every cell with every protocol, in turns, and prints the table."""
    rows = []
    for cell in CELLS:
        protocols = ENGINE if cell == "engine" else REPLAY
        # The first run of each only finds out how many rounds fill the time.
        seconds = [measure(options, cell, protocol, 2)[2] for protocol in protocols]
        rounds = [max(2, min(200, round(2 * options.seconds / took))) for took in seconds]
        found = [[measure(options, cell, *pair) for pair in zip(protocols, rounds)] for _ in range(options.turns)]
        for protocol, count, turns in zip(protocols, rounds, zip(*found)):
            medians = [median for turn in turns for median in turn[0]]
            rows.append(row_of(cell, protocol, medians, count, sum(turn[2] for turn in turns), turns[0][1]))
    print(table(["cell", "slice", "warm-up", "arms", "launches x rounds", "A/A half-width at a minute an arm"], rows))


def main(arguments=None):
    """The command; returns the exit status."""
    parser = parser_of(__doc__, "slice_study.py build/bench/slidebench search.trace --seconds 6 --turns 3")
    parser.add_argument("program", metavar="PROGRAM", help="slidebench")
    parser.add_argument("trace", metavar="TRACE", help="of `slidebench trace build`")
    parser.add_argument("--seconds", type=float, default=15, help="of each protocol, cell and turn")
    parser.add_argument("--turns", type=int, default=3, help="of each protocol; takes turns x seconds x protocols")
    return answered("slice_study.py", work, parser.parse_args(arguments))
