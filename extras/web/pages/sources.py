# SPDX-License-Identifier: MIT
"""What the sources say: a header's opening comment, and the tables of Markdown files."""

import re

from report.data.headers import ROOT, header_path
from report.errors import ReportError

WEB = ROOT / "extras" / "web"
SCRIPT = WEB / "script"


def read(path):
    """A file's text. ReportError: it is not there."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ReportError(f"{path}: cannot be read ({error.strerror}); the site needs it") from None


def opening_comment(text):
    """The comment with which a header opens, as blocks: list of (whether it is drawn, text); paragraphs are one line."""
    lines = [line[2:].removeprefix(" ") for line in text.split("#pragma once")[0].splitlines() if line.startswith("//")]
    lines = [line for line in lines if not line.startswith("SPDX-License-Identifier")]
    blocks = re.split(r"\n(?:[ \t]*\n)+", "\n".join(lines).strip("\n"))
    return [part for block in blocks for part in _parts(block)]


def _parts(block):
    """A block of a comment, cut where indented lines, which are drawings, begin and end."""
    parts = []
    for line in block.splitlines():
        drawn = line.startswith("    ")
        if not parts or parts[-1][0] != drawn:
            parts.append((drawn, []))
        parts[-1][1].append(line)
    return [(drawn, "\n".join(_undented(lines)) if drawn else " ".join(lines)) for drawn, lines in parts]


def _undented(lines):
    """Lines without the indentation that all of them have."""
    least = min(len(line) - len(line.lstrip()) for line in lines)
    return [line[least:] for line in lines]


def header_of(method, family):
    """(path relative to the root, text) of a method's header. ReportError: there is none."""
    path = header_path(method, family)
    if path is None:
        raise ReportError(f"{method}: has no header in methods/{family}; remove build/atlas and make the site again")
    return path, read(ROOT / path)


def table_rows(text, columns):
    """The rows of the first table of a Markdown text that has so many columns: list of tuple, without the head."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    rows = [tuple(row) for row in rows if len(row) == columns]
    rule = next((i for i, row in enumerate(rows) if all(re.fullmatch(r":?-+:?", cell) for cell in row)), None)
    return [] if rule is None else rows[rule + 1 :]
