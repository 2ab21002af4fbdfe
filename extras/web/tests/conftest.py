# SPDX-License-Identifier: MIT
"""Lets the tests import the pages, the scripts and what the scripts' tests share, and leaves nothing in the source tree."""

import os
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path[:0] = [str(WEB), *(str(WEB.parents[1] / folder) for folder in ("scripts", "scripts/tests"))]

os.environ["SLIDEBENCH_TRACEBACK"] = "1"  # a mistake of the scripts is no refusal of bad input
