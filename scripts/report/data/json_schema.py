# SPDX-License-Identifier: MIT
"""The columns of the CSV files as JSON Schema (2020-12): reports/columns.schema.json, by which any tool can check a run's files,
and by which check-run does. A row is an object; a number that was not measured is null."""

import csv
import itertools
import json

from jsonschema import Draft202012Validator

from report.data.schema import OF_THE_PROGRAM
from report.errors import ReportError

OF_KIND = {
    "text": {"type": "string"},
    "any": {"type": ["number", "null"]},
    "positive": {"type": ["number", "null"], "exclusiveMinimum": 0},
    "count": {"type": ["number", "null"], "minimum": 0},
}


def row_schema(table):
    """The JSON Schema of one row of a Table, dict."""
    return {
        "description": f"{table.name}: a row is {table.row}",
        "type": "object",
        "properties": {c.name: {"description": c.meaning, **OF_KIND[c.kind]} for c in table.columns},
        "required": [c.name for c in table.columns if c.needed],
        "additionalProperties": False,
    }


def schemas_text():
    """The file: a schema for each CSV file, by its name, as text."""
    rows = {name: row_schema(table) for name, table in OF_THE_PROGRAM.items()}
    whole = {"$schema": Draft202012Validator.META_SCHEMA["$id"], "title": "Rows of slidebench's CSV files", "$defs": rows}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def value_of(cell, schema):
    """A cell as JSON has it; what should be a number and is none stays text, for the validator to find."""
    if schema is None or schema["type"] == "string":
        return cell
    try:
        return float(cell) if cell else None
    except ValueError:
        return cell


def faults_of_rows(path, most):
    """What is wrong with the first `most` rows of a CSV file that has a schema: list of lines, three at most. ReportError for
    what is no CSV file."""
    schema = row_schema(OF_THE_PROGRAM[path.name])
    validator, columns = Draft202012Validator(schema), schema["properties"]

    def found():
        with path.open(newline="", encoding="utf-8") as file:
            for number, row in enumerate(itertools.islice(csv.DictReader(file), most), 2):
                values = {name: value_of(cell, columns.get(name)) for name, cell in row.items()}
                for error in validator.iter_errors(values):
                    yield f"{path.name}: line {number}: {'.'.join(map(str, error.path))}: {error.message}"

    try:
        return list(itertools.islice(found(), 3))
    except (csv.Error, UnicodeDecodeError) as error:
        raise ReportError(f"{path}: is no CSV file ({error}); run it again") from None
