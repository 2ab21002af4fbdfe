# SPDX-License-Identifier: MIT
"""What the module says of its methods: names, tables, and what 1,000 queries touch."""

import json
import subprocess

from pages.sources import SCRIPT, WEB
from report.errors import ReportError

COUNTER = SCRIPT / "count.mjs"
POSITIONS = WEB / "positions.fen"
QUERIES = 1_000


def catalogue(module, places):
    """The module's methods: list of dict of id, title, family, inventor, reference, year, isa, tables, and of `queries`: `reads`
    of a query on average, `lines` that all together touch, `wrong` answers. ReportError: it cannot be asked."""
    command = ["node", COUNTER, module, places, POSITIONS, str(QUERIES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.strip()] or ["it said nothing"]
        raise ReportError(f"{module}: cannot be asked ({said[-1].strip()}); remove build/atlas and make the site again")
    methods = json.loads(done.stdout)
    wrong = [method["id"] for method in methods if method["wrong"]]
    if wrong:
        raise ReportError(f"{module}: {', '.join(wrong)} answer other than the reference; remove build/atlas and make the site again")
    return methods
