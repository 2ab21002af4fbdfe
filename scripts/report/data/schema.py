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
SUMMARY, REFERENCES, PROCESS_RUNS, SAMPLES, COUNTERS, KERNEL, MRC, SQUARES, TABLES, LADDER, PREDICTED = (
    OF_THE_PROGRAM[f"{name}.csv"]
    for name in "summary references process_runs samples counters kernel mrc squares tables ladder predicted".split()
)

RESIDUALS = Table("residuals.csv", "a difference, measured and predicted, of scripts/slidebench.py explain-times", (
    Column("method ... pages", "text", False, "as in predicted.csv"),
    Column("comparison", "text", False, "method - reference; pressure - isolated is of one method, each less its empty loop"),
    Column("measured_ns ... measured_high", "any", False, "the difference with its 95 % interval; empty where there is none"),
    Column("predicted_ns ... predicted_high", "any", False, "the same predicted, and its range between the ladder's quartiles"),
    Column("computed_ns", "any", False, "of the prediction: computation"),
    Column("residual_ns", "any", False, "measured less predicted"),
    Column("far_off", "text", False, "by more than 2 ns and 15 % of the method's time"),
    Column("branches_per_query", "any", False, "conditional ones, from kernel.csv"),
))

KEEP_OR_ASK = Table("keep_or_ask.csv", "a contender under a pressure, of scripts/slidebench.py keep-or-ask", (
    Column("contender", "text", False, "a store, or a method that is asked anew"),
    Column("trace ... corunners", "text", False, "as in summary.csv, of its cells `update` and `keep`"),
    Column("move_ns ... move_high", "any", False, "a move made and taken back without questions, with its 95 % interval; "
           "of a method that does not run `update` the reference's, which is the same code"),
    Column("question_ns ... question_high", "any", False, "a question, with its 95 % interval: the time of `keep` less that of its moves"),
    Column("crossing ... crossing_high", "text", False, "from how many questions a made move it takes less time than the "
           "reference asked anew, with its 95 % interval: a number, `always`, `never`, or `up to` a number where more questions take longer; "
           "empty where the moves are the reference's"),
    Column("questions_per_move", "any", False, "of the trace"),
    Column("process_runs", "count", False, "that the intervals are over"),
))

KEY = ["workload", "trace", "pressure", "kinds", "pages", "corunners"]
ROUND = ["process_run", "round"]
PLACE = ["trace", "pressure", "cache", "pages"]
CAUSES = ["compulsory", "capacity", "conflict"]

COLUMN_KINDS = {column.name: column.kind for table in OF_THE_PROGRAM.values() for column in table.columns}
POSITIVE = {name for name, kind in COLUMN_KINDS.items() if kind == "positive"}
NOT_NEGATIVE = {name for name, kind in COLUMN_KINDS.items() if kind == "count"}
