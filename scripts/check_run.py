#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that a run's folder is what a report needs: complete, consistent, correctly labelled. Judges no time."""

from report.needed import start

if __name__ == "__main__":
    start("check_run.py", "studies.run_check")
