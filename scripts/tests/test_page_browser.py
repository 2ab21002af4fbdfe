# SPDX-License-Identifier: MIT
"""Tests of the pages in a real headless browser: they load, react, fit and can be read. Skipped without a Chromium."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import browser as browser_
import synthetic
from report.analysis import compare as compare_
from report.data import files as files_
from report.data import run as run_data
from report.page import compare as compare_
from report.page import run as page_of_run
from report.data.cells import Cell

SCRIPTS = Path(__file__).resolve().parent.parent

WIDTHS = (375, 768, 1400)


def write_page(folder):
    """Writes the page of a run, without the static figures."""
    page = folder / "index.html"
    page.write_text(page_of_run.run_page(run_data.load(folder), []))
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
MISSES = "[...document.querySelectorAll('#misses-plot text')].map(e => e.textContent).join('|')"


# Controls that a reader sees, and figures that are there without a drawing in them.
VISIBLE = "[...document.querySelectorAll('select, input')].filter(e => e.offsetParent).map(e => e.id)"
BLANK = (
    "[...document.querySelectorAll('.plot[id], .boards[id]')].filter(e => e.offsetParent && !e.querySelector('svg'))"
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
        self.assertEqual(self.browser.errors, [])

    def assert_fits_and_reads(self, page):
        """Nothing sticks out at any width, and all text has contrast, in light and in dark."""
        for width in WIDTHS:
            for dark in (False, True):
                with self.subTest(width=width, dark=dark):
                    self.browser.look(width, dark=dark)
                    self.browser.open(page)
                    self.browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
                    self.assertEqual(self.browser.run(browser_.OVERFLOW), [])
                    self.assertEqual(self.browser.run(browser_.LOW_CONTRAST), [])


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
        self.assertTrue(self.browser.run(browser_.OVERFLOW))
        self.assertTrue(any("pale" in line for line in self.browser.run(browser_.LOW_CONTRAST)))
        self.browser.run("console.error('said on purpose')")
        self.browser.run("new Promise(done => setTimeout(done, 50))")
        self.assertIn("said on purpose", " ".join(self.browser.errors))
        self.browser.errors.clear()

    def test_every_figure_is_drawn(self):
        for name in ("ranking", "misses", "crossover", "footprint", "curves", "rounds"):
            marks = self.browser.run(f"document.querySelectorAll('#{name}-plot svg path').length")
            self.assertGreater(marks, 10, name)
        self.assertEqual(self.browser.run("document.querySelectorAll('#boards-plot svg').length"), 4)
        bad = (
            "[...document.querySelectorAll('svg *')].filter("
            "e => [...e.attributes].some(a => /NaN|undefined|Infinity/.test(a.value))).length"
        )
        self.assertEqual(self.browser.run(bad), 0)
        for table in ("methods-live", "ranks", "correlations"):
            self.assertGreater(
                self.browser.run(f"document.getElementById('{table}').tBodies[0].rows.length"), 10, table
            )

    def test_levels_that_a_cell_has_not_are_not_offered(self):
        offered = "[...document.getElementById('choose-level').options].filter(o => !o.hidden).map(o => o.value)"
        self.assertEqual(self.browser.run(offered), ["any", "l1d_misses"])
        self.browser.run(choose("choose-level", "l1d_misses"))
        note = "document.getElementById('misses-note').textContent"
        self.assertIn("a model of this machine\u2019s caches", self.browser.run(note))
        size = synthetic.methods()["pext"][1]
        self.assertIn(f"{synthetic.misses(size, 32768):.2f}", self.browser.run(MISSES))
        self.browser.run(choose("choose-workload", "perft"))
        self.assertEqual(self.browser.run(offered), ["any"])
        self.assertIn("fully associative", self.browser.run(note))
        self.assertEqual(self.browser.run(BLANK), [])

    def test_the_table_sorts(self):
        by_ratio = self.browser.run(NAMES)
        self.assertEqual(len(by_ratio), len(synthetic.methods()))
        self.assertEqual(by_ratio[0], "pext")
        self.browser.run(click("#methods-live button[data-key=bytes]"))
        sizes = [synthetic.methods()[name][1] for name in self.browser.run(NAMES)]
        self.assertEqual(sizes, sorted(sizes))
        self.browser.run(click("#methods-live button[data-key=bytes]"))
        sizes = [synthetic.methods()[name][1] for name in self.browser.run(NAMES)]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertEqual(
            self.browser.run("document.querySelector('#methods-live th[aria-sort]').getAttribute('aria-sort')"),
            "descending",
        )
        self.browser.run(click("#methods-live button[data-key=title]"))
        names = self.browser.run(texts("#methods-live tbody td.name:first-child > span:nth-child(2)"))
        self.assertEqual(names, sorted(names, key=str.lower))

    def test_tables_that_no_figure_goes_with_sort_too(self):
        self.browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
        years = texts("#methods-table tbody td:nth-child(5)")
        self.browser.run(click("#methods-table th:nth-child(5) button"))
        first = self.browser.run(years)
        self.assertEqual(first, sorted(first, key=int))

    def test_the_engine_counts_in_nodes(self):
        heads = texts("#methods-live thead th")
        self.assertIn("ns a query", self.browser.run(heads))
        self.browser.run(choose("choose-workload", "engine"))
        self.assertEqual(self.browser.run(heads).count("ns a node"), 1)
        self.assertNotIn("ns a query", self.browser.run(heads))
        self.assertNotIn("% of engine speed", self.browser.run(heads))

    def test_times_have_intervals_and_the_best_is_said(self):
        head = "[...document.querySelectorAll('#methods-live thead th')].findIndex(e => e.textContent.startsWith('{}'))"
        cell = "document.querySelector('#methods-live tr[data-id=pext]').cells[{}].textContent"
        for name in ("ns a query", "net of empty loop", "95 % interval"):
            shown = self.browser.run(cell.format(head.format(name)))
            self.assertRegex(shown, r"\[\d+\.\d+, \d+\.\d+\]", name)
        self.assertEqual(self.browser.run(cell.format(head.format("the fastest?"))), "yes")

    def test_crossings_are_where_the_lines_cross(self):
        self.browser.run(choose("choose-workload", "latency"))
        # The axis is log2(1 + lines), along which the run computed the crossings.
        share = self.browser.run(
            "(() => { const s = data.sweeps[0], all = [...document.querySelectorAll('#crossover-plot *')];"
            "const c = s.crossings.find(c => c.slice(0, 2).every(p => state.marked.has(p)));"
            "const drawn = all.find(e => tips.get(e) === crossingText(c)).getAttribute('transform');"
            "const ends = ['0', '1536'].map(n => Number(all.find(e => e.textContent === n).getAttribute('x')));"
            "const x = Number(/translate\\(([\\d.]+)/.exec(drawn)[1]), f = n => Math.log2(1 + n);"
            "return [(x - ends[0]) / (ends[1] - ends[0]), f(c[2]) / f(1536)]; })()"
        )
        self.assertAlmostEqual(*share, places=3)
        self.assertGreater(self.browser.run("document.querySelectorAll('#crossings li').length"), 0)
        shapes = "[...document.querySelectorAll('#crossover-plot path')]"
        diamonds = f"{shapes}.filter(e => tips.get(e)?.includes('cheaper'))"
        self.assertGreater(self.browser.run(f"{diamonds}.length"), 0)
        self.browser.run(choose("choose-cost", "net"))
        self.assertEqual(self.browser.run(f"{diamonds}.length"), 0)

    def test_correlations_have_intervals_and_their_number(self):
        cells = self.browser.run(texts("#correlations td small"))
        self.assertTrue(cells)
        for text in cells:
            self.assertRegex(text, r"^\[-?\d\.\d\d, -?\d\.\d\d\] n = 44$")

    def test_the_table_filters(self):
        self.browser.run(slide("methods-filter", "magic shared"))
        self.assertEqual(set(self.browser.run(NAMES)), {"magic_shared", "magic_shared_dense"})
        self.assertIn("2 of", self.browser.run("document.getElementById('methods-count').textContent"))
        self.browser.run(slide("methods-filter", "no such method"))
        self.assertEqual(self.browser.run(NAMES), [])
        self.browser.run(slide("methods-filter", ""))
        self.browser.run(choose("methods-verdict", "faster"))
        self.assertEqual(set(self.browser.run(texts("#methods-live .verdict"))), {"faster"})

    def test_families_and_footprints_filter_everything(self):
        self.browser.run(click("#families button[data-family=magic]"))
        self.assertFalse([name for name in self.browser.run(RANKED) if name.startswith("magic")])
        self.assertFalse([name for name in self.browser.run(NAMES) if name.startswith("magic")])
        self.browser.run(click("#families button[data-family=magic]"))
        self.browser.run(choose("choose-limit", "8192"))
        known = synthetic.methods()
        self.assertEqual(set(self.browser.run(RANKED)), {m for m, (_, size, _) in known.items() if size <= 8192})

    def test_the_pressure_slider_draws_ranking_and_misses_again(self):
        self.browser.run(choose("choose-workload", "latency"))
        steps = self.browser.run("Number(document.getElementById('pressure').max)")
        self.assertEqual(steps, 7 + len(synthetic.SWEEP))
        before = self.browser.run(RANKED), self.browser.run(MISSES)
        self.assertEqual(before[0][0], "pext")
        self.browser.run(slide("pressure", 6))
        self.assertIn("nnue (768 lines of 8M", self.browser.run("document.getElementById('pressure-said').textContent"))
        after = self.browser.run(RANKED), self.browser.run(MISSES)
        self.assertNotEqual(before[0], after[0])
        self.assertNotEqual(before[1], after[1])
        self.assertIn(after[0][0], ("hyperbola_avx2", "hyperbola", "kindergarten"))
        self.assertEqual(
            self.browser.run("document.querySelector('.cell-name').textContent"), "latency on search, nnue"
        )
        for step in range(steps + 1):
            self.browser.run(slide("pressure", step))
            self.assertEqual(len(self.browser.run(RANKED)), len(synthetic.methods()))

    def test_the_cache_slider_draws_misses_and_the_cursor_again(self):
        cursor = "document.querySelector('#curves-plot .cursor').getAttribute('x1')"
        before = self.browser.run(MISSES), self.browser.run(cursor), self.browser.run(RANKED)
        self.assertEqual(self.browser.run("document.getElementById('cache-said').textContent"), "32 KiB")
        self.browser.run(slide("cache", 0))
        self.assertEqual(self.browser.run("document.getElementById('cache-said').textContent"), "256 B")
        after = self.browser.run(MISSES), self.browser.run(cursor), self.browser.run(RANKED)
        self.assertNotEqual(before[0], after[0])
        self.assertGreater(float(before[1]), float(after[1]))
        self.assertEqual(before[2], after[2])
        true = synthetic.misses(synthetic.methods()["pext"][1], 256)
        self.assertIn(f"{true:.2f}", after[0])

    def test_every_choice_leads_to_a_cell(self):
        for name in ("workload", "trace", "kinds", "pages", "corunners"):
            values = self.browser.run(f"[...document.getElementById('choose-{name}').options].map(o => o.value)")
            for value in values:
                self.browser.run(choose(f"choose-{name}", value))
                self.assertEqual(self.browser.run(f"String(state.cell.{name})"), value)
                self.assertTrue(self.browser.run(RANKED), (name, value))

    def test_a_click_marks_a_method_everywhere(self):
        place = self.browser.run("data.arms.findIndex(arm => arm.arm === 'sbamg')")
        self.assertFalse(self.browser.run(f"state.marked.has({place})"))
        self.browser.run(click(f"#ranking-plot .hit[data-arm='{place}']"))
        self.assertIn("sbamg", self.browser.run(texts("#crossover-plot text")))
        self.assertIn("sbamg", self.browser.run(texts("#curves-plot text")))
        self.browser.run(click(f"#marks button[data-mark='{place}']"))
        self.assertNotIn("sbamg", self.browser.run(texts("#crossover-plot text")))

    def test_a_colour_is_the_same_in_every_figure(self):
        used = (
            "new Set([...document.querySelectorAll('#ranking-plot rect[rx], #misses-plot rect[rx]')]"
            ".map(e => e.getAttribute('fill'))).size"
        )
        self.assertEqual(self.browser.run(used), len(synthetic.methods()))
        same = (
            "data.arms.every(arm => [...document.querySelectorAll('.swatch')].filter(e => "
            "e.nextSibling?.textContent === arm.label).every(e => e.getAttribute('style').includes(arm.colour)))"
        )
        self.assertTrue(self.browser.run(same))

    def test_other_figures_react(self):
        lines = "document.querySelector('#crossover-plot').textContent"
        before = self.browser.run(lines)
        self.browser.run(choose("choose-cost", "net"))
        self.assertNotEqual(before, self.browser.run(lines))
        self.browser.run(choose("choose-granularity", "4096"))
        self.assertIn("GiB", self.browser.run("document.querySelector('#curves-plot').textContent") + "GiB")
        self.assertEqual(self.browser.run("document.querySelectorAll('#curves-plot .cursor').length"), 0)
        self.browser.run(choose("choose-quantity", "distinct_lines"))
        self.assertIn("different cache lines", self.browser.run("document.getElementById('boards-note').textContent"))
        self.browser.run(choose("choose-board", "magic_plain"))
        self.assertIn("magic_plain, rook", self.browser.run(texts("#boards-plot h3")))

    def test_the_tooltip_says_what_is_under_the_pointer(self):
        self.browser.run("document.getElementById('ranking-plot').scrollIntoView()")
        # Scrolling hides the tooltip, and the browser tells the page of it with its next frame.
        self.browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
        box = self.browser.run(
            "(() => { const b = document.querySelectorAll('#ranking-plot .hit')[9].getBoundingClientRect(); "
            "return [b.left + b.width / 2, b.top + b.height / 2]; })()"
        )
        self.browser.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": box[0], "y": box[1]})
        self.assertIn("ns a query", self.browser.run("document.querySelector('.tip:not([hidden])')?.textContent ?? ''"))

    def test_it_prints(self):
        self.browser.look(794, print_=True)
        self.browser.run("window.dispatchEvent(new Event('resize'))")
        self.assertEqual(self.browser.run("getComputedStyle(document.getElementById('controls')).display"), "none")
        self.assertEqual(self.browser.run(browser_.LOW_CONTRAST), [])
        dark_ink = "getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()"
        self.browser.look(794, dark=True, print_=True)
        self.assertEqual(self.browser.run(dark_ink), "#ffffff")
        pdf = self.home / "page.pdf"
        self.browser.pdf(pdf)
        self.assertGreater(pdf.stat().st_size, 20_000)


class OtherPages(InBrowser):
    def test_the_committed_example(self):
        folder = self.home / "example"
        shutil.copytree(SCRIPTS.parent / "reports" / "example", folder)
        self.assert_fits_and_reads(write_page(folder))
        self.assertTrue(self.browser.run(RANKED))

    def test_a_run_of_one_method_with_hostile_names(self):
        known = {"magic_fancy": synthetic.methods()["magic_fancy"], "pext": ("<b>x</b>", 0, 2.0)}
        trace = "</script><script>alert(1)</script>" + "long" * 30
        folder = self.home / "hostile"
        cells = [Cell("latency", trace, "isolated"), Cell("latency", trace, "a" * 80)]
        synthetic.make_full_run(folder, cells, known, simulated=False, machine={"cpu": "<i>" * 40})
        self.assert_fits_and_reads(write_page(folder))
        self.assertEqual(sorted(self.browser.run(NAMES)), ["magic_fancy", "pext"])
        self.assertEqual(self.browser.run(VISIBLE), ["pressure", "choose-limit", "methods-filter", "methods-verdict"])
        self.assertEqual(self.browser.run(BLANK), [])

    def test_a_run_without_a_reference(self):
        folder = synthetic.make_full_run(
            self.home / "bare", [Cell("latency", "game", "isolated")], simulated=False
        )
        lines = (folder / "summary.csv").read_text().splitlines()
        (folder / "summary.csv").write_text("\n".join(line for line in lines if ",magic_fancy," not in line) + "\n")
        summary = files_.parse_csv(folder / "summary.csv")
        for name in ("ratio", "ratio_low", "ratio_high", "margin", "aa_bound", "best"):
            summary[name] = ""
        summary.to_csv(folder / "summary.csv", index=False)
        self.assert_fits_and_reads(write_page(folder))
        self.assertTrue(self.browser.run(NAMES))
        self.assertEqual(self.browser.run(VISIBLE), ["choose-limit", "methods-filter", "methods-verdict"])
        self.assertEqual(self.browser.run(BLANK), ["ranking-plot"], "it says that there are no ratios")

    def test_the_comparison(self):
        cells = [Cell("latency", "game", "isolated"), Cell("latency", "game", "nnue")]
        known = synthetic.methods()
        slow = {**known, "pext": ("pext", known["pext"][1], 9.0)}
        folders = [
            synthetic.make_full_run(self.home / f"run{i}", cells, methods, seed=i, simulated=False)
            for i, methods in enumerate((known, slow, known))
        ]
        page = self.home / "compared.html"
        page.write_text(compare_.compare_page(compare_.load_runs(folders), []))
        self.assert_fits_and_reads(page)
        self.browser.look(1400)
        self.browser.open(page)
        rows = "[...document.querySelectorAll('#matrix tbody tr')].map(row => row.dataset.id)"
        self.assertEqual(len(self.browser.run(rows)), len(known))
        self.browser.run("document.getElementById('changed').click()")
        self.assertIn("pext", self.browser.run(rows))
        self.assertNotIn("kogge_stone", self.browser.run(rows))
        self.browser.run("document.getElementById('changed').click()")
        self.browser.run(click("#matrix button[data-key='1']"))
        self.assertNotEqual(self.browser.run(rows)[0], "pext")
        self.browser.run(click("#matrix button[data-key='0']"))
        self.assertEqual(self.browser.run(rows)[0], "pext")
        verdicts = self.browser.run(
            "[...document.querySelectorAll('#matrix tr[data-id=pext] td')].map(c => c.dataset.verdict)"
        )
        self.assertEqual(verdicts, ["faster", "slower", "faster"])
        said = self.browser.run("document.getElementById('said').textContent")
        self.browser.run(choose("choose-cell", 1))
        self.assertNotEqual(said, self.browser.run("document.getElementById('said').textContent"))
        self.assertGreater(self.browser.run("document.querySelectorAll('#ratios-plot path').length"), len(known))
