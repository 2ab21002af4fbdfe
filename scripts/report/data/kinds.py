# SPDX-License-Identifier: MIT
"""Whether the rows of a CSV file keep to the columns that the program describes."""

import csv
import itertools

from report.data.schema import OF_THE_PROGRAM
from report.errors import ReportError

# kind -> what its numbers are, and whether one is that.
KINDS = {
    "positive": ("above 0", lambda number: number > 0),
    "count": ("0 or more", lambda number: number >= 0),
    "any": ("a number", lambda number: True),
}


def is_of_kind(cell, kind):
    """Whether a cell holds what its column promises; a number that was not measured is empty."""
    if kind == "text" or not cell:
        return True
    try:
        return KINDS[kind][1](float(cell))
    except ValueError:
        return False


def faults_of_rows(path, most):
    """What is wrong with the first `most` rows of a CSV file of the program: list of lines, three at most. ReportError for
    what is no CSV file."""
    columns = {column.name: column for column in OF_THE_PROGRAM[path.name].columns}

    def found():
        with path.open(newline="", encoding="utf-8") as file:
            rows = csv.DictReader(file)
            names = rows.fieldnames or []
            for name in sorted({column.name for column in columns.values() if column.needed} - set(names)):
                yield f"{path.name}: has no column {name}"
            for name in sorted(set(names) - set(columns)):
                yield f"{path.name}: {name} is no column of it"
            for number, row in enumerate(itertools.islice(rows, most), 2):
                if None in row or None in row.values():
                    yield f"{path.name}: line {number}: has not as many cells as there are columns"
                for name, cell in row.items():
                    if name in columns and cell is not None and not is_of_kind(cell, columns[name].kind):
                        yield f"{path.name}: line {number}: {name}: '{cell}' should be {KINDS[columns[name].kind][0]}"

    try:
        return list(itertools.islice(found(), 3))
    except (csv.Error, UnicodeDecodeError) as error:
        raise ReportError(f"{path}: is no CSV file ({error}); run it again") from None
