# SPDX-License-Identifier: MIT
"""What the module says of its methods: names, tables, and what 1,000 queries touch."""

import json
import subprocess

from pages.sources import SCRIPT, WEB, read
from report.errors import ReportError

COUNTER = SCRIPT / "count.mjs"
POSITIONS = WEB / "positions.fen"
QUERIES = 1_000
KINDS = {"b": "bishop", "r": "rook", "q": "queen"}


def queries():
    """The first 1,000 queries of the committed positions, one for each slider of either side, by square: list of
    [kind, square, occupied as hexadecimal text]."""
    found = []
    for line in read(POSITIONS).splitlines():
        pieces = pieces_of(line)
        occupied = sum(1 << square for square in pieces)
        found += [[KINDS[name.lower()], s, f"{occupied:x}"] for s, name in sorted(pieces.items()) if name.lower() in KINDS]
    return found[:QUERIES]


def pieces_of(fen):
    """The pieces of a FEN: dict square -> letter."""
    pieces = {}
    for down, rank in enumerate(fen.split()[0].split("/")):
        file = 0
        for letter in rank:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces[8 * (7 - down) + file] = letter
                file += 1
    return pieces


def catalogue(module, places):
    """The module's methods: list of dict of id, title, family, inventor, reference, year, isa, tables, and of `queries`: `reads`
    of a query on average, `lines` that all together touch, `wrong` answers. ReportError: it cannot be asked."""
    command = ["node", COUNTER, module, places]
    done = subprocess.run(command, input=json.dumps(queries()), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.strip()] or ["it said nothing"]
        raise ReportError(f"{module}: cannot be asked ({said[-1].strip()}); remove build/atlas and make the site again")
    methods = json.loads(done.stdout)
    wrong = [method["id"] for method in methods if method["wrong"]]
    if wrong:
        raise ReportError(f"{module}: {', '.join(wrong)} answer other than the reference; remove build/atlas and make the site again")
    return methods
