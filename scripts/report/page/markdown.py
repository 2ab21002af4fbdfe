# SPDX-License-Identifier: MIT
"""Tables in Markdown."""


def table(heads, rows):
    """A Markdown table, without a line end at its end; a column whose head begins with `>` is aligned to the right."""
    aligned = ["---:" if head.startswith(">") else "---" for head in heads]
    cells = [[head.removeprefix(">") for head in heads], *rows]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], f"|{'|'.join(aligned)}|", *lines[1:]])
