# SPDX-License-Identifier: MIT
"""Whatever stands in a folder: the readers take it or refuse it in one line, and what they write of it is escaped.

Property tests: hypothesis makes folders from a right one, by what files suffer (cut off, doubled, values of other
types) and by names that nobody should have.
"""

import json
import re
import shutil
from pathlib import Path

import pytest
import synthetic
from folders import KNOWN, SCRIPTS_OF_A_RUN, Page, assert_reported, edit_csv, packed_parts, run_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from report.data.cells import Cell
from report.data.run import load
from report.data.simulation import load_simulation
from report.errors import ReportError
from report.page.markdown import table
from report.page.run import run_page
from report.page.simulation import simulation_page

# Every run of the tests tries the same inputs: a finding is repeatable, and belongs here as an example.
SLOW = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile("slidebench", deadline=None, derandomize=True, database=None, max_examples=60, suppress_health_check=SLOW)
settings.load_profile("slidebench")

FILES = "run.json answer.json summary.csv samples.csv counters.csv mrc.csv squares.csv tables.csv".split()
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
# A value of JSON or a cell of CSV, and what may stand in its place; JSON can say \ud800, and UTF-8 cannot.
TOKEN = re.compile(rb'"[^"\n]*"|[^\s,:{}\[\]"]+')
VALUES = ["", "null", "true", "[]", "{}", "[{}]", "-1", "0", "-0", "1e999", str(2**70), "nan", "inf", "x", '"']
VALUES += ['"\\ud800"', "[" * 400 + "]" * 400, *map(json.dumps, HOSTILE_NAMES)]


@st.composite
def damaged(draw, original):
    """The bytes of a file, with values overwritten, a part doubled, or the end cut off."""
    data = original
    for _ in range(draw(st.integers(1, 3))):
        found = draw(st.sampled_from(list(TOKEN.finditer(data)) or [re.match(b"", b"")]))
        start, end = found.span()
        kind = draw(st.sampled_from(("value", "value", "value", "bytes", "double", "cut")))
        if kind == "value":
            data = data[:start] + draw(st.sampled_from(VALUES)).encode() + data[end:]
        elif kind == "bytes":
            data = data[:start] + draw(st.binary(max_size=8)) + data[end:]
        elif kind == "double":
            data = data[: start + draw(st.integers(1, 200))] + data[start:]
        else:
            data = data[:start]
    return data


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    known = {name: KNOWN[name] for name in ("magic_fancy", "pext", "hyperbola")}
    cells = [Cell("throughput", "game", "isolated"), Cell("throughput", "game", "64@8M/eval/rows")]
    return synthetic.make_full_run(tmp_path_factory.mktemp("run") / "run", cells, known, simulated=True)


@pytest.fixture(scope="module")
def simulation_folder(tmp_path_factory):
    return synthetic.make_simulation(tmp_path_factory.mktemp("simulation") / "run", KNOWN)


def tried(data, original, trial):
    """A copy of a folder with one file damaged."""
    shutil.rmtree(trial, ignore_errors=True)
    trial.mkdir()
    name = data.draw(st.sampled_from([name for name in FILES if (original / name).exists()]))
    for path in original.iterdir():
        if path.is_file() and path.name != name:
            (trial / path.name).symlink_to(path)
    (trial / name).write_bytes(data.draw(damaged((original / name).read_bytes())))
    return trial


def assert_safe(source, scripts):
    """No element, attribute, script or link of the page comes from a name."""
    page = Page(source)
    assert page.bad == []
    assert page.tags.count("script") == scripts


def assert_page_or_one_line(make, scripts):
    """A page is made that is safe, or what hinders it is said in one line."""
    try:
        page = make()
    except ReportError as error:
        assert str(error) and "\n" not in str(error)
    else:
        assert_safe(page, scripts)


@given(data=st.data())
def test_a_run_is_read_or_refused(data, run_folder, tmp_path):
    folder = tried(data, run_folder, tmp_path / "trial")
    assert_page_or_one_line(lambda: run_page(load(folder), []), SCRIPTS_OF_A_RUN)


@given(data=st.data())
def test_a_simulation_is_read_or_refused(data, simulation_folder, tmp_path):
    folder = tried(data, simulation_folder, tmp_path / "trial")
    assert_page_or_one_line(lambda: simulation_page(load_simulation(folder), []), 1)


@given(data=st.data())
def test_a_check_finds_faults_or_refuses(data, run_folder, tmp_path):
    status, _, err = run_command("check-run", tried(data, run_folder, tmp_path / "trial"))
    assert status in (0, 1, 2)
    lines = err.splitlines()
    assert all(line.startswith("slidebench.py check-run: ") for line in lines), lines
    assert status != 2 or len(lines) == 1


def named(folder, name):
    """Gives everything in a run that has a name this one."""

    def renamed(entry):
        return {key: name if isinstance(value, str) else value for key, value in entry.items()}

    for path in (folder / "run.json", folder / "answer.json"):
        info = json.loads(path.read_text(), object_hook=renamed)
        info |= {"warnings": [name], "command": [name, name], "versions": {name: name}, "machine": {name: name}}
        path.write_text(json.dumps(info))
    for file in folder.glob("*.csv"):
        edit_csv(folder, file.name, lambda rows: rows.replace(["pext", "Pext", "game"], name or "pext"))


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_hostile_names_are_text_everywhere(name, run_folder, tmp_path):
    folder = Path(shutil.copytree(run_folder, tmp_path / "named"))
    named(folder, name)
    assert_page_or_one_line(lambda: run_page(load(folder), []), SCRIPTS_OF_A_RUN)


def test_the_whole_report_of_hostile_names(run_folder, tmp_path):
    """With its figures: in SVG too a name is text."""
    folder = Path(shutil.copytree(run_folder, tmp_path / "drawn"))
    named(folder, SCRIPT)
    assert_reported(folder)
    assert_safe((folder / "index.html").read_text(), SCRIPTS_OF_A_RUN)
    drawn = [figure["svg"] for figure in packed_parts((folder / "index.html").read_text())["figures"]]
    for figure in [*drawn, *(path.read_text() for path in (folder / "plots").glob("*.svg"))]:
        assert "<script" not in figure


@given(st.lists(st.lists(st.text(max_size=12) | st.sampled_from(HOSTILE_NAMES), min_size=2, max_size=2), max_size=3))
def test_a_table_in_markdown_keeps_its_shape(rows):
    lines = table(["a", ">b"], rows).split("\n")
    assert len(lines) == len(rows) + 2
    for line in lines:
        assert len(re.findall(r"(?<!\\)\|", line)) == 3, line
        assert not re.search(r"<\s*(script|img|svg|!--)", line)
