# SPDX-License-Identifier: MIT
"""What keep-run keeps of a run, and that a kept run whose process runs say something else is found."""


import numpy as np
import pytest
import synthetic
from folders import KNOWN, edit_csv, edit_info

from report.data.cells import Cell
from report.data.files import read_json
from report.data.process_runs import read_process_runs
from report.errors import ReportError
from slidebench import main
from studies.kept import TIMED_SINCE, faults_of_age, faults_of_kept


@pytest.fixture
def run(tmp_path):
    """A complete run of one cell."""
    return synthetic.make_full_run(tmp_path / "run", [Cell("throughput", "game", "isolated")], KNOWN, complete=True)


def keep(run, out):
    return main(["keep-run", str(run), "--out", str(out)])


def test_the_means_of_process_runs_are_kept_and_give_the_summary(run, tmp_path):
    out = tmp_path / "kept"
    edit_info(run, lambda info: info.update(command=["/somewhere/slidebench", "run", "--trace", "/else/search.trace", "--out", "out"]))
    assert keep(run, out) == 0
    assert {path.name for path in out.iterdir()} >= {"run.json.gz", "summary.csv.gz", "process_runs.csv.gz"}
    assert not (out / "samples.csv").exists()
    assert read_json(out / "run.json.gz") == read_json(run / "run.json") | {"command": ["slidebench", "run", "--trace", "search.trace", "--out", "out"]}
    kept, measured = (read_process_runs(folder) for folder in (out, run))
    assert np.allclose(kept["log_ratio"], measured["log_ratio"], rtol=0, atol=5e-6, equal_nan=True)
    assert np.allclose(kept["ns_per_query"], measured["ns_per_query"], rtol=5e-5)
    numbers = ["ns_per_query", "log_ratio"]
    assert kept.drop(columns=numbers).equals(measured.drop(columns=numbers))
    assert list(faults_of_kept(out)) == []


def test_the_same_run_gives_the_same_bytes(run, tmp_path):
    kept = [tmp_path / name for name in ("one", "two")]
    for out in kept:
        keep(run, out)
    assert len({(out / "process_runs.csv.gz").read_bytes() for out in kept}) == 1


def test_a_summary_of_another_run_is_found(run, tmp_path):
    out = tmp_path / "kept"
    keep(run, out)
    edit_csv(out, "summary.csv.gz", lambda table: table.assign(ratio_high=table["ratio_high"].replace("", "0").astype(float) + 1))
    assert "another ratio_high than in summary.csv" in next(faults_of_kept(out))


def test_what_is_not_kept(run, tmp_path, capsys):
    keep(run, tmp_path / "once")
    assert keep(tmp_path / "once", tmp_path / "twice") == 2
    assert "is a kept run already" in capsys.readouterr().err
    edit_info(run, lambda info: info.update(complete=False))
    assert keep(run, tmp_path / "kept") == 2
    assert "is incomplete" in capsys.readouterr().err
    edit_info(run, lambda info: info.update(complete=True))
    (run / "process_runs.csv").unlink()
    assert keep(run, tmp_path / "kept") == 2
    assert "process_runs.csv: missing" in capsys.readouterr().err


@pytest.mark.parametrize("damage", [lambda data: data[:40], lambda data: b"no gzip", lambda data: data[:-9] + b"123456789"])
def test_damaged_data_is_one_line(run, tmp_path, damage):
    out = tmp_path / "kept"
    keep(run, out)
    path = out / "process_runs.csv.gz"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ReportError, match="is not gzip, or cut off"):
        list(faults_of_kept(out))


@pytest.mark.parametrize("changes,fault", [
    ({}, None),
    ({"started": "2026-01-02T03:04:05Z"}, "is older than the last change"),
    ({"dirty": True}, "changes that no commit has"),
    ({"command": ["slidebench", "run", "--workload", "engine"], "started": TIMED_SINCE["replay"]}, "is older"),
])
def test_a_published_run_of_other_code_is_found(changes, fault):
    info = {"started": max(TIMED_SINCE.values()), "dirty": False, "command": ["slidebench", "run"]} | changes
    for record in (info, {"kind": "plain_vs_fancy", "runs": {"replay": info}}):
        found = list(faults_of_age(record))
        assert len(found) == (fault is not None) and all(fault in line for line in found)
