#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which slices, warm-ups and contenders in a round give the narrowest A/A interval? See harness/measure/samples.md."""

from report.needed import start

if __name__ == "__main__":
    start("slice_study.py", "studies.slices")
