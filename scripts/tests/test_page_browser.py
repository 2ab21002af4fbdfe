# SPDX-License-Identifier: MIT
"""Tests of the pages in a real headless browser: they load, react, fit and can be read. Skipped without a Chromium."""

import json
import re
import xml.etree.ElementTree

import browser as browser_
import pytest
import synthetic
from folders import assert_reported, edit_csv

from report.data.cells import Cell
from report.data.headers import ROOT
from report.figures.style import METHOD_COLOURS, label_colour

pytestmark = pytest.mark.skipif(not browser_.find(), reason="no Chromium is installed (Debian's package chromium)")

NAMES = "[...document.querySelectorAll('#methods-live tbody .id')].map(e => e.textContent.trim())"
WINNERS = "[...document.querySelectorAll('#winners tbody tr')].map(e => e.dataset.id)"
PANEL = "[...document.querySelectorAll('#panel .row')].map(e => e.dataset.row)"
KNOWN = synthetic.methods()


@pytest.fixture(scope="module")
def chrome():
    with browser_.Browser() as started:
        yield started


@pytest.fixture(autouse=True)
def no_errors(chrome):
    """Whatever a test does, the page has no error and asks nothing of the network."""
    chrome.errors.clear()
    yield
    assert chrome.errors == []


def reported(folder):
    """Makes the page of a folder; returns its path."""
    assert_reported(folder)
    return folder / "index.html"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The page of a run that has everything, headers too."""
    return reported(synthetic.make_full_run(tmp_path_factory.mktemp("page") / "run"))


def open_page(chrome, path):
    """Opens a page as if for the first time, and waits until it is drawn."""
    chrome.open("about:blank")
    chrome.open(path)
    chrome.run("typeof started === 'undefined' ? null : started.then(() => null)")


@pytest.fixture
def page(chrome, written):
    """The browser with that page, as if opened now."""
    chrome.look(1400)
    open_page(chrome, written)
    return chrome


def texts(page, selector):
    """The texts of elements."""
    return page.run(f"[...document.querySelectorAll(`{selector}`)].map(e => e.textContent.trim())")


def enter(page, selector, value, event="change"):
    """Gives a control a value as a user does."""
    control = f"Object.assign(document.querySelector('{selector}'), {{value: {json.dumps(value)}}})"
    page.run(f"{control}.dispatchEvent(new Event('{event}', {{bubbles: true}}))")


def click(page, selector):
    """Clicks an element, one of a figure too."""
    page.run(f"document.querySelector(`{selector}`).dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")


def copied(page, selector):
    """What a click puts on the clipboard."""
    page.run("navigator.clipboard.writeText = async text => { window.held = text; }")
    click(page, selector)
    return page.run("new Promise(done => setTimeout(() => done(window.held), 50))")


def hostile(folder):
    known = {"magic_fancy": KNOWN["magic_fancy"], "pext": ("<b>x</b>", 0, 2.0)}
    trace = "</script><script>alert(1)</script>" + "long" * 30
    cells = [Cell("latency", trace, "isolated"), Cell("latency", trace, "a" * 80)]
    return synthetic.make_full_run(folder, cells, known, simulated=False, machine={"cpu": "<i>" * 40})


def no_reference(folder):
    synthetic.make_full_run(folder, [Cell("latency", "game", "isolated")], simulated=False)
    empty = dict.fromkeys(("ratio", "ratio_low", "ratio_high", "margin", "aa_bound", "best"), "")
    edit_csv(folder, "summary.csv", lambda t: t[t["contender"] != "magic_fancy"].assign(**empty))
    (folder / "answer.json").unlink()
    return folder


@pytest.mark.parametrize("make", [None, hostile, no_reference, lambda folder: synthetic.make_simulation(folder, KNOWN)])
def test_it_fits_and_reads(chrome, written, make, tmp_path):
    """Nothing sticks out at any width, all text has contrast, in light and in dark, and no figure is broken."""
    path = reported(make(tmp_path / "folder")) if make else written
    for width, dark in ((375, False), (390, True), (768, False), (1400, False), (1400, True)):
        chrome.look(width, dark=dark)
        open_page(chrome, path)
        if chrome.run("typeof refresh") == "function":
            chrome.run("refresh({open: view.cell.rows[0]?.contender ?? ''})")
        opened(chrome)
        assert chrome.run(browser_.OVERFLOW) == [], (width, dark)
        assert chrome.run(browser_.LOW_CONTRAST) == [], (width, dark)
    bad = "[...document.querySelectorAll('svg *')].flatMap(e => [...e.attributes]).map(a => a.value)"
    assert chrome.run(f"{bad}.filter(v => /NaN|undefined|Infinity/.test(v))") == []


def test_every_colour_reads_in_the_dark(chrome, tmp_path):
    names = "".join(f'<p style="color: {label_colour(method)}">{method}</p>' for method in METHOD_COLOURS)
    style = (ROOT / "scripts/report/page/assets/page.css").read_text()
    (tmp_path / "colours.html").write_text(f"<!DOCTYPE html><style>{style}</style>{names}")
    for dark in (False, True):
        chrome.look(1400, dark=dark)
        chrome.open(tmp_path / "colours.html")
        assert chrome.run(browser_.LOW_CONTRAST) == []


def test_the_checks_themselves_find_faults(page):
    wide, pale = '<div style="width: 2000px">wide</div>', '<p style="color: #999; background: #fff">pale</p>'
    page.run(f"document.body.insertAdjacentHTML('beforeend', '{wide}{pale}')")
    assert page.run(browser_.OVERFLOW)
    assert any("pale" in line for line in page.run(browser_.LOW_CONTRAST))
    page.run("console.error('said on purpose')")
    page.run("new Promise(done => setTimeout(done, 50))")
    assert "said on purpose" in " ".join(page.errors)
    page.errors.clear()


def test_it_is_small_and_the_first_view_is_verdict_panel_and_table(page, written):
    assert written.stat().st_size <= 1_200_000
    assert page.run("document.documentElement.scrollHeight") <= 12_000
    assert page.run("[...document.querySelectorAll('main > section > details')].map(fold => fold.open)") == [False] * 5
    tops = "['#verdict, #next', '#panel svg', '#legend', '#winners'].map(e => document.querySelector(e).getBoundingClientRect().top)"
    assert page.run(tops) == sorted(page.run(tops))
    page.look(390)
    page.run("refresh({marked: 'congruent_modulo_dense'})")
    assert "congruent_modulo_dense" in texts(page, "#panel .row text"), "no name is cut"
    boxes = "[...document.querySelectorAll('#panel .row')].map(r => [...r.querySelectorAll('text')].map(t => t.getBoundingClientRect()))"
    marks = f"{boxes}.every(([name, figure]) => name.right < figure.left && figure.right <= innerWidth)"
    assert page.run(marks), "and none lies over another"
    page.run("location.hash = '#trust'; new Promise(done => setTimeout(done, 100))")
    assert page.run("document.querySelector('#trust > details').open")


def opened(page):
    """Opens all folds, and waits until what lies in them is drawn."""
    page.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    page.run("new Promise(done => setTimeout(done, 300))")
    return page


def test_every_figure_is_drawn_and_says_what_it_shows(page):
    opened(page)
    labels = page.run("[...document.querySelectorAll('[role=img]')].map(e => e.ariaLabel)")
    assert len(labels) > 20
    assert len(set(labels)) == len(labels)
    assert [label for label in labels if len(label) < 30 or not re.search(r"\d|has the most", label)] == []
    assert page.run("document.querySelectorAll('#panel svg path').length") > 5
    for kind in ("misses", "curves", "boards", "rounds"):
        assert page.run(f"document.querySelector('[data-figures={kind}] figure svg')?.clientWidth"), kind
    count = page.run("[view.situations.length, document.querySelectorAll('#panels svg').length]")
    assert count == [12, 11], "a panel a situation; that which decides stands first"
    assert not any("asked twice" in text for text in texts(page, "#panel text"))
    colours = page.run("new Set([...document.querySelectorAll('#methods-live .swatch')].map(e => e.style.cssText)).size")
    assert colours == len(KNOWN)
    assert "ns per query" in texts(page, "#panel title")[3]


def test_the_winners_are_in_sight_sorted_by_what_decides(page):
    named = page.run("data.answer.table.rows.map(([method]) => method)")
    assert page.run(WINNERS) == page.run(PANEL) == named
    best = {situation["method"] for situation in page.run("data.answer.situations")}
    assert {"magic_fancy", "kogge_stone", *best} <= set(named)
    heads = texts(page, "#winners thead th")
    column = 1 + [head.startswith("In net1024") for head in heads].index(True)
    ratios = [page.run(f"rowIn(data.cells[deciding().cell], '{method}').ratio") for method in named]
    assert ratios == sorted(ratios)
    shown = texts(page, f"#winners tbody tr > :nth-child({column})")
    assert [number(text) for text in shown] == [pytest.approx(100 * ratio - 100, abs=0.6) for ratio in ratios]
    assert re.fullmatch(r"\u2212\d\d?(\.\d)? %", shown[0]), "a true minus sign"


def number(text):
    """The first number of a text."""
    return float(re.search(r"[\u2212+]?\d+(\.\d+)?", text)[0].replace("\u2212", "-"))


def test_undecided_has_one_sign_and_no_colour(page):
    judged = "data.cells.flatMap(cell => cell.rows.map(row => row.verdict))"
    assert {"inconclusive", "equivalent", "faster", "slower"} <= set(page.run(judged))
    place = page.run("data.cells.findIndex(cell => cell.rows.some(row => row.verdict === 'inconclusive'))")
    page.run(f"refresh({{cell: coordinates(data.cells[{place}])}})")
    assert "?" in texts(page, "#methods-live td.verdict")
    colours = "[...document.querySelectorAll('#methods-live .undecided')].map(e => getComputedStyle(e).color)"
    assert len(set(page.run(colours))) == 1
    words = " ".join(texts(page, "#methods-live td") + texts(page, "#winners td"))
    assert not re.search("inconclusive|unresolved", words)


def test_tables_sort(page):
    assert page.run(NAMES)[0] == "kindergarten"
    for down in (False, True):
        click(page, "#methods-live button[data-key=bytes]")
        sizes = [KNOWN[name][1] for name in page.run(NAMES)]
        assert sizes == sorted(sizes, reverse=down)
    assert page.run("document.querySelector('#methods-live th[aria-sort]').ariaSort") == "descending"
    click(page, "#checks-table th:nth-child(2) button")
    cells = texts(page, "#checks-table tbody td:nth-child(2)")
    assert cells == sorted(cells)


def test_the_table_has_six_columns_and_a_chooser(page):
    heads = texts(page, "#methods-live thead th")
    assert heads == ["method", "time against magic_fancy", "verdict", "the fastest?", "time per query", "tables"]
    row = dict(zip(heads, texts(page, "#methods-live tr[data-id=pext] > *")))
    assert re.fullmatch(r"\d+(\.\d+)? ns \[\d+(\.\d+)?, \d+(\.\d+)?\]", row["time per query"])
    assert re.fullmatch(r"\u2212[\d.]+ % \[\u2212[\d.]+, \u2212[\d.]+\]", row["time against magic_fancy"])
    assert row["the fastest?"] == "no"
    click(page, "#columns input[value=inventor]")
    assert texts(page, "#methods-live thead th")[-1] == "inventor"
    assert "inventor" in page.run("location.hash")
    click(page, "#columns input[value=inventor]")
    assert texts(page, "#methods-live thead th") == heads
    enter(page, "#choose-pressure", "isolated")
    chosen = page.run("[...document.querySelectorAll('#columns input')].map(e => e.value)")
    assert {"l1d_misses simulated", "net_ns_per_query", "cycles", "year"} <= set(chosen)
    enter(page, "#choose-workload", "engine")
    assert texts(page, "#methods-live thead th")[4] == "time per node"


def test_the_head_and_the_names_stay_in_sight(page):
    page.look(390)
    page.run("refresh({columns: 'ratio,verdict,best,ns_per_query,bytes,inventor'})")
    box = "document.querySelector('#methods .tall')"
    page.run(f"{box}.scrollTo(150, 300)")
    for cell, side in (("thead th", "left"), ("tbody tr:nth-child(15) th", "left"), ("thead th", "top")):
        inside = f"{box}.querySelector('{cell}').getBoundingClientRect().{side} - {box}.getBoundingClientRect().{side}"
        assert page.run(inside) == pytest.approx(1, abs=1), (cell, side)


def test_a_click_or_a_key_opens_the_code(page):
    opened_rows = "document.querySelectorAll('#methods-live .opened').length"
    click(page, "[data-open=pext]")
    assert page.run(opened_rows) == 1
    assert "open=pext" in page.run("location.hash")
    assert page.run("document.querySelector('[data-open=pext]').ariaExpanded") == "true"
    facts = dict(zip(texts(page, ".opened dt"), texts(page, ".opened dd")))
    assert facts["in the sources"] == "methods/pext/pext.hpp"
    code = (ROOT / "headers/pext.h").read_text()
    assert page.run("document.querySelector('.opened pre').textContent") == code
    kinds = page.run("[...document.querySelectorAll('.opened pre span')].map(e => [e.className, e.textContent])")
    wanted = (["comment", "// SPDX-License-Identifier: MIT"], ["keyword", "static"], ["number", "102400"])
    assert [kind for kind in wanted if kind not in kinds] == []
    assert {kind for kind, _ in kinds} == {"comment", "preprocessor", "keyword", "number", "string"}
    assert copied(page, "[data-header=pext]") == code
    click(page, "[data-open=pext]")
    assert page.run(opened_rows) == 0
    opened(page)
    page.run("document.querySelector('[data-open=pext]').focus()")
    enter_key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
    for kind in ("keyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", {"type": kind} | enter_key)
    assert page.run(opened_rows) == 1
    assert page.run("document.activeElement.dataset.open") == "pext", "the focus stays"


def test_the_reference_and_marked_rows_survive_every_filter(page):
    click(page, "#methods-live [data-contender=sbamg]")
    kept = {"magic_fancy", "sbamg"}
    enter(page, "#words", "magic byte", "input")
    assert set(page.run(NAMES)) == {"magic_byte", "magic_byte_fancy", *kept}
    assert "4 of" in texts(page, "#methods-count")[0]
    enter(page, "#words", "no such method", "input")
    assert set(page.run(NAMES)) == kept
    enter(page, "#words", "slower", "input")
    verdicts = "[...document.querySelectorAll('#methods-live tbody tr:not(.kept) td.verdict')].map(e => e.textContent)"
    assert {text[-6:] for text in page.run(verdicts)} == {"slower"}


def test_every_choice_leads_to_a_cell(page):
    for name in ("workload", "trace", "kinds", "pages", "corunners", "pressure"):
        for value in page.run(f"[...document.getElementById('choose-{name}').options].map(o => o.value)"):
            enter(page, f"#choose-{name}", value)
            assert page.run(f"String(view.cell.{name})") == value
            assert page.run(NAMES), (name, value)
    enter(page, "#choose-workload", "latency")
    enter(page, "#choose-pressure", "nnue")
    assert texts(page, ".cell-name")[0] == "latency on search, nnue (768 lines of 8M at each evaluation)"
    assert page.run(NAMES)[0] in ("hyperbola_avx2", "hyperbola", "kindergarten")
    enter(page, "#choose-pressure", "isolated")
    assert page.run(NAMES)[0] == "pext"


def test_a_click_shows_a_method_everywhere(page):
    opened(page)
    for shown in (True, False):
        click(page, "#methods-live .swatch[data-contender=sbamg]")
        for selector in ("#panel text", "#panels figure:first-child text"):
            assert ("sbamg" in texts(page, selector)) == shown
        assert ("sbamg" in page.run(WINNERS)) == shown
        assert page.run("document.querySelector('.swatch[data-contender=sbamg]').ariaPressed") == str(shown).lower()
    enter(page, "#show-method", "sbamg")
    assert "sbamg" in page.run(WINNERS)
    click(page, "#winners [data-contender=sbamg]")
    assert "sbamg" not in page.run(WINNERS)


def test_it_prints_light_and_without_controls(page):
    page.look(794, dark=True, print_=True)
    assert page.run("getComputedStyle(document.getElementById('controls')).display") == "none"
    assert page.run("getComputedStyle(document.documentElement).filter") == "none"
    assert page.run(browser_.LOW_CONTRAST) == []


def test_a_view_is_shared_by_its_address(page, written):
    enter(page, "#choose-workload", "latency")
    enter(page, "#choose-pressure", "nnue")
    click(page, "#methods-live [data-contender=sbamg]")
    enter(page, "#words", "hyper", "input")
    click(page, "#methods-live button[data-key=bytes]")
    click(page, "[data-open=hyperbola]")
    seen = f"[state, {NAMES}, {WINNERS}, document.getElementById('words').value, document.querySelector('#answers').textContent]"
    before, address = page.run(seen), page.run("location.hash")
    open_page(page, written)
    assert page.run(seen) != before
    page.run(f"location.hash = {json.dumps(address)}; new Promise(done => setTimeout(done, 50))")
    assert page.run(seen) == before
    page.run("location.hash = '#cell=<b>&marked=,,&sort=&words='; new Promise(done => setTimeout(done, 50))")
    assert page.run(NAMES)


def test_tables_the_answer_and_files_leave_the_page(page):
    table = copied(page, "#copy-table").splitlines()
    assert len(table) == len(KNOWN) + 2
    assert len({line.count("|") - line.count("\\|") for line in table}) == 1
    text = copied(page, "#copy-answer")
    assert "| method |" in text and text.startswith("- In isolated")
    assert texts(page, "#copy-answer") == ["copied"]
    page.run("saveText = (text, name) => { window.saved = [text, name]; }")
    click(page, "#save-table")
    text, name = page.run("saved")
    assert name == "methods.csv" and len(text.splitlines()) == len(KNOWN) + 1
    click(page, "[data-file='answer.json']")
    assert json.loads(page.run("saved")[0])["reference"] == "magic_fancy"


def test_figures_are_saved_as_files_of_their_own(page):
    opened(page)
    for selector in ("#panel svg", "#panels svg", "#misses figure svg"):
        saved = page.run(f"pictured(document.querySelector('{selector}'), 'svg').then(decodeURIComponent)")
        xml.etree.ElementTree.fromstring(saved.partition(",")[2])
        assert "var(--" not in saved, selector
    png = page.run("pictured(document.querySelector('#panels svg'), 'png')")
    assert png.startswith("data:image/png;base64,iVBOR")
    assert len(png) > 5000
    assert page.run("document.querySelectorAll('button[data-save]').length") > 10


BUTTONS = """
[...document.querySelectorAll("button, summary, select, input")].filter(e => e.checkVisibility()).map(e => {
  const {width, height} = e.getBoundingClientRect(), label = e.labels?.[0]?.textContent;
  return [(e.ariaLabel ?? (label || e.textContent)).trim().replace(/\\s+/g, " "), width, height, e.tagName];
})
"""


@pytest.mark.parametrize("width", [390, 1400])
def test_no_link_leads_out_and_every_button_has_a_name_of_its_own_and_can_be_hit(page, width):
    page.look(width)
    page.run("refresh({marked: 'sbamg', open: 'pext'})")
    opened(page)
    links = page.run("[...document.querySelectorAll('[href], [src]')].map(e => e.getAttribute('href') ?? e.getAttribute('src'))")
    assert links and [link for link in links if not re.match(r"#|data:", link)] == []
    found = page.run(BUTTONS)
    assert len(found) > 80
    names = [name for name, *_, tag in found if tag == "BUTTON"]
    assert [name for name in set(names) if names.count(name) > 1 or not name] == []
    assert [entry for entry in found if min(entry[1], entry[2]) < 24] == []


@pytest.mark.parametrize("width", [390, 1400])
def test_axe_finds_nothing_serious(page, width):
    source = browser_.axe_source()
    if source is None:
        pytest.skip("axe-core is neither installed nor to be had from npm (SLIDEBENCH_AXE names its axe.min.js)")
    page.look(width)
    page.run("refresh({marked: 'sbamg', open: 'pext'})")
    opened(page)
    page.run(f"{source}; null")
    assert page.run(browser_.SERIOUS) == []
    page.run("document.body.insertAdjacentHTML('beforeend', '<button></button>')")
    assert "button-name" in str(page.run(browser_.SERIOUS)), "it can fail"


def test_runs_without_choices_show_no_controls_for_them(chrome, tmp_path):
    open_page(chrome, reported(hostile(tmp_path / "hostile")))
    controls = "[...document.querySelectorAll('#controls select, #controls input')].map(e => e.id)"
    assert chrome.run(controls) == ["choose-pressure", "words"]
    assert sorted(chrome.run(NAMES)) == ["magic_fancy", "pext"]
    open_page(chrome, reported(no_reference(tmp_path / "bare")))
    assert chrome.run(controls) == ["words"]
    assert chrome.run(NAMES)
