# SPDX-License-Identifier: MIT
"""The steps of the methods: what steps/*.steps says of the expressions of the headers in methods/.

A file has a family. A line `== stem` begins the steps of methods/<family>/<stem>.hpp: paragraphs between blank lines; lines that
begin with # are comments. The first line of a paragraph is

    [bishop:|rook:] function | expression | drawing

with the expression as places.json has it, and one of the drawings of DRAWING, whose factors A and B are expressions of the same
function, or constants such as 0x0202020202020202. What follows is the text. Two paragraphs may draw one product by different
factors: the one whose factors were computed counts.
"""

import json
import re

from pages.sources import ROOT, WEB, read
from report.errors import ReportError

STEPS = WEB / "steps"
DRAWING = "board | number | bits | slot | lanes | product A ; B"
CONSTANT = re.compile(r"0x[0-9A-F]+")
HEAD = re.compile(r"(?:(bishop|rook): )?(\w+) \| (.+) \| (?:(board|number|bits|slot|lanes)|(product) (.+) ; (.+))")
SHOWN = ("kind", "function", "expression", "drawing", "factors", "text", "places")


def paragraphs(text):
    """(number of the first line, stem, lines) of each paragraph, without comments."""
    found, stem = [], None
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.startswith("#"):
            continue
        begins = line.startswith("== ")
        if found and (begins or not line.strip()):
            yield found[0][0], stem, [line for _, line in found]
            found = []
        if begins:
            stem = line.removeprefix("== ").strip()
        elif line.strip():
            found.append((number, line))


def steps_of(path, root=ROOT):
    """(steps, faults) of one file. Steps are dicts of `file`, `line`, `header`, `kind` (bishop, rook or None), `function`,
    `expression`, `drawing`, `factors` (two expressions or None), `text`; faults are lines: file:line: what."""
    steps, faults = [], []
    for line, stem, (head, *text) in paragraphs(read(path)):
        match, header = HEAD.fullmatch(head), f"methods/{path.stem}/{stem}.hpp"
        if not (root / header).exists():
            faults.append(f"{path.name}:{line}: there is no {header}")
        elif match is None:
            faults.append(f"{path.name}:{line}: '{head}' is not [bishop:|rook:] function | expression | drawing, one of {DRAWING}")
        elif not text:
            faults.append(f"{path.name}:{line}: no text follows")
        else:
            kind, function, expression, plain, product, *factors = match.groups()
            steps.append({"file": path.name, "line": line, "header": header, "kind": kind, "function": function,
                          "expression": expression, "drawing": plain or product, "factors": factors if product else None,
                          "text": " ".join(map(str.strip, text))})  # fmt: skip
    return steps, faults


def read_steps(places, folder=STEPS, root=ROOT):
    """All steps, as steps_of() returns them, and of each its `places`, indices into `places` (those of places.json). ReportError, a
    line for each fault: a file is wrong, or an expression is none that a query computes."""
    parts = [steps_of(path, root) for path in sorted(folder.glob("*.steps"))]
    steps, faults = ([one for part in parts for one in part[i]] for i in (0, 1))
    numbers, seen = {}, {}
    for number, place in enumerate(places):
        numbers.setdefault((place["file"], place["function"], place["text"]), []).append(number)
    for step in steps:
        where = f"{step['file']}:{step['line']}"
        factors = [factor for factor in step["factors"] or () if not CONSTANT.fullmatch(factor)]
        for expression in (step["expression"], *factors):
            if (step["header"], step["function"], expression) not in numbers:
                faults.append(f"{where}: {step['header']} computes no `{expression}` in {step['function']}()")
        key = (step["header"], step["kind"], step["function"], step["expression"], *(step["factors"] or ()))
        if seen.setdefault(key, step) is not step:
            faults.append(f"{where}: line {seen[key]['line']} says it already")
        step["places"] = numbers.get((step["header"], step["function"], step["expression"]), [])
    if faults:
        raise ReportError("\n".join(faults))
    return steps


def places_in(path):
    """The places of places.json, a list of dict. ReportError: it is none."""
    try:
        places = json.loads(read(path))
        known = [(place["file"], place["function"], place["text"]) for place in places]
    except (ValueError, KeyError, TypeError):
        known = []
    if not known:
        raise ReportError(f"{path}: has no places; remove it and make the site again")
    return places


def described(places):
    """What the pages need to show steps: dict of `places`, list of [function, text], and `steps`, list of dict with SHOWN, where
    `places` are the numbers of those at which it comes. ReportError: a step is none, or has no place."""
    return {"places": [[place["function"], place["text"]] for place in places],
            "steps": [{name: step[name] for name in SHOWN} for step in read_steps(places)]}  # fmt: skip
