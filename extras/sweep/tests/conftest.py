# SPDX-License-Identifier: MIT
"""Lets the tests import the sweep and the scripts, and leaves nothing in the source tree."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
EXTRAS = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(EXTRAS), str(EXTRAS.parent / "scripts")]
