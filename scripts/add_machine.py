#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds a run to reports/machines/, one small folder a CPU, and makes the matrix of methods and CPUs anew."""

import sys

from report.needed import explain_missing

if __name__ == "__main__":
    with explain_missing("add_machine.py"):
        from studies.machines import main
    sys.exit(main())
