# SPDX-License-Identifier: MIT
"""Tests of the collection of machines: runs of known truth are cut down and stand in the matrix, others are refused."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest
import synthetic

from report.data.cells import Cell
from report.data.files import read_json
from report.data.run import load_summary
from slidebench import main
from studies import order_changes
from studies.machines import CELLS, MACHINES, MOST_BYTES

ENGINE = [Cell("perft", "positions", "isolated"), Cell("engine", "net1024", "isolated")]
REPLAYED = [cell for cell in CELLS if cell not in ENGINE] + [Cell("latency", "random", "isolated")]


def known(*left_out):
    return {name: entry for name, entry in synthetic.methods().items() if name not in left_out}


def make(folder, cpu, cells=REPLAYED, methods=None, **info):
    machine = {"cpu": cpu, "family": 25, "model": 1, "hypervisor": "none", "caches": [], **info.pop("machine", {})}
    return synthetic.make_full_run(
        folder, cells, methods or known(), simulated=False, machine=machine, rounds=3, seed=len(cpu), **info
    )


@pytest.fixture
def home(tmp_path):
    (tmp_path / "machines").mkdir()
    return tmp_path / "machines"


def call(home, *arguments):
    return main(["add-machine", *map(str, arguments), "--home", str(home)])


def test_runs_are_cut_down_and_compared(home, tmp_path, capsys):
    first = make(tmp_path / "first", "First CPU")
    make(first / "engine", "First CPU", ENGINE)
    assert call(home, first) == 0
    imprecise = {"valid": False, "twin": [], "control": [{"result": "imprecise"}]}
    second = make(tmp_path / "second", "Second CPU", methods=known("pext"), checks=imprecise)
    assert call(home, second, "--name", "second") == 0
    folders = [home / "first-cpu-family25-model1", home / "second"]
    assert capsys.readouterr().out.split() == [str(p) for f in folders for p in (f, home / "README.md")]
    runs = [load_summary(folder) for folder in folders]
    assert set(runs[0].cells) == set(CELLS) and set(runs[1].cells) == set(CELLS) - set(ENGINE)
    assert all(sum(p.stat().st_size for p in f.iterdir()) < MOST_BYTES for f in folders)
    page = (home / "README.md").read_text().split("## In browsers")[0]
    assert page.count("\n## ") == len(CELLS) + 1  # and where the order changes
    pext = [line for line in page.splitlines() if line.startswith("| `pext` |")]
    assert len(pext) == len(CELLS) and all(line.endswith("|  |") for line in pext[: len(CELLS) - len(ENGINE)])
    row = load_summary(first).rows(CELLS[0], "method").set_index("contender").loc["pext"]
    assert f"{row['ratio']:.3f} [{row['ratio_low']:.3f}, {row['ratio_high']:.3f}]" in pext[0]
    assert call(home, "--check") == 0
    assert main(["compare-runs", *map(str, folders), "--out", str(tmp_path / "compared")]) == 0


def test_a_stale_or_changed_collection_is_found(home, tmp_path, capsys):
    assert call(home, make(tmp_path / "run", "A CPU"), "--name", "a") == 0
    (home / "README.md").write_text("old\n")
    assert call(home, "--check") == 2
    assert call(home) == 0 and call(home, "--check") == 0
    kept = home / "a" / "run.json.gz"
    kept.write_bytes(gzip.compress(json.dumps(read_json(kept) | {"complete": False}).encode()))
    assert call(home, "--check") == 2
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.parametrize(
    ("info", "words"),
    [
        ({"complete": False}, "incomplete"),
        ({"dirty": True}, "no known commit"),
        ({"commit": ""}, "no known commit"),
        ({"checks": {"valid": False, "twin": [], "control": []}}, "failed its own checks"),
        ({"machine": {"cpu": ""}}, "which CPU"),
        ({"schema": 3}, "older version"),
        ({"cells": [Cell("latency", "random", "isolated")]}, "none of the situations"),
    ],
)
def test_unfit_runs_are_refused(home, tmp_path, capsys, info, words):
    cells = info.pop("cells", REPLAYED[:1])
    assert call(home, make(tmp_path / "run", "A CPU", cells, **info)) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1
    assert not list(home.iterdir())


def test_what_does_not_go_together_is_taken_back(home, tmp_path, capsys):
    assert call(home, make(tmp_path / "a", "A CPU")) == 0
    other = make(tmp_path / "b", "B CPU", traces=[{"name": "search", "xxh3": "other"}])
    assert call(home, other) == 2 and call(home, tmp_path / "a") == 2
    said = capsys.readouterr().err
    assert "is not that of" in said and "is there already" in said
    assert sorted(path.name for path in home.iterdir()) == ["README.md", "a-cpu-family25-model1"]


def test_a_hostile_name_is_text(home, tmp_path):
    assert call(home, make(tmp_path / "a", "<script>|x|\n[b](c)")) == 0
    page = (home / "README.md").read_text()
    assert "<script>" not in page and r"&lt;script\>\|x\| \[b\](c)" in page
    assert call(home, tmp_path / "a", "--name", "../up") == 2


def of_cell(ratios, width=0.01):
    """A table as `order_changes.of_cell` gives it, of ratios by method."""
    ratio = pd.Series(ratios)
    return pd.DataFrame({"ratio": ratio, "ratio_low": ratio - width, "ratio_high": ratio + width, "table_bytes": 1.0})


def test_a_pair_changes_places_only_beyond_both_intervals():
    a = of_cell({"x": 1.0, "y": 1.1, "z": 1.3, "w": 1.305})
    b = of_cell({"x": 1.2, "y": 1.1, "z": 1.31, "w": 1.29, "alone": 0.5})
    assert [(x, y) for x, y, _ in order_changes.changed_pairs(a, b)] == [("x", "y")]
    assert order_changes.changed_pairs(a, b)[0][2] == pytest.approx(1.2 / 1.1 - 1)
    assert [(x, y) for x, y, _ in order_changes.changed_pairs(b, a)] == [("y", "x")]
    assert order_changes.apart(a, b) == ["x"]


def test_a_change_is_explained_by_what_it_was_made_of_and_noise_by_nothing():
    draw = np.random.default_rng(5)
    known = pd.DataFrame({name: draw.normal(size=40) for name in order_changes.COUNTED})
    known = known.assign(**{order_changes.VECTORS: draw.integers(0, 2, 40)}).rename(index="m{}".format)
    a = of_cell(dict(zip(known.index, draw.uniform(1, 2, 40))))
    by_loads = of_cell((a["ratio"] * np.exp(-0.1 * known["loads"] + draw.normal(0, 0.02, 40))).to_dict())
    told = order_changes.explained(a, by_loads, known)
    assert {name for name, (_, p) in told.items() if p < 0.05} == {"loads"} and told["loads"][0] < -0.9
    false = 0
    for _ in range(40):
        noise = of_cell((a["ratio"] * np.exp(draw.normal(0, 0.02, 40))).to_dict())
        false += min(p for _, p in order_changes.explained(a, noise, known).values()) < 0.05
    assert false <= 6  # of 40, where 2 are expected; more than 6 are seen once in 200
    assert order_changes.explained(a.head(5), by_loads, known) == {}


def test_the_committed_collection_is_as_its_page_says():
    assert call(MACHINES, "--check") == 0
