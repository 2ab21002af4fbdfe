# SPDX-License-Identifier: MIT
"""A run seen from other references, against a computation of its own from the samples: the environment variable SLIDEBENCH
is the program."""

import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student
from scipy.stats import trim_mean
from synthetic import verdict_of

PROGRAM = os.environ.get("SLIDEBENCH")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="SLIDEBENCH names no program")
METHODS = ("pext", "hyperbola", "hyperbola_avx2", "kogge_stone", "ray_walk")


def slidebench(*words):
    return subprocess.run([PROGRAM, *map(str, words)], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a small run of all the methods that this processor has, and their names with the reference's."""
    folder = tmp_path_factory.mktemp("reference")
    listed = slidebench("list", "--format", "json", "--method", "all")
    there = [m["id"] for m in json.loads(listed) if m["id"] in METHODS and m["status"] == "ready"]
    slidebench("trace", "random", "--nodes", 4096, "--out", folder / "r.trace")
    chosen = [word for name in there for word in ("--method", name)]
    slidebench("run", "--no-random", "--trace", folder / "r.trace", "--workload", "throughput", "--pressure", "isolated",
               "--profile", "6x4", *chosen, "--out", folder / "run")
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
    """Each method's mean of the middle half of its 4 rounds, a process run, against what was measured in the same rounds."""
    samples = pd.read_csv(folder / "samples.csv")
    samples["log"] = np.log(samples["time_ns"] / samples["queries"])
    times = samples.pivot_table(index=["process_run", "round"], columns="contender", values="log")
    logs = {name: (times[name] - times["magic_fancy"]).dropna() for name in [*names, "magic_fancy.twin"]}
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
    shown = json.loads(slidebench("show", folder, "--reference", reference, "--cell", "isolated", "--json"))
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
    """README.md of the folder is typed into Python."""
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
