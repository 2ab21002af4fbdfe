# SPDX-License-Identifier: MIT
"""Arguments that several commands have."""

from pathlib import Path

RUN = {"type": Path, "metavar": "RUN", "help": "folder that `slidebench run --out RUN` wrote"}
