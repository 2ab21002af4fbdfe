# SPDX-License-Identifier: MIT
"""A run with everything that a run can have, and runs that lack parts of it."""

import dataclasses
import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import synthetic
from simulated import SIM_QUERIES, missed

from report.analysis.answer import gain_of, leaders, picture_of, read_answer, trace_of
from report.analysis.crossings import crossings, place, sweeps
from report.analysis.findings import alarms, cell_sentences, check_rows, has_failed, threats, warnings
from report.analysis.orders import recorded, sentence, shown_cells
from report.data.cells import NETWORKS, PRESETS, Cell, Touched, pressure_key, touched
from report.data.headers import header_link, header_path
from report.data.run import DISTURBANCES, load, round_ratios
from report.data.simulation import boards_of, of_run
from report.errors import ReportError
from report.figures.orders import orders
from report.figures.overview import overview
from report.figures.style import set_defaults
from report.page.payload import payload, script_json
from report.page.run import run_page

SCRIPTS = Path(__file__).resolve().parent.parent


class FullSchema(unittest.TestCase):
    """A run with everything that a run can have, and runs that lack parts of it."""

    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="slidebench-report-"))
        cls.addClassCleanup(shutil.rmtree, cls.home)
        cls.run_ = load(synthetic.make_full_run(cls.home / "full"))

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
        few = load(self.small(Cell("latency", "game", "isolated"), Cell("latency", "game", "64@8M/eval")))
        self.assertEqual(len(few.plain), 2)

    def test_pressures_are_understood(self):
        self.assertEqual(touched("64@256K/node"), Touched(64, "256K", "node", "random"))
        self.assertEqual(touched("nnue"), touched("768@8M/eval/rows"))
        for name in ("isolated", "lukewarm", "", "64@", "x@8M/eval", "64@8M/often"):
            self.assertIsNone(touched(name), name)
        order = sorted(["512@8M/eval", "zzz", "64@8M/eval", "nnue", "light", "isolated"], key=pressure_key)
        self.assertEqual(order, ["isolated", "light", "nnue", "64@8M/eval", "512@8M/eval", "zzz"])

    def test_presets_are_those_of_the_program(self):
        source = (SCRIPTS.parent / "harness" / "pressure" / "pressure.hpp").read_text()
        found = dict(re.findall(r'\{"([a-z0-9-]+)", "(\d+@[^"+]*)"', source))
        self.assertEqual(found, PRESETS)

    def test_networks_touch_what_the_program_says(self):
        source = (SCRIPTS.parent / "harness" / "pressure" / "pressure.hpp").read_text()
        said = re.findall(r"it touches (\d+) and \d+ lines", source)
        self.assertEqual(sorted(map(int, said)), sorted(NETWORKS.values()))

    def test_who_may_be_the_fastest_is_what_the_run_says(self):
        run, known = self.run_, synthetic.methods()
        for cell in run.plain:
            arms, compared, _ = leaders(run, cell)
            true = {m: synthetic.true_ns(cell, size, work) for m, (_, size, work) in known.items()}
            close = {m for m in true if true[m] <= 1.03 * min(true.values())}
            self.assertTrue(compared)
            self.assertIn(arms[0], close, cell)
            self.assertLessEqual(set(arms[1:]), close)

    def test_the_trace_is_the_users_own_where_there_is_one(self):
        self.assertEqual(trace_of(self.run_), "search")
        own = [{"name": "game", "provenance": {"kind": "import"}}]
        self.assertEqual(trace_of(dataclasses.replace(self.run_, info={**self.run_.info, "traces": own})), "game")

    def test_the_answer_is_read_as_the_program_wrote_it(self):
        found, written = read_answer(self.run_), json.loads((self.run_.folder / "answer.json").read_text())
        self.assertEqual([s.text for s in found.situations], [s["text"] for s in written["situations"]])
        self.assertEqual([s.id for s in found.drawn], written["table"]["situations"])
        self.assertEqual([row[2] for row in found.rows], [row["ratios"] for row in written["table"]["rows"]])
        situations, arms = picture_of(self.run_)
        self.assertEqual(situations, found.drawn)
        self.assertEqual(arms, [row["method"] for row in written["table"]["rows"]])

    def test_the_short_answer_says_situation_method_and_gain(self):
        entry = {"method": "pext", "ratio": 0.816, "level_with": [], "verdict": "sure"}
        for change, said in (
            ({}, "\N{MINUS SIGN}18 %"),
            ({"ratio": 1.024}, "+2.4 %"),
            ({"level_with": ["magic_fancy"]}, "level"),
            ({"method": "magic_fancy", "ratio": 1}, ""),
            ({"method": None, "verdict": "unsure"}, "nothing to choose"),
            ({"method": None, "verdict": "withheld"}, "no answer"),
            ({"ratio": "x"}, ""),
            ({"level_with": 5}, "\N{MINUS SIGN}18 %"),
        ):
            self.assertEqual(gain_of(entry | change, "magic_fancy"), said)
        page = run_page(self.run_, [])
        for situation in read_answer(self.run_).situations:
            self.assertIn(f"<span>{situation.title}</span> <span><b>{situation.method}</b> {situation.gain}</span>", page)

    def test_a_run_without_an_answer_has_a_picture_and_says_what_makes_the_answer(self):
        run = load(self.small(Cell("throughput", "game", "isolated"), Cell("throughput", "game", "nnue")))
        (run.folder / "answer.json").unlink()
        self.assertIsNone(read_answer(run))
        situations, arms = picture_of(run)
        self.assertEqual([s.cell.pressure for s in situations], ["isolated", "nnue"])
        self.assertIn("magic_fancy", arms)
        source = run_page(run, [])
        self.assertIn("slidebench show DIR --json &gt; DIR/answer.json", source)
        self.assertNotIn('class="answers"', source)

    def test_the_engine_beside_a_run_adds_what_only_it_measured(self):
        folder = self.small(Cell("throughput", "search", "isolated"), Cell("throughput", "search", "nnue"))
        known = {m: synthetic.methods()[m] for m in ("magic_fancy", "pext")}
        inside = [Cell("throughput", "search", "isolated"), Cell("engine", "net256", "isolated")]
        synthetic.make_full_run(folder / "engine", inside, known, simulated=False)
        run = load(folder)
        answer = read_answer(run)
        self.assertEqual([s.cell.workload for s in answer.drawn], ["throughput", "throughput", "engine"])
        self.assertIs(answer.drawn[2].run, run.engine)
        rows = {method: ratios for method, _, ratios, _ in answer.rows}
        self.assertTrue(all(ratio is not None for ratio in rows["pext"]))
        self.assertIsNone(rows["kogge_stone"][2])
        (folder / "answer.json").unlink()
        (folder / "engine" / "answer.json").unlink()
        self.assertEqual([s.cell.workload for s in picture_of(run)[0]], ["throughput", "throughput", "engine"])

    def test_broken_answers_are_refused_and_odd_ones_do_not_crash(self):
        run = load(self.small(Cell("throughput", "game", "isolated")))
        path = run.folder / "answer.json"
        for text in ("", "[1]", "{"):
            path.write_text(text)
            with self.assertRaisesRegex(ReportError, "answer.json"):
                read_answer(run)
        odd = {
            "situations": [1, {"cell": 3}, {"cell": {}}],
            "table": {"situations": ["x", 3], "rows": [{"ratios": 5}, 2]},
        }
        for info in ({}, odd, {"table": [1]}, {"table": {"situations": 3, "rows": {}}}):
            path.write_text(json.dumps(info))
            self.assertIsNone(overview(run) if picture_of(run)[1] == [] else None)
            run_page(run, [])

    def with_bests(self, *arms):
        """A run of one cell in which all but the smallest footprint have these arms as the best."""
        entry = {"cell": Cell("latency", "game", "isolated").__dict__, "compared": 4, "arms": arms}
        entry |= {"sure": len(arms) == 1, "lead": {"value": 0.91, "low": 0.9, "high": 0.92}}
        bests = [entry | {"limit_bytes": limit} for limit in (None, 65536)]
        return load(self.small(Cell("latency", "game", "isolated"), bests=bests))

    def test_what_is_not_sure_is_not_called_the_fastest(self):
        run = self.with_bests("pext", "hyperbola_avx2")
        self.assertEqual(leaders(run, run.cells[0]), (["pext", "hyperbola_avx2"], True, False))
        said = cell_sentences(run, run.cells[0])[0]
        self.assertIn("Pext (pext) and Hyperbola avx2 (hyperbola_avx2) cannot be told apart", said)
        self.assertNotIn("is the fastest", said)

    def test_only_what_is_sure_is_called_the_fastest(self):
        run = self.with_bests("pext")
        self.assertEqual(leaders(run, run.cells[0]), (["pext"], True, True))
        said = cell_sentences(run, run.cells[0])[0]
        self.assertIn("Pext (pext) is the fastest", said)
        self.assertIn("it takes 0.910 [0.900, 0.920] times as long as the second", said)

    def test_an_emulators_times_are_called_so(self):
        folder = self.small(Cell("latency", "game", "isolated"))
        self.assertNotIn("Emulator", dict(threats(load(folder))))
        info = json.loads((folder / "run.json").read_text())
        info["machine"]["emulator"] = "qemu-aarch64"
        (folder / "run.json").write_text(json.dumps(info))
        run = load(folder)
        self.assertIn("qemu-aarch64", dict(threats(run))["Emulator"])
        self.assertIn("qemu-aarch64", run_page(run, []))

    def test_the_answers_certainty_is_shown(self):
        folder = self.small(Cell("latency", "game", "isolated"))
        info = json.loads((folder / "answer.json").read_text())
        for verdict in ("sure", "unsure", "withheld"):
            info["situations"][0]["verdict"] = verdict
            (folder / "answer.json").write_text(json.dumps(info))
            self.assertIn(f'<li class="{verdict}" title=', run_page(load(folder), []))

    def test_crossings_are_the_known_truth(self):
        (sweep,) = sweeps(self.run_)
        self.assertEqual(sweep.lines, (0, 16, 32, 64, 128, 256, 512, 768, 1536))
        self.assertEqual([cell.pressure for cell in (sweep.cells[0], sweep.cells[7])], ["isolated", "nnue"])
        found = {(c.a, c.b): c for c in crossings(self.run_, sweep)}
        known = synthetic.methods()
        for a, b in (("pext", "hyperbola_avx2"), ("magic_fancy", "hyperbola_avx2")):
            curves = [[synthetic.true_ns(cell, *known[name][1:]) for cell in sweep.cells] for name in (a, b)]
            logs = np.log(np.array(curves[0]) / curves[1])
            places = [place(n) for n in sweep.lines]
            crossing = found[a, b]
            # Straight lines between the drawn points meet where the recorded number is.
            self.assertAlmostEqual(np.interp(place(crossing.lines), places, logs), 0)
            self.assertLess(crossing.low, crossing.lines)
            self.assertLess(crossing.lines, crossing.high)
        self.assertFalse([pair for pair in found if "kogge_stone" in pair])

    def test_crossings_belong_to_their_sweep(self):
        entries = json.loads((self.run_.folder / "run.json").read_text())["crossings"]
        (sweep,) = sweeps(self.run_)
        for change in ({"trace": "game"}, {"pressure": "256K/node/random"}, {"kinds": "both"}):
            other = [entry | {"cell": entry["cell"] | change} for entry in entries]
            run = dataclasses.replace(self.run_, info=self.run_.info | {"crossings": other})
            self.assertEqual(crossings(run, sweep), [], change)
        open_ = [entries[0] | {"lines": {"value": 9.0, "low": None, "high": 20.0}}]
        run = dataclasses.replace(self.run_, info=self.run_.info | {"crossings": open_})
        (crossing,) = crossings(run, sweep)
        self.assertEqual((crossing.low, crossing.high), (None, 20.0))

    def test_failed_checks_are_said_first(self):
        cell = {"workload": "latency", "trace": "game"}
        bad = {"cell": cell, "ratio": 1.2, "low": 1.1, "high": 1.3, "result": "failed"}
        folder = self.small(Cell("latency", "game", "isolated"), checks={"valid": False, "twin": [bad], "control": [3]})
        source = run_page(load(folder), [])
        head = source.partition('<section id="answer">')[0]
        self.assertIn("This run failed its own checks", head)
        self.assertIn("A/A, latency on game, isolated", head)

    def test_imprecise_checks_are_no_failure(self):
        wide = {"cell": {"workload": "latency", "trace": "game"}, "ratio": 1, "low": 0.9, "high": 1.1}
        checks = {"valid": False, "twin": [wide | {"result": "imprecise"}], "control": []}
        run = load(self.small(Cell("latency", "game", "isolated"), checks=checks))
        self.assertFalse(has_failed(run))
        self.assertEqual(alarms(run), [])
        self.assertEqual([row[4] for row in check_rows(run)], ["imprecise"])

    def test_checks_print_their_tolerance(self):
        rows = {row[0]: row for row in check_rows(self.run_)}
        self.assertEqual(rows["positive control, cycles"][2:], ("3 \xb1 0.75", "3.0200 [2.9000, 3.1000]", "passed"))
        self.assertEqual(rows["A/A"][2], "1 \xb1 0.01")

    def test_a_layout_is_said_as_it_was_drawn(self):
        said = dict(threats(self.run_))["Layout of the code"]
        self.assertIn("for this one build", said)
        samples = self.run_.samples.assign(layout=self.run_.samples["launch"] % 2)
        said = dict(threats(dataclasses.replace(self.run_, samples=samples)))["Layout of the code"]
        self.assertIn("for the 2 builds drawn from", said)
        info = self.run_.info | {"protocol": {"vary_layout": True}}
        bare = dataclasses.replace(self.run_, info=info, samples=self.run_.samples.iloc[:0])
        self.assertIn("for the builds drawn from", dict(threats(bare))["Layout of the code"])

    def test_disturbances_are_those_of_the_program(self):
        source = (SCRIPTS.parent / "harness" / "statistics" / "sample.hpp").read_text()
        flagged = re.search(r"bool flagged\(\) const \{(.*?)\}", source, re.S)[1]
        self.assertEqual(tuple(re.findall(r"(\w+)(?:\.value_or\(0\))? > 0", flagged)), DISTURBANCES)
        cell = Cell("latency", "game", "isolated")
        self.assertFalse(round_ratios(self.run_, cell)["disturbed"].all())
        faulty = dataclasses.replace(self.run_, samples=self.run_.samples.assign(minor_faults=1), _parts={})
        self.assertTrue(round_ratios(faulty, cell)["disturbed"].all())

    def test_disturbed_rounds_that_matter_are_said(self):
        folder = self.small(Cell("latency", "game", "isolated"))
        summary = pd.read_csv(folder / "summary.csv", dtype=str, keep_default_na=False)
        moved = summary["ratio_unflagged"].where(summary["method"] != "pext", "0.5")
        summary.assign(ratio_unflagged=moved).to_csv(folder / "summary.csv", index=False)
        self.assertTrue(any(text.startswith("1 ratios move") for text in warnings(load(folder))))

    def test_recorded_correlations_are_used(self):
        a, b = Cell("latency", "search", "isolated"), Cell("engine", "net256", "isolated")
        known = recorded(self.run_)
        self.assertEqual(known[a, b], known[b, a])
        self.assertLess(known[a, b].low, known[a, b].rho)
        self.assertEqual((known[a, b].methods, known[a, b].bound), (len(synthetic.methods()), 0.98))
        cells = shown_cells(self.run_)
        set_defaults()
        figure = orders(dataclasses.replace(self.run_, _parts={"plain": [a, b]}))
        texts = [text.get_text() for text in figure.axes[1].texts]
        pair = known[a, b]
        self.assertEqual(texts, 2 * [f"{pair.rho:.2f}", f"[{pair.low:.2f}, {pair.high:.2f}]"])
        plt.close(figure)
        self.assertIn(a, cells)
        odd = {"correlations": [{"a": "nowhere", "b": 3, "spearman": "x"}, 7, {}]}
        self.assertEqual(recorded(load(self.small(a, **odd))), {})

    def test_the_sentence_on_orders_has_pairs_numbers_and_intervals(self):
        said = sentence(self.run_)
        alone, net = Cell("throughput", "search", "isolated"), Cell("engine", "net256", "isolated")
        words = recorded(self.run_)[alone, net].words
        self.assertRegex(words, r"^-?\d\.\d\d \[-?\d\.\d\d, -?\d\.\d\d\] \(44 methods\)$")
        self.assertIn(f"{alone.name} and {net.name} {words}", said)
        self.assertNotIn("least", said)
        self.assertIsNone(sentence(load(self.small(alone))))

    def test_page_data_is_complete_and_safe(self):
        found = payload(self.run_)
        self.assertEqual(len(found["arms"]), len(synthetic.methods()))
        self.assertEqual(len(found["cells"]), len(self.run_.cells))
        simulation = of_run(self.run_)
        curve = simulation.curves("search", 64, 0).set_index(["method", "cache_lines"])["per_query"]
        true = missed(synthetic.methods()["pext"][1], 32768) / SIM_QUERIES
        self.assertAlmostEqual(curve["pext", 512], true, places=5)
        boards = boards_of(simulation.squares, "rook", "l1d_misses")
        self.assertFalse(boards["kogge_stone"].any())
        self.assertEqual(len(boards["pext"]), 64)
        pext = next(arm for arm in found["arms"] if arm["arm"] == "pext")
        self.assertEqual(pext["header"], "methods/pext/pext.hpp")
        self.assertIsNone(pext["link"])  # the page does not lie among the sources
        self.assertEqual(script_json({"a": "</script>"}), '{"a":"\\u003c/script>"}')
        self.assertIsNone(header_path("../../etc", "magic"))
        link = header_link(SCRIPTS.parent / "reports" / "mine", pext["header"])
        self.assertEqual(link, "../../methods/pext/pext.hpp")

    def test_example_has_a_page(self):
        run = load(SCRIPTS.parent / "reports" / "example")
        source = run_page(run, [])
        self.assertTrue("answer.json" in source)
        self.assertIn("samples.csv is not in this folder", source)
