# SPDX-License-Identifier: MIT
"""What check_run.py says of runs without fault, and of each fault that it must find."""

import io
import json
import shutil
import tempfile
import unittest
from pathlib import Path

import pandas as pd
import synthetic
from folders import InFolder, KNOWN, METHODS
from simulated import make_counts

from report.data.cells import Cell
from studies import run_check as check_run


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
        for kept, fault in (
            (("rotated_hyatt", "empty", "clock"), ""),
            (("rotated_hyatt", "empty"), "missing"),
            (("magic_fancy.twin", "empty", "clock"), "too many"),
        ):
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
