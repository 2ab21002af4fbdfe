#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds of any engine that differ in placement alone, for a duel."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "scripts")]

import slidebench  # noqa: E402

COMMANDS = (
    ("placements", "builds.placements", "Makes builds of any engine that differ in placement alone, for a duel.",
     "--out build/old -- make -C src -j2 build"),
)  # fmt: skip


def main(arguments):
    """Runs a command; returns its exit status."""
    return slidebench.main(arguments, COMMANDS, "engines.py", __doc__)


if __name__ == "__main__":
    sys.stdout = slidebench.StandardOutput(sys.stdout)
    sys.exit(main(sys.argv[1:]))
