# SPDX-License-Identifier: MIT
"""Tests of the report: a synthetic run of known truth in, figures and a page out."""

import contextlib
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

SCRIPTS = Path(__file__).resolve().parent
sys.path.insert(0, str(SCRIPTS))
sys.dont_write_bytecode = True  # a source tree is no place for a test's leavings

import numpy as np
import pandas as pd

import report
import report_axes
import report_data
import report_figures
import report_findings
import report_page
import report_style
from report_errors import ReportError

# id -> (title, family, table bytes, ns a query in throughput, in latency)
METHODS = {
    "magic_fancy": ("Fancy magic bitboards", "magic", 865_280, 3.6, 7.4),
    "magic_plain": ("Plain magic bitboards", "magic", 2_361_344, 3.62, 8.3),
    "pext": ("PEXT bitboards", "pext", 863_232, 2.4, 6.0),
    "kindergarten": ("Kindergarten bitboards", "lookup", 9_728, 4.5, 8.8),
    "hyperbola": ("Hyperbola quintessence", "calculation", 2_048, 4.0, 10.4),
    "kogge_stone": ("Kogge-Stone fill", "fill", 0, 10.5, 17.0),
    "dumb7fill": ("Dumb7fill", "fill", 0, 14.0, 24.0),
    "ray_walk": ("Ray walking (the oracle)", "calculation", 0, 40.0, 52.0),
    "classical_rays": ("Classical rays (bit scan)", "calculation", 4_096, 6.0, 12.0),
    "rotated_hyatt": ("Rotated bitboards (Hyatt)", "rotated", 90_112, 6.0, 9.0),
}
NULL_NS, GHZ = 0.6, 3.6
CELLS = [(workload, trace) for trace in ("game", "random") for workload in ("throughput", "latency")]


def verdict_of(low, high, margin):
    """The verdict of an interval, as the benchmark defines it."""
    delta = math.log1p(margin)
    if math.log(high) < -delta:
        return "faster"
    if math.log(low) > delta:
        return "slower"
    return "equivalent" if math.log(low) >= -delta and math.log(high) <= delta else "inconclusive"


def arms_of(methods, cell):
    """Arms of a cell: (arm, method, role, true ns a query)."""
    workload, trace = cell
    column, stretch = (3 if workload == "throughput" else 4), (1.0 if trace == "game" else 1.1)
    arms = [
        (name, name, "reference" if name == "magic_fancy" else "method", entry[column] * stretch)
        for name, entry in methods.items()
    ]
    if "magic_fancy" in methods:
        arms.append(("magic_fancy.twin", "magic_fancy", "twin", methods["magic_fancy"][column] * stretch))
    return arms + [("null", "null", "null", NULL_NS), ("clock", "", "clock", 1 / GHZ)]


def make_samples(methods, launches, rounds, seed):
    """A table of slices with noise common to a round and noise of each slice."""
    random = np.random.default_rng(seed)
    rows = []
    for workload, trace in CELLS:
        for launch in range(launches):
            for round_ in range(rounds):
                shared = math.exp(random.normal(0, 0.02))
                for position, (arm, method, role, ns) in enumerate(arms_of(methods, (workload, trace))):
                    queries = max(1, round(1e7 / ns))
                    time = ns * queries * shared * math.exp(random.normal(0, 0.006))
                    rows.append(
                        [
                            launch,
                            round_,
                            position,
                            arm,
                            method,
                            "v3" if method else "",
                            role,
                            workload,
                            trace,
                            "isolated",
                            round_ % 4,
                            queries,
                            round(time, 1),
                            "0x0123456789ABCDEF",
                            int(random.random() < 0.05),
                            0,
                            0,
                            0,
                        ]
                    )
    return pd.DataFrame(
        rows,
        columns=(
            "launch round position arm method level role workload trace pressure window queries time_ns "
            "checksum involuntary_switches minor_faults major_faults steal_ticks".split()
        ),
    )


def make_summary(methods, samples):
    """The summary of a table of slices, simple but of the same shape as the program's."""
    rows = []
    samples = samples.assign(ns=samples["time_ns"] / samples["queries"])
    for (workload, trace, pressure), cell in samples.groupby(["workload", "trace", "pressure"], sort=False):
        wide = cell.pivot(index=["launch", "round"], columns="arm", values="ns")
        logs = np.log(wide.div(wide["magic_fancy"], axis=0)) if "magic_fancy" in wide else None
        half = {arm: 1.25 * 1.96 * logs[arm].std() / math.sqrt(len(logs)) for arm in wide} if logs is not None else {}
        middle = {arm: logs[arm].median() for arm in wide} if logs is not None else {}
        margin = None
        if "magic_fancy.twin" in wide and logs is not None:
            margin = max(0.01, math.expm1(abs(middle["magic_fancy.twin"]) + half["magic_fancy.twin"]))
        for arm, method, role, _ in arms_of(methods, (workload, trace)):
            ns = wide[arm].median()
            ratios = [None] * 3
            if role not in ("null", "clock") and logs is not None:
                ratios = [round(math.exp(middle[arm] + k * half[arm]), 6) for k in (0, -1, 1)]
            verdict = {"reference": "reference", "twin": "twin", "method": "inconclusive"}.get(role, "baseline")
            if role == "method" and margin is not None:
                verdict = verdict_of(ratios[1], ratios[2], margin)
            title, family, size = methods.get(
                method, ("Null (the replay loop alone)" if method else "", "baseline" if method else "", 0)
            )[:3]
            net = None if role in ("null", "clock") else round(ns - wide["null"].median(), 5)
            rows.append(
                [
                    arm,
                    method,
                    title,
                    family,
                    "v3" if method else "",
                    role,
                    workload,
                    trace,
                    pressure,
                    size if method else None,
                    cell["launch"].nunique(),
                    len(wide),
                    round(ns, 5),
                    net,
                    *ratios,
                    None if ratios[0] is None else margin,
                    verdict,
                ]
            )
    return pd.DataFrame(
        rows,
        columns=(
            "arm method title family level role workload trace pressure table_bytes launches rounds ns_per_query "
            "net_ns_per_query ratio ratio_low ratio_high margin verdict".split()
        ),
    )


def make_info(methods):
    """A run.json with everything in it."""
    caches = [
        {"level": 1, "type": "instruction", "bytes": 65536, "line_bytes": 64, "ways": 4, "shared_by": 1},
        {"level": 1, "type": "data", "bytes": 32768, "line_bytes": 64, "ways": 8, "shared_by": 1},
        {"level": 2, "type": "unified", "bytes": 524288, "line_bytes": 64, "ways": 8, "shared_by": 1},
    ]
    return {
        "schema": 1,
        "complete": True,
        "profile": "standard",
        "command": ["slidebench", "run", "--out", "out"],
        "seed": 1,
        "started": "2026-01-02T03:04:05Z",
        "finished": "2026-01-02T03:09:05Z",
        "commit": "abc1234",
        "dirty": False,
        "machine": {
            "cpu": "Imaginary CPU 9000",
            "vendor": "Nobody",
            "family": 25,
            "model": 1,
            "stepping": 1,
            "microcode": "0x1",
            "cores": 2,
            "hypervisor": "kvm",
            "governor": None,
            "caches": caches,
            "page_bytes": 4096,
            "thp": "madvise",
            "kernel": "6.1",
            "memory_bytes": 8 << 30,
        },
        "build": {"compiler": "GNU 12.2.0", "flags": "-O3", "type": "Release"},
        "versions": {"google_benchmark": "1.7.1"},
        "counters": {"status": "none", "reason": "the virtual machine offers no PMU"},
        "traces": [
            {
                "name": "game",
                "file": "game.trace",
                "xxh3": "0123",
                "nodes": 10,
                "queries": 80,
                "provenance": {"games": 3},
            }
        ],
        "methods": [{"id": name, "title": m[0], "family": m[1], "table_bytes": m[2]} for name, m in methods.items()],
        "skipped": [{"id": "ray_masks_avx512", "why": "needs avx512f"}],
        "effective_ghz": {"median": 3.6, "low": 3.5, "high": 3.65},
        "aa": [],
        "warnings": ["the clock rate moved"],
    }


def make_run(folder, methods=None, launches=3, rounds=20, seed=1):
    """Writes a synthetic run.

    Args:
        folder: Path, made if missing.
        methods: like METHODS.
        launches, rounds: how many; rounds is per launch.
        seed: of the noise.

    Returns:
        folder.
    """
    methods = METHODS if methods is None else methods
    folder.mkdir(parents=True, exist_ok=True)
    samples = make_samples(methods, launches, rounds, seed)
    samples.to_csv(folder / "samples.csv", index=False)
    make_summary(methods, samples).to_csv(folder / "summary.csv", index=False)
    (folder / "run.json").write_text(json.dumps(make_info(methods)))
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
        self.assertEqual(page.tags.count("svg"), 8)
        inside = {ref[1:] for ref in page.refs if ref.startswith("#")}
        self.assertLessEqual(inside, set(page.ids))
        for ref in page.refs:
            self.assertNotRegex(ref, r"^(https?:)?//")
            if not ref.startswith(("#", "data:")):
                self.assertTrue((self.original / ref).exists(), ref)
        for grey in report_style.PAGE_VARIABLES:
            self.assertNotIn(f": {grey};", source.partition("</style>")[2], "a figure's grey did not follow the page")

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
        run = report_data.load(self.original)
        for cell in run.cells:
            self.assertEqual([row.method for row in report_findings.leaders(run, cell)], ["pext"])
            self.assertEqual(run.ranked(cell).iloc[-1]["method"], "ray_walk")
        throughput = " ".join(report_findings.cell_sentences(run, report_data.Cell("throughput", "game", "isolated")))
        self.assertIn("PEXT bitboards (pext) is the fastest", throughput)
        self.assertRegex(throughput, r"Equivalent to Fancy magic bitboards.*Plain magic")
        self.assertIn("PEXT bitboards (pext) leads in each of the 4 cells", report_findings.overall(run)[0])

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
        self.assertEqual(page.tags.count("script"), 1)
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
        (folder / "run.json").write_text("{}")
        self.assert_reported(folder)
        self.assertGreater(read_page(folder)[0].count("not recorded"), 10)

    def test_wrong_types_in_run_json_do_not_crash(self):
        folder = self.copy_small_run()
        odd = {
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
            json.dumps({"machine": {"caches": [{"level": 1, "bytes": "32K"}, {"level": 2}, 7]}})
        )
        self.assert_reported(folder)
        read_page(folder)

    def test_no_aa_arm(self):
        folder = self.copy_small_run()
        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(folder, name, lambda t: t[t["role"] != "twin"])
        self.edit_csv(
            folder,
            "summary.csv",
            lambda t: t.assign(margin="", verdict=t["verdict"].where(t["role"] != "method", "inconclusive")),
        )
        self.assert_reported(folder)
        source = read_page(folder)[0]
        self.assertIn("no margin and no verdict", source)
        self.assertIn("No A/A arm ran", source)
        self.assertNotIn("is the fastest", source)

    def test_one_method_and_no_reference(self):
        folder = self.copy_small_run()
        for name in ("summary.csv", "samples.csv"):
            self.edit_csv(folder, name, lambda t: t[(t["method"] == "kindergarten") & (t["workload"] == "latency")])
        self.edit_csv(
            folder, "summary.csv", lambda t: t.assign(ratio="", ratio_low="", ratio_high="", margin="", table_bytes="")
        )
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
        self.assert_reported(folder)
        text = (folder / "plots" / "ranking_throughput_game.svg").read_text()
        self.assertIn("pext@v3", text)
        self.assertIn("pext@v4", text)
        run = report_data.load(folder)
        sentence = report_findings.cell_sentences(run, run.cells[0])[0]
        self.assertIn("cannot tell them apart", sentence)
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
                "launch arm method level workload trace pressure metric source event value value_null queries "
                "per_query".split()
            ),
        ).to_csv(folder / "counters.csv", index=False)
        self.edit_info(folder, lambda i: i.update(counters={"status": "papi", "reason": ""}))
        self.assert_reported(folder)
        source = read_page(folder)[0]
        self.assertIn("Counted by the hardware (papi): 1 rows", source)
        self.assertIn("Simulated by the cache laboratory, not measured: 1 rows", source)
        (folder / "counters.csv").write_text("launch,arm\n")
        self.assert_reported(folder)
        self.assertIn("no counter values", read_page(folder)[0])


class BadInput(InFolder):
    def test_missing_folder_and_files(self):
        self.assert_refused(self.home / "nowhere", "nowhere", "slidebench run")
        for name in ("samples.csv", "summary.csv", "run.json"):
            with self.subTest(name), tempfile.TemporaryDirectory(dir=self.home) as folder:
                shutil.copytree(self.original, folder, dirs_exist_ok=True)
                (Path(folder) / name).unlink()
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
        colours = report_style.METHOD_COLOURS
        self.assertEqual(len(set(colours.values())), len(colours))
        dark = re.search(r"dark\) \{ :root \{ --paper: (#\w+)", report_page.CSS)[1]
        made_up = {f"method_{i}": report_style.method_colour(f"method_{i}") for i in range(200)}
        for name, colour in {**colours, **made_up}.items():
            light = report_style.luminance(colour) + 0.05
            self.assertGreater(1.05 / light, 3, name)
            self.assertGreater(light / (report_style.luminance(dark) + 0.05), 3, name)

    def test_colours_do_not_change(self):
        self.assertEqual(report_style.method_colour("pext"), "#834bb9")
        self.assertEqual(report_style.method_colour("a_new_method"), report_style.method_colour("a_new_method"))

    def test_ticks_are_few_and_inside(self):
        for low, high in ((0.16, 11), (0.97, 1.04), (0.999, 1.0012), (0.5, 2), (0.001, 5000), (3, 3.5)):
            ticks = report_axes.nice_ticks(low, high)
            self.assertTrue(2 <= len(ticks) <= 9, (low, high, ticks))
            self.assertTrue(all(low <= t <= high for t in ticks), ticks)

    def test_sizes(self):
        self.assertEqual(
            [report_data.human_bytes(b) for b in (0, 512, 2048, 9728, 865280, 2361344)],
            ["0 B", "512 B", "2 KiB", "9.50 KiB", "845 KiB", "2.25 MiB"],
        )

    def test_front_is_what_nothing_beats(self):
        rows = pd.DataFrame({"table_bytes": [0, 0, 10, 20, 30], "ns_per_query": [9, 8, 5, 6, 4]})
        self.assertEqual(report_figures.front(rows), [(0, 8), (10, 5), (30, 4)])

    def test_label_places_do_not_overlap(self):
        report_style.set_defaults()
        figure, axes = report_figures.plt.subplots(figsize=(8, 5))
        random = np.random.default_rng(3)
        xs, ys = random.random(30), random.random(30)
        axes.plot(xs, ys, "o")
        report_axes.place_labels(figure, axes, list(xs), list(ys), [f"method_{i}" for i in range(30)], ["#000000"] * 30)
        renderer = figure.canvas.get_renderer()
        boxes = [text.get_window_extent(renderer) for text in axes.texts]
        clashes = sum(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
        report_figures.plt.close(figure)
        self.assertEqual((len(boxes), clashes), (30, 0))

    def test_errors_are_one_line(self):
        self.assertEqual(report_data.one_line("a\r\n\tb\x00 c\u2028d"), "a b c d")
        with self.assertRaises(ReportError):
            report_data.load("/nonexistent\nfolder")


if __name__ == "__main__":
    unittest.main()
