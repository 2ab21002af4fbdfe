# SPDX-License-Identifier: MIT
"""A run on a machine with a PMU, from the events to the page: CSV, figures and page, with a fake in the PMU's place.

SLIDEBENCH_FAKE_PMU names the program.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from folders import page_data, read_page

from report.data.run import load
from report.figures.misses import misses

SCRIPTS = Path(__file__).resolve().parent.parent
PROGRAM = Path(os.environ["SLIDEBENCH_FAKE_PMU"]).resolve()
METHODS = ("magic_fancy", "pext", "kogge_stone")
LEVELS = ("l1d_misses", "l2d_misses", "l3_misses", "dtlb_misses")


def call(*arguments):
    """Runs a command that must succeed; returns what it printed."""
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """(folder of a run with its report, what the report printed)."""
    home = tmp_path_factory.mktemp("counted")
    folder, trace = home / "run", home / "game.trace"
    call(PROGRAM, "trace", "build", "--kind", "game", "--out", trace, SCRIPTS.parent / "datasets" / "sample.pgn")
    asked = [part for method in METHODS for part in ("--method", method)]
    how = ["--profile", "quick", "--no-random", "--workload", "throughput", "--pressure", "isolated"]
    call(PROGRAM, "run", "--trace", trace, *how, "--pressure", "16@64K/node", "--out", folder, *asked)
    # What runs instead of instructions under a debugger or a sanitizer is no query; then the page goes without.
    kernel = [PROGRAM, "kernel", "--trace", trace, "--queries", "20", "--format", "csv", *asked]
    done = subprocess.run(kernel, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        (folder / "kernel.csv").write_text(done.stdout)
    return folder, call(sys.executable, SCRIPTS / "slidebench.py", "report", folder)


def test_the_csv_has_both_sources(counted):
    assert json.loads((counted[0] / "run.json").read_text())["counters"]["status"] == "papi"
    rows = pd.read_csv(counted[0] / "counters.csv")
    hardware, simulated = (rows[rows["source"] == source] for source in ("papi", "simulated"))
    assert {*LEVELS, "branch_misses", "instructions", "cycles"} <= set(hardware["metric"])
    assert {*LEVELS, "stlb_misses"} <= set(simulated["metric"])
    assert set(hardware["workload"]) == {"throughput"}
    assert set(rows["event"][rows["metric"] == "branch_misses"]) == {"PAPI_BR_MSP"}


def test_the_page_has_both_beside_each_other(counted):
    data = page_data(read_page(counted[0])[0])
    series = [(entry["metric"], entry["source"]) for entry in data["counts"]]
    wanted = [(metric, source) for metric in LEVELS for source in ("counted", "simulated")]
    assert series == [*wanted, ("stlb_misses", "simulated"), ("branch_misses", "counted")]
    counters = pd.read_csv(counted[0] / "counters.csv").replace({"source": {"papi": "counted"}})
    medians = counters.groupby(["pressure", "contender", "metric", "source"])["per_query"].median()
    for cell in data["cells"]:
        for row in cell["rows"]:
            for metric, source in series:
                value = row[f"{metric} {source}"]
                if cell["pressure"] != "isolated" and source == "simulated":
                    assert value is None, "simulated alone, and not under this pressure"
                else:
                    expected = medians[cell["pressure"], row["contender"], metric, source]
                    assert value == pytest.approx(expected, rel=1e-4, abs=1e-9)


def test_the_run_brings_its_misses_and_instructions(counted):
    folder, written = counted
    assert "misses_game_16-64K-node.svg" in written
    if (folder / "kernel.csv").exists():
        contenders = {contender["method"]: contender for contender in page_data(read_page(folder)[0])["contenders"]}
        executed = pd.read_csv(folder / "kernel.csv").set_index("method")["instructions_per_query"]
        for method in METHODS:
            assert contenders[method]["instructions"] == pytest.approx(executed[method], abs=0.01)


def test_the_figure_has_dots_and_rings(counted):
    text = (counted[0] / "plots" / "misses_game.svg").read_text()
    for words in ("counted by the hardware (papi) and simulated", "L1D misses", "L3 misses", "DTLB misses"):
        assert words in text
    counters = pd.read_csv(counted[0] / "counters.csv").query("metric == 'stlb_misses' and pressure == 'isolated'")
    assert ("STLB misses" in text) == bool((counters["per_query"] > 0).any()), "where there are none warm no blank panel"
    run = load(counted[0])
    figure = misses(run, next(c for c in run.cells if c.pressure == "isolated"))
    filled = {
        axes.get_title(loc="left"): [line.get_markerfacecolor() for line in axes.lines if line.get_marker() == "o"]
        for axes in figure.axes
    }
    plt.close(figure)
    assert len(filled["L1D misses"]) == 2 * len(METHODS)
    assert filled["L1D misses"].count("none") == len(METHODS), "simulated ones are rings"
    assert len(filled["mispredicted branches"]) == len(METHODS) and "none" not in filled["mispredicted branches"]
