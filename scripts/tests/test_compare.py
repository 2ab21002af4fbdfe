# SPDX-License-Identifier: MIT
"""Tests of the comparison of runs: synthetic runs of known truth in, a matrix of verdicts out, the rest refused."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
import synthetic
from folders import edit_csv, edit_info, files_of, run_command

from report.analysis.compare import SAME_QUERIES, changes, check_traces, load_runs, verdicts_sentences
from report.data.cells import Cell
from report.data.schema import KEY
from report.errors import ReportError
from report.page.compare import cell_part, compare_page

CELLS = [Cell("latency", "game", "isolated"), Cell("latency", "game", "nnue"), Cell("throughput", "game", "isolated")]
NAMES = ("magic_fancy", "magic_plain", "pext", "hyperbola_avx2", "kogge_stone")


def known(**slower):
    """A few methods; `slower` multiplies the work of some."""
    every = synthetic.methods()
    return {n: (every[n][0], every[n][1], every[n][2] * slower.get(n, 1)) for n in NAMES}


def make(folder, seed, cells=None, methods=None, cpu="Imaginary CPU 9000", **info):
    """Writes a small run of a machine."""
    machine = {"cpu": cpu, "caches": []}
    return synthetic.make_full_run(
        folder, cells or CELLS, methods or known(), seed=seed, simulated=False, machine=machine, **info
    )


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """Two runs that no test may change, and the folder of their comparison."""
    home = tmp_path_factory.mktemp("compare")
    a = make(home / "a", 1, cpu="First CPU")
    # Microcoded PEXT, as before Zen 3: faster than the reference on one machine, slower on the other.
    b = make(home / "b", 2, methods=known(pext=3.0), cpu="Second <CPU>", speed=2.0)
    status, out, err = run_command("compare-runs", a, b, "--out", home / "out")
    assert (status, err) == (0, "")
    assert {Path(line) for line in out.splitlines()} == set((home / "out").iterdir())
    return a, b, home / "out"


@pytest.fixture
def other(pair, tmp_path):
    """A copy of the second run."""
    return Path(shutil.copytree(pair[1], tmp_path / "other"))


def assert_refused(out, *folders, words):
    status, said, err = run_command("compare-runs", *folders, "--out", out)
    assert (status, said, err.count("\n")) == (2, "", 1), err
    assert err.startswith("slidebench.py compare-runs: ")
    for word in words:
        assert word in err
    assert not (out / "index.html").exists()


def test_verdicts_are_the_known_truth(pair):
    a, b, out = pair
    assert {path.name for path in out.iterdir()} == {"verdicts.csv", "index.html"}
    table = pd.read_csv(out / "verdicts.csv")
    assert len(table) == 2 * len(CELLS) * len(NAMES)
    isolated = table[(table["workload"] == "latency") & (table["pressure"] == "isolated")]
    verdict = isolated.set_index(["run", "contender"])["verdict"]
    assert (verdict["A", "pext"], verdict["B", "pext"]) == ("faster", "slower")
    assert (verdict["A", "kogge_stone"], verdict["B", "kogge_stone"]) == ("slower", "slower")
    compared = load_runs([a, b])
    opposed, differing, agreed = changes(compared, CELLS[0])
    assert [contender for contender, _ in opposed] == ["pext"]
    assert len(opposed) + len(differing) + len(agreed) == len(NAMES) - 1
    assert "pext (A faster, B slower)" in " ".join(verdicts_sentences(compared, CELLS[0]))


def test_page(pair):
    source = (pair[2] / "index.html").read_text()
    for said in ("First CPU", "Second &lt;CPU&gt;", "pext (A faster, B slower)", "identical code differed by at most"):
        assert said in source
    assert source.count("<script") == 1
    for left_out in ("Second <CPU>", "http://", str(pair[2].parent)):
        assert left_out not in source.replace("http://www.w3.org", "")


def test_same_input_gives_the_same_bytes(pair, tmp_path):
    a, b, out = pair
    assert run_command("compare-runs", a, b, "--out", tmp_path / "again")[0] == 0
    assert files_of(tmp_path / "again") == files_of(out)


def test_only_common_cells_and_any_methods(pair, tmp_path):
    methods = {name: known()[name] for name in ("magic_fancy", "pext")}
    few = make(tmp_path / "few", 3, [CELLS[0], Cell("setwise", "game", "isolated")], methods)
    compared = load_runs([*pair[:2], few])
    assert set(compared.cells) == set(CELLS)
    counts = []
    for cell in CELLS[:2]:
        rows = cell_part(compared, cell, 0)["table"]["rows"]
        counts.append([sum(row[column][0] != "\N{EN DASH}" for row in rows) for column in (1, 2, 3)])
    assert counts == [[len(NAMES), len(NAMES), 2], [len(NAMES), len(NAMES), 0]]
    assert "1.0000" not in compare_page(compared).partition("<main>")[0]


def test_invalid_runs_are_marked(pair, other):
    edit_info(other, lambda info: info["checks"].update(valid=False))
    assert "B failed its own checks" in compare_page(load_runs([pair[0], other]))


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (None, ["run.json", "missing"]),
        ({"kind": "simulation"}, ["simulation"]),
        ({"schema": 4}, ["summary.csv", "missing"]),
        ({"schema": 99}, ["newer version"]),
        ({"schema": 3}, ["older version; run it again"]),
    ],
)
def test_no_run_is_refused(pair, tmp_path, record, words):
    (tmp_path / "other").mkdir()
    if record:
        (tmp_path / "other" / "run.json").write_text(json.dumps(record))
    assert_refused(tmp_path / "out", pair[0], tmp_path / "other", words=[*words, "other"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"traces": [{"name": "game", "xxh3": "another"}]}, ["trace game", "another", "digest of game"]),
        ({"traces": []}, ["no digest of the trace game"]),
    ],
)
def test_other_traces_are_refused(pair, other, tmp_path, change, words):
    edit_info(other, lambda info: info.update(change))
    assert_refused(tmp_path / "out", pair[0], other, words=[*words, other.name])


def test_a_trace_of_format_1_is_the_same_as_its_successor_alone():
    def run_on(digest):
        info = {"traces": [{"name": "search", "xxh3": digest}]}
        return SimpleNamespace(cells=[Cell("throughput", "search", "isolated")], info=info, folder=digest)

    for old, new in SAME_QUERIES.items():
        check_traces([run_on(old), run_on(new), run_on(old)])
        with pytest.raises(ReportError, match="is not that of"):
            check_traces([run_on(old), run_on("0123456789abcdef")])


def test_what_cannot_be_compared_is_refused(pair, other, tmp_path):
    a, b, _ = pair
    out = tmp_path / "out"
    assert_refused(out, a, words=["two runs"])
    assert_refused(out, a, tmp_path / "nowhere", words=["nowhere", "no such folder"])
    assert_refused(out, a, b, other, words=["same run", other.name])
    update = make(tmp_path / "update", 4, [Cell("update", "game", "isolated")])
    assert_refused(out, a, update, words=["in common"])
    swap = {"pext": "magic_fancy", "magic_fancy": "pext"}
    edit_csv(other, "summary.csv", lambda t: t.assign(method=t["method"].replace(swap)))
    assert_refused(out, a, other, words=["reference is pext", "magic_fancy"])
    assert_refused(a, a, b, words=["holds a run"])
    (tmp_path / "taken").write_text("in the way")
    assert_refused(tmp_path / "taken", a, b, words=["taken"])
