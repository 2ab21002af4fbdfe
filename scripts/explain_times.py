#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How well does the time model explain what was measured? Writes OUT/residuals.csv and OUT/predicted.*, prints a
table."""

from report.needed import start

if __name__ == "__main__":
    start("explain_times.py", "studies.times")
