#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How well does the time model explain what was measured?

Compares runs with what `slidebench predict` says of the same traces, pressures and pages, in differences. Writes
OUT/residuals.csv and OUT/predicted.svg and .png, and prints a Markdown table.
"""

import sys

from report.needed import explain_missing

if __name__ == "__main__":
    with explain_missing("explain_times.py"):
        from studies.times import main
    sys.exit(main())
