# SPDX-License-Identifier: MIT
"""Tests of the page "Measure in this browser": the estimator in its module against Python's, the page in a real browser, and what
add-machine makes of its file. No time is judged."""

import json
import re

import browser as browser_
import numpy as np
import pytest
from conftest import ROOT, node, press, until, visit
from test_page_browser import click, enter, texts

from pages.measure import methods_in
from report.data.run import load_summary
from report.figures.style import VERDICT_SIGNS
from slidebench import main
from studies.browsers import judged, read_result

CPU = "A CPU | of <b>tests</b>"


def contenders_of(ratios, starts=8, noise=0.02):
    """Samples of starts, as the worker gives them: contender -> its ratio; the reference has 1."""
    random, found = np.random.default_rng(1), []
    for _ in range(starts):
        shift = {name: random.normal(0, noise / 2) for name in ratios}
        found.append([{"cell": "isolated", "contender": name, "round": number,
                       "ns": 3 * ratio * np.exp(shift[name] + random.normal(0, noise))}
                      for number in range(12) for name, ratio in ratios.items()])  # fmt: skip
    return found


ROLES = {"magic_fancy": "reference", "magic_fancy.twin": "twin", "empty": "empty"}
RATIOS = {"magic_fancy": 1, "magic_fancy.twin": 1, "empty": 0.4, "pext": 0.9, "hyperbola": 1.5, "magic_black": 0.985}
RATIOS["sbamg"] = 1.001
JUDGE = """
import { readFileSync } from "node:fs";
const module = (await compiled(readFileSync(given.module))).exports;
module._initialize();
const suite = new Suite(module), plan = { methods: given.methods, reference: "magic_fancy", cells: ["isolated"] };
const [cell] = await judge({ suite, plan, starts: given.starts, margin: 0.01 });
console.log(JSON.stringify(cell));
"""


@pytest.fixture(scope="module")
def page_says(modules):
    """What the page says of simulated starts: a function of them, which gives a cell of `judge`."""
    given = {"module": str(modules / "wasm/slidebench.wasm"), "methods": [name for name in RATIOS if not name.endswith(".twin")]}
    return lambda starts: node(JUDGE, ("module", "worker"), given | {"starts": starts})


def saved(path, entries, **changed):
    """The file of a race in one cell."""
    info = {
        "kind": "slidebench browser result", "schema": 1, "cpu": "A CPU", "reference": "magic_fancy", "margin": 0.01,
        "browser": {"name": "B", "version": "1", "engine": "E"}, "clock": {"step_ms": 0.1, "sample_ms": 4},
        "module": "0" * 64, "trace": "1" * 64, "cells": cells(entries),
    }  # fmt: skip
    path.write_text(json.dumps(info | changed))
    return path


@pytest.mark.parametrize("noise", [0.002, 0.02, 0.2])
@pytest.mark.parametrize("starts", [3, 8])
def test_the_module_judges_as_python_does(page_says, tmp_path, noise, starts):
    said = page_says(contenders_of(RATIOS, starts, noise=noise))
    entries = [{"contender": each["contender"], "role": each["role"], "log_ratios": each["logs"], "ns_per_query": each["ns"]}
               for each in said["contenders"]]  # fmt: skip
    rows, bound = judged(read_result(saved(tmp_path / "a.json", entries)), "isolated")
    assert said["bound"] == pytest.approx(bound, rel=1e-6) and said["rounds"] == [12] * starts
    assert {row["contender"] for row in said["contenders"]} == set(RATIOS)
    for row in said["contenders"]:
        known = rows.loc[row["contender"]]
        for name in ("ratio", "ratio_low", "ratio_high"):
            assert row[name] == pytest.approx(known[name], rel=1e-6)
        assert row["verdict"] == known["verdict"]


def test_verdicts_are_those_of_known_truth(page_says):
    def rows_of(said):
        return {row["contender"]: row for row in said["contenders"]}

    said = page_says(contenders_of(RATIOS, noise=0.002))
    rows = rows_of(said)
    assert [rows[name]["verdict"] for name in ("pext", "hyperbola", "sbamg")] == ["faster", "slower", "equivalent"]
    assert [name for name, row in rows.items() if row["best"]] == ["pext"] and said["isSound"]
    noisy = rows_of(page_says(contenders_of(RATIOS, noise=0.3)))
    assert noisy["magic_black"]["verdict"] == "unresolved" and noisy["magic_black"]["best"]
    assert not page_says(contenders_of(RATIOS | {"magic_fancy.twin": 1.1}, noise=0.002))["isSound"]
    assert rows_of(page_says(contenders_of(RATIOS | {"empty": 2}, noise=0.002)))["pext"]["verdict"] == "void"


def test_the_clock_decides_how_long_and_how_often():
    program = "const said = work => { try { return work(); } catch (error) { return error.message; } };"
    program += "console.log(JSON.stringify([given.steps.map(step => said(() => planFor(step, 30, 23))),"
    program += "given.texts.map(text => said(() => secondsOf(text)))]));"
    texts = ["", "?seconds=2", "?seconds=0", "?seconds=1e3", "?seconds=<b>"]
    plans, seconds = node(program, ("measure",), {"steps": [0.005, 0.1, 1, 100], "texts": texts})
    assert [(plan["sampleMs"], plan["warmUpMs"]) for plan in plans[:3]] == [(4, 1), (4, 1), (20, 5)]
    assert all(3 <= plan["starts"] <= 8 for plan in plans[:3]) and plans[2]["starts"] < plans[1]["starts"]
    assert "steps of 100 ms, too coarse" in plans[3]
    assert seconds[:2] == [30, 2] and all("no whole number from 1 to 600" in text for text in seconds[2:])


WORKER = """
let time = 0;
globalThis.self = { crossOriginIsolated: false };
globalThis.performance = { now: () => time += 1e-3 };
const module = { verify: () => given.wrong, segments: () => 1, queries: () => 100, memory: { buffer: new ArrayBuffer(8) } };
const replay = (method, pressure, segment, passes) => {
  time += given.slow ? 25_000 : passes;
  return BigInt(passes * (given.broken ? 2 : 1));
};
const suite = { methods: ["empty", "magic_fancy"], pressures: ["isolated"], module, expected: () => 1n, replay };
const plan = { sampleMs: 4, warmUpMs: 1, compileMs: 1, startMs: 100, leastRounds: 3, cells: ["isolated"], methods: suite.methods,
               reference: "magic_fancy", rounds: Infinity, seed: 1 };
const found = await { check, race }[given.task]({ suite, plan }).catch(error => error.message);
console.log(JSON.stringify(found));
"""


def test_a_worker_stops_at_wrong_answers_and_where_nothing_can_be_timed():
    def asked(**given):
        return node(WORKER, ("module", "worker"), {"wrong": 0, "slow": False, "broken": False} | given)

    assert "2 wrong answers" in asked(task="check", wrong=2)
    assert asked(task="check")["stepMs"] == pytest.approx(1e-3)
    assert len(asked(task="race")) >= 6
    assert "gave wrong answers in isolated" in asked(task="race", broken=True)
    assert "too busy" in asked(task="race", slow=True)


@pytest.fixture
def page(page, site):
    """The page, as if opened now, for a race of two seconds."""
    visit(page, site / "measure.html", "?seconds=2")
    return page


def pressed(page, meanwhile=None):
    """Presses the button, does something once the page measures, and waits for the end; returns the status' text."""
    click(page, "#measure")
    if meanwhile:
        until(page, "byId('status').textContent.includes('Measuring')")
        meanwhile(page)
    until(page, "byId('progress').hidden")
    return texts(page, "#status")[0]


def result_of(page, path, cpu=CPU):
    """Saves the result as a visitor does; returns the file's path."""
    enter(page, "#cpu", cpu)
    page.run("window.made = new Promise(done => { URL.createObjectURL = blob => { done(blob); return 'data:,'; }; }); null")
    click(page, "#save")
    path.write_text(page.run("made.then(blob => blob.text())"))
    return path


def test_a_run_ends_with_a_ranking_and_a_file_that_is_taken(page, modules, tmp_path, capsys):
    methods = sorted(set(methods_in((modules / "wasm/slidebench.wasm").read_bytes())) - {"empty"})
    for _ in range(5):  # in one of twenty identical code differs significantly by chance, and is not to be taken
        assert pressed(page) == "Done."
        if "identical code differed" not in "".join(texts(page, "#answers li")):
            break
    for cell, width in (("isolated", 1400), ("net1024", 390)):
        page.look(width)
        page.run("dispatchEvent(new Event('resize'))")
        assert sorted(texts(page, f"#{cell}-plot g > text:first-child")) == methods
        assert sorted(texts(page, f"#{cell}-table tbody td:first-child")) == sorted([*methods, "empty"])
        assert page.run(browser_.OVERFLOW) == [] and page.run(browser_.LOW_CONTRAST) == []
    assert len(texts(page, "#answers li")) == 2 and "moves in steps of" in texts(page, "#clock")[0]
    file = result_of(page, tmp_path / "result.json")
    (tmp_path / "home").mkdir()
    assert main(["add-machine", str(file), "--home", str(tmp_path / "home"), "--name", "mine"]) == 0
    readme = (tmp_path / "home" / "README.md").read_text()
    assert "**browser 1**" in readme and "V8" in readme and "<b>" not in readme
    # What the page shows is what Python derives from its file.
    python = judged(read_result(file), "isolated")[0]
    page_s = dict(zip(texts(page, "#isolated-table tbody td:first-child"), texts(page, "#isolated-table tbody td:nth-child(2)")))
    for name in methods:
        known = python.loc[name]
        shown = [float(number) for number in re.findall(r"[\d.]+", page_s[name])]
        assert shown == pytest.approx(list(known[["ratio", "ratio_low", "ratio_high"]]), rel=2e-3, abs=6e-4)
        assert page_s[name].split()[-1] == VERDICT_SIGNS[known["verdict"]]
    assert main(["add-machine", str(file), "--home", str(tmp_path / "home"), "--name", "mine"]) == 2
    assert main(["add-machine", str(result_of(page, tmp_path / "b.json", " ")), "--home", str(tmp_path / "home")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 2 and "is there already" in said and "does not name the processor" in said


@pytest.mark.parametrize("stop", [lambda page: press(page, "Escape"), lambda page: click(page, "#measure")])
def test_a_run_can_be_stopped(page, stop):
    assert pressed(page, stop) == "Stopped: nothing was counted."
    assert page.run("byId('outcome').hidden") and texts(page, "#measure") == ["Measure in this browser"]


def test_a_tab_in_the_background_counts_nothing(page):
    def cover(page):
        with page.covered():
            until(page, "byId('progress').hidden")

    assert "throttle" in pressed(page, cover)
    assert page.run("byId('outcome').hidden")
    with page.covered():
        assert "throttle" in pressed(page), "nor does one that is there already"


@pytest.mark.parametrize("lack, words", [
    ("WebAssembly.validate = () => false", "SIMD128"),
    ("delete globalThis.DecompressionStream", "DecompressionStream"),
])  # fmt: skip
def test_a_browser_that_lacks_something_is_told_so(chrome, site, lack, words):
    script = chrome.call("Page.addScriptToEvaluateOnNewDocument", {"source": lack})["identifier"]
    try:
        visit(chrome, site / "measure.html")
        assert words in texts(chrome, "#status")[0] and chrome.run("byId('measure').disabled")
    finally:
        chrome.call("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})


def test_a_bad_address_is_told_so(page):
    page.run("history.replaceState(null, '', '?seconds=soon')")
    assert "?seconds=soon in the address is no whole number" in pressed(page)


def test_the_page_shows_the_machines_before_a_run(page):
    heads, collection = texts(page, "#net1024-table th"), ROOT / "reports/machines"
    runs = [load_summary(path.parent) for path in collection.glob("*/run.json.gz")]
    native = len([run for run in runs if any(cell.pressure == "net1024" for cell in run.cells)])
    assert len([head for head in heads if head.endswith(": native code")]) == native > 0
    assert len(heads) == 1 + native + len(list(collection.glob("browsers/*.json")))
    assert page.run("byId('outcome').hidden") and len(texts(page, "#net1024-table tbody tr")) > 10


ENTRIES = [
    {"contender": name, "role": ROLES.get(name, "method"), "log_ratios": [0.0, 0.01, 0.02], "ns_per_query": [2.0, 2.1, 2.0]}
    for name in ("magic_fancy", "magic_fancy.twin", "pext")
]


def cells(entries, *pressures):
    return [{"workload": "throughput", "pressure": name, "contenders": entries} for name in pressures or ("isolated", "net1024")]


def broken(place, **changed):
    return cells([entry | (changed if i == place else {}) for i, entry in enumerate(ENTRIES)])


@pytest.mark.parametrize("changed, words", [
    ({"kind": "other"}, "is not what the page saves"),
    ({"schema": 2}, "another version"),
    ({"cpu": "\n"}, "does not name the processor"),
    ({"browser": None}, "which browser"),
    ({"reference": "pext"}, "another reference or margin"),
    ({"module": "x"}, "no digests"),
    ({"clock": {"step_ms": 1, "sample_ms": 4}}, "too coarse"),
    ({"clock": None}, "too coarse"),
    ({"margin": float("nan")}, "another reference or margin"),
    ({"cells": []}, "has not the two cells"),
    ({"cells": cells(ENTRIES, "isolated")}, "has not the two cells"),
    ({"cells": cells([*ENTRIES, ENTRIES[2]])}, "broken numbers"),
    ({"cells": broken(2, log_ratios=[0.0, "x", 0.0])}, "broken numbers"),
    ({"cells": broken(2, log_ratios=[0.0, 0.1])}, "broken numbers"),
    ({"cells": broken(2, ns_per_query=[0, 1, 1])}, "broken numbers"),
    ({"cells": broken(2, contender="<b>")}, "broken numbers"),
    ({"cells": broken(2, log_ratios=[0.0], ns_per_query=[1.0])}, "3 to 8 starts"),
    ({"cells": broken(1, role="method")}, "no reference, twin"),
    ({"cells": broken(1, log_ratios=[0.1, 0.101, 0.102])}, "told identical code apart"),
])  # fmt: skip
def test_files_that_are_not_to_be_believed_are_refused(tmp_path, capsys, changed, words):
    home, file = tmp_path / "home", saved(tmp_path / "a.json", ENTRIES, **changed)
    assert main(["add-machine", str(file), "--home", str(home)]) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1 and not home.exists()


def test_browsers_stand_apart_and_must_have_the_same_trace(tmp_path, capsys):
    home = tmp_path / "home"
    assert main(["add-machine", str(saved(tmp_path / "a.json", ENTRIES)), "--home", str(home)]) == 0
    assert main(["add-machine", str(saved(tmp_path / "b.json", ENTRIES, cpu="Other")), "--home", str(home)]) == 0
    other = saved(tmp_path / "c.json", ENTRIES, cpu="Third", trace="2" * 64)
    assert main(["add-machine", str(other), "--home", str(home)]) == 2
    assert sorted(path.name for path in (home / "browsers").iterdir()) == ["a-cpu-b.json", "other-b.json"]
    native, browsers = (home / "README.md").read_text().split("## In browsers")
    assert "`pext`" not in native and browsers.count("| `pext` |") == 2 and "another trace" in capsys.readouterr().err
    assert main(["add-machine", "--check", "--home", str(home)]) == 0
    (home / "browsers" / "a-cpu-b.json").write_text("{}")
    assert main(["add-machine", "--check", "--home", str(home)]) == 2
