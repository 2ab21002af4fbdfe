# SPDX-License-Identifier: MIT
"""Tests of the atlas, the site in which each method explains itself: its parts in node, and the site in a real browser, made with
the module of extras/web/atlas/build.sh. No time is judged. Skipped in part without node, a Chromium or the module."""

import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import axe
import browser as browser_
import pytest
from test_page_browser import click, copied, enter, texts

from pages.described import described
from pages.kernels import kernel_of, kernels
from pages.module import pieces_of, queries
from pages.prose import relatives, users
from pages.site import MOST_BYTES, SCRIPTS, period_names, period_of
from pages.sources import ATLAS, ROOT, opening_comment, table_rows
from report.errors import ReportError
from web import main

MODULE, PLACES = ROOT / "build/atlas/atlas.wasm", ROOT / "build/atlas/places.json"
PROGRAM = os.environ.get("SLIDEBENCH", str(ROOT / "build/dev/slidebench"))
KINDS = ["index.html", "methods/magic_fancy.html", "methods/kogge_stone.html", "compare.html", "lecture.html", "glossary.html"]

needs_node = pytest.mark.skipif(not shutil.which("node"), reason="node is not installed (Debian's package nodejs)")


def node(program, given=None):
    """What the scripts of the site print as JSON, joined without what needs a page; `given` is their variable of that name."""
    pure = ("squares", "address", "lines")
    text = "\n".join((ATLAS / f"site/{name}.mjs").read_text() for name in pure)
    text = f"const given = {json.dumps(given)};\n{re.sub(r'^export ', '', text, flags=re.M)}\n{program}"
    command = ["node", "--input-type=module", "-"]
    return json.loads(subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=60).stdout)


# What needs no module


def test_comments_of_headers_are_paragraphs_and_drawings():
    text = "// SPDX-License-Identifier: MIT\n//\n// One\n// two.\n//\n//      a  b\n//        c\n// Three.\n#pragma once\n// no more"
    assert opening_comment(text) == [(False, "One two."), (True, "a  b\n  c"), (False, "Three.")]


def test_tables_of_markdown_are_read_by_their_columns():
    text = "| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n| too | few |\n| 4 | 5 | 6 |\n"
    assert table_rows(text, 3) == [("1", "2", "3"), ("4", "5", "6")] and table_rows("text", 3) == []


def test_users_and_relatives_are_methods_of_the_tree():
    known = {path.stem for path in (ROOT / "methods").glob("*/*.hpp")}
    assert users().keys() <= known and relatives().keys() <= known
    assert {name for rows in relatives().values() for name, _ in rows} <= known


def test_every_year_has_a_period():
    assert [period_of(year) for year in (1950, 1999, 2000, 2007, 2026)] == [0, 0, 1, 2, len(period_names()) - 1]


def test_kernels_are_as_committed_or_absent(tmp_path):
    found = kernels()
    for method in found["methods"]:
        kernel = kernel_of(found, method)
        assert [row[0] for row in kernel["rows"]] == ["throughput", "latency"]
        assert kernel["disassembly"].count("\n") == kernel["lines"]
    assert kernel_of(kernels(tmp_path / "none"), "pext") is None
    (tmp_path / "broken").write_bytes(b"no gzip")
    with pytest.raises(ReportError, match="cannot be read"):
        kernels(tmp_path / "broken")


def test_queries_are_sliders_of_positions():
    found = queries()
    assert len(found) == 1000 and {kind for kind, *_ in found} == {"bishop", "rook", "queen"}
    assert all(int(occupied, 16) >> square & 1 for _, square, occupied in found)


@needs_node
def test_fens_are_read_as_python_reads_them():
    fens = [line.split()[0] for line in (ATLAS / "site/positions.fen").read_text().splitlines()[:20]]
    program = "console.log(JSON.stringify(given.map(fen => [Object.fromEntries(piecesOf(fen)), fenOf(piecesOf(fen))])));"
    for fen, (pieces, again) in zip(fens, node(program, fens)):
        assert {int(square): letter for square, letter in pieces.items()} == pieces_of(fen) and again == fen


@needs_node
def test_what_is_no_fen_is_told_so():
    program = "const said = fen => { try { piecesOf(fen); } catch (error) { return error.message; } };"
    said = node(f"{program} console.log(JSON.stringify(given.map(said)));", ["", "8/8", "9/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/7"])
    assert [text.split(";")[0] for text in said] == [
        "No FEN: there is 1 rank, not 8",
        "No FEN: there are 2 ranks, not 8",
        'No FEN: "9" stands in rank 8',
        "No FEN: rank 1 has 7 squares",
    ]


@needs_node
def test_an_address_holds_a_state_and_says_what_it_does_not():
    program = """
const usual = { pieces: new Map([[0, "p"]]), square: 1, kind: "queen", methods: [] };
console.log(JSON.stringify(given.map(hash => {
  const state = stateOf(hash, usual);
  return [hashOf(state), state.refused];
})));"""
    kept = "#fen=8/8/2p5/8/3P4/8/8/8&square=e4&kind=rook&methods=pext,hyperbola"
    same, empty, wrong, broken = node(program, [kept, "", "#fen=8/8&square=z9&kind=pawn", "#fen=%E0%A4%A"])
    assert same == [kept, []] and empty == ["#fen=8/8/8/8/8/8/8/p7&square=b1&kind=queen", []]
    assert wrong[0] == empty[0] and len(wrong[1]) == 3 and "square=z9; it should be a square" in wrong[1][1]
    assert len(broken[1]) == 1


@needs_node
def test_lines_are_evicted_by_other_lines():
    program = """
const history = new LineHistory(), read = offset => ({ table: 0, offset, bytes: 8 });
const known = depth => depth === Infinity ? -1 : depth;
const depths = reads => reads.map(({ lines }) => lines.map(({ name, depth, inBefore }) => [name, known(depth), inBefore]));
const said = [depths(history.query([read(0), read(64), read(60)])), depths(history.query([read(128), read(0)])),
              depths(history.query([read(64)], 10))];
console.log(JSON.stringify([said, ["0:0", "0:1", "0:2", "0:3"].map(name => history.stateOf(name, 12))]));"""
    (first, second, third), states = node(program)
    # The third read lies across two lines.
    assert first == [[["0:0", -1, False]], [["0:1", -1, False]], [["0:0", 1, False], ["0:1", 1, False]]]
    assert second == [[["0:2", -1, False]], [["0:0", 2, True]]]
    assert third == [[["0:1", 12, False]]]
    assert states == ["cached", "now", "evicted", "never"]


# The site


@pytest.fixture(scope="module")
def chrome():
    if not browser_.find():
        pytest.skip("no Chromium is installed (Debian's package chromium)")
    with browser_.Browser() as started:
        yield started


@pytest.fixture(scope="module")
def program():
    if not MODULE.exists() or not Path(PROGRAM).exists() or not shutil.which("node"):
        pytest.skip("no build/atlas/atlas.wasm (extras/web/atlas/build.sh), no slidebench, or no node")
    return Path(PROGRAM)


def made(program, out, *changed):
    """Makes a site; returns the status."""
    parts = ["--module", str(MODULE), "--places", str(PLACES), "--program", str(program)]
    return main(["atlas", *parts, "--out", str(out), *changed])


@pytest.fixture(scope="module")
def site(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("atlas") / "site"
    assert made(program, folder) == 0
    return folder


@pytest.fixture
def page(chrome):
    """The browser; afterwards no page has had an error or has asked the network for anything."""
    chrome.errors.clear()
    chrome.look(1400)
    yield chrome
    assert chrome.errors == []


def visit(page, path, hash_=""):
    """Opens a page at an address as if for the first time, and waits until it has started."""
    page.open("about:blank")
    page.call("Page.navigate", {"url": path.as_uri() + hash_})
    deadline = time.monotonic() + 60
    while not page.run("typeof started !== 'undefined' && started.then(() => true)"):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def said_wrong(page):
    """What the page says is wrong with it, and with what its desk was given."""
    return texts(page, ".banner.bad:not([hidden])")


def press(page, *keys):
    codes = {"Tab": 9, "Enter": 13, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
    for key in keys:
        event = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        for kind in ("rawKeyDown", "keyUp"):
            page.call("Input.dispatchKeyEvent", {"type": kind, **event})


def test_the_site_has_a_page_for_each_method_and_is_small(site):
    ids = {path.stem for path in (site / "methods").glob("*.html")}
    assert {"magic_fancy", "hyperbola", "pext", "ray_masks_avx512", "rotated_hyatt"} <= ids
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) <= MOST_BYTES
    index = (site / "index.html").read_text()
    assert set(re.findall(r'href="methods/(\w+)\.html"', index)) == ids
    for path in site.rglob("*.html"):
        links = re.findall(r'(?:href|src)="([^"#:]+)"', path.read_text())
        assert [link for link in links if not (path.parent / link).exists()] == [], path


@pytest.mark.parametrize("name", KINDS)
def test_pages_fit_can_be_read_and_have_nothing_serious(page, site, name):
    source = axe.source()
    for width, dark in ((390, True), (1400, False)):
        page.look(width, dark=dark)
        visit(page, site / name)
        assert said_wrong(page) == [] and page.run("document.body.dataset.started") == "yes"
        page.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        assert page.run(browser_.OVERFLOW) == [] and page.run(browser_.LOW_CONTRAST) == []
    print(name, "took", page.run("Math.round(performance.getEntriesByType('navigation')[0].duration)"), "ms to load")
    if source is not None:
        page.run(f"{source}; null")
        assert page.run(axe.SERIOUS) == []


EVERY_METHOD = """
openData().then(({atlas, described}) => atlas.methods.flatMap(method => given.flatMap(([kind, square, hex]) => {
  const occupied = BigInt("0x" + hex);
  return [kind, "bishop", "rook"].flatMap(each => {
    const {answer, events} = atlas.ask(method, each, square, occupied);
    const steps = stepsOf(events, described, each), last = steps.at(-1)?.values.at(-1).words[0];
    const isRight = answer === atlas.reference(each, square, occupied);
    const ends = each === "queen" || last === answer;
    return isRight && steps.length && ends ? [] : [`${method.id} ${each} ${square} ${hex}: ${isRight} ${steps.length} ${ends}`];
  });
})))
"""


def test_every_method_answers_as_the_reference_does_and_its_last_step_is_the_answer(page, site):
    visit(page, site / "compare.html")
    page.run(f"window.given = {json.dumps(queries()[:200])}; null")
    assert page.run(EVERY_METHOD) == []


def test_a_page_shows_answer_steps_reads_and_facts(page, site):
    visit(page, site / "methods/magic_fancy.html", "#fen=8/8/8/8/8/8/8/8&square=a1&kind=rook")
    assert "The rook on a1 attacks 14 squares. 12 relevant squares (ringed): 2^12 = 4,096 occupancies." in texts(page, ".said")[0]
    assert len(texts(page, "#steps-drawn > .step")) == 5 and texts(page, ".number-value") == ["0"]
    assert [row.split()[0] for row in texts(page, "#reads-drawn tbody td:nth-child(2)")] == ["records", "sets"]
    click(page, "#steps-drawn .step button")
    assert "4,096 relevant occupancies, which use 4,096 slots" in texts(page, ".sharing p")[0]
    page.run("location.hash = '#fen=8/8/8/8/8/8/8/8&square=b1&kind=rook'; null")
    page.run("new Promise(done => setTimeout(done, 50))")
    assert "shared with the query before, rook on a1" in texts(page, "#reads-drawn .said")[0]


def test_steps_of_products_mark_the_bits_of_the_slot(page, site):
    visit(page, site / "methods/magic_fancy.html", "#fen=8/8/8/8/p2p4/8/8/8&square=a1&kind=rook")
    caption = texts(page, ".step figcaption")[0]
    assert "1 copy of the factor" in caption and "The 12 bits at the top" in caption


def test_the_keyboard_alone_sets_a_position(page, site):
    visit(page, site / "methods/pext.html", "#fen=8/8/8/8/8/8/8/8&square=a1&kind=queen")
    for _ in range(40):
        if page.run("document.activeElement.matches('.square')"):
            break
        press(page, "Tab")
    assert page.run("document.activeElement.dataset.square") == "a1"
    press(page, "ArrowUp", "ArrowUp", " ", "ArrowRight", "Enter", "r")
    assert page.run("location.hash") == "#fen=8/8/8/8/8/p7/8/8&square=b3&kind=rook"
    press(page, "ArrowLeft", " ", "ArrowLeft", "b")
    assert page.run("location.hash") == "#fen=8/8/8/8/8/8/8/8&square=b3&kind=bishop"
    assert page.run("document.activeElement.dataset.square") == "a3"


def test_a_click_sets_blockers_and_moves_the_slider(page, site):
    visit(page, site / "methods/pext.html", "#fen=8/8/8/8/8/8/8/8&square=a1&kind=queen")
    for square in ("c3", "a1", "d4"):
        click(page, f".square[data-square={square}]")
    assert page.run("location.hash") == "#fen=8/8/8/8/8/2p5/8/8&square=d4&kind=queen"
    enter(page, ".desk select", "rook")
    enter(page, ".desk input", "8/8/8/8/8/8/8/8 w - - 0 1")
    assert page.run("location.hash") == "#fen=8/8/8/8/8/8/8/8&square=d4&kind=rook"


def test_the_address_restores_the_state(page, site):
    state = "#fen=8/3p4/8/8/3P4/8/8/8&square=d5&kind=rook&methods=pext,ray_walk,hyperbola"
    visit(page, site / "compare.html", state)
    assert page.run("[...document.querySelectorAll('.column')].map(e => e.dataset.method)") == ["pext", "ray_walk", "hyperbola"]
    assert len(texts(page, ".square.blocker")) == 2
    assert page.run("document.querySelector('.square.slider').dataset.square") == "d5"
    enter(page, "#pickers label:nth-child(2) select", "")
    assert page.run("location.hash") == state.replace("ray_walk,", "")


def test_what_an_address_or_a_field_says_wrongly_is_told(page, site):
    visit(page, site / "compare.html", "#fen=8/8&square=z9&methods=nobody,pext")
    assert len(said_wrong(page)) == 1 and all(words in said_wrong(page)[0] for words in ("2 ranks", "z9", "nobody"))
    enter(page, ".desk input", "no board")
    assert "No FEN" in said_wrong(page)[0]
    enter(page, ".desk input", "8/8/8/8/8/8/8/8")
    assert "No FEN" not in "".join(said_wrong(page))


def test_the_code_is_that_of_the_headers(page, site):
    visit(page, site / "methods/magic_fancy.html")
    offered = {"c": (ROOT / "headers/magic_fancy.h").read_text(), "rust": (ROOT / "headers/rust/magic_fancy.rs").read_text()}
    assert page.run("[...document.querySelectorAll('[data-copy]')].map(e => e.dataset.copy)") == list(offered)
    for language, expected in offered.items():
        page.run("window.held = undefined; null")
        copied(page, f"button[data-copy='{language}']")
        assert page.run("new Promise(done => setTimeout(() => done(window.held), 100))") == expected
    shown = {"c": "sliding_init"} | ({"kernel": "imul"} if kernels()["methods"] else {})
    for name, words in shown.items():
        page.run(f"document.querySelector('details[data-code=\"{name}\"]').open = true; new Promise(done => setTimeout(done, 200))")
        assert words in texts(page, f"details[data-code='{name}']")[0]
    visit(page, site / "methods/kindergarten.html")
    assert texts(page, "button[data-copy]") == []


def test_the_index_is_cut_down_to_what_a_reader_has_room_for(page, site):
    visit(page, site / "index.html")
    shown = "[...document.querySelectorAll('#methods tbody tr')].filter(row => !row.hidden).map(row => row.dataset.id)"
    assert len(page.run(shown)) == len(list((site / "methods").glob("*.html")))
    enter(page, "#most-kib", "8", "input")
    small = page.run(shown)
    assert "hyperbola" in small and "magic_fancy" not in small and "pext" not in small
    enter(page, "#needs", "", "input")
    assert "ray_masks_avx512" in small and "ray_masks_avx512" not in page.run(shown) and "hyperbola" in page.run(shown)
    cells = page.run("[...document.querySelectorAll('#methods .time[data-v]')].map(cell => cell.dataset.v)")
    ratios = [float(cell) for cell in cells if cell]
    assert len(ratios) > 20 and ratios == sorted(ratios)


def test_the_lecture_has_ten_stations_with_answers_that_print(page, site):
    visit(page, site / "lecture.html")
    assert len(texts(page, ".station")) == 10 and len(texts(page, ".station .square.slider")) == 10
    assert page.run("[...document.querySelectorAll('.steps')].every(list => list.children.length > 1)")
    page.run("dispatchEvent(new Event('beforeprint')); null")
    assert page.run("[...document.querySelectorAll('details.answer')].every(answer => answer.open)")
    enter(page, ".station .desk input", "8/8")
    assert "2 ranks" in said_wrong(page)[0]


def test_a_site_without_its_parts_says_so(page, site, tmp_path):
    broken = shutil.copytree(site, tmp_path / "site")
    (broken / "data.js").unlink()
    page.open(broken / "compare.html")
    page.run("started")
    assert "data.js" in said_wrong(page)[0] and "is missing" in said_wrong(page)[0]
    page.errors.clear()  # the missing file itself


def test_places_of_another_build_are_told(page, site):
    visit(page, site / "compare.html")
    said = page.run("openData().then(data => { data.described.places.length = 5; return askedOf(data, data.atlas.method('pext'), "
                    "{kind: 'rook', square: 0, pieces: new Map()}); }).catch(error => error.message)")  # fmt: skip
    assert "of two builds" in said


@pytest.mark.parametrize(
    ("part", "data", "words"),
    [
        ("--module", None, "cannot be read"),
        ("--module", b"no module", "is no WebAssembly module"),
        ("--module", b"\0asm\1\0\0\0", "cannot be asked"),
        ("--places", None, "cannot be read"),
        ("--places", b"[1]", "has no places"),
        ("--places", b"[]", "has no places"),
        ("--places", b'[{"file": "a", "function": "b", "text": "c"}]', "which PLACES has not"),
    ],
)
def test_bad_parts_are_refused_in_one_line(program, tmp_path, capsys, part, data, words):
    path = tmp_path / "part"
    if data is not None:
        path.write_bytes(data)
    assert made(program, tmp_path / "out", part, str(path)) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1 and not (tmp_path / "out").exists()


def test_a_program_that_is_none_is_refused(tmp_path, capsys):
    if not MODULE.exists():
        pytest.skip("no build/atlas/atlas.wasm (extras/web/atlas/build.sh)")
    assert made(tmp_path / "nothing", tmp_path / "out") == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_places_that_lack_a_step_are_refused():
    with pytest.raises(ReportError, match="computes no"):
        described([])


def test_scripts_can_stand_in_one_file():
    names = [name for script in SCRIPTS for name in re.findall(r"^(?:export )?(?:async )?(?:const|function\*?|class|let) (\w+)",
                                                               (ATLAS / script).read_text(), re.M)]  # fmt: skip
    assert len(names) == len(set(names))
