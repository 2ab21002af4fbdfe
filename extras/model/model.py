#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The time model beside what was measured."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "scripts")]

import slidebench  # noqa: E402

COMMANDS = (
    ("explain-times", "times", "How well does the time model explain what was measured?",
     "reports/run1 --predicted predicted --out reports/explained"),
)  # fmt: skip


def main(arguments):
    """Runs a command; returns its exit status."""
    return slidebench.main(arguments, COMMANDS, "model.py", __doc__)


if __name__ == "__main__":
    sys.stdout = slidebench.StandardOutput(sys.stdout)
    sys.exit(main(sys.argv[1:]))
