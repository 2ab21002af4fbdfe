#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which slices, warm-ups and arms in a round give the narrowest A/A interval? See harness/timing/slices.md."""

import sys

from report.needed import explain_missing

if __name__ == "__main__":
    with explain_missing("slice_study.py"):
        from studies.slices import main
    sys.exit(main())
