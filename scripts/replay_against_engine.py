#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How well does a replay predict the engine, in nanoseconds per query? Prints a Markdown table."""

from report.needed import start

if __name__ == "__main__":
    start("replay_against_engine.py", "studies.replays")
