# SPDX-License-Identifier: MIT
"""What all commands of scripts/ have in common: help with an example, and one line for bad input."""

import errno
import gzip
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import slidebench

from report.output import write_all

SCRIPTS = Path(__file__).resolve().parent.parent
COMMANDS = {name: ["nowhere"] for name in ("add-machine", "check-run", "plain-vs-fancy", "report", "update-readme")}
COMMANDS |= {"figure": ["nowhere", "--out", "out.pdf"], "keep-run": ["nowhere", "--out", "out"]}
COMMANDS |= {"site": ["--program", "nowhere", "--out", "out"]}


def call(folder, *arguments, before=(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, **variables):
    """Runs slidebench.py in a folder, with `before` in front of its command and variables of the environment."""
    command = [*before, sys.executable, SCRIPTS / "slidebench.py", *arguments]
    environment = os.environ | variables
    return subprocess.run(command, cwd=folder, env=environment, stdout=stdout, stderr=stderr, text=True, check=False)


def test_help_names_every_command(tmp_path):
    done = call(tmp_path, "--help")
    assert done.returncode == 0
    assert set(re.findall(r"^    ([a-z-]+)(?: |$)", done.stdout, re.M)) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_and_bad_input_is_one_line_that_names_it(tmp_path, name):
    done = call(tmp_path, name, "--help")
    assert done.returncode == 0
    assert f"example: slidebench.py {name} " in " ".join(done.stdout.split())
    done = call(tmp_path, name, *COMMANDS[name])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"slidebench.py {name}: nowhere")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments, unbuffered", [(["--help"], ""), (["--help"], "1"), (["report", "--help"], "")])
def test_output_that_cannot_be_written_is_one_line(tmp_path, arguments, unbuffered):
    with open("/dev/full", "w") as full:
        done = call(tmp_path, *arguments, stdout=full, PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 2
    assert re.fullmatch(r"slidebench.py.*: standard output: cannot be .*No space left.*\n", done.stderr)


def test_without_standard_output_a_command_works(tmp_path):
    done = call(tmp_path, "report", "--help", before=["sh", "-c", 'exec "$@" >&-', "sh"])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


FULL = OSError(errno.ENOSPC, "No space left on device")
FULL_FOLDER = shutil.Error([("from", "to", FULL.strerror), ("other", "another", FULL.strerror)])


def raising(error):
    """Work that fails."""

    def work(*_):
        raise error

    return work


def test_a_full_disk_is_named_by_the_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(Path, "write_bytes", raising(OSError(*FULL.args)))
    assert slidebench.answered("report", lambda: write_all(tmp_path, {"index.html": b""})) == 2
    assert capsys.readouterr().err.startswith(f"report: {tmp_path / 'index.html'}: cannot be read or written (No space left")


@pytest.mark.parametrize("error, what", [(FULL, "a file"), (FULL_FOLDER, "to")])
def test_what_else_cannot_be_written_is_not_taken_for_standard_output(error, what, capsys):
    assert slidebench.answered("exchange", raising(error)) == 2
    assert capsys.readouterr().err.startswith(f"exchange: {what}: cannot be read or written ({FULL.strerror}); check it")


def test_with_standard_error_on_a_full_disk_the_status_says_it(tmp_path):
    with open("/dev/full", "w") as full:
        for stdout in (subprocess.DEVNULL, full):
            assert call(tmp_path, "check-run", "nowhere", stdout=stdout, stderr=full).returncode == 2


@pytest.mark.parametrize("raised, status, words", [(KeyboardInterrupt(), 130, "interrupted"), (KeyError("x"), 2, "mistake")])
def test_whatever_else_goes_wrong_is_one_line(raised, status, words, capsys, monkeypatch):
    monkeypatch.delenv("SLIDEBENCH_TRACEBACK")
    assert slidebench.answered("report", raising(raised)) == status
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert status != 2 or re.search(r" in (\S+\.py), line \d+, please report it: KeyError: 'x'\n$", said)


@pytest.mark.parametrize("options, words", [
    (["--pgn", "notes.txt"], "notes.txt: holds no games in PGN"),
    (["--pgn", "game.pgn", "notes.txt.gz"], "notes.txt.gz: holds no games in PGN"),
    (["--pgn", "nowhere.pgn"], "nowhere.pgn: no such file"),
    (["--pgn", "game.pgn", "--profile", "fast"], "unknown profile 'fast'"),
    (["--pgn", "game.pgn", "--method", "magick"], "unknown method 'magick'"),
    (["--out", "game.pgn"], "game.pgn: cannot be written"),
    (["--out", "."], "holds files, of a run or others"),
    (["--quikc"], "unknown option '--quikc'"),
])  # fmt: skip
def test_run_bench_refuses_before_it_builds(tmp_path, options, words):
    (tmp_path / "game.pgn").write_text('[Event "?"]\n\n1. e4 e5 *\n')
    (tmp_path / "notes.txt").write_text("1.5 hours of notes [sic]\n")
    (tmp_path / "notes.txt.gz").write_bytes(gzip.compress(b"notes"))
    command = ["bash", SCRIPTS / "run_bench.sh", "--out", tmp_path / "run", *options]
    nothing = {"PATH": os.environ["PATH"], "SLIDEBENCH_PRESET": "no-such-preset"}
    done = subprocess.run(command, cwd=tmp_path, env=nothing, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert words in done.stderr
