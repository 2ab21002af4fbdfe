# SPDX-License-Identifier: MIT
"""Tests of the pages in a real headless browser: they load, react, fit and can be read. Skipped without a Chromium."""

import json
import re
import shutil
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

import browser as browser_
import synthetic

from report.analysis.compare import load_runs
from report.data.cells import Cell
from report.data.files import parse_csv
from report.data.run import load
from report.figures.all import run_figures
from report.figures.files import write_figures
from report.figures.style import set_defaults
from report.page.compare import compare_page
from report.page.run import run_page

SCRIPTS = Path(__file__).resolve().parent.parent

WIDTHS = (375, 768, 1400)


def write_page(folder):
    """Writes the page of a run with its figures."""
    set_defaults()
    run = load(folder)
    page = folder / "index.html"
    page.write_text(run_page(run, write_figures(folder / "plots", run_figures(run))[0]))
    return page


def set_value(name, value, event):
    """JavaScript that gives a control a value and tells the page of it."""
    return (
        f"(() => {{ const s = document.getElementById('{name}'); s.value = '{value}'; "
        f"s.dispatchEvent(new Event('{event}')); }})()"
    )


def choose(name, value):
    """JavaScript that chooses an option as a user does."""
    return set_value(name, value, "change")


def slide(name, value):
    """JavaScript that moves a slider, or types, as a user does."""
    return set_value(name, value, "input")


def click(selector):
    """JavaScript that clicks an element, SVG ones too."""
    return f"document.querySelector(`{selector}`).dispatchEvent(new MouseEvent('click', {{bubbles: true}}))"


def texts(selector):
    """JavaScript for the texts of elements."""
    return f"[...document.querySelectorAll(`{selector}`)].map(e => e.textContent.trim())"


NAMES = texts("#methods-live tbody .id")
# Names are the labels of the rows of a dot plot; its numbers are the texts on the right.
RANKED = "[...document.querySelectorAll('#ranking-plot .hit')].map(e => data.arms[e.dataset.arm].arm)"


# Controls that a reader sees, and figures that are there without a drawing in them.
VISIBLE = "[...document.querySelectorAll('select, input')].filter(e => e.offsetParent).map(e => e.id)"
BLANK = (
    "[...document.querySelectorAll('.plot[id], .panels[id]')].filter(e => e.offsetParent && !e.querySelector('svg'))"
    ".map(e => e.id)"
)


@unittest.skipUnless(browser_.find(), "no Chromium is installed (Debian's package chromium)")
class InBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="slidebench-page-"))
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        cls.browser = browser_.Browser()
        cls.browser.__enter__()
        cls.addClassCleanup(cls.browser.__exit__)

    def setUp(self):
        self.browser.errors.clear()

    def tearDown(self):
        assert self.browser.errors == []

    def assert_fits_and_reads(self, page):
        """Nothing sticks out at any width, and all text has contrast, in light and in dark."""
        for width in WIDTHS:
            for dark in (False, True):
                with self.subTest(width=width, dark=dark):
                    self.browser.look(width, dark=dark)
                    self.browser.open(page)
                    self.browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
                    assert self.browser.run(browser_.OVERFLOW) == []
                    assert self.browser.run(browser_.LOW_CONTRAST) == []


class RunPage(InBrowser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = write_page(synthetic.make_full_run(cls.home / "run"))

    def setUp(self):
        super().setUp()
        self.browser.look(1400)
        self.browser.open(self.page)

    def test_fits_and_reads(self):
        self.assert_fits_and_reads(self.page)

    def test_the_checks_themselves_find_faults(self):
        self.browser.run(
            "document.body.insertAdjacentHTML('beforeend', '<div style=\"width: 2000px\">wide</div>"
            '<p style="color: #999; background: #fff">pale</p>\')'
        )
        assert self.browser.run(browser_.OVERFLOW)
        assert any("pale" in line for line in self.browser.run(browser_.LOW_CONTRAST))
        self.browser.run("console.error('said on purpose')")
        self.browser.run("new Promise(done => setTimeout(done, 50))")
        assert "said on purpose" in " ".join(self.browser.errors)
        self.browser.errors.clear()

    def test_every_figure_is_drawn(self):
        for name in ("ranking", "crossover", "footprint"):
            marks = self.browser.run(f"document.querySelectorAll('#{name}-plot svg path').length")
            assert marks > 10, name
        for name in ("answer", "misses", "curves", "boards", "orders", "rounds"):
            assert self.browser.run(f"document.querySelector('#{name} figure svg')?.clientWidth"), name
        panels = self.browser.run("document.querySelectorAll('#footprint-plot svg').length")
        assert panels == 6, "a panel a pressure"
        bad = (
            "[...document.querySelectorAll('svg *')].filter("
            "e => [...e.attributes].some(a => /NaN|undefined|Infinity/.test(a.value))).length"
        )
        assert self.browser.run(bad) == 0
        assert self.browser.run("document.getElementById('methods-live').tBodies[0].rows.length") > 10

    def test_the_table_sorts(self):
        by_ratio = self.browser.run(NAMES)
        assert len(by_ratio) == len(synthetic.methods())
        assert by_ratio[0] == "pext"
        self.browser.run(click("#methods-live button[data-key=bytes]"))
        sizes = [synthetic.methods()[name][1] for name in self.browser.run(NAMES)]
        assert sizes == sorted(sizes)
        self.browser.run(click("#methods-live button[data-key=bytes]"))
        sizes = [synthetic.methods()[name][1] for name in self.browser.run(NAMES)]
        assert sizes == sorted(sizes, reverse=True)
        order = self.browser.run("document.querySelector('#methods-live th[aria-sort]').getAttribute('aria-sort')")
        assert order == "descending"
        self.browser.run(click("#methods-live button[data-key=title]"))
        names = self.browser.run(texts("#methods-live tbody td.name:first-child > span:nth-child(2)"))
        assert names == sorted(names, key=str.lower)

    def test_tables_that_no_figure_goes_with_sort_too(self):
        self.browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
        years = texts("#methods-table tbody td:nth-child(5)")
        self.browser.run(click("#methods-table th:nth-child(5) button"))
        first = self.browser.run(years)
        assert first == sorted(first, key=int)

    def test_the_engine_counts_in_nodes(self):
        heads = texts("#methods-live thead th")
        assert "ns a query" in self.browser.run(heads)
        self.browser.run(choose("choose-workload", "engine"))
        assert self.browser.run(heads).count("ns a node") == 1
        assert "ns a query" not in self.browser.run(heads)
        assert "% of engine speed" not in self.browser.run(heads)

    def test_times_have_intervals_and_the_best_is_said(self):
        head = "[...document.querySelectorAll('#methods-live thead th')].findIndex(e => e.textContent.startsWith('{}'))"
        cell = "document.querySelector('#methods-live tr[data-id=pext]').cells[{}].textContent"
        for name in ("ns a query", "net of empty loop", "95 % interval"):
            shown = self.browser.run(cell.format(head.format(name)))
            assert re.search(r"\[\d+\.\d+, \d+\.\d+\]", shown), name
        assert self.browser.run(cell.format(head.format("the fastest?"))) == "yes"

    def test_crossings_are_where_the_lines_cross(self):
        self.browser.run(choose("choose-workload", "latency"))
        # The axis is log2(1 + lines), along which the run computed the crossings.
        share = self.browser.run(
            "(() => { const s = data.sweeps[0], all = [...document.querySelectorAll('#crossover-plot *')];"
            "const c = s.crossings.find(c => c.slice(0, 2).every(p => state.marked.has(p)));"
            "const drawn = all.find(e => tips.get(e) === crossingText(c)).getAttribute('transform');"
            "const tick = n => all.find(e => e.matches('.tick text') && e.textContent === n).parentNode;"
            # d3 draws between pixels.
            "const ends = ['0', '1536'].map(n => tick(n).transform.baseVal[0].matrix.e - 0.5);"
            "const x = Number(/translate\\(([\\d.]+)/.exec(drawn)[1]), f = n => Math.log2(1 + n);"
            "return [(x - ends[0]) / (ends[1] - ends[0]), f(c[2]) / f(1536)]; })()"
        )
        self.assertAlmostEqual(*share, places=3)
        assert self.browser.run("document.querySelectorAll('#crossings li').length") > 0
        shapes = "[...document.querySelectorAll('#crossover-plot path')]"
        diamonds = f"{shapes}.filter(e => tips.get(e)?.includes('cheaper'))"
        assert self.browser.run(f"{diamonds}.length") > 0
        self.browser.run(choose("choose-cost", "net"))
        assert self.browser.run(f"{diamonds}.length") == 0

    def test_the_table_filters(self):
        self.browser.run(slide("methods-filter", "magic byte"))
        assert set(self.browser.run(NAMES)) == {"magic_byte", "magic_byte_fancy"}
        assert "2 of" in self.browser.run("document.getElementById('methods-count').textContent")
        self.browser.run(slide("methods-filter", "no such method"))
        assert self.browser.run(NAMES) == []
        self.browser.run(slide("methods-filter", ""))
        self.browser.run(choose("methods-verdict", "faster"))
        assert set(self.browser.run(texts("#methods-live .verdict"))) == {"faster"}

    def test_families_and_footprints_filter_everything(self):
        self.browser.run(click("#families button[data-family=magic]"))
        assert not [name for name in self.browser.run(RANKED) if name.startswith("magic")]
        assert not [name for name in self.browser.run(NAMES) if name.startswith("magic")]
        self.browser.run(click("#families button[data-family=magic]"))
        self.browser.run(choose("choose-limit", "8192"))
        known = synthetic.methods()
        assert set(self.browser.run(RANKED)) == {m for m, (_, size, _) in known.items() if size <= 8192}

    def test_the_pressure_slider_draws_the_ranking_again(self):
        self.browser.run(choose("choose-workload", "latency"))
        steps = self.browser.run("Number(document.getElementById('pressure').max)")
        assert steps == 7 + len(synthetic.SWEEP)
        before = self.browser.run(RANKED)
        assert before[0] == "pext"
        self.browser.run(slide("pressure", 6))
        assert "nnue (768 lines of 8M" in self.browser.run("document.getElementById('pressure-said').textContent")
        after = self.browser.run(RANKED)
        assert before != after
        assert after[0] in ("hyperbola_avx2", "hyperbola", "kindergarten")
        assert self.browser.run("document.querySelector('.cell-name').textContent") == "latency on search, nnue"
        for step in range(steps + 1):
            self.browser.run(slide("pressure", step))
            assert len(self.browser.run(RANKED)) == len(synthetic.methods())

    def test_every_choice_leads_to_a_cell(self):
        for name in ("workload", "trace", "kinds", "pages", "corunners"):
            values = self.browser.run(f"[...document.getElementById('choose-{name}').options].map(o => o.value)")
            for value in values:
                self.browser.run(choose(f"choose-{name}", value))
                assert self.browser.run(f"String(state.cell.{name})") == value
                assert self.browser.run(RANKED), (name, value)

    def test_a_click_marks_a_method_everywhere(self):
        place = self.browser.run("data.arms.findIndex(arm => arm.arm === 'sbamg')")
        assert not self.browser.run(f"state.marked.has({place})")
        self.browser.run(click(f"#ranking-plot .hit[data-arm='{place}']"))
        assert "sbamg" in self.browser.run(texts("#crossover-plot text"))
        self.browser.run(click(f"#marks button[data-mark='{place}']"))
        assert "sbamg" not in self.browser.run(texts("#crossover-plot text"))

    def test_a_colour_is_the_same_in_every_figure(self):
        used = (
            "new Set([...document.querySelectorAll('#ranking-plot rect[rx]')]" ".map(e => e.getAttribute('fill'))).size"
        )
        assert self.browser.run(used) == len(synthetic.methods())
        same = (
            "data.arms.every(arm => [...document.querySelectorAll('.swatch')].filter(e => "
            "e.nextSibling?.textContent === arm.label).every(e => e.getAttribute('style').includes(arm.colour)))"
        )
        assert self.browser.run(same)

    def test_the_crossover_reacts_and_names_networks(self):
        lines = "document.querySelector('#crossover-plot').textContent"
        before = self.browser.run(lines)
        self.browser.run(choose("choose-cost", "net"))
        assert before != self.browser.run(lines)
        networks = self.browser.run(texts("#crossover-plot text.network"))
        assert networks == ["network of 256", "network of 1,024"]

    def test_the_tooltip_says_what_is_under_the_pointer(self):
        self.browser.run("document.getElementById('ranking-plot').scrollIntoView()")
        # Scrolling hides the tooltip, and the browser tells the page of it with its next frame.
        self.browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
        box = self.browser.run(
            "(() => { const b = document.querySelectorAll('#ranking-plot .hit')[9].getBoundingClientRect(); "
            "return [b.left + b.width / 2, b.top + b.height / 2]; })()"
        )
        self.browser.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": box[0], "y": box[1]})
        assert "ns a query" in self.browser.run("document.querySelector('.tip:not([hidden])')?.textContent ?? ''")

    def test_it_prints(self):
        self.browser.look(794, print_=True)
        self.browser.run("window.dispatchEvent(new Event('resize'))")
        assert self.browser.run("getComputedStyle(document.getElementById('controls')).display") == "none"
        assert self.browser.run(browser_.LOW_CONTRAST) == []
        dark_ink = "getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()"
        self.browser.look(794, dark=True, print_=True)
        assert self.browser.run(dark_ink) == "#ffffff"
        pdf = self.home / "page.pdf"
        self.browser.pdf(pdf)
        assert pdf.stat().st_size > 20_000

    def test_a_view_is_shared_by_its_address(self):
        self.browser.run(choose("choose-workload", "latency"))
        self.browser.run(slide("pressure", 3))
        self.browser.run(choose("choose-limit", "65536"))
        self.browser.run(click("#families button[data-family=fill]"))
        self.browser.run(slide("methods-filter", "hyper"))
        self.browser.run(click("#methods-live button[data-key=bytes]"))
        view = "[state.cell.name, [...state.hidden], [...state.marked].sort(), state.limit, state.words, state.sort]"
        before, ranked, address = self.browser.run(view), self.browser.run(RANKED), self.browser.run("location.hash")
        self.browser.open(self.page)
        assert self.browser.run(view) != before
        self.browser.run(f"location.hash = {json.dumps(address)}; new Promise(done => setTimeout(done, 50))")
        assert self.browser.run(view) == before
        assert self.browser.run(RANKED) == ranked
        assert self.browser.run("document.getElementById('methods-filter').value") == "hyper"
        nonsense = "#cell=<b>&limit=x&hide=no&mark=,,&sort=&sweep=99&cost=1"
        self.browser.run(f"location.hash = '{nonsense}'; new Promise(done => setTimeout(done, 50))")
        assert self.browser.run(RANKED)

    def test_tables_and_the_answer_become_markdown(self):
        text = self.browser.run("markdown(document.getElementById('methods-live'))").splitlines()
        assert len(text) == len(synthetic.methods()) + 2
        assert len({line.count("|") - line.count("\\|") for line in text}) == 1
        copied = (
            "(() => { let said = ''; navigator.clipboard.writeText = async text => { said = text; };"
            "document.getElementById('copy-answer').click();"
            "return new Promise(done => setTimeout("
            "() => done(document.getElementById('copy-answer').textContent + said), 50)); })()"
        )
        assert "copied" in self.browser.run(copied)

    def test_figures_are_saved_as_files_of_their_own(self):
        for selector in ("#ranking-plot svg", "#crossover-plot svg", "#orders figure svg"):
            saved = self.browser.run(f"standalone(document.querySelector('{selector}'))")
            xml.etree.ElementTree.fromstring(saved)
            assert "var(--" not in saved, selector
        png = self.browser.run("pictured(document.querySelector('#ranking-plot svg'), 'png')")
        assert png.startswith("data:image/png;base64,iVBOR")
        assert len(png) > 5000
        assert self.browser.run("document.querySelectorAll('button[data-save]').length") > 10

    def test_the_ratio_is_in_the_second_column_and_counts_have_columns(self):
        heads = self.browser.run(texts("#methods-live thead th"))
        assert heads[:2] == ["method", "ratio"]
        assert "L1D misses a query, simulated" in heads

    def test_a_header_is_copied(self):
        program = self.home / "exporter"
        program.write_text('#!/bin/sh\necho "// $2" > "$4"\n')
        program.chmod(0o755)
        page = self.home / "headers.html"
        page.write_text(run_page(load(self.page.parent), [], str(program)))
        self.browser.open(page)
        self.browser.run("new Promise(done => setTimeout(done, 200))")
        assert self.browser.run("document.querySelectorAll('button[data-header]').length") == len(synthetic.methods())
        copied = (
            "(() => { let said = ''; navigator.clipboard.writeText = async text => { said = text; };"
            "document.querySelector('button[data-header=pext]').click();"
            "return new Promise(done => setTimeout(() => done(said), 50)); })()"
        )
        assert self.browser.run(copied) == "// pext\n"


class OtherPages(InBrowser):
    def test_the_committed_example(self):
        folder = self.home / "example"
        shutil.copytree(SCRIPTS.parent / "reports" / "example", folder)
        self.assert_fits_and_reads(write_page(folder))
        assert self.browser.run(RANKED)

    def test_a_run_of_one_method_with_hostile_names(self):
        known = {"magic_fancy": synthetic.methods()["magic_fancy"], "pext": ("<b>x</b>", 0, 2.0)}
        trace = "</script><script>alert(1)</script>" + "long" * 30
        folder = self.home / "hostile"
        cells = [Cell("latency", trace, "isolated"), Cell("latency", trace, "a" * 80)]
        synthetic.make_full_run(folder, cells, known, simulated=False, machine={"cpu": "<i>" * 40})
        self.assert_fits_and_reads(write_page(folder))
        assert sorted(self.browser.run(NAMES)) == ["magic_fancy", "pext"]
        assert self.browser.run(VISIBLE) == ["pressure", "choose-limit", "methods-filter", "methods-verdict"]
        assert self.browser.run(BLANK) == []

    def test_a_run_without_a_reference(self):
        folder = synthetic.make_full_run(self.home / "bare", [Cell("latency", "game", "isolated")], simulated=False)
        lines = (folder / "summary.csv").read_text().splitlines()
        (folder / "summary.csv").write_text("\n".join(line for line in lines if ",magic_fancy," not in line) + "\n")
        summary = parse_csv(folder / "summary.csv")
        for name in ("ratio", "ratio_low", "ratio_high", "margin", "aa_bound", "best"):
            summary[name] = ""
        summary.to_csv(folder / "summary.csv", index=False)
        self.assert_fits_and_reads(write_page(folder))
        assert self.browser.run(NAMES)
        assert self.browser.run(VISIBLE) == ["choose-limit", "methods-filter", "methods-verdict"]
        assert self.browser.run(BLANK) == ["ranking-plot"], "it says that there are no ratios"

    def test_the_comparison(self):
        cells = [Cell("latency", "game", "isolated"), Cell("latency", "game", "nnue")]
        known = synthetic.methods()
        slow = {**known, "pext": ("pext", known["pext"][1], 9.0)}
        folders = [
            synthetic.make_full_run(self.home / f"run{i}", cells, methods, seed=i, simulated=False)
            for i, methods in enumerate((known, slow, known))
        ]
        page = self.home / "compared.html"
        page.write_text(compare_page(load_runs(folders)))
        self.assert_fits_and_reads(page)
        self.browser.look(1400)
        self.browser.open(page)
        rows = (
            "[...document.querySelectorAll('#matrix-0 tbody tr')].filter(r => r.checkVisibility())"
            ".map(r => r.cells[0].textContent)"
        )
        assert len(self.browser.run(rows)) == len(known)
        self.browser.run("document.getElementById('changed').click()")
        assert "pext" in self.browser.run(rows)
        assert "kogge_stone" not in self.browser.run(rows)
        self.browser.run("document.getElementById('changed').click()")
        self.browser.run(click("#matrix-0 th:nth-child(3) button"))
        assert self.browser.run(rows)[0] != "pext"
        self.browser.run(click("#matrix-0 th:nth-child(2) button"))
        assert self.browser.run(rows)[0] == "pext"
        pext = "[...document.querySelectorAll('#matrix-0 tbody tr')].find(r => r.cells[0].textContent === 'pext')"
        said = self.browser.run(f"[...{pext}.cells].slice(1, 4).map(c => c.textContent[0])")
        assert said == ["\u25c0", "\u25b6", "\u25c0"]
        assert "Spearman" in self.browser.run("document.getElementById('matrix').textContent")
