# SPDX-License-Identifier: MIT
"""Tests of the page "Measure in this browser": its statistics against Python's in node, the page in a real browser, and what
add-machine makes of its file. No time is judged. Skipped in part without node, a Chromium or the module of extras/web/wasm."""

import json
import os
import re
import shutil
import subprocess
import time

import axe
import browser as browser_
import numpy as np
import pytest
from test_page_browser import click, enter, texts

from pages import browser_page
from pages.browser_page import ROOT, WEB
from report.page.html import part
from slidebench import main
from studies.browsers import judged, read_result
from web import main as web

needs_node = pytest.mark.skipif(not shutil.which("node"), reason="node is not installed (Debian's package nodejs)")
# Few methods, so that two seconds are enough for a clock of 100 us.
MODULE, METHODS = ROOT / "build/wasm_page/slidebench.wasm", "hyperbola;hyperbola_simd128;magic_black;magic_plain;kogge_stone"
PROGRAM = os.environ.get("SLIDEBENCH", str(ROOT / "build/dev/slidebench"))
needs_chromium = pytest.mark.skipif(not browser_.find(), reason="no Chromium is installed (Debian's package chromium)")
CPU = "A CPU | of <b>tests</b>"


def node(program, given=None):
    """What a module prints as JSON; `given` is its variable of that name."""
    text = f"const given = {json.dumps(given)};\n{program}"
    command = ["node", "--input-type=module", "-"]
    return json.loads(subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=60).stdout)


# Statistics, by what is simulated


def contenders_of(ratios, starts=8, rounds=12, noise=0.02, seed=1):
    """Samples of starts, as the worker gives them: contender -> its ratio; the reference has 1."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(starts):
        shift = {name: random.normal(0, noise / 2) for name in ratios}
        found.append([])
        for number in range(rounds):
            for name, ratio in ratios.items():
                ns = 3 * ratio * np.exp(shift[name] + random.normal(0, noise))
                found[-1].append({"cell": "throughput isolated", "contender": name, "round": number, "ns": ns})
    return found


ROLES = {"magic_fancy": "reference", "magic_fancy.twin": "twin", "empty": "empty"}
RATIOS = {"magic_fancy": 1, "magic_fancy.twin": 1, "empty": 0.4, "pext": 0.9, "hyperbola": 1.5, "magic_black": 0.985}
RATIOS["sbamg"] = 1.001
JUDGE = """
import { timesOf, judgeCell } from "FILE";
const times = timesOf(given.starts, "throughput isolated", "magic_fancy");
const roles = new Map([...times.keys()].map(name => [name, given.roles[name] ?? "method"]));
const reach = (n, sharing) => given.reaches[n - 2][sharing - 1];
const entries = [...times].map(([name, { ns, logs }]) =>
  ({ contender: name, role: roles.get(name), log_ratios: logs, ns_per_query: ns }));
console.log(JSON.stringify({ entries, ...judgeCell(times, roles, 0.01, reach) }));
""".replace("FILE", (WEB / "browser/statistics.mjs").as_uri())


def page_says(starts):
    """What the page's statistics say of simulated starts: dict of entries, rows and bound."""
    reaches = browser_page.page_data(b"\0magic_fancy\0\0pext\0\0sbamg\0\0hyperbola\0\0magic_black\0", b"")["reaches"]
    return node(JUDGE, {"starts": starts, "roles": ROLES, "reaches": reaches})


def saved(path, entries, **changed):
    """The file of a race in one cell."""
    info = {
        "kind": "slidebench browser result", "schema": 1, "cpu": "A CPU", "reference": "magic_fancy", "margin": 0.01,
        "browser": {"name": "B", "version": "1", "engine": "E"}, "clock": {"step_ms": 0.1, "sample_ms": 4},
        "module": "0" * 64, "trace": "1" * 64,
        "cells": cells(entries),
    }  # fmt: skip
    path.write_text(json.dumps(info | changed))
    return path


@needs_node
@pytest.mark.parametrize("noise", [0.002, 0.02, 0.2])
@pytest.mark.parametrize("starts", [3, 8])
def test_the_page_s_statistics_are_python_s(tmp_path, noise, starts):
    said = page_says(contenders_of(RATIOS, starts, noise=noise))
    rows, bound = judged(read_result(saved(tmp_path / "a.json", said["entries"])), "isolated")
    assert said["bound"] == pytest.approx(bound, rel=1e-3)
    assert {row["contender"] for row in said["rows"]} == set(RATIOS) - {"magic_fancy.twin"}
    for row in said["rows"]:
        known = rows.loc[row["contender"]]
        assert [row[name] for name in ("ratio", "ratio_low", "ratio_high")] == pytest.approx(
            [known[name] for name in ("ratio", "ratio_low", "ratio_high")], rel=1e-3
        )
        assert row["verdict"] == known["verdict"]


@needs_node
def test_verdicts_are_those_of_known_truth():
    rows = {row["contender"]: row for row in page_says(contenders_of(RATIOS, noise=0.002))["rows"]}
    assert [rows[name]["verdict"] for name in ("pext", "hyperbola", "sbamg")] == ["faster", "slower", "equivalent"]
    assert [name for name, row in rows.items() if row["best"]] == ["pext"]
    noisy = {row["contender"]: row for row in page_says(contenders_of(RATIOS, noise=0.3))["rows"]}
    assert noisy["magic_black"]["verdict"] == "unresolved" and noisy["magic_black"]["best"]
    assert page_says(contenders_of(RATIOS, noise=0.002))["isSound"]
    assert not page_says(contenders_of(RATIOS | {"magic_fancy.twin": 1.1}, noise=0.002))["isSound"]
    quick = {row["contender"]: row for row in page_says(contenders_of(RATIOS | {"empty": 2}, noise=0.002))["rows"]}
    assert quick["pext"]["verdict"] == "void"


@needs_node
def test_the_trimmed_mean_is_that_of_the_suite():
    program = f'import {{ trimmedMean }} from "{(WEB / "browser/statistics.mjs").as_uri()}";'
    program += "console.log(JSON.stringify(given.map(trimmedMean)));"
    of_five = (0.75 * 2 + 3 + 0.75 * 5) / 2.5  # those at the edges of the middle half count by three quarters
    assert node(program, [[7], [1, 3], [9, 1, 2, 3], [5, 1, 100, 2, 3]]) == pytest.approx([7, 2, 2.5, of_five])


@needs_node
def test_the_clock_decides_how_long_and_how_often():
    program = f'import {{ planFor, secondsOf }} from "{(WEB / "browser/protocol.mjs").as_uri()}";'
    program += "const said = work => { try { return work(); } catch (error) { return error.message; } };"
    program += "console.log(JSON.stringify([given.steps.map(step => said(() => planFor(step, 30, 23))),"
    program += "given.texts.map(text => said(() => secondsOf(text)))]));"
    texts = ["", "?seconds=2", "?seconds=0", "?seconds=1e3", "?seconds=<b>"]
    plans, seconds = node(program, {"steps": [0.005, 0.1, 1, 100], "texts": texts})
    assert [(plan["sampleMs"], plan["warmUpMs"]) for plan in plans[:3]] == [(4, 1), (4, 1), (20, 5)]
    assert all(3 <= plan["starts"] <= 8 for plan in plans[:3]) and plans[2]["starts"] < plans[1]["starts"]
    assert "steps of 100 ms, too coarse" in plans[3]
    assert seconds[:2] == [30, 2] and all("no whole number from 1 to 600" in text for text in seconds[2:])


WORKER = """
const said = [], self = { crossOriginIsolated: false };
globalThis.postMessage = message => said.push(message);
const { wrong, slow } = given;
const openSuite = async () => ({ methods: [{ index: 0, id: "empty" }, { index: 1, id: "pext" }], verify: () => wrong });
const clockStep = () => 0.1;
let time = 0;
globalThis.performance = { now: () => time };
function* rounds() {
  for (let round = 0; ; ++round)
    for (const contender of ["magic_fancy", "magic_fancy.twin"]) {
      time += 500;
      const long = !slow || contender === "magic_fancy";
      yield { round, contender, workload: "throughput", pressure: "isolated", time_ns: long ? 4e6 : 1e5, queries: 1 };
    }
}
WORKER
const plan = { sampleMs: 4, startMs: 100, leastRounds: 3, cells: [0], methods: ["magic_fancy"], reference: "magic_fancy" };
await globalThis.onmessage({ data: { task: given.task, plan } });
console.log(JSON.stringify(said.at(-1)));
""".replace("WORKER", (WEB / "browser/worker.mjs").read_text().replace("onmessage =", "globalThis.onmessage ="))


@needs_node
def test_a_worker_stops_at_wrong_answers_and_where_nothing_can_be_timed():
    assert "2 wrong answers" in node(WORKER, {"task": "check", "wrong": 2})["error"]
    assert node(WORKER, {"task": "check", "wrong": 0})["done"]["stepMs"] == 0.1
    assert len(node(WORKER, {"task": "race", "slow": False})["done"]) >= 6
    assert "too busy" in node(WORKER, {"task": "race", "slow": True})["error"]


# The page in a browser


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The page of few methods and a short trace; skips where no module can be built."""
    if not (ROOT / "build/wasm/slidebench.wasm").exists():
        pytest.skip("no build/wasm/slidebench.wasm (extras/web/wasm/build.sh)")
    for command in (["--preset", "wasm", "-B", MODULE.parent, f"-DSLIDEBENCH_METHODS={METHODS}"], ["--build", MODULE.parent]):
        subprocess.run(["cmake", *map(str, command)], cwd=ROOT, check=True, capture_output=True)
    trace, out = (tmp_path_factory.mktemp("made") / name for name in ("search.trace", "page.html"))
    command = [PROGRAM, "trace", "build", "--kind", "search", "--positions", "2", "--nodes", "500", "--out", trace]
    subprocess.run([*map(str, command), str(ROOT / "datasets/sample.pgn")], check=True, capture_output=True)
    assert web(["browser-page", "--module", str(MODULE), "--trace", str(trace), "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def chrome():
    with browser_.Browser() as started:
        yield started


@pytest.fixture
def page(chrome, made):
    """The page, as if opened now; afterwards it has had no error and has asked the network for nothing."""
    chrome.errors.clear()
    chrome.look(1400)
    chrome.open("about:blank")
    chrome.open(made)
    chrome.run("history.replaceState(null, '', '?seconds=2')")
    yield chrome
    assert chrome.errors == []


def until(page, condition):
    """Waits until a condition holds in the page."""
    deadline = time.monotonic() + 120
    while not page.run(condition):
        assert time.monotonic() < deadline, texts(page, "#status")
        time.sleep(0.05)


def pressed(page, meanwhile=None):
    """Presses the button, does something once the page measures, and waits for the end; returns the status' text."""
    click(page, "#measure")
    if meanwhile:
        until(page, "byId('status').textContent.includes('Measuring')")
        meanwhile(page)
    until(page, "byId('progress').hidden")
    return texts(page, "#status")[0]


def numbers_in(text):
    return [float(number) for number in re.findall(r"[\d.]+", text)]


def result_of(page, path, cpu=CPU):
    """Saves the result as a visitor does; returns the file's path."""
    enter(page, "#cpu", cpu)
    page.run("window.made = new Promise(done => { URL.createObjectURL = blob => { done(blob); return 'data:,'; }; }); null")
    click(page, "#save")
    path.write_text(page.run("made.then(blob => blob.text())"))
    return path


@needs_chromium
def test_a_run_ends_with_a_ranking_and_a_file_that_is_taken(page, tmp_path, capsys):
    methods = sorted(set(browser_page.methods_in(MODULE.read_bytes())) - {"empty"})
    for _ in range(5):  # one in twenty tells identical code apart by chance, and is not to be taken
        assert pressed(page) == "Done."
        if "told apart" not in "".join(texts(page, "#answers li")):
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
    python = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", readme.split("### In a loop")[1].split("###")[0], re.M))
    page_s = dict(zip(texts(page, "#isolated-table tbody td:first-child"), texts(page, "#isolated-table tbody td:nth-child(2)")))
    assert sorted(python) == methods
    for name, text in python.items():
        assert numbers_in(page_s[name]) == pytest.approx(numbers_in(text), rel=2e-3) and page_s[name][-1] == text[-1]
    assert main(["add-machine", str(file), "--home", str(tmp_path / "home"), "--name", "mine"]) == 2
    assert main(["add-machine", str(result_of(page, tmp_path / "b.json", " ")), "--home", str(tmp_path / "home")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 2 and "is there already" in said and "does not name the processor" in said


def press_escape(page):
    for kind in ("rawKeyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", {"type": kind, "key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27})


@needs_chromium
@pytest.mark.parametrize("stop", [press_escape, lambda page: click(page, "#measure")])
def test_a_run_can_be_stopped(page, stop):
    assert pressed(page, stop) == "Stopped: nothing was counted."
    assert page.run("byId('outcome').hidden") and texts(page, "#measure") == ["Measure in this browser"]


@needs_chromium
def test_a_tab_in_the_background_counts_nothing(page):
    def cover(page):
        with page.covered():
            until(page, "byId('progress').hidden")

    assert "throttle" in pressed(page, cover)
    assert page.run("byId('outcome').hidden")
    with page.covered():
        assert "throttle" in pressed(page), "nor does one that is there already"


@needs_chromium
@pytest.mark.parametrize(
    ("lack", "words"),
    [
        ("WebAssembly.validate = () => false", "no SIMD128"),
        ("delete globalThis.WebAssembly", "no WebAssembly"),
        ("delete globalThis.DecompressionStream", "no DecompressionStream"),
    ],
)
def test_a_browser_that_lacks_something_is_told_so(chrome, made, lack, words):
    script = chrome.call("Page.addScriptToEvaluateOnNewDocument", {"source": lack})["identifier"]
    try:
        chrome.open(made)
        assert words in texts(chrome, "#status")[0] and chrome.run("byId('measure').disabled")
    finally:
        chrome.call("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})


@needs_chromium
def test_a_bad_address_is_told_so(page):
    page.run("history.replaceState(null, '', '?seconds=soon')")
    assert "?seconds=soon in the address is no whole number" in pressed(page)


@needs_chromium
@pytest.mark.parametrize("width", [390, 1400])
def test_the_page_can_be_read_before_a_run(page, width):
    page.look(width)
    assert page.run(browser_.OVERFLOW) == [] and page.run(browser_.LOW_CONTRAST) == []
    assert "AMD EPYC KVM, native" in texts(page, "#isolated-table th")
    source = axe.source()
    if source is None:
        pytest.skip("axe-core is neither installed nor to be had from npm (SLIDEBENCH_AXE names its axe.min.js)")
    page.run(f"byId('outcome').hidden = false; {source}; null")
    assert page.run(axe.SERIOUS) == []


# The command, and files that are not taken


def test_scripts_end_no_element_of_the_page():
    for name in browser_page.WORKER + browser_page.ON_THE_PAGE:
        assert "</script" not in (WEB / name).read_text() and "</script" not in part("run_shapes.js")


@pytest.mark.parametrize(
    ("module", "trace", "words"),
    [
        (b"no module", b"SLTRACE\n", "is not the module"),
        (b"\0asm\0empty\0", b"SLTRACE\n", "has no magic_fancy"),
        (b"\0asm\0magic_fancy\0", b"(\xb5/\xfd", "not in .zst"),
        (b"\0asm\0magic_fancy\0", b"\x1f\x8bbroken", "cannot be read"),
        (b"\0asm\0magic_fancy\0", b"SLTRACE\n" + np.random.default_rng(1).bytes(1_200_000), "more than 1500000"),
    ],
)
def test_bad_parts_of_a_page_are_refused_in_one_line(tmp_path, capsys, module, trace, words):
    options = ["browser-page", "--out", str(tmp_path / "page.html")]
    for name, data in (("module", module), ("trace", trace)):
        (tmp_path / name).write_bytes(data)
        options += [f"--{name}", str(tmp_path / name)]
    assert web(options) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1 and not (tmp_path / "page.html").exists()


ENTRIES = [
    {"contender": name, "role": ROLES.get(name, "method"), "log_ratios": [0.0, 0.01, 0.02], "ns_per_query": [2.0, 2.1, 2.0]}
    for name in ("magic_fancy", "magic_fancy.twin", "pext")
]


def cells(entries, *pressures):
    return [{"workload": "throughput", "pressure": name, "contenders": entries} for name in pressures or ("isolated", "net1024")]


def broken(place, **changed):
    return cells([entry | (changed if i == place else {}) for i, entry in enumerate(ENTRIES)])


@pytest.mark.parametrize(
    ("changed", "words"),
    [
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
    ],
)
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
