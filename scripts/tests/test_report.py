# SPDX-License-Identifier: MIT
"""Tests of the report: a synthetic run of known truth in, figures and a page out."""

import contextlib
import dataclasses
import io
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import check_run
from report import command as report
import synthetic
from report.analysis import answer as answer_
from report.analysis import crossings as crossings_
from report.analysis import findings as findings_
from report.analysis import misses as misses_
from report.analysis import orders as orders_
from report.data import cells as cells_
from report.data import files as files_
from report.data import run as run_data
from report.data import simulation as simulation_data
from report.data import words as words_
from report.figures import axes as axes_
from report.figures import crossings as figures_of_crossings
from report.figures import run as figures_of_run
from report.figures import simulation as figures_of_simulation
from report.figures import style as style_
from report.page import html as html_
from report.page import payload as payload_
from report.page import run as page_of_run
from report.data.cells import Cell
from report.errors import ReportError

SCRIPTS = Path(__file__).resolve().parent.parent

SCRIPTS_OF_A_RUN = 1 + len(page_of_run.SCRIPTS)  # and the data
# id -> (family, table bytes, ns of pure work)
KNOWN = {
    "magic_fancy": ("magic", 865_280, 3.6),
    "magic_plain": ("magic", 2_361_344, 3.6),
    "pext": ("pext", 863_232, 2.4),
    "kindergarten": ("lookup", 9_728, 4.5),
    "hyperbola": ("calculation", 2_048, 4.0),
    "kogge_stone": ("fill", 0, 10.5),
    "dumb7fill": ("fill", 0, 14.0),
    "ray_walk": ("calculation", 0, 40.0),
    "classical_rays": ("calculation", 4_096, 6.0),
    "rotated_hyatt": ("rotated", 90_112, 6.0),
}
# id -> (title, family, table bytes)
METHODS = {name: (name.replace("_", " ").capitalize(), *entry[:2]) for name, entry in KNOWN.items()}
CELLS = [(workload, trace) for trace in ("game", "random") for workload in ("throughput", "latency")]


def make_run(folder):
    """Writes a synthetic run of all methods in four cells."""
    cells = [Cell(workload, trace, "isolated") for workload, trace in CELLS]
    return synthetic.make_full_run(folder, cells, KNOWN, simulated=False)


# Caches of the synthetic simulation: name -> (specification, factor of the misses).
CACHES = {
    "host": ("L1=32K/8/64:lru,L2=1M/8/64:lru,L3=32M/16/64:lru:victim,DTLB=72/72,STLB=3072/12,PAGE=4K", 1.0),
    "small": ("L1=16K/8/64:plru,L2=256K/8/64:plru,L3=none,DTLB=64/4:2M=32/4,STLB=none,PAGE=4K", 1.5),
}
SIM_QUERIES = 1000
METRICS = ["accesses", "l1d_misses", "l2d_misses", "l3_misses", "dtlb_misses"]


def missed(size, cache_bytes, factor=1.0):
    """Misses of SIM_QUERIES queries, known truth: none without tables, fewer the more of them the cache holds."""
    return round(factor * SIM_QUERIES * min(1.0, size / (8 * cache_bytes))) + size // 4096


def make_counts(methods, traces, pressures=("isolated",), caches=("host",), draws=1):
    """Rows of counters.csv as the cache laboratory writes them."""
    rows = []
    for trace in traces:
        for pressure in pressures:
            for name, entry in {"empty": ("", "", 0), **methods}.items():
                for cache in caches:
                    factor = CACHES[cache][1] * (2 if pressure != "isolated" else 1)
                    for draw in range(draws):
                        for i, metric in enumerate(METRICS):
                            if cache == "small" and metric == "l3_misses":
                                continue  # it has no L3
                            value = missed(entry[2], 32768 << (5 * max(i - 1, 0)), factor) + (draw if entry[2] else 0)
                            if metric == "accesses":
                                value = 3 * SIM_QUERIES if entry[2] else 0
                            rows.append(
                                f"0,{name},{name},v3,replay,{trace},{pressure},{metric},simulated,sde:::X,{value},0,"
                                f"{SIM_QUERIES},{value / SIM_QUERIES},{cache},4k,{draw}"
                            )
    head = (
        "launch,arm,method,level,workload,trace,pressure,metric,source,event,value,value_empty,queries,per_query,"
        "cache,pages,draw"
    )
    return "\n".join([head, *rows]) + "\n"


def make_mrc(methods, traces):
    """Rows of mrc.csv for lines and pages."""
    rows = ["method,trace,granularity_bytes,cache_lines,lines_per_evaluation,block_lines,accesses,queries,misses"]
    for trace in traces:
        for name, entry in {"empty": ("", "", 0), **methods}.items():
            for granularity in (64, 4096):
                for size in (4, 16, 64, 256, 512, 1024, 4096, 16384):
                    for lines in (0, 64, 512):
                        misses = missed(entry[2], size * granularity) * (1 + lines / 1024)
                        rows.append(
                            f"{name},{trace},{granularity},{size},{lines},131072,{3 * SIM_QUERIES},{SIM_QUERIES},"
                            f"{misses:g}"
                        )
    return "\n".join(rows) + "\n"


def make_squares(methods, traces, pressures, caches):
    """Rows of squares.csv; nobody asks for a bishop on a1, and a queen's query misses twice as often."""
    rows = ["method,trace,pressure,cache,pages,kind,square,queries,distinct_lines,l1d_misses,l2d_misses"]
    for trace in traces:
        for pressure in pressures:
            for name, entry in methods.items():
                for cache in caches:
                    for kind in ("bishop", "rook", "queen", "both"):
                        for i in range(64):
                            square = "abcdefgh"[i % 8] + str(i // 8 + 1)
                            if (kind, square) == ("bishop", "a1") or (kind == "both" and square[1] > "2"):
                                continue
                            lines = (i + 1) * {"bishop": 1, "rook": 2}.get(kind, 3) if entry[2] else 0
                            misses = min(entry[2], 50 if kind != "queen" else 100)
                            rows.append(f"{name},{trace},{pressure},{cache},4k,{kind},{square},100,{lines},{misses},0")
    return "\n".join(rows) + "\n"


def make_tables(methods, traces, pressures, caches):
    """Rows of tables.csv: two tables a method, and the whole with causes where nothing else touches the cache."""
    rows = [
        "method,trace,pressure,cache,pages,draw,table,table_bytes,queries,distinct_lines,level,accesses,misses,"
        "compulsory,capacity,conflict"
    ]
    for trace in traces:
        for pressure in pressures:
            for name, entry in methods.items():
                for cache in caches:
                    where = f"{name},{trace},{pressure},{cache},4k,0"
                    for level in ("L1D", "L2") if entry[2] else ():
                        rows.append(f"{where},attacks,{entry[2] - 512},{SIM_QUERIES},40,{level},2000,300,,,")
                        rows.append(f"{where},records,512,{SIM_QUERIES},8,{level},1000,11,,,")
                        causes = "48,270,-7" if pressure == "isolated" else ",,"
                        rows.append(f"{where},all,0,{SIM_QUERIES},48,{level},3000,311,{causes}")
    return "\n".join(rows) + "\n"


def make_simulation(folder, methods=None, traces=("game",), pressures=("isolated", "light"), draws=2):
    """Writes a synthetic simulation.

    Args:
        folder: Path, made if missing.
        methods: like METHODS.
        traces, pressures: names.
        draws: how many.

    Returns:
        folder.
    """
    methods = METHODS if methods is None else methods
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "counters.csv").write_text(make_counts(methods, traces, pressures, tuple(CACHES), draws))
    (folder / "mrc.csv").write_text(make_mrc(methods, traces))
    (folder / "squares.csv").write_text(make_squares(methods, traces, pressures, tuple(CACHES)))
    (folder / "tables.csv").write_text(make_tables(methods, traces, pressures, tuple(CACHES)))
    known = {name: entry[1:] for name, entry in methods.items()}
    info = synthetic.info_of({n: (*e, 0) for n, e in known.items()}, [Cell("latency", "game", "isolated")])
    for name in ("profile", "warnings", "effective_ghz", "checks"):
        del info[name]
    info.update(
        kind="simulation",
        draws=draws,
        command=["slidebench", "simulate", "--out", "out"],
        counters={"status": "simulated", "reason": "read through PAPI's software-defined events"},
        caches=[{"name": name, "specification": cache[0], "notes": ["imaginary"]} for name, cache in CACHES.items()],
        pressures=[
            {"name": "isolated", "lines": 0, "when": "evaluation"},
            {"name": "light", "lines": 64, "when": "node"},
        ],
    )
    (folder / "run.json").write_text(json.dumps(info))
    return folder


def run_report(folder):
    """Runs the command in this process. Returns (exit status, standard output, standard error)."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = report.main([str(folder)])
    return status, out.getvalue(), err.getvalue()


class Wellformed(HTMLParser):
    """Checks that tags nest and that no id comes twice; collects ids, links and visible text."""

    VOID = {"meta", "link", "input", "br"}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.refs, self.tags, self.text = [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "xlink:href", "src"):
                self.refs.append(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise AssertionError(f"stray </{tag}>")

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("script", "style"):
            self.text.append(data)


def read_page(folder):
    """Parses index.html; fails where it is not well-formed. Returns (source, parser)."""
    source = (folder / "index.html").read_text(encoding="utf-8")
    parser = Wellformed()
    parser.feed(source)
    parser.close()
    assert not parser.open, parser.open
    return source, parser


def page_data(source):
    """The data that a page carries for its script."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', source, re.S)[1])


class InFolder(unittest.TestCase):
    """A test with a folder of its own, made from the standard run by `copy_run`."""

    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="slidebench-report-"))
        cls.addClassCleanup(shutil.rmtree, cls.home)
        cls.original = make_run(cls.home / "original")

    def copy_run(self):
        target = self.home / self.id().rpartition(".")[2]
        target.mkdir()
        for name in ("samples.csv", "summary.csv", "run.json"):
            shutil.copy(self.original / name, target / name)
        return target

    def copy_small_run(self):
        """Two cells, few methods and rounds: for tests that draw but do not look at the whole."""
        folder = self.copy_run()
        left_out = ["kogge_stone", "dumb7fill", "ray_walk", "classical_rays", "rotated_hyatt", "hyperbola"]
        keep = lambda t: t[(t["trace"] == "game") & ~t["method"].isin(left_out)]  # noqa: E731
        self.edit_csv(folder, "samples.csv", lambda t: keep(t)[keep(t)["round"].astype(int) < 5])
        self.edit_csv(folder, "summary.csv", keep)
        return folder

    def edit_csv(self, folder, name, edit):
        table = edit(pd.read_csv(folder / name, dtype=str, keep_default_na=False))
        table.to_csv(folder / name, index=False)

    def edit_info(self, folder, edit):
        info = json.loads((folder / "run.json").read_text())
        edit(info)
        (folder / "run.json").write_text(json.dumps(info))

    def assert_refused(self, folder, *words):
        status, out, err = run_report(folder)
        self.assertEqual(status, 2, err)
        self.assertEqual(out, "")
        self.assertEqual(err.count("\n"), 1, err)
        for word in words:
            self.assertIn(word, err)

    def assert_reported(self, folder):
        status, out, err = run_report(folder)
        self.assertEqual((status, err), (0, ""))
        return out


class WholeRun(InFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.status, cls.out, cls.err = run_report(cls.original)

    def test_files_are_listed_and_not_empty(self):
        self.assertEqual((self.status, self.err), (0, ""))
        files = [Path(line) for line in self.out.splitlines()]
        stems = [f"ranking_{w}_{t}" for w, t in CELLS] + ["footprint_game", "footprint_random", "orders", "rounds"]
        expected = {f"plots/{stem}.{suffix}" for stem in stems for suffix in ("svg", "png")} | {"index.html"}
        self.assertEqual({str(f.relative_to(self.original)) for f in files}, expected)
        self.assertTrue(all(f.stat().st_size > 2000 for f in files))
        self.assertFalse(list(self.original.rglob("*.part")))

    def test_page_is_wellformed_and_needs_no_network(self):
        source, page = read_page(self.original)
        self.assertEqual(len(page.ids), len(set(page.ids)))
        inside = {ref[1:] for ref in page.refs if ref.startswith("#")}
        self.assertLessEqual(inside, set(page.ids))
        for ref in page.refs:
            self.assertNotRegex(ref, r"^(https?:)?//")
            if not ref.startswith(("#", "data:")):
                self.assertTrue((self.original / ref).exists(), ref)

    def test_page_has_every_method_and_the_run(self):
        text = "\n".join(read_page(self.original)[1].text)
        for name, entry in METHODS.items():
            self.assertIn(name, text)
            self.assertIn(entry[0], text)
        for words in (
            "Imaginary CPU 9000",
            "abc1234",
            "GNU 12.2.0",
            "the virtual machine offers no PMU",
            "needs avx512f",
            "the clock rate moved",
            "32 KiB",
            "game.trace",
        ):
            self.assertIn(words, text)
        self.assertNotIn("incomplete", text)

    def test_findings_are_the_known_truth(self):
        run = run_data.load(self.original)
        for cell in run.cells:
            self.assertEqual([row.method for row in findings_.leaders(run, cell)], ["pext"])
            self.assertTrue(answer_.best_of(run, cell, None).sure)
            self.assertEqual(run.ranked(cell).iloc[-1]["method"], "ray_walk")
        throughput = " ".join(findings_.cell_sentences(run, cells_.Cell("throughput", "game", "isolated")))
        self.assertIn("Pext (pext) is the fastest", throughput)
        self.assertRegex(throughput, r"it takes 0\.\d+ \[0\.\d+, 0\.\d+\] times as long as the second")
        self.assertRegex(throughput, r"Equivalent to Magic fancy \(magic_fancy\), within \S1 %: Magic plain")
        self.assertIn("Pext (pext) is the fastest in each of the 4 cells", findings_.overall(run)[0])

    def test_same_input_gives_the_same_bytes(self):
        again = self.home / "again"
        shutil.copytree(self.original, again, ignore=shutil.ignore_patterns("plots", "index.html"))
        # Another process has other hash seeds and object addresses.
        subprocess.run([sys.executable, str(SCRIPTS / "report.py"), str(again)], check=True, stdout=subprocess.DEVNULL)
        for path in sorted(self.original.rglob("*")):
            if path.is_file():
                self.assertEqual(path.read_bytes(), (again / path.relative_to(self.original)).read_bytes(), path.name)


class OddRuns(InFolder):
    def test_hostile_titles_are_escaped(self):
        folder = self.copy_small_run()
        hostile = '<script>alert("1")</script> & \'$\\frac{x}$ ]]> \x07\nend'
        self.edit_csv(folder, "summary.csv", lambda t: t.assign(title=t["title"].where(t["method"] != "pext", hostile)))
        self.edit_info(
            folder,
            lambda i: i.update(
                warnings=["</li><script>x</script>"],
                commit=hostile,
                methods=[{"id": "pext", "title": hostile}],
                traces=[{"name": hostile, "provenance": {hostile: hostile}}],
            ),
        )
        self.assert_reported(folder)
        source, page = read_page(folder)
        self.assertEqual(page.tags.count("script"), SCRIPTS_OF_A_RUN)
        self.assertNotIn("\x07", source)
        self.assertIn("&lt;script&gt;", source)

    def test_hostile_names_make_safe_files(self):
        folder = self.copy_small_run()
        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(
                folder,
                name,
                lambda t: t.assign(
                    trace="../<b>",
                    pressure=["64@256K/node" if w == "latency" else "64@256K node" for w in t["workload"]],
                ),
            )
        out = self.assert_reported(folder)
        self.assertIn("plots/ranking_latency_b_64-256K-node.svg", out.replace("-b-", "b"))
        self.assertTrue(all(Path(line).parent in (folder, folder / "plots") for line in out.splitlines()))
        self.assertEqual(len(set(out.splitlines())), len(out.splitlines()))
        read_page(folder)

    def test_incomplete_run_says_so(self):
        folder = self.copy_small_run()
        self.edit_info(folder, lambda i: i.update(complete=False))
        self.assert_reported(folder)
        self.assertIn("This run is incomplete", read_page(folder)[0])

    def test_bare_run_json_shows_not_recorded(self):
        folder = self.copy_small_run()
        (folder / "run.json").write_text('{"schema": 3}')
        self.assert_reported(folder)
        source = read_page(folder)[0]
        self.assertGreater(source.count("not recorded"), 10)
        self.assertNotIn("is the fastest", source)

    def test_other_versions_are_refused(self):
        folder = self.copy_small_run()
        for schema, words in ((2, "by an older version; run it again"), (None, "older version"), (4, "newer version")):
            self.edit_info(folder, lambda i: i.update(schema=schema))
            self.assert_refused(folder, words)

    def test_wrong_types_in_run_json_do_not_crash(self):
        folder = self.copy_small_run()
        odd = {
            "schema": 3,
            "bests": [1, {"cell": 3}, {"cell": {"workload": "latency", "trace": "game"}, "arms": 5}],
            "crossings": [{"cell": {}, "lines": 3}, 7],
            "correlations": {},
            "checks": {"twin": [{"cell": 1, "ratio": "x"}], "control": [None]},
            "machine": [1],
            "build": "x",
            "versions": 3,
            "counters": [],
            "traces": {"a": 1},
            "methods": [1, None, {"id": 5}],
            "skipped": [{}],
            "effective_ghz": {"median": "fast"},
            "warnings": "w",
            "command": "x",
            "complete": "yes",
            "seed": {},
        }
        (folder / "run.json").write_text(json.dumps(odd))
        self.assert_reported(folder)
        (folder / "run.json").write_text(
            json.dumps({"schema": 3, "machine": {"caches": [{"level": 1, "bytes": "32K"}, {"level": 2}, 7]}})
        )
        self.assert_reported(folder)
        read_page(folder)

    def test_no_aa_arm(self):
        folder = self.copy_small_run()
        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(folder, name, lambda t: t[t["role"] != "twin"])
        self.edit_csv(folder, "summary.csv", lambda t: t.assign(aa_bound=""))
        self.assert_reported(folder)
        self.assertIn("No A/A control ran", read_page(folder)[0])

    def test_one_launch_names_no_fastest(self):
        folder = self.copy_small_run()
        self.edit_info(folder, lambda i: i.update(bests=[], correlations=[], crossings=[]))
        ends = ("ns", "net", "ratio", "holm")
        empty = {f"{name}_{end}": "" for name in ends for end in ("low", "high")}
        self.edit_csv(folder, "summary.csv", lambda t: t.assign(best="", launches="1", **empty))
        self.assert_reported(folder)
        source = read_page(folder)[0]
        self.assertIn("Not compared with the others", source)
        self.assertNotIn("is the fastest", source)
        self.assertIn("Pext (pext) has the least ratio", source)

    def test_unresolved_and_void_cells_say_why(self):
        folder = self.copy_small_run()

        def judge(table):
            methods, latency = table["role"] == "method", table["workload"] == "latency"
            verdict = table["verdict"].mask(methods & latency, "unresolved").mask(methods & ~latency, "void")
            bound = table["aa_bound"].mask(latency & (table["ratio"] != ""), "0.023")
            return table.assign(verdict=verdict, aa_bound=bound)

        self.edit_csv(folder, "summary.csv", judge)
        self.assert_reported(folder)
        source, page = read_page(folder)
        said = "unresolved: identical code differed by up to 2.3 %"
        self.assertEqual([cell["unresolved"] for cell in page_data(source)["cells"]], ["", said])
        self.assertIn(said[1:], " ".join(page.text))
        self.assertIn("Void: the empty loop was slower than a method", source)
        self.assertIn("furthest from it is latency on game", source.lower())
        self.assertIn("more than the margin in 1 of 2 cells", source)
        for stem, words in (("latency_game", ["unresolved", "up to 2.3 %"]), ("throughput_game", ["void"])):
            text = (folder / "plots" / f"ranking_{stem}.svg").read_text()
            self.assertTrue(all(word in text for word in words), stem)

    def test_an_update_cell_has_times_and_no_ratios(self):
        folder = self.copy_small_run()
        empty = {name: "" for name in ("ratio", "ratio_low", "ratio_high", "margin", "aa_bound", "verdict", "best")}

        def update(table):
            others = table["workload"] != "latency"
            table = table[~others | table["arm"].isin(["empty", "clock", "pext"])]
            table = table.assign(workload=table["workload"].replace("throughput", "update"))
            others = table["workload"] == "update"
            return table.assign(**{n: table[n].mask(others, v) for n, v in empty.items() if n in table.columns})

        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(folder, name, update)
        self.assert_reported(folder)
        source = read_page(folder)[0]
        self.assertIn("there are times and no ratios", source)
        rows = {cell["workload"]: cell["rows"] for cell in page_data(source)["cells"]}["update"]
        self.assertEqual(len(rows), 1)
        self.assertTrue(all(isinstance(value, (int, float)) for value in rows[0][3:9]), rows)

    def test_one_method_and_no_reference(self):
        folder = self.copy_small_run()
        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(folder, name, lambda t: t[(t["method"] == "kindergarten") & (t["workload"] == "latency")])
        empty = dict.fromkeys(("ratio", "ratio_low", "ratio_high", "margin", "aa_bound", "best", "table_bytes"), "")
        self.edit_csv(folder, "summary.csv", lambda t: t.assign(**empty))
        self.assert_reported(folder)
        self.assertIn("No reference ran", read_page(folder)[0])

    def test_one_row(self):
        folder = self.copy_small_run()
        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(folder, name, lambda t: t[t["role"] == "reference"].head(1))
        self.assert_reported(folder)
        self.assertIn("Only the reference", read_page(folder)[0])

    def test_same_method_at_two_levels(self):
        folder = self.copy_small_run()

        def double(table):
            more = table[table["method"] == "pext"].assign(arm="pext@v4", level="v4")
            return pd.concat([table.assign(arm=table["arm"].replace("pext", "pext@v3")), more])

        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(folder, name, double)
        for best in json.loads((folder / "run.json").read_text())["bests"]:
            self.assertNotIn("pext@v3", best["arms"])
        both = {"arms": ["pext@v3", "pext@v4"], "sure": False}
        self.edit_info(folder, lambda i: i.update(bests=[b | both for b in i["bests"] if "pext" in b["arms"]]))
        self.assert_reported(folder)
        text = (folder / "plots" / "ranking_throughput_game.svg").read_text()
        self.assertIn("pext@v3", text)
        self.assertIn("pext@v4", text)
        run = run_data.load(folder)
        sentence = findings_.cell_sentences(run, run.cells[0])[0]
        self.assertIn("Pext (pext@v3) and Pext (pext@v4) cannot be told apart", sentence)
        self.assertNotIn("is the fastest", sentence)

    def test_counters_keep_their_sources_apart(self):
        folder = self.copy_small_run()
        rows = [
            [0, "pext", "pext", "v3", "latency", "game", "isolated", "L1D_MISS", source, "E", 5, 1, 8, value]
            for source, value in (("papi", 0.5), ("simulated", 0.25))
        ]
        pd.DataFrame(
            rows,
            columns=(
                "launch arm method level workload trace pressure metric source event value value_empty queries "
                "per_query".split()
            ),
        ).to_csv(folder / "counters.csv", index=False)
        self.edit_info(folder, lambda i: i.update(counters={"status": "papi", "reason": ""}))
        self.assert_reported(folder)
        source = read_page(folder)[0]
        self.assertIn("Counted by the hardware (papi): 1 rows", source)
        self.assertIn("Simulated by the cache laboratory, not measured: 1 rows", source)
        self.assertIn('id="counters"', source)
        (folder / "counters.csv").write_text("launch,arm\n")
        self.assert_reported(folder)
        self.assertNotIn('id="counters"', read_page(folder)[0])

    def test_misses_of_all_levels_stand_side_by_side_and_say_their_source(self):
        folder = self.copy_small_run()
        counts = make_counts(METHODS, ["game"])
        (folder / "counters.csv").write_text(counts)
        self.assertIn("plots/misses_game.svg", self.assert_reported(folder))
        levels = ["l1d_misses", "l2d_misses", "l3_misses", "dtlb_misses"]
        shown = page_data(read_page(folder)[0])["counts"]
        self.assertEqual([(entry["metric"], entry["source"]) for entry in shown], [(m, "simulated") for m in levels])
        alone = (folder / "plots" / "misses_game.svg").read_text()
        for word in ("simulated, not measured", "L1D misses", "L2 misses", "L3 misses", "DTLB misses"):
            self.assertIn(word, alone)
        self.assertNotIn("counted", alone)
        self.assertRegex((folder / "plots" / "ranking_latency_game.svg").read_text(), r"(?s)L1D misses.*simulated")
        papi = "\n".join(
            f"0,{name},{name},v3,latency,game,isolated,{metric},papi,PERF,1,0,8,{i + 7}.125,,,"
            for metric in ("l1d_misses", "branch_misses")
            for i, name in enumerate(["magic_fancy", "magic_plain", "pext", "kindergarten"])
        )
        (folder / "counters.csv").write_text(counts + papi + "\n")
        out = self.assert_reported(folder)
        self.assertIn("plots/misses_game.svg", out, "throughput, in which nothing was counted")
        self.assertIn("plots/misses_latency_game.svg", out)
        both = (folder / "plots" / "misses_latency_game.svg").read_text()
        for word in ("counted by the hardware (papi) beside simulated, not measured", "mispredicted branches"):
            self.assertIn(word, both)
        run = run_data.load(folder)
        throughput, latency = (cells_.Cell(w, "game", "isolated") for w in ("throughput", "latency"))
        self.assertEqual(misses_.of_cell(run, throughput, "l1d_misses", "papi"), {})
        self.assertEqual(misses_.of_cell(run, latency, "l1d_misses", "papi")["pext"], 9.125)
        expected = missed(METHODS["pext"][2], 32768) / SIM_QUERIES
        for cell in (throughput, latency):
            self.assertEqual(misses_.of_cell(run, cell, "l1d_misses", "simulated")["pext"], expected)
        # What was simulated without pressure says nothing about a cell under pressure.
        pressed = cells_.Cell("latency", "game", "nnue")
        self.assertEqual(misses_.of_cell(run, pressed, "l1d_misses", "simulated"), {})
        found = page_data(read_page(folder)[0])
        first = len(found["cells"][0]["rows"][0]) - len(found["counts"])
        for cell in found["cells"]:
            row = next(row for row in cell["rows"] if found["arms"][row[0]]["arm"] == "pext")[first:]
            values = {(c["metric"], c["source"]): value for c, value in zip(found["counts"], row)}
            self.assertEqual(values["l1d_misses", "simulated"], expected)
            for metric in ("l1d_misses", "branch_misses"):
                self.assertEqual(values[metric, "counted"], 9.125 if cell["workload"] == "latency" else None)
        self.assertIn("papi", (folder / "plots" / "ranking_latency_game.svg").read_text())
        self.assertNotIn("simulated", (folder / "plots" / "ranking_latency_game.svg").read_text())

    def test_misses_that_cannot_be_drawn(self):
        folder = self.copy_small_run()
        rows = make_counts({"pext": METHODS["pext"]}, ["game"])
        for counts in (rows, make_counts({"pext": ("", "", 0), "kindergarten": ("", "", 0)}, ["game"])):
            (folder / "counters.csv").write_text(counts)
            self.assertNotIn("plots/misses_", self.assert_reported(folder))

    def test_what_a_query_executes_is_read_from_kernel_csv(self):
        folder = self.copy_small_run()
        self.assertEqual(misses_.kernels(run_data.load(folder)), {})
        head = "method,level,instructions_per_query,loads_per_query,branches_per_query,code_bytes"
        (folder / "kernel.csv").write_text(f"{head}\npext,v3,7.5,2,0,41\npext,v4,6.5,2,0,39\n")
        self.assert_reported(folder)
        source = read_page(folder)[0]
        arm = next(arm for arm in page_data(source)["arms"] if arm["arm"] == "pext")
        self.assertEqual([arm[name] for name in ("instructions", "loads", "branches", "code")], [7.5, 2, 0, 41])
        self.assertNotIn("code", next(arm for arm in page_data(source)["arms"] if arm["arm"] == "magic_fancy"))
        self.assertIn("counted one by one", source)
        self.assertIn('href="kernel.csv"', source)
        broken = f"{head}\npext,v3,x,2,0,1\n"
        for text, words in (("", "is empty"), (head, "no rows"), ("method\npext\n", "no column"), (broken, "'x'")):
            (folder / "kernel.csv").write_text(text)
            self.assert_refused(folder, "kernel.csv", words)


class Simulations(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="slidebench-report-"))
        cls.addClassCleanup(shutil.rmtree, cls.home)
        cls.original = make_simulation(cls.home / "original")
        cls.status, cls.out, cls.err = run_report(cls.original)

    def make_small(self):
        few = {name: METHODS[name] for name in ("magic_fancy", "pext", "kogge_stone")}
        return make_simulation(self.home / self.id().rpartition(".")[2], few, pressures=("isolated",), draws=1)

    def test_files_are_listed_and_not_empty(self):
        self.assertEqual((self.status, self.err), (0, ""))
        files = [Path(line) for line in self.out.splitlines()]
        stems = [f"misses_game_{c}{p}" for c in CACHES for p in ("", "_light")]
        stems += ["curves_game", "curves_pages_game", "surface_game", "lines_game"]
        stems += ["squares_game_host", "squares_game_host_light"]
        expected = {f"plots/{stem}.{suffix}" for stem in stems for suffix in ("svg", "png")} | {"index.html"}
        self.assertEqual({str(f.relative_to(self.original)) for f in files}, expected)
        self.assertTrue(all(f.stat().st_size > 2000 for f in files))
        for file in files:
            if file.suffix == ".svg":
                self.assertIn("simulated, not measured", file.read_text(), file.name)

    def test_page_is_wellformed_and_says_what_it_is(self):
        source, page = read_page(self.original)
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertEqual(page.tags.count("svg"), 10)
        self.assertEqual(source.count("<figcaption>Simulated, not measured"), 10)
        for grey in style_.PAGE_VARIABLES:
            self.assertNotIn(f": {grey};", source.partition("</style>")[2], "a figure's grey did not follow the page")
        self.assertLessEqual({ref[1:] for ref in page.refs if ref.startswith("#")}, set(page.ids))
        for ref in page.refs:
            self.assertNotRegex(ref, r"^(https?:)?//")
            if not ref.startswith(("#", "data:")):
                self.assertTrue((self.original / ref).exists(), ref)
        text = "\n".join(page.text)
        for words in (*METHODS, "Imaginary CPU 9000", "abc1234", "L1=32K/8/64:lru", "slidebench simulate --out out"):
            self.assertIn(words, text)
        self.assertIn("64 lines touched at each node", text)
        self.assertNotIn("is incomplete", text)

    def test_misses_are_the_known_truth(self):
        simulation = simulation_data.load_simulation(self.original)
        self.assertEqual([place.pressure for place in simulation.places], ["isolated"] * 2 + ["light"] * 2)
        host, small = simulation.places[:2]
        wide = simulation.misses(host)
        self.assertNotIn("empty", wide.index)
        self.assertEqual(wide.index[-1], "magic_plain")
        size = METHODS["pext"][2]
        low = missed(size, 32768) / SIM_QUERIES
        np.testing.assert_allclose(wide.loc["pext", "L1D"][["median", "low", "high"]], [low + 0.0005, low, low + 0.001])
        self.assertEqual(list(dict.fromkeys(wide.columns.get_level_values(0))), ["L1D", "L2", "L3", "DTLB"])
        levels = simulation.misses(small).columns.get_level_values(0)
        self.assertEqual(list(dict.fromkeys(levels)), ["L1D", "L2", "DTLB"])

    def test_sizes_of_the_caches(self):
        simulation = simulation_data.load_simulation(self.original)
        self.assertEqual(
            [(mark.level, mark.size, mark.caches) for mark in simulation.marks("L1D", "L2", "DTLB", "STLB")],
            [
                ("DTLB", 64, ("small",)),
                ("DTLB", 72, ("host",)),
                ("STLB", 3072, ("host",)),
                ("L1D", 16384, ("small",)),
                ("L1D", 32768, ("host",)),
                ("L2", 262144, ("small",)),
                ("L2", 1048576, ("host",)),
            ],
        )
        self.assertEqual(simulation_data.sizes_of("rubbish,L1=0,L2=none,=,L1"), {})

    def test_tables_sum_up(self):
        source = read_page(self.original)[0]
        cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr.*?</tr>", source)]
        whole = [row for row in cells if len(row) == 11 and "pext" in row[0] and row[1] == "all"]
        self.assertEqual(len(whole), 2 * 2 * 2)
        for row in whole[:4]:
            self.assertEqual(row[5:11], ["3000", "311", "48", "270", "-7", "0.3110"])
            self.assertEqual(int(row[6]), sum(int(cause) for cause in row[7:10]))
        parts = [row for row in cells if len(row) == 11 and "pext" in row[0] and row[1] != "all"]
        self.assertEqual(sum(int(row[6]) for row in parts), sum(int(row[6]) for row in whole))
        self.assertTrue(all(set(row[7:10]) == {"\u2013"} for row in parts))

    def test_boards(self):
        squares = simulation_data.load_simulation(self.original).squares
        one = squares[(squares["pressure"] == "isolated") & (squares["cache"] == "host")]
        bishop = simulation_data.board_of(one, "pext", "bishop", "l1d_misses")
        self.assertAlmostEqual(bishop[4, 3], 0.75)  # d5: a bishop's 50 and a queen's 100 of 200 queries
        self.assertAlmostEqual(bishop[0, 0], 0.75)  # a1: a queen's and both
        self.assertAlmostEqual(bishop[1, 3], 200 / 300)  # d2: all three
        lines = simulation_data.board_of(one, "pext", "bishop", "distinct_lines")
        self.assertTrue(math.isnan(lines[0, 0]))
        self.assertEqual(lines[0, 1], 2)
        self.assertEqual(simulation_data.board_of(one, "pext", "rook", "distinct_lines")[0, 1], 4)

    def test_few_are_highlighted_of_many(self):
        many = {f"{name}_{i}": entry for name, entry in METHODS.items() for i in range(5)}
        folder = make_simulation(self.home / "many", {**METHODS, **many}, pressures=("isolated",), draws=1)
        simulation = simulation_data.load_simulation(folder)
        named = simulation.highlighted("game")
        families = {entry[1] for entry in METHODS.values() if entry[2]}
        self.assertIn("magic_fancy", named)
        self.assertLessEqual(len(named), len(families) + 1)
        self.assertEqual({simulation.family(method) for method in named}, families)
        style_.set_defaults()
        figure = figures_of_simulation.curves(simulation, "game", simulation_data.LINE)
        labels = [text.get_text() for text in figure.legends[0].get_texts()]
        self.assertEqual(len(labels), len(named) + 1)
        self.assertTrue(labels[-1].endswith("others"))
        plt.close(figure)

    def test_missing_and_empty_files(self):
        folder = self.make_small()
        (folder / "mrc.csv").write_text((folder / "mrc.csv").read_text().partition("\n")[0] + "\n")
        (folder / "squares.csv").write_text("")
        (folder / "tables.csv").unlink()
        out = self.assert_reported(folder)
        self.assertNotRegex(out, "curves|surface|squares|lines_")
        self.assertIn("misses_game_host.svg", out)
        (folder / "mrc.csv").unlink()
        self.assertEqual(self.assert_reported(folder), out)
        source, page = read_page(folder)
        self.assertNotIn('href="mrc.csv"', source)
        self.assertLessEqual({ref[1:] for ref in page.refs if ref.startswith("#")}, set(page.ids))

    def test_bare_run_json(self):
        folder = self.make_small()
        (folder / "run.json").write_text('{"kind": "simulation"}')
        self.assert_reported(folder)
        self.assertIn("Whether it is complete was not recorded", read_page(folder)[0])
        odd = {"kind": "simulation", "caches": [1, {"specification": 3, "notes": 5}], "pressures": {}, "methods": [{}]}
        (folder / "run.json").write_text(json.dumps(odd))
        self.assert_reported(folder)
        self.edit_info(folder, lambda i: i.update(complete=False))
        self.assert_reported(folder)
        self.assertIn("This simulation is incomplete", read_page(folder)[0])

    def test_hostile_names(self):
        folder = self.make_small()
        hostile = '<script>alert("1")</script>'
        for name in ("counters.csv", "mrc.csv", "squares.csv", "tables.csv"):
            self.edit_csv(
                folder, name, lambda t: t.assign(trace="../" + hostile, method=t["method"].replace("pext", hostile))
            )
        self.edit_csv(folder, "tables.csv", lambda t: t.assign(table=t["table"].replace("records", hostile)))
        self.edit_info(folder, lambda i: i["caches"][0].update(name=hostile, notes=[hostile]))
        out = self.assert_reported(folder)
        self.assertTrue(all(Path(line).parent in (folder, folder / "plots") for line in out.splitlines()))
        self.assertEqual(read_page(folder)[1].tags.count("script"), 1)

    def test_corrupt_files_are_refused(self):
        cases = [
            ("counters.csv", lambda t: t.assign(source="papi"), ("papi", "simulated")),
            ("counters.csv", lambda t: t.assign(queries="0"), ("line 2", "queries")),
            ("counters.csv", lambda t: t.drop(columns=["draw"]), ("draw",)),
            ("counters.csv", lambda t: t[t["method"] == "empty"], ("no misses",)),
            ("counters.csv", lambda t: t.head(0), ("no rows",)),
            ("mrc.csv", lambda t: t.assign(misses="many"), ("line 2", "many")),
            ("mrc.csv", lambda t: t.assign(cache_lines="0"), ("line 2", "cache_lines")),
            ("mrc.csv", lambda t: t.drop(columns=["granularity_bytes"]), ("granularity_bytes",)),
            ("squares.csv", lambda t: t.assign(square="j9"), ("line 2", "j9")),
            ("squares.csv", lambda t: t.assign(queries="-1"), ("line 2", "queries")),
            ("tables.csv", lambda t: t.assign(conflict=t["conflict"].replace("-7", "7")), ("line 4", "325", "311")),
            ("tables.csv", lambda t: t.assign(misses="-3"), ("line 2", "misses")),
        ]
        folder = self.make_small()
        for name, edit, words in cases:
            with self.subTest(name + words[0]):
                whole = (folder / name).read_text()
                self.edit_csv(folder, name, edit)
                self.assert_refused(folder, name, *words)
                (folder / name).write_text(whole)
        (folder / "mrc.csv").write_bytes(b"\xff\xfe\x00")
        self.assert_refused(folder, "mrc.csv", "UTF-8")
        (folder / "counters.csv").unlink()
        self.assert_refused(folder, "counters.csv", "missing")

    def test_same_input_gives_the_same_bytes(self):
        folder = self.make_small()
        self.assert_reported(folder)
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        subprocess.run([sys.executable, str(SCRIPTS / "report.py"), str(folder)], check=True, stdout=subprocess.DEVNULL)
        for path, content in before.items():
            self.assertEqual(path.read_bytes(), content, path.name)


class FullSchema(unittest.TestCase):
    """A run with everything that a run can have, and runs that lack parts of it."""

    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="slidebench-report-"))
        cls.addClassCleanup(shutil.rmtree, cls.home)
        cls.run_ = run_data.load(synthetic.make_full_run(cls.home / "full"))

    def small(self, *cells, **info):
        """A run of a few cells and methods, without simulated counts."""
        known = {m: synthetic.methods()[m] for m in ("magic_fancy", "pext", "hyperbola_avx2", "kogge_stone")}
        folder = self.home / self.id().rpartition(".")[2]
        return synthetic.make_full_run(folder, list(cells), known, simulated=False, **info)

    def test_cells_have_all_coordinates(self):
        self.assertEqual(set(self.run_.cells), set(synthetic.cells()))
        paged = Cell("latency", "game", "isolated", pages="2m")
        self.assertEqual(paged.name, "latency on game, isolated, 2m pages")
        self.assertEqual(paged.slug, "latency_game_2m")
        crowded = Cell("latency", "game", "nnue", "both", corunners=2)
        self.assertEqual(crowded.name, "latency of both on game, nnue, 2 co-runners")
        self.assertEqual(crowded.slug, "latency_both_game_corunners2_nnue")
        for cell in self.run_.cells:
            self.assertEqual(len(self.run_.rows(cell, "method", "reference")), len(synthetic.methods()))
        slugs = [cell.slug.lower() for cell in self.run_.cells]
        self.assertEqual(len(set(slugs)), len(slugs))

    def test_plain_cells_leave_sweeps_out(self):
        self.assertFalse([cell for cell in self.run_.plain if "@" in cell.pressure])
        self.assertTrue(all((c.kinds, c.pages, c.corunners) == ("all", "4k", 0) for c in self.run_.plain))
        few = run_data.load(self.small(Cell("latency", "game", "isolated"), Cell("latency", "game", "64@8M/eval")))
        self.assertEqual(len(few.plain), 2)

    def test_pressures_are_understood(self):
        self.assertEqual(cells_.touched("64@256K/node"), cells_.Touched(64, "256K", "node", "random"))
        self.assertEqual(cells_.touched("nnue"), cells_.touched("768@8M/eval/rows"))
        for name in ("isolated", "lukewarm", "", "64@", "x@8M/eval", "64@8M/often"):
            self.assertIsNone(cells_.touched(name), name)
        order = sorted(["512@8M/eval", "zzz", "64@8M/eval", "nnue", "light", "isolated"], key=cells_.pressure_key)
        self.assertEqual(order, ["isolated", "light", "nnue", "64@8M/eval", "512@8M/eval", "zzz"])

    def test_presets_are_those_of_the_program(self):
        source = (SCRIPTS.parent / "harness" / "plugin" / "pressure.hpp").read_text()
        found = dict(re.findall(r'\{"([a-z0-9-]+)", "(\d+@[^"+]*)"', source))
        self.assertEqual(found, cells_.PRESETS)

    def test_the_answer_is_the_known_truth(self):
        run, known = self.run_, synthetic.methods()
        found = answer_.answers(run)
        self.assertEqual(answer_.trace_of(run), "search")
        own = [{"name": "game", "provenance": {"kind": "import"}}]
        self.assertEqual(answer_.trace_of(dataclasses.replace(run, info={**run.info, "traces": own})), "game")
        self.assertEqual(len(found), 3 * len(answer_.SITUATIONS))
        for (use, pressure), limits in found.items():
            for limit, answers in limits:
                self.assertTrue(answers)
                for answer in answers:
                    fits = {m: e for m, e in known.items() if limit is None or e[1] <= limit}
                    true = {m: synthetic.true_ns(answer.cell, size, work) for m, (_, size, work) in fits.items()}
                    close = {m for m in true if true[m] <= 1.03 * min(true.values())}
                    self.assertIn(answer.first.method, close, (use.name, pressure, limit))
                    self.assertLessEqual({row.method for row in answer.others}, close | {answer.first.method})
                    self.assertEqual(answer.compared, len(fits))
                    self.assertEqual(answer.cell.kinds, "both" if use.name == "Both" else "all")
                    self.assertEqual(answer.cell.pressure, pressure)
        engine = answer_.engine_answers(run)
        self.assertEqual([cell.trace for cell, _ in engine], ["net0", "net1024", "net256"])

    def with_bests(self, *arms):
        """A run of one cell in which all but the smallest footprint have these arms as the best."""
        entry = {"cell": Cell("latency", "game", "isolated").__dict__, "compared": 4, "arms": arms}
        entry |= {"sure": len(arms) == 1, "lead": {"value": 0.91, "low": 0.9, "high": 0.92}}
        bests = [entry | {"limit_bytes": limit} for limit in (None, 65536)]
        return run_data.load(self.small(Cell("latency", "game", "isolated"), bests=bests))

    def test_an_answer_that_is_not_sure_says_so(self):
        run = self.with_bests("pext", "hyperbola_avx2")
        answer = answer_.best_of(run, run.cells[0], None)
        self.assertEqual((answer.first.method, [r.method for r in answer.others]), ("pext", ["hyperbola_avx2"]))
        self.assertEqual(page_of_run.certainty([answer]), "Cannot be told apart from hyperbola_avx2.")
        sentence = findings_.cell_sentences(run, run.cells[0])[0]
        self.assertIn("Pext (pext) and Hyperbola avx2 (hyperbola_avx2) cannot be told apart", sentence)
        self.assertNotIn("is the fastest", sentence)
        self.assertNotIn('class="sure"', page_of_run.run_page(run, []))

    def test_only_what_is_sure_is_called_the_fastest(self):
        run = self.with_bests("pext")
        answer = answer_.best_of(run, run.cells[0], None)
        self.assertEqual(page_of_run.certainty([answer]), "The fastest: 0.910 [0.900, 0.920] of the second's time.")
        self.assertIn("Pext (pext) is the fastest", findings_.cell_sentences(run, run.cells[0])[0])
        smallest = answer_.best_of(run, run.cells[0], 1024)
        self.assertEqual((smallest.compared, smallest.sure), (0, False))
        self.assertIn('class="sure"', page_of_run.run_page(run, []))

    def test_an_answer_level_with_most_methods_chooses_none(self):
        run = self.with_bests("hyperbola_avx2", "pext", "magic_fancy")
        answer = answer_.best_of(run, run.cells[0], None)
        self.assertTrue(answer.undecided)
        said = "3 of 4 methods cannot be told apart"
        self.assertIn(said, findings_.headline(run, answer_.answers(run))[0])
        self.assertIn(said, page_of_run.run_page(run, []))

    def test_the_answer_for_an_engine_says_where_it_comes_from(self):
        lines = findings_.headline(self.run_, answer_.answers(self.run_))
        self.assertIn("Engine with a network of 1,024, measured in the engine here", lines[0])
        self.assertIn("In a loop \N{EN DASH}", lines[-1])
        self.assertEqual(answer_.source_of(self.run_, "isolated"), "")
        only_replay = run_data.load(self.small(Cell("throughput", "game", "net1024"), Cell("engine", "net0", "isolated")))
        self.assertEqual(answer_.source_of(only_replay, "net1024"), "predicted by a replay")
        self.assertIn("measured below", answer_.source_of(only_replay, "net0"))

    def test_crossings_are_the_known_truth(self):
        (sweep,) = crossings_.sweeps(self.run_)
        self.assertEqual(sweep.lines, (0, 16, 32, 64, 128, 256, 512, 768, 1536))
        self.assertEqual([cell.pressure for cell in (sweep.cells[0], sweep.cells[7])], ["isolated", "nnue"])
        found = {(c.a, c.b): c for c in crossings_.crossings(self.run_, sweep)}
        known = synthetic.methods()
        for a, b in (("pext", "hyperbola_avx2"), ("magic_fancy", "hyperbola_avx2")):
            curves = [[synthetic.true_ns(cell, *known[name][1:]) for cell in sweep.cells] for name in (a, b)]
            logs = np.log(np.array(curves[0]) / curves[1])
            places = [crossings_.place(n) for n in sweep.lines]
            crossing = found[a, b]
            # Straight lines between the drawn points meet where the recorded number is.
            self.assertAlmostEqual(np.interp(crossings_.place(crossing.lines), places, logs), 0)
            self.assertTrue(crossing.is_clear)
            self.assertLess(crossing.low, crossing.lines)
            self.assertLess(crossing.lines, crossing.high)
        self.assertFalse([pair for pair in found if "kogge_stone" in pair])

    def test_crossings_belong_to_their_sweep(self):
        entries = json.loads((self.run_.folder / "run.json").read_text())["crossings"]
        (sweep,) = crossings_.sweeps(self.run_)
        for change in ({"trace": "game"}, {"pressure": "256K/node/random"}, {"kinds": "both"}):
            other = [entry | {"cell": entry["cell"] | change} for entry in entries]
            run = dataclasses.replace(self.run_, info=self.run_.info | {"crossings": other})
            self.assertEqual(crossings_.crossings(run, sweep), [], change)
        open_ = [entries[0] | {"lines": {"value": 9.0, "low": None, "high": 20.0}}]
        run = dataclasses.replace(self.run_, info=self.run_.info | {"crossings": open_})
        (crossing,) = crossings_.crossings(run, sweep)
        self.assertEqual((crossing.low, crossing.is_clear), (None, False))

    def test_static_crossover_is_drawn(self):
        style_.set_defaults()
        ((stem, cells, figure),) = figures_of_crossings.crossover_figures(self.run_)
        self.assertEqual(stem, "crossover_latency-search_8M-eval-rows")
        labels = [text.get_text() for text in figure.axes[0].texts]
        self.assertIn("pext", labels)
        self.assertIn("hyperbola_avx2", labels)
        plt.close(figure)

    def test_failed_checks_are_said_first(self):
        cell = {"workload": "latency", "trace": "game"}
        bad = {"cell": cell, "ratio": 1.2, "low": 1.1, "high": 1.3, "result": "failed"}
        folder = self.small(Cell("latency", "game", "isolated"), checks={"valid": False, "twin": [bad], "control": [3]})
        source = page_of_run.run_page(run_data.load(folder), [])
        head = source.partition('<section id="answer">')[0]
        self.assertIn("This run failed its own checks", head)
        self.assertIn("A/A, latency on game, isolated", head)

    def test_imprecise_checks_are_no_failure(self):
        wide = {"cell": {"workload": "latency", "trace": "game"}, "ratio": 1, "low": 0.9, "high": 1.1}
        checks = {"valid": False, "twin": [wide | {"result": "imprecise"}], "control": []}
        run = run_data.load(self.small(Cell("latency", "game", "isolated"), checks=checks))
        self.assertFalse(findings_.has_failed(run))
        self.assertEqual(findings_.alarms(run), [])
        self.assertEqual([row[4] for row in findings_.check_rows(run)], ["imprecise"])
    def test_checks_print_their_tolerance(self):
        rows = {row[0]: row for row in findings_.check_rows(self.run_)}
        self.assertEqual(rows["positive control, cycles"][2:], ("3 \xb1 0.75", "3.0200 [2.9000, 3.1000]", "passed"))
        self.assertEqual(rows["A/A"][2], "1 \xb1 0.01")

    def test_a_layout_is_said_as_it_was_drawn(self):
        said = dict(findings_.threats(self.run_))["Layout of the code"]
        self.assertIn("for this one build", said)
        samples = self.run_.samples.assign(layout=self.run_.samples["launch"] % 2)
        said = dict(findings_.threats(dataclasses.replace(self.run_, samples=samples)))["Layout of the code"]
        self.assertIn("for the 2 builds drawn from", said)
        info = self.run_.info | {"protocol": {"vary_layout": True}}
        bare = dataclasses.replace(self.run_, info=info, samples=self.run_.samples.iloc[:0])
        self.assertIn("for the builds drawn from", dict(findings_.threats(bare))["Layout of the code"])

    def test_disturbances_are_those_of_the_program(self):
        source = (SCRIPTS.parent / "harness" / "timing" / "sample.hpp").read_text()
        flagged = re.search(r"bool flagged\(\) const \{(.*?)\}", source, re.S)[1]
        self.assertEqual(tuple(re.findall(r"(\w+)(?:\.value_or\(0\))? > 0", flagged)), run_data.DISTURBANCES)
        cell = Cell("latency", "game", "isolated")
        self.assertFalse(run_data.round_ratios(self.run_, cell)["disturbed"].all())
        faulty = dataclasses.replace(self.run_, samples=self.run_.samples.assign(minor_faults=1), _parts={})
        self.assertTrue(run_data.round_ratios(faulty, cell)["disturbed"].all())

    def test_disturbed_rounds_that_matter_are_said(self):
        folder = self.small(Cell("latency", "game", "isolated"))
        summary = pd.read_csv(folder / "summary.csv", dtype=str, keep_default_na=False)
        moved = summary["ratio_unflagged"].where(summary["method"] != "pext", "0.5")
        summary.assign(ratio_unflagged=moved).to_csv(folder / "summary.csv", index=False)
        self.assertTrue(
            any(text.startswith("1 ratios move") for text in findings_.warnings(run_data.load(folder)))
        )

    def test_recorded_correlations_are_used(self):
        a, b = Cell("latency", "search", "isolated"), Cell("engine", "net256", "isolated")
        known = orders_.recorded(self.run_)
        self.assertEqual(known[a, b], known[b, a])
        self.assertLess(known[a, b].low, known[a, b].rho)
        self.assertEqual((known[a, b].methods, known[a, b].bound), (len(synthetic.methods()), 0.98))
        cells = orders_.shown_cells(self.run_)
        rho = payload_.payload(self.run_)["orders"]["rho"]
        at = rho[cells.index(a)][cells.index(b)]
        self.assertEqual(at[3:], [known[a, b].methods, 0.98])
        self.assertAlmostEqual(at[0], known[a, b].rho, places=2)
        self.assertIsNone(rho[0][0])
        odd = {"correlations": [{"a": "nowhere", "b": 3, "spearman": "x"}, 7, {}]}
        self.assertEqual(orders_.recorded(run_data.load(self.small(a, **odd))), {})

    def test_the_sentence_on_orders_has_pairs_numbers_and_intervals(self):
        said = orders_.sentence(self.run_)
        alone, net = Cell("throughput", "search", "isolated"), Cell("engine", "net256", "isolated")
        words = orders_.recorded(self.run_)[alone, net].words
        self.assertRegex(words, r"^-?\d\.\d\d \[-?\d\.\d\d, -?\d\.\d\d\] \(44 methods\)$")
        self.assertIn(f"{alone.name} and {net.name} {words}", said)
        self.assertNotIn("least", said)
        self.assertIsNone(orders_.sentence(run_data.load(self.small(alone))))

    def test_page_data_is_complete_and_safe(self):
        found = payload_.payload(self.run_)
        self.assertEqual(len(found["arms"]), len(synthetic.methods()))
        self.assertEqual(len(found["cells"]), len(self.run_.cells))
        self.assertEqual({entry["granularity"] for entry in found["misses"]}, {64, 4096})
        host = next(e for e in found["misses"] if (e["trace"], e["granularity"]) == ("search", 64))
        at = host["sizes"].index(32768)
        true = synthetic.misses(synthetic.methods()["pext"][1], 32768, host["loads"][2])
        self.assertAlmostEqual(host["methods"]["pext"][2][at], true, places=2)
        self.assertEqual(found["boards"][0]["methods"]["kogge_stone"]["bishop l1d_misses"], 0)
        self.assertEqual(len(found["boards"][0]["methods"]["pext"]["rook l1d_misses"]), 64)
        pext = next(arm for arm in found["arms"] if arm["arm"] == "pext")
        self.assertEqual(pext["header"], "methods/pext/pext.hpp")
        self.assertIsNone(pext["link"])  # the page does not lie among the sources
        self.assertEqual(payload_.script_json({"a": "</script>"}), '{"a":"\\u003c/script>"}')
        self.assertIsNone(payload_.header_path("../../etc", "magic"))
        link = payload_.header_link(SCRIPTS.parent / "reports" / "mine", pext["header"])
        self.assertEqual(link, "../../methods/pext/pext.hpp")

    def test_example_has_a_page(self):
        run = run_data.load(SCRIPTS.parent / "reports" / "example")
        source = page_of_run.run_page(run, [])
        self.assertIn("Single lookups", source)
        self.assertIn("samples.csv is not in this folder", source)

    def test_every_family_has_a_marker_of_its_own(self):
        charts = html_.part("charts.js")
        shapes = dict(re.findall(r"(\w+): \"(\w+)\"", re.search(r"FAMILY_SHAPES = \{(.*?)\}", charts, re.S)[1]))
        self.assertEqual(len(set(shapes.values())), len(shapes))
        folders = {path.name for path in (SCRIPTS.parent / "methods").iterdir() if any(path.glob("*.hpp"))}
        self.assertLessEqual(folders, set(shapes))


class CheckWholeRun(InFolder):
    """What check_run.py says of a run without fault, and of each fault that it must find."""

    def faults(self, **changes):
        """The faults of a run of one cell; each change edits the rows of a file, or the record."""
        samples, summary = (check_run.rows_of(self.original / f"{name}.csv") for name in ("samples", "summary"))
        record = json.loads((self.original / "run.json").read_text())
        record["methods"].append({"id": "empty"})
        found = {"samples": samples, "summary": summary, "record": record}
        for name, edit in changes.items():
            edited = edit(found[name])
            found[name] = found[name] if edited is None else edited
        samples, summary, record = found.values()
        results = check_run.check_results(record, summary)
        return [*check_run.check_samples(samples, record), *check_run.check_summary(summary), *results]

    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="slidebench-check-"))
        cls.addClassCleanup(shutil.rmtree, cls.home)
        cells = [Cell("throughput", "game", "isolated"), Cell("throughput", "game", "nnue")]
        cls.original = synthetic.make_full_run(cls.home / "run", cells, KNOWN, simulated=False)

    @staticmethod
    def of(arm, **values):
        """An edit of the rows of an arm in the first cell."""
        return lambda rows: [r | values if (r["arm"], r["pressure"]) == (arm, "isolated") else r for r in rows]

    def test_no_fault(self):
        self.assertEqual(self.faults(), [])

    def test_faults_of_the_summary(self):
        for arm, values, words in (
            ("pext", {"ratio": "0.999"}, "outside its interval"),
            ("pext", {"net_low": "99"}, "net_ns_per_query outside"),
            ("pext", {"ns_per_query": "50", "ns_high": "60"}, "ns_per_query and ratio order"),
            ("pext", {"verdict": "fastest"}, "verdict 'fastest'"),
            ("pext", {"holm_low": "0.9"}, "Holm"),
            ("pext", {"best": "behind"}, "name different methods"),
            ("magic_plain", {"verdict": "unresolved"}, "unresolved, though"),
            ("magic_plain", {"verdict": "equivalent", "aa_bound": "0.02"}, "equivalent, where"),
            ("empty", {"ratio": "1"}, "a baseline was judged"),
        ):
            self.assertIn(words, " ".join(self.faults(summary=self.of(arm, **values))), values)

    def test_faults_of_the_samples(self):
        without = lambda arm, last: lambda rows: [  # noqa: E731
            r for r in rows if r["arm"] != arm or r["pressure"] != "isolated" or int(r["launch"]) < last
        ]
        self.assertEqual(len(self.faults(samples=without("pext", 0))), 3)
        stop = lambda record: record["protocol"].update(until_decided=True)  # noqa: E731
        self.assertEqual(self.faults(samples=without("pext", 1), record=stop), [])
        self.assertIn("missing", self.faults(samples=without("pext", 0), record=stop)[0])
        self.assertIn("missing", self.faults(samples=without("magic_fancy.twin", 1), record=stop)[0])
        self.assertIn("as many rounds", self.faults(samples=lambda rows: rows[:-1])[0])

    def test_an_update_cell_has_methods_with_state_alone(self):
        update = lambda rows: [r | {"workload": "update"} for r in rows if r["arm"] in self.kept]  # noqa: E731
        record = lambda found: [cell.update(workload="update") for cell in found["cells"]] and None  # noqa: E731
        for kept, fault in ((("rotated_hyatt", "empty", "clock"), ""), (("rotated_hyatt", "empty"), "missing"),
                            (("magic_fancy.twin", "empty", "clock"), "too many")):
            self.kept = kept
            found = [words for words in self.faults(samples=update, record=record) if words.startswith("samples.csv")]
            self.assertEqual(bool(found), bool(fault), found)

    def test_faults_of_the_results(self):
        def edit(name, **values):
            return lambda record: record[name][0].update(values)

        wrong = {"value": 3, "low": 4, "high": 5}
        for change in (
            edit("bests", sure=False),
            edit("bests", lead=wrong),
            edit("bests", compared=0),
            edit("correlations", low=2),
            lambda record: record["crossings"].append({"arm": "a", "against": "b", "lines": wrong}),
        ):
            self.assertEqual(len(self.faults(record=change)), 1)


class CheckRun(unittest.TestCase):
    """What check_run.py says of the simulated counts of a run."""

    RECORD = {
        "counters": {"status": "none", "reason": "no PMU"},
        "methods": [{"id": "empty"}, {"id": "pext"}, {"id": "magic_fancy"}],
        "traces": [{"name": "game"}, {"name": "random"}],
    }

    def faults(self, counts, **counters):
        rows = pd.read_csv(io.StringIO(counts), dtype=str, keep_default_na=False).to_dict("records")
        record = {**self.RECORD, "counters": {**self.RECORD["counters"], **counters}}
        return list(check_run.check_simulated(rows, record))

    def test_whole(self):
        counts = make_counts({name: METHODS[name] for name in ("pext", "magic_fancy")}, ["game", "random"])
        self.assertEqual(self.faults(counts), [])
        self.assertEqual(len(self.faults(counts.replace("simulated", "papi", 1))), 1)
        self.assertEqual(self.faults(counts + counts.split("\n", 1)[1].replace("simulated", "papi"), status="papi"), [])
        self.assertEqual(len(self.faults(counts.replace("simulated", "papi"), status="papi")), 6, "nothing simulated")
        self.assertTrue(self.faults(counts.replace("replay", "latency")))

    def test_absence_needs_a_reason(self):
        counts = make_counts({"magic_fancy": METHODS["magic_fancy"]}, ["game", "random"])
        found = self.faults(counts)
        self.assertEqual(len(found), 2)
        self.assertIn("pext", found[0])
        self.assertEqual(self.faults(counts, not_simulated=[{"id": "pext", "why": "has no traced module"}]), [])
        self.assertEqual(len(self.faults(counts, not_simulated=[{"id": "pext", "why": ""}])), 2)
        self.assertEqual(self.faults(counts.partition("\n")[0], not_simulated_reason="hwloc found no cache"), [])


class BadInput(InFolder):
    def test_missing_folder_and_files(self):
        self.assert_refused(self.home / "nowhere", "nowhere", "slidebench run")
        for name in ("samples.csv", "summary.csv", "run.json"):
            with self.subTest(name), tempfile.TemporaryDirectory(dir=self.home) as folder:
                shutil.copytree(self.original, folder, dirs_exist_ok=True)
                (Path(folder) / name).unlink()
                if name != "samples.csv":  # a run that was passed on may come without it
                    self.assert_refused(folder, name, "missing")
                (Path(folder) / name).write_text("")
                self.assert_refused(folder, name)

    def test_header_only(self):
        for name in ("samples.csv", "summary.csv"):
            with self.subTest(name), tempfile.TemporaryDirectory(dir=self.home) as folder:
                shutil.copytree(self.original, folder, dirs_exist_ok=True)
                self.edit_csv(Path(folder), name, lambda t: t.head(0))
                self.assert_refused(folder, name, "no rows")

    def test_missing_column(self):
        folder = self.copy_run()
        self.edit_csv(folder, "summary.csv", lambda t: t.drop(columns=["ratio_low"]))
        self.assert_refused(folder, "summary.csv", "ratio_low")

    def test_impossible_cells(self):
        for column, value in (("time_ns", "abc"), ("time_ns", "0"), ("queries", "-1"), ("time_ns", "inf")):
            with self.subTest(column + value), tempfile.TemporaryDirectory(dir=self.home) as folder:
                shutil.copytree(self.original, folder, dirs_exist_ok=True)
                self.edit_csv(
                    Path(folder), "samples.csv", lambda t: t.assign(**{column: [value] + list(t[column][1:])})
                )
                self.assert_refused(folder, "samples.csv", "line 2", column, value)

    def test_no_text_no_json(self):
        folder = self.copy_run()
        (folder / "run.json").write_text("[1]")
        self.assert_refused(folder, "run.json", "object")
        (folder / "run.json").write_text("{\n")
        self.assert_refused(folder, "run.json", "JSON")
        (folder / "run.json").write_bytes(b"\xff\xfe\x00")
        self.assert_refused(folder, "run.json", "UTF-8")

    def test_unwritable_output(self):
        folder = self.copy_run()
        (folder / "plots").write_text("in the way")  # also stops root, whom permissions do not
        self.assert_refused(folder, "plots", "cannot be written")

    def test_missing_packages(self):
        # -S leaves out the folders where a distribution keeps its packages.
        done = subprocess.run(
            [sys.executable, "-S", str(SCRIPTS / "report.py"), str(self.original)], capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("python3-", done.stderr)


class Pieces(unittest.TestCase):
    def test_every_colour_reads_on_light_and_dark(self):
        colours = style_.METHOD_COLOURS
        self.assertEqual(len(set(colours.values())), len(colours))
        dark = re.search(r"dark\) \{ :root \{ --paper: (#\w+)", html_.CSS)[1]
        made_up = {f"method_{i}": style_.method_colour(f"method_{i}") for i in range(200)}
        for name, colour in {**colours, **made_up}.items():
            light = style_.luminance(colour) + 0.05
            self.assertGreater(1.05 / light, 3, name)
            self.assertGreater(light / (style_.luminance(dark) + 0.05), 3, name)

    def test_colours_do_not_change(self):
        self.assertEqual(style_.method_colour("pext"), "#834bb9")
        self.assertEqual(style_.method_colour("a_new_method"), style_.method_colour("a_new_method"))

    def test_ticks_are_few_and_inside(self):
        for low, high in ((0.16, 11), (0.97, 1.04), (0.999, 1.0012), (0.5, 2), (0.001, 5000), (3, 3.5)):
            ticks = axes_.nice_ticks(low, high)
            self.assertTrue(2 <= len(ticks) <= 9, (low, high, ticks))
            self.assertTrue(all(low <= t <= high for t in ticks), ticks)

    def test_sizes(self):
        self.assertEqual(
            [words_.human_bytes(b) for b in (0, 512, 2048, 9728, 865280, 2361344)],
            ["0 B", "512 B", "2 KiB", "9.50 KiB", "845 KiB", "2.25 MiB"],
        )

    def test_front_is_what_nothing_beats(self):
        rows = pd.DataFrame({"table_bytes": [0, 0, 10, 20, 30], "ns_per_query": [9, 8, 5, 6, 4]})
        self.assertEqual(figures_of_run.front(rows), [(0, 8), (10, 5), (30, 4)])

    def test_label_places_do_not_overlap(self):
        style_.set_defaults()
        figure, axes = plt.subplots(figsize=(8, 5))
        random = np.random.default_rng(3)
        xs, ys = random.random(30), random.random(30)
        axes.plot(xs, ys, "o")
        axes_.place_labels(figure, axes, list(xs), list(ys), [f"method_{i}" for i in range(30)], ["#000000"] * 30)
        renderer = figure.canvas.get_renderer()
        boxes = [text.get_window_extent(renderer) for text in axes.texts]
        clashes = sum(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
        plt.close(figure)
        self.assertEqual((len(boxes), clashes), (30, 0))

    def test_errors_are_one_line(self):
        self.assertEqual(files_.one_line("a\r\n\tb\x00 c\u2028d"), "a b c d")
        with self.assertRaises(ReportError):
            run_data.load("/nonexistent\nfolder")
