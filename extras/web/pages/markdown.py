# SPDX-License-Identifier: MIT
"""Pages of the repository, in Markdown, as parts of the site: headings, paragraphs, lists, tables, code, images and links."""

import re

from markupsafe import Markup, escape

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
ITEM = re.compile(r"(\s*)(?:[-*]|\d+\.) +(.*)")


def anchor(heading):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", heading).lower()).replace(" ", "-")


def inline(text, resolve):
    """One paragraph's text. `resolve` gives for a link's target the address in the site, or None where it has none: then its text
    stands alone."""

    def linked(match):
        image, words, target = match.groups()
        address = resolve(target)
        if image:
            return f'<img src="{escape(address)}" alt="{words}">' if address else words
        return f'<a href="{escape(address)}">{words}</a>' if address else words

    parts = re.split(r"(`[^`]+`)", str(escape(text)))
    held = [f"<code>{part[1:-1]}</code>" for part in parts[1::2]]
    parts[1::2] = [f"\0{number}\0" for number in range(len(held))]
    joined = "".join(parts)
    while LINK.search(joined):
        joined = LINK.sub(linked, joined)
    joined = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", joined)
    joined = re.sub(r"(?<![\w*\\])\*([^*\s][^*]*)\*(?![\w*])", r"<em>\1</em>", joined)
    joined = re.sub(r"\\([\\`*_\[\]>&lt;#|-])", r"\1", joined)
    return Markup(re.sub(r"\0(\d+)\0", lambda match: held[int(match[1])], joined))


def cells_of(line):
    """The cells of a table's line."""
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def table(lines, resolve):
    """A table; numbers stand on the right where its rule says so."""
    heads, rule, *rows = map(cells_of, lines)
    right = [' class="n"' if cell.endswith(":") else "" for cell in rule]
    filled = ["".join(f"<td{css}>{inline(cell, resolve)}</td>" for cell, css in zip(cells, right)) for cells in rows]
    body = "\n".join(f"<tr>{cells}</tr>" for cells in filled)
    label = escape(re.sub(r"[`*]", "", f"table: {', '.join(filter(None, heads[:3]))}"))
    head = "".join(f"<th scope=\"col\"{css}>{inline(cell, resolve)}</th>" for cell, css in zip(heads, right))
    return (f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table class="sortable"><thead><tr>'
            f"{head}</tr></thead>\n<tbody>{body}</tbody></table></div>")  # fmt: skip


def items(lines, resolve):
    """A list; what is indented below an item is a list of its own, or goes on."""
    tag = "ol" if re.match(r"\s*\d", lines[0]) else "ul"
    found = []
    for line in lines:
        match = ITEM.fullmatch(line)
        if match and not (found and match[1]):
            found.append([match[2], []])
        elif match or found[-1][1]:
            found[-1][1].append(line[2:])
        else:
            found[-1][0] += f" {line.strip()}"
    inner = [inline(text, resolve) + (items(below, resolve) if below else "") for text, below in found]
    return f"<{tag}>{''.join(f'<li>{each}</li>' for each in inner)}</{tag}>"


def block(text, resolve):
    """One block between blank lines."""
    lines = text.split("\n")
    heading = re.fullmatch(r"(#{2,5}) (.*)", lines[0])
    if heading:
        level, words = len(heading[1]), heading[2]
        rest = block("\n".join(lines[1:]), resolve) if lines[1:] else ""
        return f'<h{level} id="{anchor(words)}">{inline(words, resolve)}</h{level}>{rest}'
    if lines[0].startswith("|") and len(lines) > 1:
        return table(lines, resolve)
    if ITEM.fullmatch(lines[0]) and not lines[0].startswith(" "):
        return items(lines, resolve)
    if lines[0].startswith("> "):
        return f"<aside>{block(re.sub('^> ?', '', text, flags=re.M), resolve)}</aside>"
    if lines[0].startswith("    "):
        code = "\n".join(line[4:] for line in lines)
        return f'<pre tabindex="0" role="region" aria-label="code"><code>{escape(code)}</code></pre>'
    words = inline(" ".join(lines), resolve)
    if re.fullmatch(r'<img [^>]*alt="([^"]*)">', words):
        label = words.split('alt="')[1][:-2]
        return f'<div class="scroll picture" tabindex="0" role="region" aria-label="{label}">{words}</div>'
    return f"<p>{words}</p>"


def markup(text, resolve):
    """Blocks of Markdown; comments are left out."""
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S)
    text = re.sub(r"^```\w*\n(.*?)^```$", lambda m: re.sub("^", "    ", m[1].rstrip("\n"), flags=re.M), text, flags=re.S | re.M)
    blocks = []
    for each in re.split(r"\n[ \t]*\n+", text.strip("\n")):
        if blocks and each.startswith("    ") and blocks[-1].startswith("    "):
            blocks[-1] += f"\n    \n{each.rstrip()}"  # code with an empty line
        elif each.strip():
            blocks.append(each.rstrip())
    return Markup("\n".join(block(each, resolve) for each in blocks))


def page(text, resolve):
    """(title, markup) of a page."""
    title, _, rest = text.strip().partition("\n")
    return title.removeprefix("# "), markup(rest, resolve)
