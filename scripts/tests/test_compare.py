# SPDX-License-Identifier: MIT
"""Tests of the comparison of runs: synthetic runs of known truth in, a matrix of verdicts out, the rest refused."""

import contextlib
import io
import json
import shutil
import tempfile
import unittest
from pathlib import Path

import pandas as pd
import synthetic

from report.analysis.compare import changes, load_runs, verdicts_sentences
from report.data.cells import Cell
from report.errors import ReportError
from report.page.compare import cell_part, compare_page
from studies import compare as compare_runs

CELLS = [Cell("latency", "game", "isolated"), Cell("latency", "game", "nnue"), Cell("throughput", "game", "isolated")]
NAMES = ("magic_fancy", "magic_plain", "pext", "hyperbola_avx2", "kogge_stone")


def known(**slower):
    """A few methods; `slower` multiplies the work of some."""
    every = synthetic.methods()
    return {n: (every[n][0], every[n][1], every[n][2] * slower.get(n, 1)) for n in NAMES}


def make(folder, seed, cells=None, methods=None, cpu="Imaginary CPU 9000", **info):
    """Writes a small run of a machine."""
    machine = {"cpu": cpu, "caches": []}
    return synthetic.make_full_run(
        folder, cells or CELLS, methods or known(), seed=seed, simulated=False, machine=machine, **info
    )


def run(*arguments):
    """Runs the command in this process. Returns (exit status, standard output, standard error)."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = compare_runs.main([str(argument) for argument in arguments])
    return status, out.getvalue(), err.getvalue()


class Comparisons(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="slidebench-compare-"))
        cls.addClassCleanup(shutil.rmtree, cls.home)
        cls.a = make(cls.home / "a", 1, cpu="First CPU")
        # Microcoded PEXT, as before Zen 3: faster than the reference on one machine, slower on the other.
        cls.b = make(cls.home / "b", 2, methods=known(pext=3.0), cpu="Second <CPU>", speed=2.0)
        cls.status, cls.out, cls.err = run(cls.a, cls.b, "--out", cls.home / "out")

    def folder(self):
        return self.home / self.id().rpartition(".")[2]

    def edited(self, change):
        """A copy of run b with another run.json."""
        folder = self.folder()
        shutil.copytree(self.b, folder)
        info = json.loads((folder / "run.json").read_text())
        change(info)
        (folder / "run.json").write_text(json.dumps(info))
        return folder

    def assert_refused(self, *arguments, words):
        out = self.home / "refused"
        status, said, err = run(*arguments, "--out", out)
        self.assertEqual((status, said), (2, ""), err)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertTrue(err.startswith("compare_runs.py: "), err)
        for word in words:
            self.assertIn(word, err)
        self.assertFalse((out / "index.html").exists())

    def test_files(self):
        self.assertEqual((self.status, self.err), (0, ""))
        files = {str(Path(line).relative_to(self.home / "out")) for line in self.out.splitlines()}
        stems = ("matrix_latency_game", "matrix_latency_game_nnue", "matrix_throughput_game")
        expected = {f"plots/{stem}.{suffix}" for stem in stems for suffix in ("svg", "png")}
        self.assertEqual(files, expected | {"verdicts.csv", "index.html"})
        self.assertFalse(list((self.home / "out").rglob("*.part")))

    def test_verdicts_are_the_known_truth(self):
        table = pd.read_csv(self.home / "out" / "verdicts.csv")
        self.assertEqual(len(table), 2 * len(CELLS) * len(NAMES))
        isolated = table[(table["workload"] == "latency") & (table["pressure"] == "isolated")]
        verdict = isolated.set_index(["run", "arm"])["verdict"]
        self.assertEqual((verdict["A", "pext"], verdict["B", "pext"]), ("faster", "slower"))
        self.assertEqual((verdict["A", "kogge_stone"], verdict["B", "kogge_stone"]), ("slower", "slower"))
        compared = load_runs([self.a, self.b])
        opposed, other, agreed = changes(compared, CELLS[0])
        self.assertEqual([arm for arm, _ in opposed], ["pext"])
        self.assertEqual(len(opposed) + len(other) + len(agreed), len(NAMES) - 1)
        self.assertIn("pext (A faster, B slower)", " ".join(verdicts_sentences(compared, CELLS[0])))

    def test_page(self):
        source = (self.home / "out" / "index.html").read_text()
        self.assertIn("First CPU", source)
        self.assertIn("Second &lt;CPU&gt;", source)
        self.assertNotIn("Second <CPU>", source)
        self.assertIn("pext (A faster, B slower)", source)
        self.assertIn("identical code differed by at most", source)
        self.assertEqual(source.count("<script"), 1)
        self.assertNotIn("http://", source.replace("http://www.w3.org", ""))
        self.assertNotIn(str(self.home), source)

    def test_same_input_gives_the_same_bytes(self):
        again = self.home / "again"
        self.assertEqual(run(self.a, self.b, "--out", again)[0], 0)
        for path in (self.home / "out").rglob("*"):
            if path.is_file():
                self.assertEqual(
                    path.read_bytes(), (again / path.relative_to(self.home / "out")).read_bytes(), path.name
                )

    def test_only_common_cells_and_any_methods(self):
        methods = {name: known()[name] for name in ("magic_fancy", "pext")}
        other = make(self.folder(), 3, [CELLS[0], Cell("setwise", "game", "isolated")], methods)
        compared = load_runs([self.a, self.b, other])
        self.assertEqual(set(compared.cells), set(CELLS))
        counts = []
        for cell in CELLS[:2]:
            rows = cell_part(compared, cell, 0)["table"]["rows"]
            counts.append([sum(row[column][0] != "\N{EN DASH}" for row in rows) for column in (1, 2, 3)])
        self.assertEqual(counts, [[len(NAMES), len(NAMES), 2], [len(NAMES), len(NAMES), 0]])
        self.assertNotIn("1.0000", compare_page(compared, []).partition("<main>")[0])

    def test_invalid_runs_are_marked(self):
        folder = self.edited(lambda info: info["checks"].update(valid=False))
        page = compare_page(load_runs([self.a, folder]), [])
        self.assertIn("B failed its own checks", page)

    def test_no_run_is_refused(self):
        empty = self.folder()
        empty.mkdir()
        self.assert_refused(self.a, self.home / "nowhere", words=["nowhere", "no such folder"])
        self.assert_refused(self.a, empty, words=["run.json", "missing"])
        self.assert_refused(self.a, words=["two runs"])
        (empty / "run.json").write_text('{"kind": "simulation"}')
        self.assert_refused(self.a, empty, words=["simulation"])
        (empty / "run.json").write_text('{"schema": 3}')
        self.assert_refused(self.a, empty, words=["summary.csv", "missing"])

    def test_other_versions_are_refused(self):
        for schema, words in ((99, "newer version"), (2, "older version; run it again"), (None, "older version")):
            folder = self.edited(lambda info: info.update(schema=schema))
            self.assert_refused(self.a, folder, words=[words, folder.name])
            shutil.rmtree(folder)

    def test_other_trace_is_refused(self):
        folder = self.edited(lambda info: info["traces"][0].update(xxh3="another"))
        self.assert_refused(self.a, folder, words=["trace game", "another", "digest of game"])
        folder_without = self.home / "without_digest"
        shutil.copytree(folder, folder_without)
        info = json.loads((folder / "run.json").read_text())
        info["traces"] = []
        (folder_without / "run.json").write_text(json.dumps(info))
        self.assert_refused(self.a, folder_without, words=["no digest of the trace game"])

    def test_duplicate_is_refused(self):
        copy = self.folder()
        shutil.copytree(self.a, copy)
        self.assert_refused(self.a, self.a, words=["same run"])
        self.assert_refused(self.a, self.b, copy, words=["same run", copy.name])

    def test_other_reference_is_refused(self):
        folder = self.folder()
        shutil.copytree(self.b, folder)
        table = pd.read_csv(folder / "summary.csv", dtype=str, keep_default_na=False)
        swapped = table["method"].map({"pext": "magic_fancy", "magic_fancy": "pext"})
        table.assign(method=swapped.fillna(table["method"])).to_csv(folder / "summary.csv", index=False)
        self.assert_refused(self.a, folder, words=["reference is pext", "magic_fancy"])

    def test_nothing_in_common_is_refused(self):
        other = make(self.folder(), 4, [Cell("update", "game", "isolated")])
        self.assert_refused(self.a, other, words=["in common"])

    def test_output_over_a_run_is_refused(self):
        status, _, err = run(self.a, self.b, "--out", self.a)
        self.assertEqual(status, 2)
        self.assertIn("holds a run", err)
        self.assertFalse((self.a / "index.html").exists())
        taken = self.folder()
        taken.write_text("in the way")
        status, _, err = run(self.a, self.b, "--out", taken)
        self.assertEqual((status, err.count("\n")), (2, 1))

    def test_errors_of_use(self):
        with self.assertRaises(ReportError):
            load_runs([self.a])
        with self.assertRaises(SystemExit) as stopped, contextlib.redirect_stderr(io.StringIO()):
            compare_runs.main([str(self.a), str(self.b)])
        self.assertEqual(stopped.exception.code, 2)
