# SPDX-License-Identifier: MIT
"""Tests of plain_vs_fancy.sh and plain_vs_fancy_report.py, on data whose truth is known."""

import contextlib
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
sys.path.insert(0, str(SCRIPTS))
sys.dont_write_bytecode = True  # a source tree is no place for a test's leavings

import plain_vs_fancy_answer as answer
import plain_vs_fancy_data as data
import plain_vs_fancy_estimate as estimate
import plain_vs_fancy_readme as readme
import plain_vs_fancy_report as report
from report.errors import ReportError

SUMMARY = (
    "arm,method,title,family,level,role,workload,kinds,trace,pressure,pages,corunners,table_bytes,launches,rounds,"
    "ns_per_query,net_ns_per_query,ratio,ratio_low,ratio_high,margin,aa_bound,verdict"
)
COUNTERS = "arm,role,method,level,workload,trace,queries,pressure,cache,pages,draw,metric,event,source,value"
BYTES = {"magic_fancy": 865_280, "magic_plain": 2_361_344, "pext": 863_232, "empty": 0}
HOST = "L1=32K/8,L2=1M/8,L3=32M/16:victim,DTLB=64,STLB=2048/16"
MACHINE = {
    "cpu": "Imaginary CPU",
    "hypervisor": "",
    "caches": [
        {"level": 1, "type": "instruction", "bytes": 65536},
        {"level": 1, "type": "data", "bytes": 32768},
        {"level": 2, "type": "unified", "bytes": 1 << 20},
        {"level": 3, "type": "unified", "bytes": 32 << 20},
    ],
}
LEVELS_NS = [(24 << 10, 1.0), (768 << 10, 4.0), (24 << 20, 14.0), (1 << 40, 94.0)]
REACH = [(64 * 4096, 0.0), (2048 * 4096, 2.0), (1 << 40, 20.0)]
L1_MISSES = {"magic_fancy": 100, "magic_plain": 150, "pext": 90, "empty": 0}

# (workload, trace, pressure, pages) -> the interval of plain over fancy, which the run's verdict follows
INTERVALS = {
    ("throughput", "game", "isolated", "4k"): (0.99, 1.01),
    ("latency", "game", "isolated", "4k"): (1.03, 1.05),
    ("latency", "game", "nnue", "4k"): (1.00, 1.04),
    ("latency", "game", "isolated", "2m"): (0.90, 0.95),
    ("perft", "positions", "isolated", "4k"): (1.01, 1.03),
}


def at(size, stairs):
    """The height of stairs, given as (upper end, height), at a size."""
    return next(height for end, height in stairs if size <= end)


def ladder_csv(pages=("4k", "2m"), share=1.0):
    """A ladder whose levels are LEVELS_NS, and whose small pages cost REACH more."""
    lines = ["bytes,pages,large_page_share,chases,loads_per_chase,ns_per_load,ns_per_load_q1,ns_per_load_q3"]
    for page in pages:
        for k in range(33):
            size = round(64 * 2 ** (k / 2)) * 64
            ns = at(size, LEVELS_NS) + (at(size, REACH) if page == "4k" else 0)
            lines.append(f"{size},{page},{share if page == '2m' else 0},9,65536,{ns},{0.9 * ns},{1.1 * ns}")
    return "\n".join(lines) + "\n"


def verdict_of(arm, low, high, bound):
    """What the program says of a ratio's interval."""
    apart = 1 + max(0.02, bound)
    if arm in ("magic_fancy", "magic_fancy.twin"):
        return "reference" if arm == "magic_fancy" else "twin"
    if high < 1 / apart or low > apart:
        return "faster" if high < 1 else "slower"
    return "unresolved" if bound > 0.02 else "equivalent" if 1 / 1.02 <= low and high <= 1.02 else "inconclusive"


def summary_csv(intervals, aa=(0.995, 1.005)):
    """One fancy, its twin, one plain, one pext and one empty loop a setting."""
    lines, bound = [SUMMARY], max(1 / aa[0], aa[1]) - 1
    for (workload, trace, pressure, pages), (low, high) in intervals.items():
        where = f"{workload},all,{trace},{pressure},{pages},0"
        ratio = math.sqrt(low * high)

        def add(arm, method, role, ns, *ratios):
            net = f"{ns - 1:.4f}" if role != "empty" else ""
            lines.append(
                f"{arm},{method},{method} title,magic,v3,{role},{where},{BYTES[method]},16,160,{ns:.4f},{net},"
                + ",".join(ratios or ["", "", ""])
                + (f",0.02,{bound:.5f},{verdict_of(arm, *map(float, ratios[1:]), bound)}" if ratios else ",,,baseline")
            )

        fancy = 10 if pressure == "isolated" else 20
        add("empty", "empty", "empty", 1)
        add("magic_fancy", "magic_fancy", "reference", fancy, "1", "1", "1")
        add("magic_fancy.twin", "magic_fancy", "twin", fancy, "1", str(aa[0]), str(aa[1]))
        add("magic_plain", "magic_plain", "method", fancy * ratio, f"{ratio:.6f}", str(low), str(high))
        add("pext", "pext", "method", fancy * 0.8, "0.8", "0.79", "0.81")
    return "\n".join(lines) + "\n"


def counters_csv(pressures=("isolated", "nnue"), source="simulated", cache="host"):
    """Per 100 queries: as many L1D misses as L1_MISSES says, ten times that under pressure; 10 misses of each TLB."""
    lines = [COUNTERS]
    for pressure in pressures:
        for pages in ("4k", "2m"):
            for method, misses in L1_MISSES.items():
                for metric, value in (
                    ("accesses", 300),
                    ("l1d_misses", misses * (1 if pressure == "isolated" else 10)),
                    ("l2d_misses", 5),
                    ("l3_misses", 1),
                    ("dtlb_misses", 10),
                    ("stlb_misses", 10),
                ):
                    lines.append(
                        f"{method},method,{method},v3,replay,game,100,{pressure},{cache},{pages},0,{metric},event,"
                        f"{source},{value}"
                    )
    return "\n".join(lines) + "\n"


def mrc_csv():
    lines = ["method,trace,granularity_bytes,cache_lines,lines_per_evaluation,block_lines,accesses,queries,misses"]
    for method in ("magic_plain", "magic_fancy"):
        for grain in (64, 4096):
            lines += [f"{method},game,{grain},{2**k},0,1,300,100,{max(0, 300 - 20 * k)}" for k in range(2, 17)]
    return "\n".join(lines) + "\n"


def squares_csv():
    lines = ["method,trace,pressure,cache,pages,kind,square,queries,distinct_lines,l1d_misses,l2d_misses"]
    for method in ("magic_plain", "magic_fancy"):
        for kind in ("bishop", "rook"):
            lines += [
                f"{method},game,nnue,host,4k,{kind},{f}{r},4,3,{L1_MISSES[method] // 50},1"
                for f in "abcdefgh"
                for r in "12345678"
            ]
    return "\n".join(lines) + "\n"


def tables_csv():
    lines = [
        "method,trace,pressure,cache,pages,draw,table,table_bytes,queries,distinct_lines,level,accesses,misses,"
        "compulsory,capacity,conflict"
    ]
    for method in ("magic_plain", "magic_fancy"):
        n = L1_MISSES[method]
        lines.append(f"{method},game,isolated,host,4k,0,all,0,100,90,L1D,300,{n},{n // 2},{n // 2 + 5},-5")
    return "\n".join(lines) + "\n"


def make_folder(root, **changes):
    """A whole folder of results; `changes` replaces files by the name of their keyword."""
    run = {
        "schema": 3,
        "complete": True,
        "inference": {"interval": "student-t", "confidence": 0.95, "margin": 0.02},
        "machine": MACHINE,
        "commit": "abc",
        "build": {"compiler": "GNU 12.2.0"},
        "counters": {"status": "none", "reason": "no PMU"},
        "traces": [{"name": "game", "digest": "0123"}],
    }
    simulation = {
        "schema": 1,
        "kind": "simulation",
        "complete": True,
        "pressures": [{"name": "nnue", "lines": 768, "block_bytes": 8 << 20}],
        "caches": [{"name": "host", "specification": HOST, "notes": ["LRU | assumed"]}],
    }
    files = {
        "measured/alone/summary.csv": changes.get("summary", summary_csv(INTERVALS)),
        "measured/alone/run.json": json.dumps(changes.get("run", run)),
        "simulated/pair/counters.csv": changes.get("counters", counters_csv()),
        "simulated/pair/mrc.csv": mrc_csv(),
        "simulated/pair/squares.csv": squares_csv(),
        "simulated/pair/tables.csv": tables_csv(),
        "simulated/pair/run.json": json.dumps(changes.get("simulation", simulation)),
        "ladder.csv": changes.get("ladder", ladder_csv()),
    }
    for name, text in files.items():
        path = Path(root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Path(root)


class WithFolder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def study(self, **changes):
        return data.load(make_folder(self.folder, **changes))

    def refused(self, text, **changes):
        with self.assertRaisesRegex(ReportError, text) as caught:
            data.verdicts(self.study(**changes))
        self.assertNotIn("\n", str(caught.exception))


class Verdicts(WithFolder):
    def test_every_setting_has_the_verdict_of_its_run(self):
        rows = data.verdicts(self.study())
        found = {(r.workload, r.trace, r.pressure, r.pages): (r.verdict, r.faster) for r in rows.itertuples()}
        self.assertEqual(
            found,
            {
                ("throughput", "game", "isolated", "4k"): ("equivalent", ""),
                ("latency", "game", "isolated", "4k"): ("different", "magic_fancy"),
                ("latency", "game", "nnue", "4k"): ("undecided", ""),
                ("latency", "game", "isolated", "2m"): ("different", "magic_plain"),
                ("perft", "positions", "isolated", "4k"): ("undecided", ""),
            },
        )
        self.assertEqual(list(rows["workload"]), ["throughput", "latency", "latency", "latency", "perft"])
        self.assertIn("identical code differed by up to 0.5 %", readme.aa_text(rows))

    def test_nothing_is_judged_again(self):
        said = summary_csv(INTERVALS).replace(",equivalent", ",void").replace(",slower", ",inconclusive")
        self.assertEqual(list(data.verdicts(self.study(summary=said))["verdict"]).count("undecided"), 4)

    def test_where_identical_code_differs_nothing_is_equal(self):
        rows = data.verdicts(self.study(summary=summary_csv(INTERVALS, aa=(0.94, 1.04))))
        self.assertEqual(set(rows["verdict"]), {"unresolved"})
        self.assertIn("In 5 of 5 settings that is more than the margin", readme.aa_text(rows))
        self.assertIn("differed by up to 6.4 %", readme.aa_text(rows))

    def test_what_does_not_belong_together_is_refused(self):
        whole = summary_csv(INTERVALS)
        self.refused("has no column ratio_low", summary=whole.replace("ratio_low", "low"))
        self.refused("no setting has a ratio", summary=whole.replace("magic_plain", "pext_line"))
        self.refused("measured twice", summary=whole + whole.splitlines()[4].replace("160,", "161,", 1) + "\n")
        self.refused("ratios are to pext", summary=whole.replace("magic_fancy,magic_fancy", "pext,pext"))
        self.refused("incomplete", run={"schema": 3, "complete": False, "machine": MACHINE})
        self.refused("older version; run it again", run={"schema": 2, "machine": MACHINE})
        self.refused("a margin of 1 %, and not 2 %", summary=whole.replace(",0.02,", ",0.01,"))
        self.refused("source 'papi'", counters=counters_csv(source="papi"))
        self.refused("ladder.csv", ladder="bytes,pages\n")

    def test_an_empty_folder_is_refused(self):
        with self.assertRaisesRegex(ReportError, "holds no run"):
            data.load(self.folder)


class Estimates(WithFolder):
    def test_the_ladder_gives_levels_and_penalties(self):
        steps = estimate.steps(self.study())
        self.assertEqual(steps.pages, "2m")
        self.assertEqual(steps.levels, {"L1D": 1.0, "L2": 4.0, "L3": 14.0, "memory": 94.0})
        expected = {"L1D": 3.0, "L2": 10.0, "L3": 80.0, "DTLB": 2.0, "STLB": 18.0}
        self.assertEqual(set(steps.penalties), set(expected))
        for part, value in expected.items():
            self.assertAlmostEqual(steps.penalties[part], value, msg=part)

    def test_without_large_pages_the_tlb_stays_unknown(self):
        for ladder in (ladder_csv(pages=("4k",)), ladder_csv(share=0.2)):
            steps = estimate.steps(self.study(ladder=ladder))
            self.assertEqual(steps.pages, "4k")
            self.assertEqual(set(steps.penalties), {"L1D", "L2", "L3"})
            self.assertIn("left out of the estimate", readme.ladder_text(steps))

    def test_a_short_ladder_has_no_memory(self):
        short = "\n".join(
            line for line in ladder_csv().splitlines() if line.startswith("b") or int(line.split(",")[0]) < 1 << 20
        )
        self.assertEqual(set(estimate.steps(self.study(ladder=short)).levels), {"L1D", "L2"})

    def test_estimates_are_differences_of_misses_times_penalties(self):
        study = self.study()
        rows = estimate.estimates(study, estimate.steps(study))
        key = rows.set_index(["comparison", "method", "workload", "pressure", "pages"])
        pair = key.loc[("plain - fancy", "magic_plain", "latency", "isolated", "4k")]
        # Half a miss a query more, half of these first touches, which the warm L1D holds; 3 ns each, all else alike.
        self.assertAlmostEqual(pair["estimated_ns"], 0.25 * 3)
        self.assertAlmostEqual(pair["l1d_ns"], 0.75)
        self.assertAlmostEqual(pair["dtlb_ns"], 0)
        measured = 10 * math.sqrt(1.03 * 1.05) - 10
        self.assertAlmostEqual(pair["measured_ns"], measured, places=3)
        self.assertAlmostEqual(pair["residual_ns"], measured - 0.75, places=3)
        self.assertAlmostEqual(pair["measured_low"], 0.3)
        pressed = key.loc[("pressure - isolated", "magic_fancy", "latency", "nnue", "4k")]
        # Ten misses a query, and none of them spared: beside 8 MiB, the L1D holds nothing. Alone, half a miss.
        self.assertAlmostEqual(pressed["estimated_ns"], (10 - 0.5) * 3)
        self.assertAlmostEqual(pressed["measured_ns"], 10)
        self.assertNotIn("perft", set(rows["workload"]))

    def test_what_was_not_simulated_has_no_estimate(self):
        study = self.study(counters=counters_csv(cache="core2"))
        rows = estimate.estimates(study, estimate.steps(study))
        self.assertTrue(rows.empty)
        self.assertIn("no estimate", readme.explanation(rows))


class Template(unittest.TestCase):
    # Names that hold a digit and are no result.
    NAMES = r"`[^`]*`|\]\([^)]*\)|```.*?```|<!--.*?-->|\bi5\b|Core 2 Duo|L1D"

    def test_it_has_no_number_of_its_own(self):
        rest = re.sub(self.NAMES, "", readme.TEMPLATE, flags=re.DOTALL)
        self.assertEqual(re.findall(r"\S*\d\S*", rest), [])


class Page(unittest.TestCase):
    """One report, made once, and looked at from all sides."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = make_folder(temporary.name)
        cls.files = report.report(cls.folder)
        cls.text = (cls.folder / "README.md").read_text()

    def test_the_report_is_whole(self):
        stems = {path.stem for path in self.files if path.suffix == ".svg"}
        self.assertEqual(
            stems,
            {
                "answer",
                "ratios",
                "trade_off_latency",
                "ladder",
                "simulated_curves",
                "simulated_misses_4k",
                "simulated_misses_2m",
                "simulated_causes",
                "simulated_boards",
                "estimate",
            },
        )
        for path in self.files:
            self.assertGreater(path.stat().st_size, 100, path.name)

    def test_figures_of_simulated_counts_say_so(self):
        for path in self.files:
            if path.suffix == ".svg":
                text = "".join(xml.etree.ElementTree.parse(path).getroot().itertext())
                self.assertEqual("simulated, not measured" in text, path.stem.startswith("simulated"), path.stem)

    def test_the_same_data_give_the_same_bytes(self):
        before = {path: path.read_bytes() for path in self.files}
        self.assertEqual(report.report(self.folder), self.files)
        for path, content in before.items():
            self.assertEqual(path.read_bytes(), content, path.name)

    def test_every_link_and_figure_exists(self):
        links = re.findall(r"\]\(([^)#]+)\)", self.text)
        self.assertGreater(len(links), 10)
        for link in links:
            self.assertTrue((self.folder / link).exists(), link)

    def test_the_page_says_what_the_data_say(self):
        for said in (
            "| latency | 0 | 2 | 0 | 1 | 0.925 to 1.040 |",
            "Intervals are 95 %: Student's t on the launches' means",
            "| latency, game, isolated | 2m | 10.00 | 9.25 | 0.925 [0.900, 0.950] | **different**: magic_plain is "
            "faster |",
            "**In perft**, on this machine (Imaginary CPU), plain magic is 2.0 % slower [1.0, 3.0] than fancy: apart, "
            "but not surely by more than the margin of 2 %, and in keeping with the 1.6 % on an i5 and the 2.6 % on a "
            "Core 2 Duo",
            "**In a classical search**, without a network: not measured in this run.",
            "0.0 % faster [-1.0, 1.0] in independent look-ups (surely less than the margin of 2 %) and 4.0 % slower "
            "[3.0, 5.0] in look-ups that wait for each other (surely more than the margin of 2 %); beside the memory "
            "traffic of a network (`nnue`), 2.0 % slower [0.0, 4.0] in look-ups that wait for each other: not told "
            "apart.",
            "2.7 times as large; the same look-ups touch 1.0 times as many cache lines and miss more often (simulated, "
            "alone, misses a look-up: L1D 1.500 instead of 1.000)",
            "in the loops that makes -0.8 to +0.4 ns a look-up.",
            "the estimate from simulated misses says +0.75 ns, most of it by misses of the L1D",
            "**did not hold**: 0 % of the estimated extra cost",
            "50 % are compulsory, 53 % capacity and -3 % conflict",
            "LRU \\| assumed",
        ):
            self.assertIn(said, self.text)
        self.assertNotIn("{", re.sub(r"`[^`]*`", "", self.text))
        self.assertNotIn("nan", self.text)

    def test_it_opens_with_five_sentences_a_figure_and_the_table(self):
        top, *folded = self.text.split("<details>")
        self.assertEqual(len(re.findall(r"^- \*\*", top, flags=re.MULTILINE)), 5)
        self.assertEqual(re.findall(r"\]\((plots/.*?)\)", top), ["plots/answer.svg"])
        rows = [line.split(" | ")[0] for line in top.splitlines() if line.startswith("| ")][1:]
        self.assertEqual(rows, [f"| {name}" for name, *_ in data.QUESTIONS])
        self.assertEqual(self.text.count("</details>"), len(folded))
        self.assertTrue(self.text.endswith("</details>\n"), "all else is folded")

    def test_expectations_agree_with_the_table_of_settings(self):
        self.check_expectations(self.text)

    def check_expectations(self, text):
        """The counts behind each expectation are those of the rows of the page's own table."""
        rows = [line.split(" | ") for line in text.splitlines() if re.match(r"\| \w+, \w+, [\w-]+ \| [42][km] ", line)]
        where = [row[0].strip("| ").split(", ") for row in rows]
        said = [row[5] for row in rows]
        alone = [v for (w, t, p), v in zip(where, said) if (w, p) == ("throughput", "isolated") and t != "random"]
        heavy = [v for (_, t, p), v in zip(where, said) if p in readme.LARGE_NETWORKS and t != "random"]
        for found, word in ((alone, "equivalent"), (heavy, "different")):
            held = sum(word in verdict for verdict in found)
            result = "held" if held == len(found) else "held in part" if held else "did not hold"
            noun = "setting" if len(found) == 1 else "settings"
            self.assertIn(f"It **{result}**: {held} of {len(found)} {noun} {'is' if held == 1 else 'are'} {word}", text)

    def test_derived_files_say_the_same(self):
        info = json.loads((self.folder / "run.json").read_text())
        self.assertEqual((info["kind"], info["margin"]), ("plain_vs_fancy", 1.02))
        self.assertEqual(info["ladder"]["levels_ns"]["memory"], 94.0)
        lines = (self.folder / "verdicts.csv").read_text().splitlines()
        self.assertEqual(len(lines), 1 + len(INTERVALS))
        self.assertIn(",1.02,different,magic_plain,", "\n".join(lines))
        self.assertTrue(lines[1].endswith(",0.99500,1.00500,0.00503"), lines[1])


class OtherData(WithFolder):
    def page(self, **changes):
        study = self.study(**changes)
        steps = estimate.steps(study)
        return readme.fill(study, data.verdicts(study), steps, estimate.estimates(study, steps), [])

    def test_perft_is_compared_with_the_old_reports(self):
        other = {("perft", "positions", "isolated", "4k"): (0.99, 1.01), ("latency", "game", "isolated", "4k"): (1, 1)}
        for interval, said in (
            ((0.99, 1.01), "less than the 1.6 % on an i5 and the 2.6 % on a Core 2 Duo that"),
            ((1.02, 1.03), "more than the 1.6 % on an i5, in keeping with the 2.6 % on a Core 2 Duo that"),
        ):
            other["perft", "positions", "isolated", "4k"] = interval
            self.assertIn(said, self.page(summary=summary_csv(other)))
        del other["perft", "positions", "isolated", "4k"]
        text = self.page(summary=summary_csv(other))
        self.assertIn("**In perft**, the unit of 2010: not measured in this run.", text)

    def test_expectations_follow_every_pressure_of_a_network(self):
        settings = {("throughput", "game", "isolated", "4k"): (0.99, 1.01)}
        for pressure, interval in (("nnue", (1.1, 1.2)), ("nnue-xl", (0.99, 1.01)), ("net1024", (1.1, 1.2))):
            settings["setwise", "game", pressure, "4k"] = settings["latency", "game", pressure, "4k"] = interval
        text = self.page(summary=summary_csv(settings))
        Page.check_expectations(self, text)
        self.assertIn("2 of 2 under `nnue`, 0 of 2 under `nnue-xl`", text)
        self.assertIn("(`net1024`)", text, "the fitted preset stands for a network where it was measured")

    def test_another_run_fills_in_what_was_not_measured_and_says_so(self):
        other = {
            ("engine", "net256", "isolated", "4k"): (0.98, 1.02),
            ("perft", "positions", "isolated", "4k"): (1.03, 1.05),
        }
        with tempfile.TemporaryDirectory() as temporary:
            also = make_folder(temporary, summary=summary_csv(other, aa=(0.96, 1.01))) / "measured/alone"
            study = data.load(make_folder(self.folder), also)
            head = data.headline(study, data.verdicts(study))
            self.assertEqual(list(head[head["place"] != ""]["name"]), ["search, network of 256"])
            steps = estimate.steps(study)
            text = readme.fill(study, data.verdicts(study), steps, estimate.estimates(study, steps), [])
        self.assertIn("| search, network of 256 \\* |", text)
        self.assertIn("commit `abc`, 16 launches and 160 rounds, judged with a margin of 2 %", text)
        self.assertIn("because identical code differed by up to 4.2 %", text)
        self.assertIn("What both measured, it has so: 4.0 % slower [3.0, 5.0] in perft.", text)
        self.assertIn("2.0 % slower [1.0, 3.0] than fancy", text, "the study's own figure comes first")

    def test_a_search_that_differs_by_page_says_both(self):
        settings = {("engine", "net0", "isolated", "4k"): (1.03, 1.05), ("engine", "net0", "isolated", "2m"): (1.0, 1.03)}
        text = self.page(summary=summary_csv(settings))
        self.assertIn("4.0 % slower [3.0, 5.0] a node: surely more than the margin of 2 %; on 2 MiB pages, 1.5 %", text)

    def test_another_machine_s_run_is_refused(self):
        with tempfile.TemporaryDirectory() as temporary:
            run = {"schema": 3, "complete": True, "machine": {"cpu": "Another CPU"}}
            also = make_folder(temporary, run=run) / "measured/alone"
            with self.assertRaisesRegex(ReportError, "another processor"):
                data.load(make_folder(self.folder), also)

    def test_the_words_for_how_sure_follow_the_verdict(self):
        for interval, aa, said in (
            ((1.03, 1.05), (0.995, 1.005), "surely more"),
            ((0.99, 1.01), (0.995, 1.005), "surely less"),
            ((0.97, 1.01), (0.995, 1.005), "not told apart"),
            ((1.01, 1.03), (0.995, 1.005), "apart, but not surely"),
            ((0.99, 1.01), (0.94, 1.005), "no equality can be shown"),
        ):
            settings = {("perft", "positions", "isolated", "4k"): interval}
            rows = data.judged(self.study(summary=summary_csv(settings, aa)).summary)
            self.assertTrue(answer.how_sure(next(rows.itertuples())).startswith(said), said)

    def test_large_pages_are_those_that_the_kernel_gave(self):
        study = self.study()
        run = next(iter(study.runs.values()))
        run["pages"] = [{"arm": "pext", "pages": "4k", "bytes": 900, "large_page_bytes": 0}]
        self.assertIn("were not measured", readme.large_pages_text(study))
        run["pages"].append({"arm": "pext", "pages": "2m", "bytes": 900, "large_page_bytes": 900})
        self.assertIn("all tables lay on 2 MiB pages", readme.large_pages_text(study))
        run["pages"].append({"arm": "magic_plain", "pages": "2m", "bytes": 2700, "large_page_bytes": 0})
        self.assertIn("25 % of the bytes", readme.large_pages_text(study))


class Commands(WithFolder):
    def fails(self, folder, text):
        errors = io.StringIO()
        with unittest.mock.patch.object(sys, "argv", ["x", str(folder)]), contextlib.redirect_stderr(errors):
            with self.assertRaises(SystemExit) as caught:
                report.main()
        self.assertEqual(caught.exception.code, 2)
        self.assertEqual(errors.getvalue().count("\n"), 1)
        self.assertIn(text, errors.getvalue())

    def test_bad_folders_get_one_line_and_status_2(self):
        self.fails(self.folder / "nowhere", "no such folder")
        self.fails(self.folder, "holds no run")
        make_folder(self.folder, ladder="bytes,pages,large_page_share\n4096,4k,x\n")
        self.fails(self.folder, "ladder.csv")

    def script(self, *arguments):
        return subprocess.run([SCRIPTS / "plain_vs_fancy.sh", *arguments], capture_output=True, text=True, check=False)

    def test_the_script_explains_itself(self):
        done = self.script("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("--quick", done.stdout)
        self.assertIn("minutes", done.stdout)

    def test_the_script_refuses_what_it_does_not_know(self):
        for arguments, text in (
            (["--fast"], "unknown option '--fast'"),
            (["--out"], "--out needs a folder"),
            (["--pgn"], "--pgn needs a file"),
            (["--pgn", "/nonexistent/x.pgn"], "no such file"),
        ):
            done = self.script(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(text, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)


STAND_IN = """#!{python}
# Stands in for slidebench: notes how it was called, and writes what the tests' data say.
import sys
from pathlib import Path

sys.path.insert(0, {scripts!r})
sys.dont_write_bytecode = True
import test_plain_vs_fancy as tests

arguments = sys.argv[1:]
with open("calls", "a") as calls:
    calls.write(" ".join(arguments) + chr(10))
out = Path(arguments[arguments.index("--out") + 1])
if arguments[0] in ("trace", "ladder"):
    out.write_text(tests.ladder_csv())
else:
    tests.stand_in(arguments[0], out)
"""


def stand_in(command, out):
    """Writes the folder of `slidebench run` or `simulate`; each run of the script has settings of its own."""
    settings = {
        "replay": {key: value for key, value in INTERVALS.items() if key[0] != "perft"},
        "engine": {key: value for key, value in INTERVALS.items() if key[0] == "perft"},
        "random": {("throughput", "random", "isolated", "4k"): (0.99, 1.01)},
        "setwise": {("setwise", "search", "isolated", "4k"): (0.99, 1.01)},
    }
    with tempfile.TemporaryDirectory() as temporary:
        whole = make_folder(temporary, summary=summary_csv(settings.get(out.name, INTERVALS)))
        shutil.copytree(whole / ("measured/alone" if command == "run" else "simulated/pair"), out)
    (out / "samples.csv").write_text("every slice")


class Script(WithFolder):
    """The whole script, in a tree of its own, in which the program and the build are stand-ins."""

    def run_script(self, *arguments):
        (self.folder / "scripts").mkdir()
        for path in [*SCRIPTS.glob("*.py"), SCRIPTS / "plain_vs_fancy.sh"]:
            shutil.copy(path, self.folder / "scripts")
        shutil.copytree(SCRIPTS / "report", self.folder / "scripts" / "report")
        tools = self.folder / "tools"
        for path, text in (
            (self.folder / "build/bench/slidebench", STAND_IN.format(python=sys.executable, scripts=str(SCRIPTS))),
            (self.folder / "scripts/install_deps.sh", "#!/bin/sh\n"),
            (tools / "cmake", "#!/bin/sh\n"),
        ):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        script = self.folder / "scripts/plain_vs_fancy.sh"
        path = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
        return subprocess.run([script, *arguments], env=path, capture_output=True, text=True, check=False)

    def test_it_goes_from_games_to_the_page(self):
        done = self.run_script()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"about \d+ minutes")
        out = self.folder / "reports/plain_vs_fancy"
        self.assertIn("different", (out / "README.md").read_text())
        self.assertEqual(
            {path.name for path in (out / "measured").iterdir()}, {"replay", "random", "setwise", "engine"}
        )
        self.assertEqual({path.name for path in (out / "simulated").iterdir()}, {"pair", "others"})
        self.assertEqual(list(out.rglob("samples.csv")), [], "slices are too many to publish")
        calls = (self.folder / "calls").read_text()
        self.assertNotIn(str(self.folder), calls, "what is recorded must not name a path of this machine")
        self.assertEqual(calls.count("run --margin 2%"), 4)
        for wanted in ("--workload perft", "--pressure nnue-xl", "--cache nehalem-i5-3m", "--reuse", "--pages 4k"):
            self.assertIn(wanted, calls)

    def test_quick_leaves_the_reference_alone(self):
        done = self.run_script("--quick")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([path.name for path in (self.folder / "reports").iterdir()], ["plain_vs_fancy_quick"])
        self.assertIn("--profile quick", (self.folder / "calls").read_text())

    def test_a_folder_of_something_else_is_not_touched(self):
        other = self.folder / "precious"
        other.mkdir()
        (other / "measured").write_text("mine")
        done = self.run_script("--out", str(other))
        self.assertEqual(done.returncode, 2)
        self.assertIn("holds something else", done.stderr)
        self.assertEqual((other / "measured").read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
