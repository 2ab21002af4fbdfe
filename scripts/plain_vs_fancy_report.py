#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns what scripts/plain_vs_fancy.sh left in build/plain_vs_fancy into its page, figures and tables."""

from report.needed import start

if __name__ == "__main__":
    start("plain_vs_fancy_report.py", "studies.plain_vs_fancy.command")
