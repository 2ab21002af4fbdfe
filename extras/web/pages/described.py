# SPDX-License-Identifier: MIT
"""The steps of the methods (extras/web/steps) and the places of the module at which their values come."""

import importlib.util
import json

from pages.sources import ATLAS, read
from report.errors import ReportError

SHOWN = ("kind", "function", "expression", "drawing", "factors", "text", "places")


def parser():
    """extras/web/atlas/steps.py, which reads steps, as a module."""
    spec = importlib.util.spec_from_file_location("steps", ATLAS / "steps.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def places_in(path):
    """The places of places.json, a list of dict. ReportError: it is none."""
    try:
        places = json.loads(read(path))
        known = [(place["file"], place["function"], place["text"]) for place in places]
    except (ValueError, KeyError, TypeError):
        known = []
    if not known:
        raise ReportError(f"{path}: has no places; build it with extras/web/atlas/build.sh")
    return places


def described(places):
    """What the pages need to show steps: dict of `places`, list of [function, text], and `steps`, list of dict with SHOWN, where
    `places` are the numbers of those at which it comes. ReportError: a step is none, or has no place."""
    steps = parser()
    try:
        found = steps.read_steps(places)
    except steps.StepsError as error:
        raise ReportError(str(error).splitlines()[0]) from None
    return {"places": [[place["function"], place["text"]] for place in places],
            "steps": [{name: step[name] for name in SHOWN} for step in found]}  # fmt: skip
