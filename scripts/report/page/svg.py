# SPDX-License-Identifier: MIT
"""matplotlib's SVG as a part of a page that follows light and dark."""

import re

from report.figures.style import PAGE_VARIABLES, luminance


def themed(colour):
    """A colour as the page writes it: greys are the page's own, others have a lighter twin in the dark."""
    return PAGE_VARIABLES.get(colour, f"var(--c-{colour[1:]}, {colour})")


def lighter(colour):
    """A colour's twin on the dark page: a third of the way to white, or further until it reads as text."""
    for share in (1 / 3, 5 / 12, 1 / 2, 2 / 3, 5 / 6):
        twin = "#" + "".join(f"{round(v + share * (255 - v)):02x}" for v in bytes.fromhex(colour.lstrip("#")))
        if luminance(twin) > 0.22:
            return twin
    return "#ffffff"


def dark_colours(html):
    """The rule that gives each colour that occurs in `html` its lighter twin."""
    colours = sorted(set(re.findall(r"var\(--c-([0-9a-f]{6}),", html)))
    twins = "".join(f" --c-{c}: {lighter(c)};" for c in colours)
    return f"@media screen and (prefers-color-scheme: dark) {{ :root {{{twins} }} }}\n"


def inline_svg(svg, number, label):
    """Makes a matplotlib SVG file the figure of that number on the page, one svg element; a screen reader says `label`,
    HTML. Names of elements are made unique to the figure, or dropped where nothing refers to them; the greys become the
    page's own, so that the figure follows light and dark; what belongs to a file of its own goes."""
    text = svg.decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"<style[^>]*>.*?</style>", "", text, flags=re.S)
    used = set(re.findall(r'(?:href="|url\()#([^")]+)', text))
    text = re.sub(r' id="([^"]*)"', lambda m: f' id="f{number}-{m[1]}"' if m[1] in used else "", text)
    text = re.sub(r'(href="|url\()#', rf"\1#f{number}-", text)
    text = re.sub(r": (#[0-9a-f]{6})\b", lambda m: f": {themed(m[1])}", text)
    head = re.match(r"<svg[^>]*>", text)[0]
    box = re.search(r'viewBox="[^"]*"', head)[0]
    width = re.search(r'width="([\d.]+)pt"', head)[1]
    start = f'<svg {box} width="{float(width) * 4 / 3:.0f}" role="img" aria-label="{label}"'
    start += ' xmlns:xlink="http://www.w3.org/1999/xlink">'
    return start + text[len(head) :].strip()
