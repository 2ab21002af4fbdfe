# SPDX-License-Identifier: MIT
"""Tests of the pages in a real headless browser: they load, react, fit and can be read. Skipped without a Chromium."""

import json
import re
import xml.etree.ElementTree

import browser as browser_
import pytest
import synthetic
from folders import assert_reported, edit_csv, run_command

from report.data.cells import Cell
from report.data.headers import ROOT
from report.figures.style import METHOD_COLOURS, label_colour

pytestmark = pytest.mark.skipif(not browser_.find(), reason="no Chromium is installed (Debian's package chromium)")

NAMES = "[...document.querySelectorAll('#methods-live tbody .id')].map(e => e.textContent.trim())"
RANKED = "[...document.querySelectorAll('#ranking-plot .row')].map(e => e.dataset.contender)"
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


def reported(folder, *options):
    """Makes the page of a folder; returns its path."""
    assert_reported(folder, *options)
    return folder / "index.html"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The page of a run that has everything, headers too."""
    folder = tmp_path_factory.mktemp("page")
    program = folder / "exporter"
    program.write_text('#!/bin/sh\necho "// $2" > "$4"\n')
    program.chmod(0o755)
    return reported(synthetic.make_full_run(folder / "run"), "--program", program)


@pytest.fixture
def page(chrome, written):
    """The browser with that page, as if opened now."""
    chrome.look(1400)
    chrome.open("about:blank")
    chrome.open(written)
    return chrome


def texts(page, selector):
    """The texts of elements."""
    return page.run(f"[...document.querySelectorAll(`{selector}`)].map(e => e.textContent.trim())")


def enter(page, selector, value, event="change"):
    """Gives a control a value as a user does."""
    control = f"Object.assign(document.querySelector('{selector}'), {{value: {json.dumps(value)}}})"
    page.run(f"{control}.dispatchEvent(new Event('{event}'))")


def click(page, selector):
    """Clicks an element, one of a figure too."""
    page.run(f"document.querySelector(`{selector}`).dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")


def copied(page, selector):
    """What a click puts on the clipboard."""
    page.run("navigator.clipboard.writeText = async text => { window.held = text; }")
    click(page, selector)
    return page.run("new Promise(done => setTimeout(() => done(window.held), 50))")


# Pages of every kind


def hostile(folder):
    known = {"magic_fancy": KNOWN["magic_fancy"], "pext": ("<b>x</b>", 0, 2.0)}
    trace = "</script><script>alert(1)</script>" + "long" * 30
    cells = [Cell("latency", trace, "isolated"), Cell("latency", trace, "a" * 80)]
    return reported(synthetic.make_full_run(folder, cells, known, simulated=False, machine={"cpu": "<i>" * 40}))


def no_reference(folder):
    synthetic.make_full_run(folder, [Cell("latency", "game", "isolated")], simulated=False)
    empty = dict.fromkeys(("ratio", "ratio_low", "ratio_high", "margin", "aa_bound", "best"), "")
    edit_csv(folder, "summary.csv", lambda t: t[t["contender"] != "magic_fancy"].assign(**empty))
    return reported(folder)


def simulation(folder):
    return reported(synthetic.make_simulation(folder, KNOWN))


def comparison(folder):
    """Three runs; in the second pext is slow."""
    cells = [Cell("latency", "game", "isolated"), Cell("latency", "game", "nnue")]
    slow = {**KNOWN, "pext": ("pext", KNOWN["pext"][1], 9.0)}
    runs = [
        synthetic.make_full_run(folder / f"run{i}", cells, methods, seed=i, simulated=False)
        for i, methods in enumerate((KNOWN, slow, KNOWN))
    ]
    run_command("compare-runs", *runs, "--out", folder)
    return folder / "index.html"


@pytest.mark.parametrize("make", [None, hostile, no_reference, simulation, comparison])
def test_it_fits_and_reads(chrome, written, make, tmp_path):
    """Nothing sticks out at any width, all text has contrast, in light and in dark, and no figure is broken."""
    path = make(tmp_path / "folder") if make else written
    for width, dark in ((375, False), (375, True), (768, False), (1400, False), (1400, True)):
        chrome.look(width, dark=dark)
        chrome.open(path)
        chrome.run("document.querySelectorAll('details').forEach(d => d.open = true)")
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
    page.run(
        "document.body.insertAdjacentHTML('beforeend', '<div style=\"width: 2000px\">wide</div>"
        '<p style="color: #999; background: #fff">pale</p>\')'
    )
    assert page.run(browser_.OVERFLOW)
    assert any("pale" in line for line in page.run(browser_.LOW_CONTRAST))
    page.run("console.error('said on purpose')")
    page.run("new Promise(done => setTimeout(done, 50))")
    assert "said on purpose" in " ".join(page.errors)
    page.errors.clear()


# The page of a run


def test_every_figure_is_drawn(page):
    for name in ("ranking", "crossover", "footprint"):
        assert page.run(f"document.querySelectorAll('#{name}-plot svg path').length") > 10, name
    for name in ("answer", "misses", "curves", "boards", "orders", "rounds"):
        assert page.run(f"document.querySelector('#{name} figure svg')?.clientWidth"), name
    assert page.run("document.querySelectorAll('#footprint-plot svg').length") == 6, "a panel per pressure"
    colours = page.run("new Set([...document.querySelectorAll('.swatch')].map(e => e.style.background)).size")
    assert colours == len(KNOWN)
    assert "ns per query" in texts(page, "#ranking-plot title")[9]


def test_tables_sort(page):
    assert page.run(NAMES)[0] == "pext"
    for down in (False, True):
        click(page, "#methods-live button[data-key=bytes]")
        sizes = [KNOWN[name][1] for name in page.run(NAMES)]
        assert sizes == sorted(sizes, reverse=down)
    assert page.run("document.querySelector('#methods-live th[aria-sort]').ariaSort") == "descending"
    click(page, "#checks-table th:nth-child(2) button")
    cells = texts(page, "#checks-table tbody td:nth-child(2)")
    assert cells == sorted(cells)


def test_the_table_has_what_was_measured(page):
    heads = texts(page, "#methods-live th")
    assert heads[:2] == ["method", "ratio"]
    assert "L1D misses per query, simulated" in heads
    row = dict(zip(heads, texts(page, "#methods-live tr[data-id=pext] td")))
    for name in ("ns per query", "net of empty loop, ns", "95 % interval"):
        assert re.search(r"\[\d+\.\d+, \d+\.\d+\]", row[name]), name
    assert row["the fastest?"] == "yes"
    enter(page, "#choose-workload", "engine")
    heads = texts(page, "#methods-live th")
    assert heads.count("ns per node") == 1
    assert "ns per query" not in heads


def test_crossings_are_where_the_lines_cross(page):
    enter(page, "#choose-workload", "latency")
    # The axis is log(1 + lines), along which the run computed the crossings. d3 draws between pixels.
    share = page.run(
        "(() => { const all = [...document.querySelectorAll('#crossover-plot *')];"
        "const at = e => e.transform.baseVal[0].matrix.e;"
        "const c = data.sweeps[0].crossings.find(c => c.slice(0, 2).every(contender => view.marked.has(contender)));"
        "const drawn = all.find(e => e.matches('.crossing') && e.textContent === crossingText(c));"
        "const tick = n => at(all.find(e => e.matches('.tick text') && e.textContent === n).parentNode) - 0.5;"
        "return [(at(drawn) - tick('0')) / (tick('1536') - tick('0')), Math.log1p(c[2]) / Math.log1p(1536)]; })()"
    )
    assert share[0] == pytest.approx(share[1], abs=5e-4)
    assert texts(page, "#crossings li")
    assert texts(page, "#crossover-plot .network") == ["network of 256", "network of 1,024"]


def test_the_filter_filters_everything(page):
    enter(page, "#words", "magic byte", "input")
    assert set(page.run(NAMES)) == set(page.run(RANKED)) == {"magic_byte", "magic_byte_fancy"}
    assert "2 of" in texts(page, "#methods-count")[0]
    enter(page, "#words", "no such method", "input")
    assert page.run(NAMES) == []
    enter(page, "#words", "slower", "input")
    assert set(texts(page, "#methods-live td.verdict")) == {"slower"}


def test_every_choice_leads_to_a_cell(page):
    for name in ("workload", "trace", "kinds", "pages", "corunners", "pressure"):
        for value in page.run(f"[...document.getElementById('choose-{name}').options].map(o => o.value)"):
            enter(page, f"#choose-{name}", value)
            assert page.run(f"String(view.cell.{name})") == value
            assert page.run(NAMES), (name, value)
    enter(page, "#choose-workload", "latency")
    enter(page, "#choose-pressure", "nnue")
    assert texts(page, ".cell-name")[0] == "latency on search, nnue (768 lines of 8M at each evaluation)"
    assert page.run(RANKED)[0] in ("hyperbola_avx2", "hyperbola", "kindergarten")
    enter(page, "#choose-pressure", "isolated")
    assert page.run(RANKED)[0] == "pext"


def test_a_click_marks_a_method_everywhere(page):
    for selector, marked in (("#ranking-plot [data-contender=sbamg]", True), (".swatch[data-contender=sbamg]", False)):
        click(page, selector)
        assert ("sbamg" in texts(page, "#crossover-plot text")) == marked
        assert page.run("document.querySelector('.swatch[data-contender=sbamg]').ariaPressed") == str(marked).lower()


def test_it_prints_light_and_without_controls(page):
    page.look(794, dark=True, print_=True)
    assert page.run("getComputedStyle(document.getElementById('controls')).display") == "none"
    assert page.run("getComputedStyle(document.documentElement).filter") == "none"
    assert page.run(browser_.LOW_CONTRAST) == []


def test_a_view_is_shared_by_its_address(page, written):
    enter(page, "#choose-workload", "latency")
    enter(page, "#choose-pressure", "nnue")
    enter(page, "#words", "hyper", "input")
    click(page, "#ranking-plot .row")
    click(page, "#methods-live button[data-key=bytes]")
    view = f"[view, [...view.marked], state, {RANKED}, document.getElementById('words').value]"
    before, address = page.run(view), page.run("location.hash")
    page.open("about:blank")
    page.open(written)
    assert page.run(view) != before
    page.run(f"location.hash = {json.dumps(address)}; new Promise(done => setTimeout(done, 50))")
    assert page.run(view) == before
    page.run("location.hash = '#cell=<b>&mark=,,&sort=&words='; new Promise(done => setTimeout(done, 50))")
    assert page.run(RANKED)


def test_tables_the_answer_and_headers_are_copied(page):
    page.run("new Promise(done => setTimeout(done, 200))")
    table = copied(page, "#copy-table").splitlines()
    assert len(table) == len(KNOWN) + 2
    assert len({line.count("|") - line.count("\\|") for line in table}) == 1
    assert "copy header" not in table[2]
    assert copied(page, "#copy-answer")
    assert texts(page, "#copy-answer") == ["copied"]
    assert len(texts(page, "button[data-header]")) == len(KNOWN)
    assert copied(page, "button[data-header=pext]") == "// pext\n"


def test_figures_are_saved_as_files_of_their_own(page):
    for selector in ("#ranking-plot svg", "#crossover-plot svg", "#orders figure svg"):
        saved = page.run(f"pictured(document.querySelector('{selector}'), 'svg').then(decodeURIComponent)")
        xml.etree.ElementTree.fromstring(saved.partition(",")[2])
        assert "var(--" not in saved, selector
    png = page.run("pictured(document.querySelector('#ranking-plot svg'), 'png')")
    assert png.startswith("data:image/png;base64,iVBOR")
    assert len(png) > 5000
    assert page.run("document.querySelectorAll('button[data-save]').length") > 10


# Other pages


def test_runs_without_choices_show_no_controls_for_them(chrome, tmp_path):
    chrome.open(hostile(tmp_path / "hostile"))
    controls = "[...document.querySelectorAll('#controls select, #controls input')].map(e => e.id)"
    assert chrome.run(controls) == ["choose-pressure", "words"]
    assert sorted(chrome.run(NAMES)) == ["magic_fancy", "pext"]
    chrome.open(no_reference(tmp_path / "bare"))
    assert chrome.run(controls) == ["words"]
    assert chrome.run(NAMES)
    assert "No method with a ratio" in texts(chrome, "#ranking-plot")[0]


def test_the_comparison(chrome, tmp_path):
    chrome.look(1400)
    chrome.open(comparison(tmp_path))
    shown = "[...document.querySelectorAll('#matrix-0 tbody tr:not([hidden])')].map(r => r.cells[0].textContent)"
    assert len(chrome.run(shown)) == len(KNOWN)
    click(chrome, "#matrix-0 th:nth-child(3) button")
    assert chrome.run(shown)[0] != "pext"
    click(chrome, "#matrix-0 th:nth-child(2) button")
    assert chrome.run(shown)[0] == "pext"
    said = texts(chrome, "#matrix-0 tbody tr:first-child td")[1:4]
    assert [text[0] for text in said] == ["\u25c0", "\u25b6", "\u25c0"]
    enter(chrome, "[data-filter=matrix-0]", "differs", "input")
    assert "pext" in chrome.run(shown)
    assert "kogge_stone" not in chrome.run(shown)
    assert "Spearman" in texts(chrome, "#matrix")[0]
