# SPDX-License-Identifier: MIT
"""The figure for a paper: what it draws, in which size, and what it refuses."""

import pytest
import synthetic
from folders import KNOWN, run_command

from report.data.cells import Cell
from studies.figure import inches

CELLS = [Cell("throughput", "search", "isolated"), Cell("latency", "search", "isolated")]
NAME = "throughput on search, isolated"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of two cells, which no test may change."""
    return synthetic.make_full_run(tmp_path_factory.mktemp("figure") / "run", CELLS, KNOWN, simulated=False)


def test_it_has_the_methods_and_the_width(run, tmp_path):
    chosen = ("--cell", NAME, "--method", "pext", "magic_fancy", "--width", "84mm")
    for out in (tmp_path / "a.svg", tmp_path / "b.svg", tmp_path / "c.pdf"):
        assert run_command("figure", run, *chosen, "--out", out) == (0, f"{out}\n", "")
    text = (tmp_path / "a.svg").read_text()
    assert 'width="238.1' in text and text == (tmp_path / "b.svg").read_text()
    assert (tmp_path / "c.pdf").read_bytes().startswith(b"%PDF")
    assert inches("50.8mm") == pytest.approx(2)
    assert run_command("figure", run, "--out", tmp_path / "all.png")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--cell", "perft"], [f"no cell 'perft' in this run; it has: {NAME}; latency on search, isolated"]),
        (["--method", "pxt"], ["no method 'pxt'", "hyperbola"]),
        (["--width", "9"], ["--width"]),
        (["--out", "a.gif"], ["give --out one of these endings"]),
    ],
)
def test_what_is_not_there_is_refused(run, tmp_path, arguments, words):
    out = [] if "--out" in arguments else ["--out", tmp_path / "a.pdf"]
    status, _, err = run_command("figure", run, *arguments, *out)
    assert status == 2 and all(word in err for word in words), err
    assert not list(tmp_path.iterdir())
