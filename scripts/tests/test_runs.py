# SPDX-License-Identifier: MIT
"""A run on a machine with a PMU, from the counts to the page, with a clock and a PMU of paper: so many events a query, known
beforehand. And a run seen from other references, against a computation of its own from the samples. The environment names the
programs: SLIDEBENCH, and of the first run SLIDEBENCH_FAKE_TIMES_PROGRAM (harness/cli/fake_times.cpp)."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from folders import page_data, read_page
from scipy.stats import t as student
from scipy.stats import trim_mean
from synthetic import verdict_of

from report.data.run import load
from report.figures.misses import misses

SCRIPTS = Path(__file__).resolve().parent.parent
PROGRAM, FAKE = (Path(os.environ[name]).resolve() for name in ("SLIDEBENCH", "SLIDEBENCH_FAKE_TIMES_PROGRAM"))
METHODS = ("magic_fancy", "pext", "kogge_stone")
LEVELS = ("l1d_misses", "l2d_misses", "l3_misses", "dtlb_misses")
# L1D misses a query, without and with other work; of the empty loop .25 and .75.
MISSES = {"magic_fancy": (0.5, 2), "pext": (0.375, 1.5), "kogge_stone": (0.25, 0.75), "empty": (0.25, 0.75)}


def call(*arguments, **more):
    """Runs a command that must succeed; returns what it printed."""
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, check=False, env=os.environ | more)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


def table_of_counts():
    """The lines of SLIDEBENCH_FAKE_COUNTS."""
    rest = {"cycles": 12, "instructions": 30, "l2d_misses": 0.0625, "l3_misses": 1 / 32, "dtlb_misses": 0.125, "branch_misses": 0.5}
    lines = [f"empty * * {metric} 0" for metric in (*LEVELS[1:], "branch_misses")]
    lines += [f"* * * {metric} {count}" for metric, count in rest.items()]
    for method, (alone, pressed) in MISSES.items():
        for contender in (method, f"{method}.twin"):
            lines += [f"{contender} perft isolated l1d_misses {4 * alone}", f"{contender} * isolated l1d_misses {alone}"]
            lines += [f"{contender} * * l1d_misses {pressed}"]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """(folder of a run with its report, what the report printed, what the run printed)."""
    home = tmp_path_factory.mktemp("counted")
    folder, trace = home / "run", home / "game.trace"
    (home / "counts").write_text(table_of_counts())
    call(FAKE, "trace", "build", "--kind", "game", "--out", trace, SCRIPTS.parent / "datasets" / "sample.pgn")
    asked = [part for method in METHODS for part in ("--method", method)]
    how = ["--profile", "4x4", "--workload", "throughput", "--workload", "perft", "--pressure", "isolated"]
    how += ["--kinds", "all", "--kinds", "both", "--pressure", "16@64K/node", "--trace", trace, "--out", folder]
    said = call(FAKE, "run", *how, *asked, SLIDEBENCH_FAKE_COUNTS=str(home / "counts"))
    # What runs instead of instructions under a debugger or a sanitizer is no query; then the page goes without.
    kernel = [FAKE, "kernel", "--trace", trace, "--queries", "20", "--format", "csv", *asked]
    done = subprocess.run(kernel, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        (folder / "kernel.csv").write_text(done.stdout)
    return folder, call(sys.executable, SCRIPTS / "slidebench.py", "report", folder), said


def test_each_count_is_that_of_the_queries_that_were_timed(counted):
    assert json.loads((counted[0] / "run.json").read_text())["counters"]["status"] == "measured"
    rows = pd.read_csv(counted[0] / "counters.csv").query("source == 'measured'")
    assert set(rows["metric"]) == {*LEVELS, "cycles", "instructions", "branch_misses"}
    assert set(zip(rows["workload"], rows["kinds"])) == {("throughput", "all"), ("throughput", "both"), ("perft", "all")}
    found = rows.query("metric == 'l1d_misses' and method != 'empty'").set_index(["method", "workload", "pressure"])["per_query"]
    for method in METHODS:
        (alone, pressed), (empty, empty_pressed) = MISSES[method], MISSES["empty"]
        wanted = {("throughput", "isolated"): alone - empty, ("throughput", "16@64K/node"): pressed - empty_pressed}
        wanted |= {("perft", "isolated"): 4 * alone}
        for where, value in wanted.items():
            assert found[(method, *where)].to_numpy() == pytest.approx(value, abs=1e-4), (method, where)
    samples = pd.read_csv(counted[0] / "samples.csv").query("contender == 'pext' and workload == 'perft'")
    perft = rows.query("contender == 'pext' and workload == 'perft' and metric in ('l1d_misses', 'cycles')")
    assert perft.groupby("process_run")["queries"].max().sum() <= samples["queries"].sum()


def test_the_summary_and_the_screen_have_them_beside_the_time(counted):
    rows = pd.read_csv(counted[0] / "summary.csv").query("method == 'pext' and role == 'method'")
    rows = rows.set_index(["workload", "kinds", "pressure"])
    for where, value in {("perft", "all", "isolated"): 1.5, ("throughput", "both", "16@64K/node"): 0.75}.items():
        row = rows.loc[where]
        assert (row["l1d_misses"], row["l1d_misses_low"], row["l1d_misses_high"]) == pytest.approx((value,) * 3, abs=2e-3)
        assert row["l1d_source"] == "measured"
    assert "L1D misses" in counted[2] and "counted by the processor in the timed samples" in counted[2]


def test_the_page_has_both_beside_each_other_and_the_instructions(counted):
    data = page_data(read_page(counted[0])[0])
    series = [(entry["metric"], entry["source"]) for entry in data["counts"]]
    wanted = [(metric, source) for metric in LEVELS for source in ("counted", "simulated")]
    assert series == [*wanted, ("stlb_misses", "simulated"), ("branch_misses", "counted")]
    counters = pd.read_csv(counted[0] / "counters.csv").replace({"source": {"measured": "counted"}})
    values = counters.groupby(["workload", "kinds", "pressure", "contender", "metric", "source"])["per_query"].mean()
    for cell in data["cells"]:
        for row in cell["rows"]:
            for metric, source in series:
                workload = "replay" if source == "simulated" else cell["workload"]
                where = (workload, cell["kinds"], cell["pressure"], row["contender"], metric, source)
                simulates = [cell[name] for name in ("workload", "kinds", "pressure")] == ["throughput", "all", "isolated"]
                if source == "simulated" and not simulates:
                    assert row.get(f"{metric} {source}") is None, "simulated are single queries of all kinds without other work"
                else:
                    assert row[f"{metric} {source}"] == pytest.approx(values[where], rel=1e-3, abs=1e-9)
    if (counted[0] / "kernel.csv").exists():
        instructions = {contender["method"]: contender.get("instructions") for contender in data["contenders"]}
        executed = pd.read_csv(counted[0] / "kernel.csv").set_index("method")["instructions_per_query"]
        assert [instructions[method] for method in METHODS] == pytest.approx(list(executed[list(METHODS)]), abs=0.01)


def test_the_figure_has_dots_and_rings(counted):
    assert "misses_game_16-64K-node.svg" in counted[1]
    text = (counted[0] / "plots" / "misses_game.svg").read_text()
    said = ("counted by the hardware and simulated", "L1D misses", "L3 misses", "DTLB misses")
    assert [words for words in said if words not in text] == []
    counters = pd.read_csv(counted[0] / "counters.csv").query("metric == 'stlb_misses' and pressure == 'isolated'")
    assert ("STLB misses" in text) == bool((counters["per_query"] > 0).any()), "where there are none warm no blank panel"
    run = load(counted[0])
    figure = misses(run, next(c for c in run.cells if c.pressure == "isolated" and c.workload == "throughput" and c.kinds == "all"))
    dots = {a.get_title(loc="left"): [dot.get_markerfacecolor() for dot in a.lines if dot.get_marker() == "o"] for a in figure.axes}
    plt.close(figure)
    assert len(dots["L1D misses"]) == 2 * len(METHODS)
    assert dots["L1D misses"].count("none") == len(METHODS), "simulated ones are rings"
    assert len(dots["mispredicted branches"]) == len(METHODS) and "none" not in dots["mispredicted branches"]


OTHERS = ("pext", "hyperbola", "hyperbola_avx2", "kogge_stone", "ray_walk")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a small run of all the methods that this processor has, and their names with the reference's."""
    folder = tmp_path_factory.mktemp("reference")
    listed = call(PROGRAM, "list", "--format", "json", "--method", "all")
    there = [m["id"] for m in json.loads(listed) if m["id"] in OTHERS and m["status"] == "ready"]
    call(PROGRAM, "trace", "random", "--nodes", 4096, "--out", folder / "r.trace")
    chosen = [word for name in there for word in ("--method", name)]
    how = ["--workload", "throughput", "--pressure", "net0", "--profile", "6x4", "--trace", folder / "r.trace"]
    call(PROGRAM, "run", *how, *chosen, "--out", folder / "run")
    return folder / "run", [*there, "magic_fancy"]


def interval(values, error):
    n = len(values)
    half = student.ppf(1 - error / 2, max(1, 0.75 * n - 1)) * values.std(ddof=1) / np.sqrt(n)
    return values.mean() - half, values.mean() + half


def holm(ratios, bound):
    """Verdicts of many at once: who is decided at the error shared by all leaves, and the rest share it again."""
    verdicts, open_ = {}, dict(ratios)
    while open_:
        found = {name: verdict_of(*np.exp(interval(values, 0.05 / len(open_))), bound) for name, values in open_.items()}
        decided = [name for name, verdict in found.items() if verdict in ("faster", "slower", "equivalent")]
        verdicts |= {name: found[name] for name in decided}
        if not decided:
            return verdicts | found
        open_ = {name: values for name, values in open_.items() if name not in decided}
    return verdicts


def values_from_samples(folder, names):
    """Each method's mean of the middle half of its 4 rounds, a process run, against the reference and its twin in the same rounds."""
    samples = pd.read_csv(folder / "samples.csv")
    samples["log"] = np.log(samples["time_ns"] / samples["queries"])
    times = samples.pivot_table(index=["process_run", "round"], columns="contender", values="log")
    reference, twin = times["magic_fancy"], times["magic_fancy.twin"]
    logs = {name: (times[name] - (reference + twin) / 2).dropna() for name in names}
    logs |= {"magic_fancy": (reference - reference).dropna(), "magic_fancy.twin": (twin - reference).dropna()}
    return {name: own.groupby("process_run").agg(lambda rounds: trim_mean(rounds, 0.25)) for name, own in logs.items()}


@pytest.mark.parametrize("reference", ["pext", "hyperbola_avx2", "hyperbola", "magic_fancy"])
def test_it_is_what_the_samples_say(run, reference):
    folder, names = run
    if reference not in names:
        pytest.skip(f"{reference} does not run here")
    values = values_from_samples(folder, names)
    low, high = np.exp(interval(values.pop("magic_fancy.twin"), 0.05))
    bound = max(high, 1 / high, low, 1 / low) - 1
    against = {name: own - values[reference] for name, own in values.items() if name != reference}
    shown = json.loads(call(PROGRAM, "show", folder, "--reference", reference, "--cell", "net0", "--json"))
    assert shown["answer"]["reference"] == reference
    rows = {row["contender"]: row for row in shown["rows"] if row["role"] == "method"}
    assert set(rows) == set(against)
    aa_bound = next(row["aa_bound"] for row in shown["rows"] if row["aa_bound"] is not None)
    assert abs(aa_bound - bound) < 0.02 * bound + 1e-3
    verdicts = holm(against, aa_bound)
    for name, row in rows.items():
        ends = np.exp([against[name].mean(), *interval(against[name], 0.05)])
        assert [row["ratio"], row["ratio_low"], row["ratio_high"]] == pytest.approx(list(ends), rel=1e-4), name
        assert row["verdict"] == verdicts[name], name


def test_the_lines_of_its_readme_give_its_intervals(run, monkeypatch):
    """README.md of the folder is typed into Python; and rows say what their trace and pressure are."""
    folder, names = run
    monkeypatch.chdir(folder)
    found = {}
    exec(re.search(r"```python\n(.*?)```", Path("README.md").read_text(), re.DOTALL)[1], found)  # noqa: S102
    summary = pd.read_csv("summary.csv")
    assert summary[["machine", "commit", "run"]].drop_duplicates().shape == (1, 3)
    rows = summary[summary["role"] == "method"]
    assert set(rows["contender"]) == {*names} - {"magic_fancy"}
    again = found["ratios"].loc[rows.set_index(found["cell"]).index]
    assert again.to_numpy() == pytest.approx(rows[["ratio", "ratio_low", "ratio_high"]].to_numpy(), rel=1e-4)
    info = json.loads(Path("run.json").read_text())
    digests = {trace["name"]: trace["xxh3"] for trace in info["traces"]}
    for trace, pressure, digest, touches in rows[["trace", "pressure", "trace_xxh3", "touches"]].fillna("").to_numpy():
        assert (digest, touches) == (digests[trace], info["pressures"][pressure])
