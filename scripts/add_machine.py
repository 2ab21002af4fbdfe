#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds a run to reports/machines/, one small folder per CPU, and makes the matrix of methods and CPUs anew."""

from report.needed import start

if __name__ == "__main__":
    start("add_machine.py", "studies.machines")
