# SPDX-License-Identifier: MIT
"""Tests of the collection of machines: runs of known truth are cut down and stand in the matrix, others are refused."""

import gzip
import json

import pytest
import synthetic
from folders import edit_csv

from report.data.cells import Cell
from report.data.files import read_json
from report.data.run import load_summary
from slidebench import main
from studies.machines import CELLS

ENGINE = [Cell("perft", "positions", "isolated"), *(Cell("engine", net, "isolated") for net in ("net0", "net1024"))]
REPLAYED = [cell for cell in CELLS if cell not in ENGINE] + [Cell("latency", "random", "isolated")]


def make(folder, cpu, cells=REPLAYED, methods=None, **info):
    machine = {"cpu": cpu, "family": 25, "model": 1, "hypervisor": "none", "caches": [], **info.pop("machine", {})}
    info = {"started": "2026-12-01T03:04:05Z"} | info
    return synthetic.make_full_run(folder, cells, methods, simulated=False, machine=machine, rounds=3, seed=len(cpu), **info)


@pytest.fixture
def home(tmp_path):
    (tmp_path / "machines").mkdir()
    return tmp_path / "machines"


def call(home, *arguments):
    return main(["add-machine", *map(str, arguments), "--home", str(home)])


def test_runs_are_cut_down_and_compared(home, tmp_path, capsys):
    first = make(tmp_path / "first", "First CPU", REPLAYED + ENGINE)
    assert call(home, first) == 0
    imprecise = {"valid": False, "twin": [], "control": [{"result": "imprecise"}]}
    without_pext = {name: entry for name, entry in synthetic.methods().items() if name != "pext"}
    second = make(tmp_path / "second", "Second CPU", methods=without_pext, checks=imprecise)
    assert call(home, second, "--name", "second") == 0
    folders = [home / "first-cpu-family25-model1", home / "second"]
    assert capsys.readouterr().out.split() == [str(p) for f in folders for p in (f, home / "README.md")]
    runs = [load_summary(folder) for folder in folders]
    assert set(runs[0].cells) == set(CELLS) and set(runs[1].cells) == set(CELLS) - set(ENGINE)
    kept = read_json(folders[0] / "run.json.gz")
    assert {"bests", "methods", "session_widenings"} <= set(kept) and kept["checks"]["valid"], "what slidebench show needs"
    page = (home / "README.md").read_text().split("## In browsers")[0]
    assert page.count("\n## ") == len(CELLS)
    pext = [line for line in page.splitlines() if line.startswith("| `pext` |")]
    assert len(pext) == len(CELLS) and all(line.endswith("|  |") for line in pext[: len(CELLS) - len(ENGINE)])
    row = load_summary(first).rows(CELLS[0], "method").set_index("contender").loc["pext"]
    assert f"| {row['ratio']:.2f} " in pext[0]
    assert call(home, "--check") == 0


def test_a_stale_or_changed_collection_is_found(home, tmp_path, capsys):
    assert call(home, make(tmp_path / "run", "A CPU"), "--name", "a") == 0
    (home / "README.md").write_text("old\n")
    assert call(home, "--check") == 2
    assert call(home) == 0 and call(home, "--check") == 0
    kept = home / "a" / "run.json.gz"
    kept.write_bytes(gzip.compress(json.dumps(read_json(kept) | {"complete": False}).encode()))
    assert call(home, "--check") == 2
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.parametrize("info, words", [
    ({"complete": False}, "incomplete"),
    ({"dirty": True}, "no known commit"),
    ({"commit": ""}, "no known commit"),
    ({"checks": {"valid": False, "twin": [], "control": []}}, "failed its own checks"),
    ({"machine": {"cpu": ""}}, "which CPU"),
    ({"schema": 3}, "older version"),
    ({"started": "2026-11-20T03:04:05Z"}, "older than the last change of what is timed"),
    ({"cells": [Cell("latency", "random", "isolated")]}, "none of the situations"),
])  # fmt: skip
def test_unfit_runs_are_refused(home, tmp_path, capsys, info, words):
    cells = info.pop("cells", REPLAYED[:1])
    assert call(home, make(tmp_path / "run", "A CPU", cells, **info)) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1
    assert not list(home.iterdir())


def test_what_does_not_go_together_is_taken_back(home, tmp_path, capsys):
    assert call(home, make(tmp_path / "a", "A CPU")) == 0
    other = make(tmp_path / "b", "B CPU", traces=[{"name": "search", "xxh3": "other"}])
    lighter = make(tmp_path / "c", "C CPU", pressures=read_json(other / "run.json")["pressures"] | {"net0": "1@64K/node"})
    swapped, unnamed = make(tmp_path / "d", "D CPU"), make(tmp_path / "e", "E CPU", traces=[])
    swap = {"pext": "magic_fancy", "magic_fancy": "pext"}
    edit_csv(swapped, "summary.csv", lambda t: t.assign(method=t["method"].replace(swap)))
    assert [call(home, run) for run in (other, lighter, swapped, unnamed, tmp_path / "a")] == [2] * 5
    said = capsys.readouterr().err
    assert "its trace search (other) is not that of" in said and "its pressure net0 (1@64K/node) is not" in said
    assert "its reference is pext, that of" in said and "does not say what trace search is" in said
    assert "is there already" in said
    assert sorted(path.name for path in home.iterdir()) == ["README.md", "a-cpu-family25-model1"]


def test_a_hostile_name_is_text(home, tmp_path):
    assert call(home, make(tmp_path / "a", "<script>|x|\n[b](c)")) == 0
    page = (home / "README.md").read_text()
    assert "<script>" not in page and r"&lt;script\>\|x\| \[b\](c)" in page
    assert call(home, tmp_path / "a", "--name", "../up") == 2
