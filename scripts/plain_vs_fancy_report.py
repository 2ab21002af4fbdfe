#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns what scripts/plain_vs_fancy.sh left in build/plain_vs_fancy into its page, figures and tables."""

import sys

from report.needed import explain_missing

if __name__ == "__main__":
    with explain_missing("plain_vs_fancy_report.py"):
        from studies.plain_vs_fancy.command import main
    sys.exit(main())
