# SPDX-License-Identifier: MIT
"""Which samples, warm-ups and contenders in a round give the narrowest A/A interval for the time?

The half-width of the A/A control's 95 % interval is scaled to one minute of machine time per contender. Protocols take turns,
so that what drifts drifts through all of them.
"""

import math
import subprocess
import tempfile
import time

import numpy as np
from scipy.stats import t as student

from report.data.run import load, round_ratios
from report.errors import ReportError
from report.page.markdown import table

# Options of `slidebench run`: what is measured, and for how long.
WARM_UPS = ((2, 0.5), (5, 1), (10, 2), (20, 2), (5, 0.2), (5, 4))
REPLAY = [f"--sample-ms {sample_ms} --warm-up-ms {warm_up}" for sample_ms, warm_up in WARM_UPS]
CELLS = {
    "--workload throughput --pressure isolated": REPLAY,
    "--workload throughput --pressure nnue": REPLAY,
    "--workload engine --net 256": ["--nodes 5000", "--nodes 20000", "--nodes 80000"],
}
FEW = " --method pext --method hyperbola_avx2 --method kindergarten"
PROCESS_RUNS = 8


def aa_of(folder):
    """(the A/A control's median log ratio of each process run, contenders in the run), of a run of one cell."""
    run = load(folder)
    ratios = round_ratios(run, run.cells[0])
    return ratios.groupby("process_run")["log_ratio"].median().tolist(), run.samples["contender"].nunique()


def measure(options, cell, protocol, rounds):
    """One run: (process run medians of the A/A control, contenders, seconds of the run)."""
    with tempfile.TemporaryDirectory() as folder:
        command = [options.program, "run", "--no-random", "--trace", options.trace, *cell.split(), *protocol.split()]
        command += ["--methods-per-round", "99", "--process-runs", str(PROCESS_RUNS), "--rounds", str(rounds)]
        command += ["--seed", str(time.time_ns() % 10**9), "--out", f"{folder}/run"]
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ReportError((done.stderr.strip() or "slidebench run failed").splitlines()[-1])
        return *aa_of(f"{folder}/run"), time.monotonic() - start


def half_width(medians, seconds):
    """Of the 95 % interval of the mean of process runs that took so long together, at a minute instead."""
    half = student.ppf(0.975, len(medians) - 1) * np.std(medians, ddof=1) / math.sqrt(len(medians))
    return half * math.sqrt(seconds / 60)


def work(options):
    """Measures every cell with every protocol, in turns, and prints the table."""
    rows = []
    for cell, lengths in CELLS.items():
        # All with few methods, and the second one with all methods in one round.
        protocols = [*(length + FEW for length in lengths), lengths[1]]
        # The first run of each only finds out how many rounds fill the time.
        seconds = [measure(options, cell, protocol, 2)[2] for protocol in protocols]
        rounds = [max(2, min(200, round(2 * options.seconds / took))) for took in seconds]
        found = [[measure(options, cell, *pair) for pair in zip(protocols, rounds)] for _ in range(options.turns)]
        for protocol, count, turns in zip(protocols, rounds, zip(*found)):
            medians, contenders, took = zip(*turns)
            half = half_width(sum(medians, []), sum(took) / contenders[0])
            shown = f"`{protocol.removesuffix(FEW)}`"
            rows.append([f"`{cell}`", shown, contenders[0], f"{options.turns * PROCESS_RUNS} x {count}", f"{100 * half:.2f} %"])
    print(table(["cell", "protocol", "contenders", "process runs x rounds", "A/A half-width at a minute per contender"], rows))


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("program", metavar="PROGRAM", help="slidebench")
    parser.add_argument("trace", metavar="TRACE", help="of `slidebench trace build`")
    parser.add_argument("--seconds", type=float, default=15, help="of each protocol, cell and turn")
    parser.add_argument("--turns", type=int, default=3, help="of each protocol; takes turns x seconds x protocols")
