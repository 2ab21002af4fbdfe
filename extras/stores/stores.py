#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stores beside methods that are asked anew."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "scripts")]

import slidebench  # noqa: E402

COMMANDS = (
    ("keep-or-ask", "keep_or_ask", "From how many questions a move is it quicker to keep attacks than to ask anew?",
     "reports/kept --out reports/kept"),
)  # fmt: skip


def main(arguments):
    """Runs a command; returns its exit status."""
    return slidebench.main(arguments, COMMANDS, "stores.py", __doc__)


if __name__ == "__main__":
    sys.stdout = slidebench.StandardOutput(sys.stdout)
    sys.exit(main(sys.argv[1:]))
