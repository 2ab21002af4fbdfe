# SPDX-License-Identifier: MIT
"""What was written for the site: the lecture, who uses a method, what it changes against its relatives."""

import re
from dataclasses import dataclass

from markupsafe import Markup, escape

from pages.markdown import markup
from pages.sources import WEB, read, table_rows


def with_code(text):
    """Text whose words between backticks are code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def by_method(name, columns=3):
    """A table of Markdown, by the method in its first column: dict method -> list of the other columns."""
    found = {}
    for method, *others in table_rows(read(WEB / name), columns):
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


@dataclass(frozen=True)
class Lecture:
    """The lecture: its stations, list of dict of title, minutes, state, methods, factors (whether a factor can be tried there), text,
    question, answer, homework (list) and exercise (None or markup); `lead`, `notation` and `licence` are markup."""

    title: str
    lead: Markup
    notation: Markup
    licence: Markup
    stations: list


def lecture():
    """The lecture."""
    head, *parts = re.split(r"^## ", read(WEB / "lecture.md"), flags=re.M)
    title, lead = head.split("\n", 1)
    parts = {name: rest for name, rest in (part.split("\n", 1) for part in parts)}
    notation, licence = (_markup(parts.pop(name, "")) for name in ("Notation", "Licence"))
    stations = [_station(name, rest) for name, rest in parts.items()]
    return Lecture(title.removeprefix("# "), _markup(lead), notation, licence, stations)


def _markup(*blocks):
    return markup("\n\n".join(blocks), lambda target: target)


def _station(title, rest):
    given = dict(re.findall(r"^(\w+): (.+)$", rest.strip("\n").split("\n\n")[0], re.M))
    blocks = [block.strip("\n") for block in re.split(r"\n\s*\n", rest) if block.strip()][1:]
    labelled, last = {"Text": []}, "Text"
    for block in blocks:
        label = re.match(r"(Question|Answer|Homework|Exercise): ", block)
        last = label[1] if label else last
        labelled.setdefault(last, []).append(block.removeprefix(f"{last}: "))
    kind, square = given["slider"].split()
    return {
        "title": title,
        "minutes": int(given["minutes"]),
        "state": f"fen={given['board']}&square={square}&kind={kind}",
        "methods": given["methods"].split(", "),
        "factors": "factors" in given,
        "text": _markup(*labelled["Text"]),
        "question": _markup(*labelled["Question"]),
        "answer": _markup(*labelled["Answer"]),
        "homework": [_markup(block) for block in labelled["Homework"]],
        "exercise": _markup(*labelled["Exercise"]) if "Exercise" in labelled else None,
    }
