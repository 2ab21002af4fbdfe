#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that a run's folder is what a report needs: complete, consistent, correctly labelled. Judges no time."""

import sys

from report.needed import explain_missing

if __name__ == "__main__":
    with explain_missing("check_run.py"):
        from studies.run_check import main
    sys.exit(main())
