#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the output folder of a run or of a simulation into figures and a page: plots/*.svg, plots/share.png, index.html."""

from report.needed import start

if __name__ == "__main__":
    start("report.py", "report.command")
