# SPDX-License-Identifier: MIT
"""What all commands of scripts/ have in common: help with an example, and one line for bad input."""

import errno
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest
import slidebench
import synthetic
from folders import edit_csv

from report.data.cells import Cell
from report.output import write_all
from studies.samples import aa_of

SCRIPTS = Path(__file__).resolve().parent.parent
COMMANDS = {
    "add-machine": ["nowhere"],
    "advise": ["nowhere", "--slidebench", "nothing", "--out", "out"],
    "check-run": ["nowhere"],
    "compare-runs": ["nowhere", "nowhere", "--out", "out"],
    "exchange": ["nowhere", "--out", "out", "--method", "pext"],
    "explain-times": ["nowhere", "--predicted", "nowhere", "--out", "out"],
    "keep-run": ["nowhere", "--out", "out"],
    "placements": ["--out", "out", "--", "nowhere"],
    "plain-vs-fancy": ["nowhere"],
    "replay-against-engine": ["nowhere"],
    "repeat-study": ["nowhere", "nowhere"],
    "report": ["nowhere"],
    "sample-study": ["nowhere", "nowhere"],
    "state-study": ["nowhere"],
    "update-readme": ["nowhere", "nowhere"],
}


def call(folder, name, *arguments):
    command = [sys.executable, SCRIPTS / "slidebench.py", name, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_help_names_every_command(tmp_path):
    done = call(tmp_path, "--help")
    assert done.returncode == 0
    assert set(re.findall(r"^    ([a-z-]+)(?: |$)", done.stdout, re.M)) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example(tmp_path, name):
    done = call(tmp_path, name, "--help")
    assert done.returncode == 0
    assert f"example: slidebench.py {name} " in " ".join(done.stdout.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_bad_input_is_one_line_that_names_it(tmp_path, name):
    done = call(tmp_path, name, *COMMANDS[name])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"slidebench.py {name}: nowhere")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_output_that_cannot_be_written_is_one_line(tmp_path):
    for arguments in (["--help"], ["report", "--help"]):
        with open("/dev/full", "w") as full:
            command = [sys.executable, SCRIPTS / "slidebench.py", *arguments]
            done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 2
        assert re.fullmatch(r"slidebench.py.*: standard output: cannot be .*No space left.*\n", done.stderr)


def test_a_full_disk_is_named_by_the_file(tmp_path, monkeypatch, capsys):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert slidebench.answered("report", lambda: write_all(tmp_path, {"index.html": b""})) == 2
    assert capsys.readouterr().err.startswith(f"report: {tmp_path / 'index.html'}: cannot be read or written (No space left")


@pytest.mark.parametrize("raised, status, words", [(KeyboardInterrupt(), 130, "interrupted"), (KeyError("x"), 2, "mistake")])
def test_whatever_else_goes_wrong_is_one_line(raised, status, words, capsys, monkeypatch):
    def work():
        raise raised

    monkeypatch.delenv("SLIDEBENCH_TRACEBACK")
    assert slidebench.answered("report", work) == status
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_a_run_that_is_none_is_refused(tmp_path):
    for file in ("samples.csv", "summary.csv", "counters.csv"):
        (tmp_path / file).write_text("contender\nempty\n")
    (tmp_path / "run.json").write_text("{}")
    done = call(tmp_path, "check-run", tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_what_is_committed_of_reports_stays_light():
    done = subprocess.run(["git", "ls-files", "-z", "reports"], cwd=SCRIPTS.parent, capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip("no repository")
    paths = [SCRIPTS.parent / name for name in done.stdout.decode().split("\0") if name]
    assert sum(path.stat().st_size for path in paths if path.exists()) <= 2_000_000, "drop what a command makes again"


def test_the_sample_study_takes_each_process_run_s_median_of_the_control(tmp_path):
    def double(rows):
        twin = (rows["role"] == "twin") & (rows["process_run"] == "1")
        return rows.assign(time_ns=rows["time_ns"].astype(float) * (1 + twin))

    folder = synthetic.make_full_run(tmp_path, [Cell("throughput", "game", "isolated")], simulated=False)
    medians, contenders = aa_of(folder)
    edit_csv(folder, "samples.csv", double)
    assert aa_of(folder) == (pytest.approx([medians[0], medians[1] + math.log(2), medians[2]]), contenders)
