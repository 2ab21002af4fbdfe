#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts runs of several machines, compilers or commits side by side: a matrix of verdicts, method by run."""

import sys

from report.needed import explain_missing

if __name__ == "__main__":
    with explain_missing("compare_runs.py"):
        from studies.compare import main
    sys.exit(main())
