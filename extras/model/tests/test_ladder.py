# SPDX-License-Identifier: MIT
"""The commands of slidebench-model as a user meets them; needs the program, in SLIDEBENCH."""

import os
import subprocess

import pytest

PROGRAM = os.environ.get("SLIDEBENCH", "build/dev/slidebench")


def slidebench(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words, said", [
    (("ladder", "--max-bytes", "8G"), "in 4096..2^32"),
    (("predict", "--ladder", ""), "is empty"),
])  # fmt: skip
def test_bad_input_is_one_line(words, said):
    done = slidebench(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr
