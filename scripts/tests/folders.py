# SPDX-License-Identifier: MIT
"""What tests of reports share: methods of a small run, the command in this process, pages taken apart."""

import base64
import contextlib
import gzip
import io
import json
import re
from html.parser import HTMLParser

import pandas as pd

from slidebench import main

# id -> (family, table bytes, ns of pure work)
KNOWN = {
    "magic_fancy": ("magic", 865_280, 3.6),
    "magic_plain": ("magic", 2_361_344, 3.6),
    "pext": ("pext", 863_232, 2.4),
    "kindergarten": ("lookup", 9_728, 4.5),
    "hyperbola": ("calculation", 2_048, 4.0),
    "kogge_stone": ("fill", 0, 10.5),
    "dumb7fill": ("fill", 0, 14.0),
    "ray_walk": ("calculation", 0, 40.0),
    "classical_rays": ("calculation", 4_096, 6.0),
    "rotated_hyatt": ("rotated", 90_112, 6.0),
}
SCRIPTS_OF_A_RUN = 13  # what is packed, what all pages have, the library, and ten parts


def run_command(*arguments, program=main):
    """Runs a command of slidebench.py, or of an extra's program, in this process. Returns (exit status, standard output, standard error)."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = program([str(argument) for argument in arguments])
    return status, out.getvalue(), err.getvalue()


def assert_refused(folder, *words):
    """The report of a folder is refused with one line that has the words."""
    status, out, err = run_command("report", folder)
    assert (status, out, err.count("\n")) == (2, "", 1) and all(word in err for word in words), err


def assert_reported(folder, *options):
    """Reports without a fault; returns what was printed."""
    status, out, err = run_command("report", folder, *options)
    assert (status, err) == (0, "")
    return out


def source_of(folder, *options):
    """The page that the report makes of a folder, which is well-formed."""
    assert_reported(folder, *options)
    return read_page(folder)[0]


def edit_csv(folder, name, edit):
    """Changes a table of a folder."""
    table = edit(pd.read_csv(folder / name, dtype=str, keep_default_na=False))
    table.to_csv(folder / name, index=False)


def edit_info(folder, edit, name="run.json"):
    """Changes run.json, or another object, of a folder."""
    info = json.loads((folder / name).read_text())
    edit(info)
    (folder / name).write_text(json.dumps(info))


class Page(HTMLParser):
    """A page taken apart: tags that nest, ids, links, visible text, and in `bad` what no name may make: foreign elements,
    handlers, links that run code, strange scripts."""

    VOID = {"meta", "link", "input", "br"}

    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.refs, self.tags, self.text, self.bad = [], [], [], [], [], []
        self.feed(source)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        if tag in ("img", "iframe", "object", "embed", "base"):
            self.bad.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "xlink:href", "src"):
                self.refs.append(value)
            runs = name != "title" and (value or "").strip().lower().startswith("javascript:")
            if name.startswith("on") or runs:
                self.bad.append((tag, name, value))

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"stray </{tag}>"

    def handle_data(self, data):
        inside = self.open[-1] if self.open else ""
        if inside == "script" and data.strip() == "alert(1)":
            self.bad.append(data)
        elif inside not in ("script", "style"):
            self.text.append(data)


def read_page(folder):
    """Takes index.html apart; fails where it is not well-formed. Returns (source, Page)."""
    source = (folder / "index.html").read_text(encoding="utf-8")
    return source, Page(source)


def assert_stands_alone(folder):
    """The page of a folder has unique ids, no link but into itself, and needs no network: it can travel alone. Returns
    (source, Page)."""
    source, page = read_page(folder)
    assert len(page.ids) == len(set(page.ids))
    for ref in page.refs:
        assert ref[1:] in page.ids if ref.startswith("#") else ref.startswith("data:"), ref
    return source, page


def packed_parts(source):
    """What a page of a run carries packed: dict."""
    held = re.search(r'<script type="application/octet-stream" id="packed">(.*?)</script>', source, re.S)[1]
    return json.loads(gzip.decompress(base64.b64decode(held)))


def page_data(source):
    """The data that a page of a run draws from; a cell's columns are `rows` too, what was left out is None in them."""
    data = packed_parts(source)["data"]
    names = {name for cell in data["cells"] for name in cell["columns"]}
    for cell in data["cells"]:
        count = range(len(cell["columns"].get("contender", [])))
        absent = dict.fromkeys(names, [None] * len(count))
        cell["rows"] = [{name: values[i] for name, values in (absent | cell["columns"]).items()} for i in count]
    return data
