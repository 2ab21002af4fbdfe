# SPDX-License-Identifier: MIT
"""What was written for the atlas: the lecture, who uses a method, what it changes against its relatives."""

import re

from markupsafe import Markup, escape

from pages.sources import ATLAS, read, table_rows
from report.errors import ReportError

STATION = ("board", "slider", "methods")


def with_code(text):
    """Text whose words between backticks are code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def by_method(name, columns=3):
    """A table of Markdown, by the method in its first column: dict method -> list of the other columns."""
    found = {}
    for method, *others in table_rows(read(ATLAS / name), columns):
        found.setdefault(method.strip("`"), []).append(others)
    return found


def users():
    """Who uses a method today: dict method -> list of (who, source)."""
    return by_method("users.md")


def relatives():
    """What a method changes: dict method -> list of (relative, what changes)."""
    found = by_method("relatives.md")
    return {method: [(name.strip("`"), with_code(what)) for name, what in rows] for method, rows in found.items()}


def changed_by(all_relatives):
    """The other way round: dict relative -> list of (method, what that one changes)."""
    found = {}
    for method, rows in all_relatives.items():
        for relative, what in rows:
            found.setdefault(relative, []).append((method, what))
    return found


def lecture(methods):
    """The lecture: (lead, list of dict of title, state, methods, text, question, answer); texts are lists of paragraphs.
    ReportError: a station lacks something, or names a method that is not among `methods`."""
    path = ATLAS / "lecture.md"
    lead, *stations = re.split(r"^## ", read(path), flags=re.M)
    return " ".join(lead.split("\n", 1)[1].split()), [_station(path, station, methods) for station in stations]


def _station(path, text, methods):
    title, rest = text.split("\n", 1)
    given = dict(re.findall(r"^(\w+): (.+)$", rest, re.M))
    blocks = [" ".join(block.split()) for block in re.split(r"\n\s*\n", rest) if block.strip()]
    blocks = [block for block in blocks if not block.startswith("board:")]
    question = next((i for i, block in enumerate(blocks) if block.startswith("Question: ")), None)
    answer = next((i for i, block in enumerate(blocks) if block.startswith("Answer: ")), None)
    if None in (question, answer) or any(name not in given for name in STATION):
        raise ReportError(f"{path}: station '{title}' must have board, slider, methods, Question and Answer")
    named = given["methods"].split(", ")
    unknown = [name for name in named if name not in methods]
    if unknown:
        raise ReportError(f"{path}: station '{title}' names {unknown[0]}, which the module has not")
    kind, square = given["slider"].split()
    return {
        "title": title,
        "state": f"fen={given['board']}&square={square}&kind={kind}",
        "methods": named,
        "text": [with_code(block) for block in blocks[:question]],
        "question": with_code(blocks[question].removeprefix("Question: ")),
        "answer": [with_code(block.removeprefix("Answer: ")) for block in blocks[answer:]],
    }
