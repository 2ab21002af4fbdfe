#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How well does a replay predict the engine, in nanoseconds a query?

Compares, method by method, the difference to the reference in the engine with the one in each replay of a trace that
was recorded in the same form of the engine. Prints a Markdown table, which harness/timing/replay_fit.md explains.
"""

import sys

from report.needed import explain_missing

if __name__ == "__main__":
    with explain_missing("replay_against_engine.py"):
        from studies.replays import main
    sys.exit(main())
