# SPDX-License-Identifier: MIT
"""The columns of every CSV file of a result folder. The program names them and says what they mean; columns.json is what
it prints, and reports/columns.md is made of that (scripts/slidebench.py update-readme)."""

import json
from dataclasses import dataclass
from pathlib import Path

SCHEMA = 4  # of the run folders that this version reads


@dataclass(frozen=True)
class Column:
    """One column."""

    name: str  # as the file's first line has it; numbers carry their unit
    kind: str  # `text`, or of numbers `any`, `positive` (a logarithm is taken), `count` (not below 0)
    needed: bool  # whether a report is refused without it
    meaning: str  # for a reader, in a few words


@dataclass(frozen=True)
class Table:
    """One file."""

    name: str  # of the file
    row: str  # what a row is
    columns: tuple  # of Column

    @property
    def text(self):
        """list of str: names of the needed columns that hold text."""
        return [c.name for c in self.columns if c.needed and c.kind == "text"]

    @property
    def numbers(self):
        """list of str: names of the needed columns that hold numbers."""
        return [c.name for c in self.columns if c.needed and c.kind != "text"]


COLUMNS = Path(__file__).with_name("columns.json")  # what `slidebench help columns --json` prints


def tables_of(columns):
    """dict file -> Table, of what `slidebench help columns --json` printed."""
    return {
        file: Table(file, table["row"], tuple(Column(**column) for column in table["columns"]))
        for file, table in columns.items()
    }


OF_THE_PROGRAM = tables_of(json.loads(COLUMNS.read_text()))
SUMMARY, PROCESS_RUNS, SAMPLES, COUNTERS, KERNEL, MRC, SQUARES, TABLES = (
    OF_THE_PROGRAM[f"{name}.csv"]
    for name in "summary process_runs samples counters kernel mrc squares tables".split()
)

KEY = ["workload", "trace", "pressure", "kinds", "pages", "corunners"]
ROUND = ["process_run", "round"]
PLACE = ["trace", "pressure", "cache", "pages"]
CAUSES = ["compulsory", "capacity", "conflict"]

COLUMN_KINDS = {column.name: column.kind for table in OF_THE_PROGRAM.values() for column in table.columns}
POSITIVE = {name for name, kind in COLUMN_KINDS.items() if kind == "positive"}
NOT_NEGATIVE = {name for name, kind in COLUMN_KINDS.items() if kind == "count"}
