#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The steps of the methods: what extras/web/steps says of the expressions of the headers in methods/.

Usage: steps.py check [--module FILE] [--places FILE]     one line for each fault, exit status 2 if there is one
       steps.py json [--places FILE]                      all of them, as read_steps() returns them

A file has paragraphs between blank lines; lines that begin with # are comments. The first line of a paragraph is

    [bishop:|rook:] function | expression | drawing

with the expression as places.json has it, and one of the drawings of DRAWING, whose factors A and B are expressions of the same
function, or constants such as 0x0202020202020202. What follows is the text. Two paragraphs may draw one product by different
factors: the one whose factors were computed counts.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(os.path.abspath(__file__)).parents[3]
DRAWING = "board | number | bits | slot | lanes | product A ; B"
CONSTANT = re.compile(r"0x[0-9A-F]+")
HEAD = re.compile(r"(?:(bishop|rook): )?(\w+) \| (.+) \| (?:(board|number|bits|slot|lanes)|(product) (.+) ; (.+))")


class StepsError(Exception):
    """What is wrong, one line for each fault: file:line: what."""


def paragraphs(text):
    """(number of the first line, lines) of each paragraph, without comments."""
    found = []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            if found:
                yield found[0][0], [line for _, line in found]
            found = []
        else:
            found.append((number, line))


STEPS = "extras/web/steps"  # a file <family>/<stem>.steps for methods/<family>/<stem>.hpp


def steps_of(path, root):
    """The steps of one file, a list of dict: `file`, `line`, `header`, `kind` (bishop, rook or None), `function`,
    `expression`, `drawing`, `factors` (two expressions or None), `text`. StepsError: a paragraph is none."""
    name = path.relative_to(root).as_posix()
    header = f"methods/{path.relative_to(root / STEPS).with_suffix('.hpp').as_posix()}"
    if not (root / header).exists():
        raise StepsError(f"{name}:1: there is no {header}")
    steps, faults = [], []
    for line, (head, *text) in paragraphs(path.read_text()):
        match = HEAD.fullmatch(head)
        if match is None:
            faults.append(f"{name}:{line}: '{head}' is not [bishop:|rook:] function | expression | drawing, one of {DRAWING}")
        elif not text:
            faults.append(f"{name}:{line}: no text follows")
        else:
            kind, function, expression, plain, product, *factors = match.groups()
            steps.append({"file": name, "line": line, "header": header, "kind": kind, "function": function,
                          "expression": expression, "drawing": plain or product, "factors": factors if product else None,
                          "text": " ".join(map(str.strip, text))})  # fmt: skip
    if faults:
        raise StepsError("\n".join(faults))
    return steps


def numbers_of(places):
    """(header, function, expression) -> its places, a list of indices."""
    numbers = {}
    for number, place in enumerate(places):
        numbers.setdefault((place["file"], place["function"], place["text"]), []).append(number)
    return numbers


def read_steps(places, root=ROOT):
    """All steps, as steps_of() returns them, and of each its `places`, indices into `places` (those of places.json).
    StepsError: a file is wrong, or an expression is none that a query computes."""
    steps, faults, seen = [], [], {}
    for path in sorted((root / STEPS).rglob("*.steps")):
        try:
            steps += steps_of(path, root)
        except StepsError as error:
            faults.append(str(error))
    numbers = numbers_of(places)
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
        raise StepsError("\n".join(faults))
    return steps


def read_places(path):
    """places.json. StepsError: there is none."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise StepsError(f"{path}: {error}; build it with extras/web/atlas/build.sh") from error


def check_in_queries(steps, module, places):
    """Asks the module (check.mjs): whether each step is computed by a query, and the last one is the answer. StepsError: no."""
    command = ["node", pathlib.Path(__file__).with_name("check.mjs"), module, places]
    done = subprocess.run(command, input=json.dumps(steps), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise StepsError(done.stderr.strip())


def main():
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("what", choices=["check", "json"])
    parser.add_argument("--module", type=pathlib.Path, default=ROOT / "build/atlas/atlas.wasm")
    parser.add_argument("--places", type=pathlib.Path, default=ROOT / "build/atlas/places.json")
    options = parser.parse_args()
    try:
        steps = read_steps(read_places(options.places))
        if options.what == "json":
            print(json.dumps(steps, indent=1))
        else:
            check_in_queries(steps, options.module, options.places)
            print(f"{len(steps)} steps of {len({step['file'] for step in steps})} files are right")
    except StepsError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
