# SPDX-License-Identifier: MIT
"""What check_run.py says of runs without fault, and of each fault that it must find."""

import shutil
import types
from pathlib import Path

import pytest
import synthetic
from folders import KNOWN, edit_csv, edit_info
from simulated import make_counts

from report.data.cells import Cell
from report.data.run import load
from studies import run_check

RECORD = {
    "counters": {"status": "none", "reason": "no PMU"},
    "methods": [{"id": "empty"}, {"id": "pext"}, {"id": "magic_fancy"}],
    "traces": [{"name": "game"}, {"name": "random"}],
}
WRONG = {"value": 3, "low": 4, "high": 5}


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A run of two cells."""
    cells = [Cell("throughput", "game", "isolated"), Cell("throughput", "game", "nnue")]
    folder = synthetic.make_full_run(tmp_path_factory.mktemp("check") / "run", cells, KNOWN, simulated=False)
    edit_info(folder, lambda info: info["methods"].append({"id": "empty"}))
    return folder


@pytest.fixture
def faults(sound, tmp_path):
    """The faults of a copy, after changes of a file's rows, or of the record."""

    def found(samples=None, summary=None, record=None):
        folder = Path(shutil.copytree(sound, tmp_path / "run", dirs_exist_ok=True))
        for name, edit in (("samples.csv", samples), ("summary.csv", summary)):
            if edit:
                edit_csv(folder, name, edit)
        if record:
            edit_info(folder, record)
        run = load(folder)
        checks = (run_check.check_samples, run_check.check_summary, run_check.check_results)
        return [fault for check in checks for fault in check(run)]

    return found


def test_no_fault(faults):
    assert faults() == []


@pytest.mark.parametrize(
    ("arm", "values", "words"),
    [
        ("pext", {"ratio": "0.999"}, "outside its interval"),
        ("pext", {"net_low": "99"}, "net_ns_per_query outside"),
        ("pext", {"ns_per_query": "50", "ns_high": "60"}, "ns_per_query and ratio order"),
        ("pext", {"ns_per_query": ""}, "no time"),
        ("pext", {"verdict": "fastest"}, "verdict 'fastest'"),
        ("pext", {"holm_low": "0.9"}, "Holm"),
        ("pext", {"best": "behind"}, "name different methods"),
        ("magic_plain", {"verdict": "unresolved"}, "unresolved, though"),
        ("magic_plain", {"verdict": "equivalent", "aa_bound": "0.02"}, "equivalent, where"),
        ("magic_fancy", {"verdict": "slower"}, "verdict 'slower' of a reference"),
        ("empty", {"ratio": "1"}, "a baseline was judged"),
    ],
)
def test_faults_of_the_summary(faults, arm, values, words):
    def edit(table):
        own = (table["arm"] == arm) & (table["pressure"] == "isolated")
        return table.assign(**{name: table[name].mask(own, value) for name, value in values.items()})

    assert words in " ".join(faults(summary=edit))


def test_faults_of_the_samples(faults):
    def without(arm, last):
        return lambda t: t[(t["arm"] != arm) | (t["pressure"] != "isolated") | (t["launch"].astype(int) < last)]

    stop = lambda record: record["protocol"].update(until_decided=True)  # noqa: E731
    assert len(faults(samples=without("pext", 0))) == 3
    assert faults(samples=without("pext", 1), record=stop) == []
    assert "missing" in faults(samples=without("pext", 0), record=stop)[0]
    assert "missing" in faults(samples=without("magic_fancy.twin", 1), record=stop)[0]
    assert "as many rounds" in faults(samples=lambda t: t[:-1])[0]
    assert "instead of" in faults(samples=lambda t: t[t["pressure"] == "isolated"])[0]


@pytest.mark.parametrize(
    ("kept", "is_fault"),
    [
        (("rotated_hyatt", "empty", "clock"), False),
        (("rotated_hyatt", "empty"), True),
        (("magic_fancy.twin", "empty", "clock"), True),
    ],
)
def test_an_update_cell_has_methods_with_state_alone(faults, kept, is_fault):
    def record(found):
        for cell in found["cells"]:
            cell.update(workload="update")

    found = faults(lambda t: t[t["arm"].isin(kept)].assign(workload="update"), record=record)
    assert any(words.startswith("samples.csv") for words in found) == is_fault


@pytest.mark.parametrize(
    "edit",
    [
        lambda record: record["bests"][0].update(sure=False),
        lambda record: record["bests"][0].update(lead=WRONG),
        lambda record: record["bests"][0].update(compared=0),
        lambda record: record["correlations"][0].update(low=2),
        lambda record: record["crossings"].append({"arm": "a", "against": "b", "lines": WRONG}),
    ],
)
def test_faults_of_the_results(faults, edit):
    assert len(faults(record=edit)) == 1


@pytest.fixture
def simulated_faults(tmp_path):
    """What is said of the simulated counts of a run."""

    def found(counts, **counters):
        (tmp_path / "counters.csv").write_text(counts)
        info = RECORD | {"counters": RECORD["counters"] | counters}
        return list(run_check.check_simulated(types.SimpleNamespace(folder=tmp_path, info=info)))

    return found


def test_counts_that_are_whole(simulated_faults):
    counts = make_counts({name: KNOWN[name] for name in ("pext", "magic_fancy")}, ["game", "random"])
    assert simulated_faults(counts) == []
    assert len(simulated_faults(counts.replace("simulated", "papi", 1))) == 1
    assert simulated_faults(counts + counts.split("\n", 1)[1].replace("simulated", "papi"), status="papi") == []
    assert len(simulated_faults(counts.replace("simulated", "papi"), status="papi")) == 6, "nothing simulated"
    assert simulated_faults(counts.replace("replay", "latency"))


def test_absent_counts_need_a_reason(simulated_faults):
    counts = make_counts({"magic_fancy": KNOWN["magic_fancy"]}, ["game", "random"])
    found = simulated_faults(counts)
    assert len(found) == 2 and "pext" in found[0]
    assert simulated_faults(counts, not_simulated=[{"id": "pext", "why": "has no traced module"}]) == []
    assert len(simulated_faults(counts, not_simulated=[{"id": "pext", "why": ""}])) == 2
    assert simulated_faults(counts.partition("\n")[0], not_simulated_reason="hwloc found no cache") == []
