# SPDX-License-Identifier: MIT
"""The files that an engine takes (headers/), and where the methods' sources lie."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def header_path(method, family):
    """Where a method's header lies in the sources, relative to their root; None for a method from elsewhere."""
    if not re.fullmatch(r"\w+", method) or not re.fullmatch(r"\w*", family):
        return None
    for path in (Path("methods") / family / f"{method}.hpp", Path("methods") / f"{method}.hpp"):
        if (ROOT / path).is_file():
            return path.as_posix()
    return None


def engine_headers(methods):
    """dict method -> the text of its file in headers/, of those that have one."""
    paths = {method: ROOT / "headers" / f"{method}.h" for method in methods if re.fullmatch(r"\w+", method)}
    return {method: path.read_text(encoding="utf-8") for method, path in paths.items() if path.is_file()}
