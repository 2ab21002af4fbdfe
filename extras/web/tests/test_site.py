# SPDX-License-Identifier: MIT
"""Tests of the whole site: its parts in node, and all pages in a real browser. No time is judged."""

import functools
import http.server
import json
import os
import re
import shutil
import threading

import browser as browser_
import pytest
from conftest import PROGRAM, ROOT, WEB, node, press, until, visit
from test_page_browser import click, enter, texts

from pages import command
from pages.markdown import page as markdown_page
from pages.site import MOST_BYTES, NAVIGATION, SCRIPTS
from pages.sources import opening_comment, table_rows
from slidebench import main

KINDS = [name for name, _ in NAVIGATION] + ["methods/magic_fancy.html", "methods/kogge_stone.html", "methodology.html"]
PURE = ("squares",)  # scripts that need no page


def test_comments_of_headers_are_paragraphs_and_drawings():
    text = "// SPDX-License-Identifier: MIT\n//\n// One\n// two.\n//\n//      a  b\n//        c\n// Three.\n#pragma once\n// no more"
    assert opening_comment(text) == [(False, "One two."), (True, "a  b\n  c"), (False, "Three.")]


def test_tables_of_markdown_are_read_by_their_columns():
    text = "| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n| too | few |\n| 4 | 5 | 6 |\n"
    assert table_rows(text, 3) == [("1", "2", "3"), ("4", "5", "6")] and table_rows("text", 3) == []


def test_what_is_no_fen_is_told_so():
    program = "const said = fen => { try { piecesOf(fen); } catch (error) { return error.message; } };"
    bad = {"": "there is 1 rank, not 8", "8/8": "there are 2 ranks, not 8", "9/8/8/8/8/8/8/8": '"9" stands in rank 8',
           "8/8/8/8/8/8/8/7": "rank 1 has 7 squares"}  # fmt: skip
    said = node(f"{program} console.log(JSON.stringify(given.map(said)));", PURE, list(bad))
    assert [text.split(";")[0] for text in said] == [f"No FEN: {text}" for text in bad.values()]


def test_an_address_holds_a_state_and_says_what_it_does_not():
    program = """
const usual = { pieces: new Map([[0, "p"]]), square: 1, kind: "queen", methods: [] };
console.log(JSON.stringify(given.map(hash => stateOf(hash, usual)).map(state => [hashOf(state), state.refused])));"""
    kept = "#fen=8/8/2p5/8/3P4/8/8/8&square=e4&kind=rook&methods=pext,hyperbola"
    same, empty, wrong, broken = node(program, PURE, [kept, "", "#fen=8/8&square=z9&kind=pawn", "#fen=%E0%A4%A"])
    assert same == [kept, []] and empty == ["#fen=8/8/8/8/8/8/8/p7&square=b1&kind=queen", []]
    assert wrong[0] == empty[0] and len(wrong[1]) == 3 and "square=z9; it should be a square" in wrong[1][1]
    assert len(broken[1]) == 1


def said_wrong(page):
    """What the page says is wrong with it, and with what its desk was given."""
    return texts(page, ".banner.bad:not([hidden])")


def test_the_site_is_small_and_its_links_lead_somewhere(site):
    ids = {path.stem for path in (site / "methods").glob("*.html")}
    assert {"magic_fancy", "hyperbola", "pext", "ray_masks_avx512", "rotated_hyatt"} <= ids
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) <= MOST_BYTES
    pages = {path.resolve(): path.read_text() for path in site.rglob("*.html")}
    anchors = {path: set(re.findall(r'id="([^"]+)"', text)) for path, text in pages.items()}
    links, dead = {}, []
    for path, text in pages.items():
        assert re.findall(r'src="https?:', text) == []
        found = [link.partition("#") for link in re.findall(r'(?:href|src)="(?!https?:|data:)([^"]+)"', text)]
        links[path] = [((path.parent / name).resolve() if name else path, anchor) for name, _, anchor in found]
        dead += [f"{path.name}: {target.name}#{anchor}" for target, anchor in links[path]
                 if not target.exists() or (anchor and anchor not in anchors[target])]  # fmt: skip
    assert dead == []
    reached, left = set(), [(site / "index.html").resolve()]
    while left:
        path = left.pop()
        if path in pages and path not in reached:
            reached.add(path)
            left += [target for target, _ in links[path]]
    assert set(pages) - reached == set(), "no link leads there"


@pytest.mark.parametrize("name", KINDS)
def test_pages_fit_can_be_read_and_have_nothing_serious(page, site, name):
    for width, dark in ((390, True), (1400, False)):
        page.look(width, dark=dark)
        visit(page, site / name)
        assert said_wrong(page) == [] and page.run("document.body.dataset.started") == "yes"
        page.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        assert page.run(browser_.OVERFLOW) == [] and page.run(browser_.LOW_CONTRAST) == []
    if (source := browser_.axe_source()) is not None:
        page.run(f"{source}; null")
        assert page.run(browser_.SERIOUS) == []


@pytest.mark.parametrize("part", ["methods", "machines"])
def test_every_page_of_a_method_and_of_a_machine_starts_on_a_phone(page, site, part):
    page.look(390)
    for path in sorted((site / part).glob("*.html")):
        visit(page, path)
        assert said_wrong(page) == [] and page.run(browser_.OVERFLOW) == [], path


def test_the_index_answers_for_every_machine(page, site):
    visit(page, site / "index.html")
    names = [path.stem for path in (site / "machines").glob("*.html")]
    heads, rows, cells = (texts(page, f".results {part}") for part in ("thead a", "tbody th", "tbody td"))
    assert sorted(heads) == sorted(names) and len(set(rows)) == len(rows) == 7
    assert len(cells) == len(rows) * len(heads) and all(cell for cell in cells)
    named = texts(page, ".results td a")
    assert named and {path.stem for path in (site / "methods").glob("*.html")} >= set(named)


def searched(page, words):
    """Searches as a visitor does; returns the page that opens."""
    before = page.run("location.href")
    enter(page, "#search", words)
    page.run("byId('search').form.requestSubmit(); null")
    until(page, f"location.href !== {json.dumps(before)} && document.body?.dataset.started === 'yes'")
    return page.run("location.pathname.split('/').slice(-2).join('/')")


def test_a_method_is_found_from_every_page(page, site):
    visit(page, site / "glossary.html")
    assert searched(page, "magic_black") == "methods/magic_black.html"
    assert searched(page, "hyperbola_avx2") == "methods/hyperbola_avx2.html"
    assert searched(page, "fancy").endswith("/methods.html") and page.run("byId('words').value") == "fancy"
    assert "magic_fancy" in shown_methods(page) and "pext" not in shown_methods(page)


def test_headers_are_those_of_the_repository(site):
    taken = sorted(path.name for path in (site / "headers").iterdir())
    files = [*(ROOT / "headers").glob("*.h"), *(ROOT / "headers/rust").glob("*.rs")]
    assert taken == sorted(path.name for path in files) and len(taken) > 20
    assert all((site / "headers" / path.name).read_bytes() == path.read_bytes() for path in files)
    assert '<a href="../headers/magic_fancy.h" download>' in (site / "methods/magic_fancy.html").read_text()


def test_it_opens_from_a_server_under_any_path(chrome, site, tmp_path):
    (tmp_path / "some").mkdir()
    (tmp_path / "some/where").symlink_to(site)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=tmp_path)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}/some/where/"
    for name in ("index.html", "methods/pext.html", "lecture.html", "measure.html"):
        visit(chrome, f"{home}{name}")
        assert chrome.run("document.body.dataset.started") == "yes" and said_wrong(chrome) == []
    asked = [error for error in chrome.errors if not error.startswith(f"asked the network for {home}")]
    chrome.errors.clear()
    server.shutdown()
    server.server_close()
    assert asked == []


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
    visit(page, site / "methods/magic_fancy.html", "#fen=8/8/8/8/p2p4/8/8/8&square=a1&kind=rook")
    caption = texts(page, ".step figcaption")[0]
    assert "1 copy of the factor" in caption and "The 12 bits at the top" in caption, "of a product's step"


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


def shown_methods(page):
    """The methods that the table of all still shows."""
    return page.run("[...document.querySelectorAll('#methods tbody tr')].filter(row => !row.hidden).map(row => row.dataset.id)")


def test_the_methods_are_cut_down_to_what_a_reader_has_room_for(page, site):
    visit(page, site / "methods.html")
    assert len(shown_methods(page)) == len(list((site / "methods").glob("*.html")))
    enter(page, "#most-kib", "8", "input")
    small = shown_methods(page)
    assert "hyperbola" in small and "magic_fancy" not in small and "pext" not in small
    enter(page, "#needs", "", "input")
    assert "ray_masks_avx512" in small and "ray_masks_avx512" not in shown_methods(page) and "hyperbola" in shown_methods(page)
    cells = page.run("[...document.querySelectorAll('#methods .time[data-v]')].map(cell => cell.dataset.v)")
    ratios = [float(cell) for cell in cells if cell]
    assert len(ratios) > 20 and ratios == sorted(ratios)


def test_the_lecture_has_stations_with_answers_that_print(page, site):
    visit(page, site / "lecture.html")
    assert len(texts(page, ".station")) == len(texts(page, ".station .square.slider")) == 13
    assert page.run("[...document.querySelectorAll('.steps')].every(list => list.children.length > 0)")
    asked = [*texts(page, ".question"), *texts(page, ".homework li"), *texts(page, "details.answer"), *texts(page, ".exercise")]
    assert len(asked) == 13 + 26 + 13 + 4 and min(len(text.split()) for text in asked) > 6
    source = (WEB / "lecture.md").read_text()
    for first in re.findall(r"^methods: .*\n(?:factors: yes\n)?\n(\S+ \S+ \S+)", source, re.MULTILINE):
        assert any(text.startswith(first) for text in texts(page, ".document p")), first
    answers = "[...document.querySelectorAll('details.answer')].map(answer => answer.open)"
    page.run("dispatchEvent(new Event('beforeprint')); null")
    assert set(page.run(answers)) == {True}
    enter(page, ".station .desk input", "8/8")
    assert "2 ranks" in said_wrong(page)[0]
    visit(page, site / "lecture.html", "?answers=no")
    page.run("dispatchEvent(new Event('beforeprint')); null")
    assert set(page.run(answers)) == {False}


def test_a_factor_can_be_tried(page, site):
    visit(page, site / "lecture.html")
    assert "1,024 occupancies, 144 attack sets, 1 slot of 1,024 used" in texts(page, ".factors")[0]
    assert "Not magic: these two share slot 0" in texts(page, ".factors")[0] and len(texts(page, ".factors .small-board")) == 4
    enter(page, ".factors label:nth-child(2) input", "14")  # with 14 bits a few tries are enough
    page.run("[...document.querySelectorAll('.factors button')].at(-1).click(); null")
    until(page, "document.querySelector('.factors').textContent.includes('Magic:')")
    factor = page.run("document.querySelector('.factors input').value")
    assert re.fullmatch(r"0x[0-9A-F]{16}", factor) and "of 16,384 used, after" in texts(page, ".factors")[0]
    enter(page, ".factors label:nth-child(1) input", "0xZ")
    assert "A factor is 0x" in texts(page, ".factors")[0]


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


def test_what_a_machine_lacks_is_said_in_one_line(tmp_path, capsys, monkeypatch):
    assert main(["site", "--program", str(tmp_path / "none"), "--out", str(tmp_path / "out")]) == 2
    monkeypatch.setattr(command.shutil, "which", lambda tool: None)
    assert main(["site", "--program", __file__, "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 and "no such program; scripts/run_bench.sh builds it" in said[0]
    assert "wasm-ld, node" in said[1] and "install_deps.sh --web" in said[1] and not (tmp_path / "out").exists()


def test_what_hosts_run_is_there():
    """The commands of the workflow files and of the Dockerfile, as far as they can be checked without a runner."""
    files = [*(ROOT / ".github/workflows").glob("*.yml"), ROOT / "scripts/Dockerfile"]
    text = "\n".join(path.read_text() for path in files)
    named = set(re.findall(r"(?:scripts|\.ci)/[\w.]+", text)) - {"scripts/Dockerfile"}
    assert named == {".ci/run", "scripts/install_deps.sh", "scripts/slidebench.py", "scripts/run_bench.sh"}
    assert all(os.access(ROOT / name, os.X_OK) for name in named)
    presets = {preset["name"] for preset in json.loads((ROOT / "CMakePresets.json").read_text())["buildPresets"]}
    assert set(re.findall(r"--preset (\w+)", text)) <= presets and "  --web)" in (ROOT / "scripts/install_deps.sh").read_text()


def test_a_module_that_is_not_built_is_said_in_one_line(tmp_path, capsys, monkeypatch):
    if command.missing() or not PROGRAM.exists():
        pytest.skip("a site cannot be made here")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    assert main(["site", "--program", str(PROGRAM), "--out", str(tmp_path / "out")]) == 2
    said = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("site: ")]
    assert len(said) == 1 and "cmake --preset wasm failed" in said[0]


def test_markdown_becomes_what_it_means():
    text = """# Title\n\nOne *two* **three** `a_b *c*` [x](y.md) [gone](z).\n<!-- note -->\n\n## A `head`, 2\n\n- one\n  more\n- two\n
| a | b |\n|---|---:|\n| `x \\| y` | <b> |\n\n```c\nint a;\n\nint b;\n```\n\n> aside\n\n![p](p.svg)"""
    title, body = markdown_page(text, {"y.md": "y.html", "p.svg": "p.svg"}.get)
    assert title == "Title" and "note" not in body
    for part in ("One <em>two</em> <strong>three</strong> <code>a_b *c*</code> <a href=\"y.html\">x</a> gone.",
                 "<h2 id=\"a-head-2\">A <code>head</code>, 2</h2>", "<ul><li>one more</li><li>two</li></ul>",
                 "<td><code>x | y</code></td><td class=\"n\">&lt;b&gt;</td>", "int a;\n\nint b;", "<aside><p>aside</p></aside>",
                 'aria-label="p"><img src="p.svg" alt="p"></div>'):  # fmt: skip
        assert part in body, part


def test_scripts_can_stand_in_one_file():
    names = [name for script in SCRIPTS for name in re.findall(r"^(?:export )?(?:async )?(?:const|function\*?|class|let) (\w+)",
                                                               (WEB / f"script/{script}.mjs").read_text(), re.M)]  # fmt: skip
    assert len(names) == len(set(names))
