#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the output folder of a run or of a simulation into figures and a page: plots/*.svg, plots/*.png, index.html."""

import sys

from report.needed import explain_missing

if __name__ == "__main__":
    with explain_missing("report.py"):
        from report.command import main
    sys.exit(main())
