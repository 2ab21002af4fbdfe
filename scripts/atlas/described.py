# SPDX-License-Identifier: MIT
"""The steps of the methods (methods/**/*.steps), joined to the places of the module at which their values come."""

import json
import re

from atlas.sources import ROOT, read
from report.errors import ReportError

HEAD = re.compile(r"(?:(bishop|rook): )?(\w+) \| (.+?) \| (board|number|bits|slot|lanes|product (.+) ; (.+))")


def places_in(path):
    """The places of places.json, a list of dict. ReportError: it is none."""
    try:
        places = json.loads(read(path))
        known = [(place["file"], place["function"], place["text"]) for place in places]
    except (ValueError, KeyError, TypeError):
        known = []
    if not known:
        raise ReportError(f"{path}: has no places; build it with harness/atlas/build.sh")
    return places


def described(places):
    """What the pages need to show steps: dict of `places`, list of [function, text], and `steps`, list of dict of kind,
    function, expression, drawing, factors, text and `places`, the numbers of those at which it comes."""
    numbers = {}
    for number, place in enumerate(places):
        numbers.setdefault((place["file"], place["function"], place["text"]), []).append(number)
    steps = [step for path in sorted((ROOT / "methods").glob("*/*.steps")) for step in _steps(path, numbers)]
    return {"places": [[place["function"], place["text"]] for place in places], "steps": steps}


def _steps(path, numbers):
    """The steps of a file."""
    header = path.with_suffix(".hpp").relative_to(ROOT).as_posix()
    lines = [line for line in read(path).splitlines() if not line.startswith("#")]
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines).strip()):
        head, *text = paragraph.splitlines()
        found = HEAD.fullmatch(head)
        if not found:
            raise ReportError(f"{path}: '{head}' is no function | expression | drawing")
        kind, function, expression, drawing, *factors = found.groups()
        yield {
            "kind": kind,
            "function": function,
            "expression": expression,
            "drawing": drawing.split()[0],
            "factors": factors if factors[0] else None,
            "text": " ".join(text),
            "places": numbers.get((header, function, expression), []),
        }
