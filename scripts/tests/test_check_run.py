# SPDX-License-Identifier: MIT
"""What check_run.py says of runs without fault, and of each fault that it must find."""

import hashlib
import json
import shutil

import pandas as pd
import pytest
import synthetic
from folders import KNOWN, edit_csv, edit_info

from report.data.cells import Cell
from slidebench import main

WRONG = {"value": 3, "low": 4, "high": 5}


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A run of two cells, with a page and a figure."""
    cells = [Cell("throughput", "game", "isolated"), Cell("throughput", "game", "nnue")]
    record = {"complete": True, "versions": {"hwloc": "2.9"}, "counters": {"status": "none", "reason": "no PMU"}}
    folder = synthetic.make_full_run(tmp_path_factory.mktemp("check") / "run", cells, KNOWN, **record)
    edit_info(folder, lambda info: info["methods"].append({"id": "empty"}))
    (folder / "plots").mkdir()
    for name in ("index.html", "plots/one.svg"):
        (folder / name).write_text("x" * 1000)
    return folder


@pytest.fixture
def faults(sound, tmp_path, capsys):
    """What is said of a copy after changes: functions of the rows of files, by their stems, or of the record `run`."""

    def found(run=None, **tables):
        folder = shutil.copytree(sound, tmp_path / "run", dirs_exist_ok=True)
        for stem, edit in tables.items():
            edit_csv(folder, f"{stem}.csv", edit)
        if run:
            edit_info(folder, run)
        status, lines = main(["check-run", str(folder)]), capsys.readouterr().err.splitlines()
        assert status == bool(lines)
        return lines

    return found


def test_no_fault(faults):
    assert faults() == []


@pytest.mark.parametrize(
    ("contender", "values", "words"),
    [
        ("pext", {"ratio": "0.999"}, "outside its interval"),
        ("pext", {"net_low": "99"}, "net_ns_per_query outside"),
        ("pext", {"ns_per_query": "50", "ns_high": "60"}, "ns_per_query is not the reference's times the ratio"),
        ("pext", {"net_ns_per_query": "1", "net_low": "0"}, "net_ns_per_query is not the time less"),
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
def test_faults_of_the_summary(faults, contender, values, words):
    def edit(table):
        own = (table["contender"] == contender) & (table["pressure"] == "isolated")
        return table.assign(**{name: table[name].mask(own, value) for name, value in values.items()})

    assert words in " ".join(faults(summary=edit))


def test_a_summary_that_its_process_runs_do_not_give(faults):
    def noisier(table):
        return table.assign(log_ratio=table["log_ratio"].astype(float) * 1.5)

    assert "another ratio_low than in summary.csv" in " ".join(faults(process_runs=noisier))


def test_a_cell_that_is_not_what_its_column_says(faults):
    assert "placement: '-1' should be 0 or more" in " ".join(faults(process_runs=lambda t: t.assign(placement="-1")))
    assert "new is no column of it" in " ".join(faults(process_runs=lambda t: t.assign(new="1")))


def without(contender, last):
    """Leaves a contender out of one cell's process runs from one on."""
    return lambda t: t[(t["contender"] != contender) | (t["pressure"] != "isolated") | (t["process_run"].astype(int) < last)]


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (without("pext", 1), "missing"),
        (lambda table: table[(table["contender"] != "magic_fancy") | (table["round"] != "0")], "without the reference"),
        (lambda table: table[:-1], "as many rounds"),
        (lambda table: table[table["pressure"] == "isolated"], "instead of"),
    ],
)
def test_faults_of_the_samples(faults, edit, words):
    assert words in " ".join(faults(samples=edit))


def test_samples_that_are_not_those_of_the_tables(faults):
    def slower(table):
        times = table["time_ns"].astype(float) * table["contender"].map({"pext": 10}).fillna(1)
        return table.assign(time_ns=times)

    lines = faults(samples=slower)
    assert len(lines) == 2 and all("process_runs.csv: pext" in line and "another time than its samples have" in line for line in lines)
    assert "a round twice" in " ".join(faults(samples=lambda table: pd.concat([table, table])))


def journalled(folder, change=lambda lines: lines):
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


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: rows, None),
        (lambda rows: rows + rows, "process run 0 has"),
        (lambda rows: [row for row in rows if not row.startswith("2,")], "process run 2 has 0 rows instead of"),
        (lambda rows: [rows[1], rows[0], *rows[2:]], "other rows than were measured"),
        (lambda rows: [*rows, rows[0].replace("0,", "7,", 1)], "rows of process run 7, which the journal does not have"),
    ],
)
def test_samples_that_are_not_those_of_the_journal(sound, tmp_path, capsys, change, words):
    folder = shutil.copytree(sound, tmp_path / "run")
    journalled(folder, change)
    main(["check-run", str(folder)])
    said = capsys.readouterr().err
    assert words in said if words else said == ""


def test_an_answer_that_is_not_the_runs(sound, tmp_path, capsys):
    def said():
        main(["check-run", str(folder)])
        return capsys.readouterr().err

    folder = shutil.copytree(sound, tmp_path / "run")
    edit_csv(folder, "summary.csv", lambda table: table.assign(ratio=pd.to_numeric(table["ratio"]) * 1.1))
    assert "another ratio than in summary.csv" in said()
    (folder / "answer.json").write_text("{}")
    assert "answer.json: missing, or no answer of this version" in said()
    (folder / "answer.json").write_text("garbage")
    assert "answer.json" in said()


def test_methods_may_leave_a_run_that_stops_when_it_knows(faults):
    def stop(record):
        record["protocol"].update(until_decided=True)

    assert faults(samples=without("pext", 1), run=stop) == []
    assert "missing" in faults(samples=without("pext", 0), run=stop)[0]
    assert "missing" in faults(samples=without("empty", 1), run=stop)[0]


REFERENCE = ["magic_fancy", *(f"magic_fancy.{role}" for role in ("twin", "second_twin", "twice")), "clock"]
CONTROL, EVERY_METHOD = "magic_fancy.control", sorted(KNOWN)


@pytest.mark.parametrize(
    ("workload", "contenders", "is_fault"),
    [
        ("update", [*REFERENCE, "rotated_hyatt"], False),
        ("update", REFERENCE, False),
        ("update", [*REFERENCE[:1], "clock", "rotated_hyatt"], True),
        ("update", [*REFERENCE, "empty"], True),
        ("update", [*REFERENCE, CONTROL], True),
        ("keep", [*REFERENCE[:2], "clock"], False),
        ("throughput", [*REFERENCE, CONTROL, "empty", *EVERY_METHOD], False),
        ("throughput", [*REFERENCE, CONTROL, *EVERY_METHOD[1:]], True),
    ],
)
def test_the_contenders_of_a_cell(faults, workload, contenders, is_fault):
    def asked(record):
        for cell in record["cells"]:
            cell.update(workload=workload)

    def samples(table):
        return table[table["contender"].isin(contenders)].assign(workload=workload)

    said = faults(samples=samples, run=asked)
    assert any("samples.csv" in words for words in said) == is_fault, said


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda record: record["bests"][0].update(sure=False), "sure False"),
        (lambda record: record["bests"][0].update(lead=WRONG), "not in its interval"),
        (lambda record: record["bests"][0].update(compared=0), "of 0"),
        (lambda record: record["correlations"][0].update(low=2), "not in its interval"),
        (lambda record: record.update(complete=False), "incomplete"),
        (lambda record: record["counters"].update(status="none", reason=""), "no reason"),
        (lambda record: record["versions"].update(hwloc=""), "versions"),
        (lambda record: record["checks"].update(twin=[]), "was not checked"),
        (lambda record: record["methods"].append({"id": "new"}), "no simulated l1d_misses of new on game"),
    ],
)
def test_faults_of_the_record(faults, edit, words):
    assert words in " ".join(faults(run=edit))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda table: table.assign(source="measured"), "without a PMU"),
        (lambda table: table.assign(workload="latency"), "instead of replay"),
        (lambda table: table[table["method"] != "pext"], "no simulated l1d_misses of pext"),
    ],
)
def test_faults_of_the_counters(faults, edit, words):
    assert words in " ".join(faults(counters=edit))


def test_absent_counts_may_have_a_reason(faults):
    excuse = {"not_simulated": [{"id": "pext", "why": "has no traced module"}]}
    gone = lambda table: table[table["method"] != "pext"]  # noqa: E731
    assert faults(counters=gone, run=lambda record: record["counters"].update(excuse)) == []
