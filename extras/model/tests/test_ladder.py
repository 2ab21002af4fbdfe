# SPDX-License-Identifier: MIT
"""The commands of slidebench-model as a user meets them; needs the program, in SLIDEBENCH."""

import csv
import json
import os
import subprocess

import pytest

PROGRAM = os.environ.get("SLIDEBENCH", "build/dev/slidebench")


def slidebench(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def test_json_and_csv_have_the_same_columns():
    ladder = ("ladder", "--max-bytes", "8K", "--seconds", "0.1")
    found = json.loads(slidebench(*ladder, "--json").stdout)
    rows = list(csv.DictReader(slidebench(*ladder, "--format", "csv").stdout.splitlines()))
    assert [set(step) for step in found] == [set(row) for row in rows]
    assert [step["bytes"] for step in found] == [int(row["bytes"]) for row in rows]


@pytest.mark.parametrize("words, said", [
    (("ladder", "--max-bytes", "8G"), "in 4096..2^32"),
    (("predict", "--reads-in-flight", "nan"), "number in"),
    (("predict", "--ladder", ""), "is empty"),
])  # fmt: skip
def test_bad_input_is_one_line(words, said):
    done = slidebench(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr
