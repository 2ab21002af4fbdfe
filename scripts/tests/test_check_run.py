# SPDX-License-Identifier: MIT
"""What check-run says of runs without fault, and of each fault that it must find; what keep-run keeps of a run, and that a kept run
whose process runs say something else is found."""

import hashlib
import json
import shutil

import numpy as np
import pandas as pd
import pytest
import synthetic
from folders import KNOWN, edit_csv, edit_info

from report.data.cells import Cell
from report.data.files import read_json
from report.data.process_runs import read_process_runs
from report.errors import ReportError
from slidebench import main
from studies.kept import TIMED_SINCE, faults_of_age, faults_of_kept


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A run of two cells, with a page and a figure."""
    cells = [Cell("throughput", "game", "isolated"), Cell("throughput", "game", "nnue")]
    record = {"versions": {"hwloc": "2.9"}, "counters": {"status": "none", "reason": "no PMU"}}
    record["command"] = ["/somewhere/slidebench", "run", "--trace", "/else/search.trace", "--out", "out"]
    folder = synthetic.make_full_run(tmp_path_factory.mktemp("check") / "run", cells, KNOWN, **record)
    edit_info(folder, lambda info: info["methods"].append({"id": "empty"}))
    (folder / "plots").mkdir()
    for name in ("index.html", "plots/one.svg"):
        (folder / name).write_text("x" * 1000)
    return folder


@pytest.fixture
def faults(sound, tmp_path, capsys):
    """What is said of a copy after changes: functions of rows of files, by their stems, of the record `run`, of the `folder`."""

    def found(run=lambda record: None, folder=lambda copy: None, **tables):
        copy = shutil.copytree(sound, tmp_path / "run", dirs_exist_ok=True)
        for stem, edit in tables.items():
            edit_csv(copy, f"{stem}.csv", edit)
        edit_info(copy, run)
        folder(copy)
        status, lines = main(["check-run", str(copy)]), capsys.readouterr().err.splitlines()
        assert status == bool(lines)
        return lines

    return found


def are_of(contender, table):
    """Which rows are a contender's in one cell."""
    return (table["contender"] == contender) & (table["pressure"] == "isolated")


def with_(contender, **values):
    """Gives a contender other values in one cell."""
    return lambda t: t.assign(**{name: t[name].mask(are_of(contender, t), value) for name, value in values.items()})


def without(contender, last):
    """Leaves a contender out of one cell's process runs from one on."""
    return lambda t: t[~are_of(contender, t) | (t["process_run"].astype(int) < last)]


@pytest.mark.parametrize("stem, edit, words", [
    ("run", lambda record: None, None),
    ("summary", with_("pext", ratio="0.999"), "outside its interval"),
    ("summary", with_("pext", net_low="99"), "net_ns_per_query outside"),
    ("summary", with_("pext", ns_per_query="50", ns_high="60"), "ns_per_query is not the reference's times the ratio"),
    ("summary", with_("pext", net_ns_per_query="1", net_low="0"), "net_ns_per_query is not the time less"),
    ("summary", with_("pext", ns_per_query=""), "no time"),
    ("summary", with_("pext", verdict="fastest"), "verdict 'fastest'"),
    ("summary", with_("pext", holm_low="0.9"), "Holm"),
    ("summary", with_("pext", best="behind"), "name different methods"),
    ("summary", with_("magic_plain", verdict="unresolved"), "unresolved, though"),
    ("summary", with_("magic_plain", verdict="equivalent", aa_bound="0.02"), "equivalent, where"),
    ("summary", with_("magic_fancy", verdict="slower"), "verdict 'slower' of a reference"),
    ("summary", with_("empty", ratio="1"), "a baseline was judged"),
    ("summary", lambda t: t.assign(ratio=pd.to_numeric(t["ratio"]) * 1.1), "answer.json: pext in throughput on game"),
    ("process_runs", lambda t: t.assign(log_ratio=t["log_ratio"].astype(float) * 1.5), "another ratio_low than in summary.csv"),
    ("process_runs", lambda t: t.assign(placement="-1"), "placement: '-1' should be 0 or more"),
    ("process_runs", lambda t: t.assign(new="1"), "new is no column of it"),
    ("samples", without("pext", 1), "missing"),
    ("samples", lambda t: t[(t["contender"] != "magic_fancy") | (t["round"] != "0")], "without the reference"),
    ("samples", lambda t: t[:-1], "as many rounds"),
    ("samples", lambda t: t[t["pressure"] == "isolated"], "instead of"),
    ("samples", lambda t: pd.concat([t, t]), "a round twice"),
    ("counters", lambda t: t.assign(source="measured"), "without a PMU"),
    ("counters", lambda t: t.assign(workload="latency"), "instead of replay"),
    ("counters", lambda t: t[t["method"] != "pext"], "no simulated l1d_misses of pext"),
    ("run", lambda record: record["bests"][0].update(sure=False), "sure False"),
    ("run", lambda record: record["bests"][0].update(lead={"value": 3, "low": 4, "high": 5}), "not in its interval"),
    ("run", lambda record: record["bests"][0].update(compared=0), "of 0"),
    ("run", lambda record: record["correlations"][0].update(low=2), "not in its interval"),
    ("run", lambda record: record.update(complete=False), "incomplete"),
    ("run", lambda record: record["counters"].update(status="none", reason=""), "no reason"),
    ("run", lambda record: record["versions"].update(hwloc=""), "versions"),
    ("run", lambda record: record["checks"].update(twin=[]), "was not checked"),
    ("run", lambda record: record["methods"].append({"id": "new"}), "no simulated l1d_misses of new on game"),
    ("folder", lambda copy: (copy / "answer.json").write_text("{}"), "answer.json: missing, or no answer of this version"),
])  # fmt: skip
def test_faults_of_each_file(faults, stem, edit, words):
    said = " ".join(faults(**{stem: edit}))
    assert words in said if words else said == ""


def test_samples_that_are_not_those_of_the_tables(faults):
    slower = {"pext": 10}
    lines = faults(samples=lambda t: t.assign(time_ns=pd.to_numeric(t["time_ns"]) * t["contender"].map(slower).fillna(1)))
    assert len(lines) == 2
    assert all("process_runs.csv: pext" in line and "another time than its samples have" in line for line in lines)


def journalled(folder, change):
    """Writes the journal of a run's samples, with rows of samples.csv changed afterwards: a function of its lines."""
    table = pd.read_csv(folder / "samples.csv", dtype=str, keep_default_na=False)
    table = table[["process_run", *table.columns.drop("process_run")]]  # the first column, as the program writes them
    header, *rows = table.to_csv(index=False).splitlines(keepends=True)
    records = [{"command": []}]
    for number in sorted({int(row.split(",")[0]) for row in rows}):
        own = "".join(row for row in rows if row.startswith(f"{number},"))
        records.append({"process_run": number, "samples": own.count("\n"), "sha256": hashlib.sha256(own.encode()).hexdigest()})
    (folder / "finished.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (folder / "samples.csv").write_text("".join([header, *change(rows)]))


@pytest.mark.parametrize("change, words", [
    (lambda rows: rows, None),
    (lambda rows: rows + rows, "process run 0 has"),
    (lambda rows: [row for row in rows if not row.startswith("2,")], "process run 2 has 0 rows instead of"),
    (lambda rows: [rows[1], rows[0], *rows[2:]], "other rows than were measured"),
    (lambda rows: [*rows, rows[0].replace("0,", "7,", 1)], "rows of process run 7, which the journal does not have"),
])  # fmt: skip
def test_samples_that_are_not_those_of_the_journal(faults, change, words):
    said = " ".join(faults(folder=lambda copy: journalled(copy, change)))
    assert words in said if words else said == ""


def test_methods_may_leave_a_run_that_stops_when_it_knows(faults):
    def stop(record):
        record["protocol"].update(until_decided=True)

    assert faults(samples=without("pext", 1), run=stop) == []
    assert "missing" in faults(samples=without("pext", 0), run=stop)[0]
    assert "missing" in faults(samples=without("empty", 1), run=stop)[0]


REFERENCE = ["magic_fancy", *(f"magic_fancy.{role}" for role in ("twin", "second_twin", "twice")), "clock"]
CONTROL, EVERY_METHOD = "magic_fancy.control", sorted(KNOWN)


@pytest.mark.parametrize("workload, contenders, is_fault", [
    ("update", [*REFERENCE, "rotated_hyatt"], False),
    ("update", REFERENCE, False),
    ("update", [*REFERENCE[:1], "clock", "rotated_hyatt"], True),
    ("update", [*REFERENCE, "empty"], True),
    ("update", [*REFERENCE, CONTROL], True),
    ("keep", [*REFERENCE[:2], "clock"], False),
    ("throughput", [*REFERENCE, CONTROL, "empty", *EVERY_METHOD], False),
    ("throughput", [*REFERENCE, CONTROL, *EVERY_METHOD[1:]], True),
])  # fmt: skip
def test_the_contenders_of_a_cell(faults, workload, contenders, is_fault):
    said = faults(
        samples=lambda t: t[t["contender"].isin(contenders)].assign(workload=workload),
        run=lambda record: [cell.update(workload=workload) for cell in record["cells"]],
    )
    assert any("samples.csv" in words for words in said) == is_fault, said


def test_absent_counts_may_have_a_reason(faults):
    excuse = {"not_simulated": [{"id": "pext", "why": "has no traced module"}]}
    assert faults(counters=lambda t: t[t["method"] != "pext"], run=lambda record: record["counters"].update(excuse)) == []


def keep(run, out):
    return main(["keep-run", str(run), "--out", str(out)])


@pytest.fixture
def kept(sound, tmp_path):
    """The run as it is kept, a folder."""
    assert keep(sound, tmp_path / "kept") == 0
    return tmp_path / "kept"


def test_the_means_of_process_runs_are_kept_and_give_the_summary(sound, kept):
    assert {path.name for path in kept.iterdir()} >= {"run.json.gz", "summary.csv.gz", "process_runs.csv.gz"}
    assert not (kept / "samples.csv").exists()
    place = {"command": ["slidebench", "run", "--trace", "search.trace", "--out", "out"]}
    assert read_json(kept / "run.json.gz") == read_json(sound / "run.json") | place
    rows, measured = (read_process_runs(folder) for folder in (kept, sound))
    assert np.allclose(rows["log_ratio"], measured["log_ratio"], rtol=0, atol=5e-6, equal_nan=True)
    assert np.allclose(rows["ns_per_query"], measured["ns_per_query"], rtol=5e-5)
    numbers = ["ns_per_query", "log_ratio"]
    assert rows.drop(columns=numbers).equals(measured.drop(columns=numbers))
    assert list(faults_of_kept(kept)) == []


def test_the_same_run_gives_the_same_bytes(sound, kept, tmp_path):
    keep(sound, tmp_path / "again")
    assert (kept / "process_runs.csv.gz").read_bytes() == (tmp_path / "again" / "process_runs.csv.gz").read_bytes()


def test_a_summary_of_another_run_is_found(kept):
    edit_csv(kept, "summary.csv.gz", lambda table: table.assign(ratio_high=table["ratio_high"].replace("", "0").astype(float) + 1))
    assert "another ratio_high than in summary.csv" in next(faults_of_kept(kept))


def test_what_is_not_kept(sound, kept, tmp_path, capsys):
    run = shutil.copytree(sound, tmp_path / "run")
    (run / "process_runs.csv").unlink()
    incomplete = shutil.copytree(sound, tmp_path / "incomplete")
    edit_info(incomplete, lambda info: info.update(complete=False))
    refused = {kept: "is a kept run already", incomplete: "is incomplete", run: "process_runs.csv: missing"}
    for folder, words in refused.items():
        assert keep(folder, tmp_path / "out") == 2
        assert words in capsys.readouterr().err


@pytest.mark.parametrize("damage", [lambda data: data[:40], lambda data: b"no gzip", lambda data: data[:-9] + b"123456789"])
def test_damaged_data_is_one_line(kept, damage):
    path = kept / "process_runs.csv.gz"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ReportError, match="is not gzip, or cut off"):
        list(faults_of_kept(kept))


@pytest.mark.parametrize("changes, fault", [
    ({}, None),
    ({"started": "2026-01-02T03:04:05Z"}, "is older than the last change"),
    ({"dirty": True}, "changes that no commit has"),
    ({"command": ["slidebench", "run", "--workload", "engine"], "started": TIMED_SINCE["replay"]}, "is older"),
])  # fmt: skip
def test_a_published_run_of_other_code_is_found(changes, fault):
    info = {"started": max(TIMED_SINCE.values()), "dirty": False, "command": ["slidebench", "run"]} | changes
    for record in (info, {"kind": "plain_vs_fancy", "runs": {"replay": info}}):
        found = list(faults_of_age(record))
        assert len(found) == (fault is not None) and all(fault in line for line in found)
