# SPDX-License-Identifier: MIT
"""Whatever stands in a folder: the readers take it or refuse it in one line, and what they write of it is escaped.

Property tests: hypothesis makes folders from a right one, by what files suffer (cut off, overwritten, values of other
types) and by names that nobody should have.
"""

import copy
import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import synthetic
from folders import KNOWN, SCRIPTS_OF_A_RUN, Page, assert_reported, run_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from report.data.cells import Cell
from report.data.files import parse_csv
from report.data.run import load
from report.data.simulation import load_simulation
from report.errors import ReportError
from report.page.markdown import table
from report.page.run import run_page
from studies import run_check

# Every run of the tests tries the same inputs: a finding is repeatable, and belongs here as an example.
settings.register_profile(
    "slidebench",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("slidebench")

FILES = ("run.json", "summary.csv", "samples.csv", "counters.csv", "answer.json")
SCRIPT = "<script>alert(1)</script>"
HOSTILE_NAMES = (
    SCRIPT,
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "javascript:alert(1)",
    "]]><svg onload=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "$\\frac{1}{0}$ & &amp;",
    "\u202egnp.exe\u2028\u0000\U0001f600 \u00e4\u4e16",
    "a|b `c` [d](javascript:alert(1)) <!-- end answer -->",
    "../../etc/passwd",
    "nan",
    "=1+1",
    "",
)

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(HOSTILE_NAMES),
    st.just("\ud800"),  # which JSON can say, and UTF-8 cannot
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3), max_leaves=6
)


def places_in(value, path=()):
    """Every place of a JSON value, outermost first."""
    yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from places_in(entry, (*path, key))


def replaced(value, path, new):
    """A copy of a JSON value with another one at a place; `...` takes the place out."""
    if not path:
        return new
    result = copy.copy(value)
    if len(path) == 1 and new is ...:
        del result[path[0]]
    else:
        result[path[0]] = replaced(value[path[0]], path[1:], new)
    return result


@st.composite
def changed_json(draw, original):
    """A JSON value with some places changed or taken out."""
    value = original
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(places_in(value))))
        value = replaced(value, path, draw(values | st.just(...)) if path else draw(values))
        if not isinstance(value, (dict, list)):
            break
    return value


@st.composite
def changed_bytes(draw, original):
    """Bytes that were cut off, overwritten, or doubled in a part."""
    data = bytearray(original)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        kind = draw(st.sampled_from(("cut", "put", "double")))
        if kind == "cut":
            del data[at:]
        elif kind == "put":
            data[at : at + draw(st.integers(0, 8))] = draw(st.binary(max_size=8) | st.sampled_from([b'"', b",", b"\n", b"\xff", b"1e999"]))
        else:
            data[at:at] = data[at : at + draw(st.integers(1, 200))]
    return bytes(data)


@st.composite
def changed_cells(draw, original):
    """CSV text with some cells overwritten."""
    rows = [line.split(",") for line in original.decode().splitlines()]
    for _ in range(draw(st.integers(1, 4))):
        row = draw(st.sampled_from(rows))
        cell = draw(st.sampled_from(["", "-1", "0", "nan", "inf", "1e999", "x", '"', "2**3", "-0"]) | st.sampled_from(HOSTILE_NAMES))
        row[draw(st.integers(0, len(row) - 1))] = '"' + cell.replace('"', '""') + '"'
    return "\n".join(",".join(row) for row in rows).encode("utf-8", "surrogatepass") + b"\n"


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="slidebench-hostile-"))
        cls.addClassCleanup(shutil.rmtree, cls.home)
        known = {name: KNOWN[name] for name in ("magic_fancy", "pext", "hyperbola")}
        cells = [Cell("throughput", "game", "isolated"), Cell("throughput", "game", "64@8M/eval/rows")]
        cls.run_folder = synthetic.make_full_run(cls.home / "run", cells, known, simulated=True)
        cls.simulation = synthetic.make_simulation(cls.home / "simulation", KNOWN)
        cls.trial = cls.home / "trial"

    def tried(self, original, changes):
        """A copy of a folder with files of other contents."""
        shutil.rmtree(self.trial, ignore_errors=True)
        self.trial.mkdir()
        for path in original.iterdir():
            if path.is_file() and path.name not in changes:
                (self.trial / path.name).symlink_to(path)
        for name, data in changes.items():
            (self.trial / name).write_bytes(data)
        return self.trial

    def changed_file(self, data, folder):
        """(name, contents): one file of the folder, changed."""
        name = data.draw(st.sampled_from([name for name in FILES if (folder / name).exists()]))
        original = (folder / name).read_bytes()
        if name.endswith(".json"):
            json_bytes = changed_json(json.loads(original)).map(lambda value: json.dumps(value).encode())
            return name, data.draw(json_bytes | changed_bytes(original))
        return name, data.draw(changed_cells(original) | changed_bytes(original))

    def assert_one_line(self, error):
        self.assertNotIn("\n", str(error))
        self.assertTrue(str(error))

    @given(st.data())
    def test_a_run_is_read_or_refused(self, data):
        name, content = self.changed_file(data, self.run_folder)
        folder = self.tried(self.run_folder, {name: content})
        try:
            page = run_page(load(folder), [])
        except ReportError as error:
            self.assert_one_line(error)
        else:
            self.assert_safe(page)

    @given(st.data())
    def test_a_simulation_is_read_or_refused(self, data):
        name, content = self.changed_file(data, self.simulation)
        try:
            load_simulation(self.tried(self.simulation, {name: content}))
        except ReportError as error:
            self.assert_one_line(error)

    @given(st.data())
    def test_a_check_finds_faults_or_refuses(self, data):
        name, content = self.changed_file(data, self.run_folder)
        folder = self.tried(self.run_folder, {name: content})
        status, _, err = run_command(run_check.main, folder)
        self.assertIn(status, (0, 1, 2))
        lines = err.splitlines()
        self.assertTrue(all(line.startswith("check_run.py: ") for line in lines), lines)
        if status == 2:
            self.assertEqual(len(lines), 1)

    def assert_safe(self, source):
        """No element, attribute, script or link of the page comes from a name."""
        page = Page(source)
        self.assertEqual(page.bad, [])
        self.assertEqual(page.tags.count("script"), SCRIPTS_OF_A_RUN)

    def test_hostile_names_are_text_everywhere(self):
        """Methods, CPU, traces, pressures, warnings, versions: one after the other bears each name."""
        for name in HOSTILE_NAMES:
            folder = self.home / "named"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(self.run_folder, folder)
            info = json.loads((folder / "run.json").read_text())
            info["machine"].update(cpu=name, kernel=name, governor=name, hypervisor=name)
            info.update(commit=name, warnings=[name], command=[name, name], profile=name, skipped=[{"id": name, "why": name}])
            info.update(versions={name: name}, missing_launches=[{"launch": 0, "why": name}])
            info.update(traces=[{"name": name, "provenance": {name: name}}])
            for entry in info["methods"]:
                if entry["id"] == "pext":
                    entry.update({key: name for key in entry if isinstance(entry[key], str)})
            (folder / "run.json").write_text(json.dumps(info))
            for file in ("summary.csv", "samples.csv", "counters.csv", "squares.csv", "mrc.csv"):
                if not (folder / file).exists() or not name:
                    continue
                rows = parse_csv(folder / file)
                for column in ("arm", "method", "title", "family", "trace"):
                    if column in rows:
                        rows[column] = rows[column].map(lambda v, c=column: name if v == "pext" or c in ("title", "trace") else v)
                rows.to_csv(folder / file, index=False)
            with self.subTest(name):
                try:
                    self.assert_safe(run_page(load(folder), []))
                except ReportError as error:
                    self.assert_one_line(error)

    def test_the_whole_report_of_hostile_names(self):
        """With its figures: in SVG too a name is text."""
        folder = self.home / "drawn"
        shutil.copytree(self.run_folder, folder)
        for file in ("summary.csv", "samples.csv"):
            rows = parse_csv(folder / file)
            for column in ("arm", "method"):
                rows[column] = rows[column].replace("pext", SCRIPT)
            rows.to_csv(folder / file, index=False)
        info = json.loads((folder / "run.json").read_text())
        info["machine"]["cpu"] = SCRIPT
        (folder / "run.json").write_text(json.dumps(info))
        assert_reported(folder)
        self.assert_safe((folder / "index.html").read_text())
        for figure in (folder / "plots").glob("*.svg"):
            self.assertNotIn("<script", figure.read_text())

    @given(st.lists(st.lists(st.text(max_size=12) | st.sampled_from(HOSTILE_NAMES), min_size=2, max_size=2), max_size=3))
    def test_a_table_in_markdown_keeps_its_shape(self, rows):
        lines = table(["a", ">b"], rows).split("\n")
        self.assertEqual(len(lines), len(rows) + 2)
        for line in lines:
            self.assertEqual(len(re.findall(r"(?<!\\)\|", line)), 3, line)
            self.assertNotRegex(line, r"<\s*(script|img|svg|!--)")
