# SPDX-License-Identifier: MIT
"""The header that stands in for an engine's attack code: what `slidebench export` writes, with an init() in any case."""

import re
import subprocess

from engines.relinked import first_fault
from report.errors import ReportError

NAME = "slidebench_attacks.h"
QUERIES = {name: rf"(?m)^inline Bitboard {name}\(Square s, Bitboard occupied\)" for name in ("bishop", "rook", "queen")}
NO_INIT = "\n// The tables are constant.\nnamespace sliding {\ninline void init() {}\n}  // namespace sliding\n"


def has_init(header):
    """Whether an export fills its tables by a call; all others have constant ones, or none."""
    return re.search(r"(?m)^inline void init\(\)", header) is not None


def header_of(program, method):
    """The text of a method's header. ReportError where the program cannot write it, or its queries need a board of their own."""
    try:
        done = subprocess.run([program, "export", method], capture_output=True, text=True, check=False)
    except OSError as error:
        raise ReportError(f"{program}: cannot be started ({error.strerror})") from None
    if done.returncode != 0:
        raise ReportError(f"{method}: cannot be exported: {first_fault(done.stderr)}")
    missing = [name for name, declared in QUERIES.items() if not re.search(declared, done.stdout)]
    if missing:
        raise ReportError(f"{method}: has no {missing[0]}(square, occupied), which an engine without its board needs")
    return done.stdout + ("" if has_init(done.stdout) else NO_INIT)
