#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts runs of several machines, compilers or commits side by side: a matrix of verdicts, method by run."""

from report.needed import start

if __name__ == "__main__":
    start("compare_runs.py", "studies.compare")
