# SPDX-License-Identifier: MIT
"""What tests of reports share: a small run of known truth, the command in this process, pages taken apart."""

import contextlib
import io
import json
import re
import shutil
import tempfile
import unittest
import unittest.mock
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import synthetic

from report.command import main
from report.figures.style import render
from report.data.cells import Cell

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
# id -> (title, family, table bytes)
METHODS = {name: (name.replace("_", " ").capitalize(), *entry[:2]) for name, entry in KNOWN.items()}
CELLS = [(workload, trace) for trace in ("game", "random") for workload in ("throughput", "latency")]


def make_run(folder):
    """Writes a synthetic run of all methods in four cells."""
    cells = [Cell(workload, trace, "isolated") for workload, trace in CELLS]
    return synthetic.make_full_run(folder, cells, KNOWN, simulated=False)


def run_report(folder, *options):
    """Runs the command in this process. Returns (exit status, standard output, standard error)."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(folder), *options])
    return status, out.getvalue(), err.getvalue()


class Wellformed(HTMLParser):
    """Checks that tags nest and that no id comes twice; collects ids, links and visible text."""

    VOID = {"meta", "link", "input", "br"}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.refs, self.tags, self.text = [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "xlink:href", "src"):
                self.refs.append(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise AssertionError(f"stray </{tag}>")

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("script", "style"):
            self.text.append(data)


def read_page(folder):
    """Parses index.html; fails where it is not well-formed. Returns (source, parser)."""
    source = (folder / "index.html").read_text(encoding="utf-8")
    parser = Wellformed()
    parser.feed(source)
    parser.close()
    assert not parser.open, parser.open
    return source, parser


def page_data(source):
    """The data that a page carries for its script."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', source, re.S)[1])


class InFolder(unittest.TestCase):
    """A test with a folder of its own, made from the standard run by `copy_run`."""

    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="slidebench-report-"))
        cls.addClassCleanup(shutil.rmtree, cls.home)
        cls.original = make_run(cls.home / "original")

    def copy_run(self):
        target = self.home / self.id().rpartition(".")[2]
        target.mkdir()
        for name in ("samples.csv", "summary.csv", "run.json", "answer.json"):
            shutil.copy(self.original / name, target / name)
        return target

    def copy_small_run(self):
        """Two cells, few methods and rounds: for tests that draw but do not look at the whole."""
        folder = self.copy_run()
        left_out = ["kogge_stone", "dumb7fill", "ray_walk", "classical_rays", "rotated_hyatt", "hyperbola"]
        keep = lambda t: t[(t["trace"] == "game") & ~t["method"].isin(left_out)]  # noqa: E731
        self.edit_csv(folder, "samples.csv", lambda t: keep(t)[keep(t)["round"].astype(int) < 5])
        self.edit_csv(folder, "summary.csv", keep)
        return folder

    def edit_csv(self, folder, name, edit):
        table = edit(pd.read_csv(folder / name, dtype=str, keep_default_na=False))
        table.to_csv(folder / name, index=False)

    def edit_info(self, folder, edit):
        info = json.loads((folder / "run.json").read_text())
        edit(info)
        (folder / "run.json").write_text(json.dumps(info))

    def assert_refused(self, folder, *words):
        status, out, err = run_report(folder)
        self.assertEqual(status, 2, err)
        self.assertEqual(out, "")
        self.assertEqual(err.count("\n"), 1, err)
        for word in words:
            self.assertIn(word, err)

    def assert_reported(self, folder):
        """Reports without a fault; in SVG alone, which takes half the time."""
        with unittest.mock.patch(
            "report.figures.files.render", lambda figure: {"svg": render(figure, ("svg",))["svg"]}
        ):
            status, out, err = run_report(folder)
        self.assertEqual((status, err), (0, ""))
        return out
