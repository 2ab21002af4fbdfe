# SPDX-License-Identifier: MIT
"""Lets the tests import the scripts and what they share, and leaves nothing in the source tree."""

import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent)]

os.environ["SLIDEBENCH_TRACEBACK"] = "1"  # a mistake of the scripts is no refusal of bad input
