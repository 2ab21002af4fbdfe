# SPDX-License-Identifier: MIT
"""Tables in Markdown."""

import re

from report.data.files import one_line


def cell(text):
    """Text as it can stand in a cell: one line, no border, and no markup but Markdown's own."""
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", one_line(text)).replace("\\|", "|").replace("|", "\\|")


def table(heads, rows):
    """A Markdown table, without a line end at its end; a column whose head begins with `>` is aligned to the right."""
    aligned = ["---:" if head.startswith(">") else "---" for head in heads]
    cells = [[head.removeprefix(">") for head in heads], *([cell(text) for text in row] for row in rows)]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], f"|{'|'.join(aligned)}|", *lines[1:]])
