# SPDX-License-Identifier: MIT
"""Tests of the advice: predictions of known truth, its words in every case, its page, what it refuses, and a whole one of a small
stream."""

import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import synthetic
from folders import assert_stands_alone, edit_csv, edit_info, run_command
from simulated import csv_of

from engines.advice import Advice, Row
from engines.advise_dose import Dose, saved_by_dose
from engines.advise_replay import command_of, process_runs_in
from engines.advise_stream import Stream, stream_of
from engines.advise_words import sentence
from engines.prediction import (
    DOSE_MODEL,
    MODEL,
    DoseModel,
    Interval,
    Measured,
    ReplayModel,
    around,
    error_of,
    more_nodes,
    predicted,
    predictions,
    saved_of,
)
from report.data.cells import Cell
from report.data.schema import KERNEL, TABLES

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("SLIDEBENCH", ROOT / "build" / "dev" / "slidebench"))
SQUARES = [file + rank for rank in "12345678" for file in "abcdefgh"]
START, QUERIES_A_MOVE = 0xFFFF00000000FFFF, 6
DRAWS = 4000


# Predictions


def coverage(model, difference, noise):
    """How often the interval of a prediction has the engine's true difference, over engines and replays drawn by the model."""
    draw = np.random.default_rng(1)
    slopes = draw.normal(model.slope, model.slope_error, DRAWS)
    truth = slopes * difference + draw.normal(0, model.rms_ns_per_query, DRAWS)
    held = 0
    for true, seen in zip(truth, draw.normal(difference, noise, DRAWS)):
        saved = predicted(Measured("m", around(seen, noise)), 10.0, model=model).saved
        held += saved.low <= 10 * true <= saved.high
    return held / DRAWS


@pytest.mark.parametrize("difference, noise", [(0.0, 0.1), (1.0, 0.1), (3.0, 0.5), (-4.0, 0.02)])
def test_the_interval_holds_the_truth_as_often_as_it_says(difference, noise):
    assert 0.93 < coverage(MODEL, difference, noise) < 0.97


def test_each_source_of_error_widens_the_interval():
    wide = predicted(Measured("m", around(2.0, 0.3)), 8.0).saved
    for smaller in ({"slope_error": 0.0}, {"rms_ns_per_query": 0.0}):
        assert error_of(predicted(Measured("m", around(2.0, 0.3)), 8.0, model=replace(MODEL, **smaller)).saved) < error_of(wide)
    assert error_of(predicted(Measured("m", around(2.0, 0.0)), 8.0).saved) < error_of(wide)
    assert wide.value == pytest.approx(8 * MODEL.slope * 2)


def test_the_paired_ratio_gives_the_difference():
    saved = saved_of(50.0, Interval(0.96, 0.95, 0.97))
    assert saved == pytest.approx((2.0, 1.5, 2.5))


def test_nodes_a_second_follow_from_what_a_node_saves():
    found = predicted(Measured("m", around(2.0, 0.1)), 8.0, 1000.0)
    left = 1000 - found.saved.value
    assert found.ns_per_node.value == pytest.approx(left)
    assert found.nodes_per_second.value == pytest.approx(1e9 / left)
    assert found.more.value == pytest.approx(1000 / left - 1)
    for figure in (found.ns_per_node, found.nodes_per_second, found.more):
        assert figure.low < figure.value < figure.high


def test_a_node_that_would_take_no_time_has_no_end():
    more = more_nodes(Interval(50.0, -10.0, 120.0), 100.0)
    assert more.value == pytest.approx(1) and more.low < 0 and math.isinf(more.high)


def test_what_saves_most_stands_first_and_needs_no_rate():
    rows = [Measured(name, around(ns, 0.1)) for name, ns in (("slow", -3.0), ("fast", 2.0), ("near", 0.1))]
    found = predictions(rows, 5.0)
    assert [p.method for p in found] == ["fast", "near", "slow"]
    assert all(p.more is None and p.nodes_per_second is None for p in found)


def test_a_dose_adds_up_what_its_slopes_say():
    dose = Dose(1000.0, 10.0, 0.25, {"cycles": around(2.0, 0.1), "instructions": around(0.5, 0.2), "lines": around(20.0, 2.0)})
    amounts = {"cycles": (3.0, 0.5), "instructions": (-4.0, 0.0), "lines": (0.9, 0.0)}
    saved = saved_by_dose(amounts, dose, 0.5, DoseModel(0.7, 0.3))
    assert saved.value == pytest.approx(0.5 * (6 - 2 + 18))
    error = math.hypot(0.5 * math.hypot(0.1 * 3, 2 * 0.5, 0.2 * 4, 2.0 * 0.9), 0.3 * 10)
    assert error_of(saved) == pytest.approx(error)


# Words


FIXED = ReplayModel(slope=1.25, slope_error=0.2, rms_ns_per_query=0.4)  # whatever studies make of the true one


def advice(saved, ns_per_node=1000.0, bound=4.0, noise=0.1):
    """An Advice on methods that save so much a query: dict method -> ns."""
    queries = 8.0
    found = predictions([Measured(name, around(ns, noise)) for name, ns in saved.items()], queries, ns_per_node, FIXED)
    rows = tuple(Row(p, {}, Interval(1, 1, 1), 4096, "") for p in found)
    stream = Stream(Path("s.trace"), "s", "d", (), 1000, queries, queries, False)
    nothing = predicted(Measured("", around(bound, noise)), queries, ns_per_node, FIXED)
    return Advice("magic_fancy", "replay", rows, nothing, 1, "", stream, queries, ns_per_node, "cpu", ())


def test_a_method_that_is_shown_to_be_faster_is_named():
    said = sentence(advice({"pext": -1.0, "ray_masks_avx512": 2.0}))
    begin = "ray_masks_avx512: about 2.0 % more nodes a second than magic_fancy [1.1, 3.0]; "
    assert said == begin + "an answer for nothing would bring 4.2 %."


def test_without_a_rate_it_is_ns_a_node():
    said = sentence(advice({"pext": 2.0}, None))
    assert re.fullmatch(r"pext: about 20\.0 ns a node less than magic_fancy \[\S+, \S+\]; (.*)", said)
    assert said.endswith("; an answer for nothing would save 40.0 ns a node.")


def test_where_none_is_shown_the_best_guess_is_named():
    said = sentence(advice({"pext": 0.2, "hyperbola": -2.0}))
    begin = "no method is shown to be faster than magic_fancy here; the best guess is pext, 0.2 % more nodes a second [-0."
    assert said.startswith(begin) and said.endswith("; an answer for nothing would bring 4.2 %.")


def test_a_best_guess_that_is_slower_is_said_to_be():
    said = sentence(advice({"pext": -1.0}))
    assert "nor is one by the best guess; the nearest is pext, -1.0 % more nodes a second [" in said


def test_a_reference_that_costs_nothing_has_no_bound():
    assert sentence(advice({"pext": 1.0}, bound=-1.0)).endswith("; by the replay an answer for nothing would bring nothing.")


# The whole, on a stream of known queries


def write_log(path, moves=400, seed=1, first="root"):
    """A log in the text form."""
    draw = random.Random(seed)
    lines = [f"{first} {START:x}"]
    for _ in range(moves):
        occupied = START ^ (1 << draw.randrange(64)) ^ (1 << draw.randrange(64))
        lines.append(f"make {occupied:x}")
        lines += [f"{draw.choice('brq')} {draw.choice(SQUARES)} {occupied:x}" for _ in range(QUERIES_A_MOVE)]
        lines.append(f"unmake {START:x}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(name="log", scope="module")
def _log(tmp_path_factory):
    return write_log(tmp_path_factory.mktemp("stream") / "search.queries")


def trace_entry(log):
    """What run.json says of the trace of a log."""
    trace = log.with_suffix(".trace")
    if not trace.exists():
        subprocess.run([PROGRAM, "trace", "import", "--merge-both", "0", log, "--out", trace], check=True, capture_output=True)
    words = [PROGRAM, "trace", "info", trace, "--format", "json"]
    told = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    return {"name": "search", "xxh3": told["digest"], "queries": told["queries"], "provenance": told["provenance"]}


CELLS = [Cell("throughput", "search", "net1024"), Cell("latency", "search", "isolated")]


@pytest.fixture(name="replayed", scope="module")
def _replayed(tmp_path_factory, log):
    """A replay of the log, of synthetic times."""
    folder = tmp_path_factory.mktemp("replayed") / "run"
    known = {name: synthetic.methods()[name] for name in ("magic_fancy", "pext", "hyperbola", "hyperbola_avx2", "kogge_stone")}
    return synthetic.make_full_run(folder, CELLS, known, simulated=False, traces=[trace_entry(log)])


def estimate(value, half):
    return {"value": value, "low": value - half, "high": value + half}


def write_dose(folder, queries=6.0, **changes):
    """The folder of a dose."""
    slopes = {"cycles": 2.0, "instructions": 0.5, "lines": 20.0}
    points = [{"amount": 1, "ns_per_node": estimate(24.5, 2.0)}, {"amount": 2, "ns_per_node": estimate(40.0, 2.0)}]
    kinds = [{"kind": kind, "points": points, "ns_per_node": estimate(ns, 0.1 * ns), "straight": True} for kind, ns in slopes.items()]
    dose = {"ns_per_node": 800.0, "queries_per_node": queries, "cycle_ns": 0.25, "kinds": kinds}
    folder.mkdir(exist_ok=True)
    (folder / "run.json").write_text(json.dumps({"complete": True, "duel": {"dose": dose}} | changes))
    return folder


def advise(log, out, *options):
    """The command: (status, standard output, standard error)."""
    streams = log if isinstance(log, (list, tuple)) else [log]
    return run_command("advise", *streams, "--slidebench", PROGRAM, "--out", out, *options)


def advised(log, out, *options):
    """What a command that works prints, and its advice.json."""
    status, said, err = advise(log, out, *options)
    assert (status, err) == (0, ""), err
    return said, json.loads((out / "advice.json").read_text())


def test_a_replay_that_exists_is_used(log, replayed, tmp_path):
    said, told = advised(log, tmp_path / "out", "--replayed", replayed, "--nodes-per-second", "1e6")
    summary = pd.read_csv(replayed / "summary.csv")
    rows = summary[(summary["pressure"] == "net1024") & (summary["role"] != "empty")].set_index("contender")
    assert told["queries_per_node"] == pytest.approx(6 * 400 / 401, rel=0.02)
    pext = next(row for row in told["methods"] if row["method"] == "pext")
    saved = told["queries_per_node"] * MODEL.slope * rows["ns_per_query"]["magic_fancy"] * (1 - rows["ratio"]["pext"])
    assert pext["saved_ns_per_node"]["value"] == pytest.approx(saved)
    net = rows["net_ns_per_query"]["magic_fancy"]
    assert told["answer_for_nothing"]["saved_ns_per_node"]["value"] == pytest.approx(told["queries_per_node"] * MODEL.slope * net)
    assert said.splitlines()[0] == told["sentence"] and "hyperbola_avx2" in told["sentence"]
    assert "scripts/slidebench.py placements --out build/new -- YOUR BUILD COMMAND" in said
    assert "export hyperbola_avx2 --out hyperbola_avx2.h" in said
    assert "845 KiB" in said and "avx2" in said and "magic_fancy (now)" in said


def test_its_table_is_a_csv_file(log, replayed, tmp_path):
    options = ("--nodes-per-second", "1e6", "--method", "pext", "--method", "hyperbola")
    _, told = advised(log, tmp_path / "out", "--replayed", replayed, *options)
    table = pd.read_csv(tmp_path / "out" / "advice.csv", keep_default_na=False)
    assert list(table["method"]) == [row["method"] for row in told["methods"]] and set(table["method"]) == {"pext", "hyperbola"}
    more = [100 * row["more_nodes"]["value"] for row in told["methods"]]
    assert table["more_percent"].astype(float).tolist() == pytest.approx(more, abs=1e-3)
    assert (table["saved_ns_per_node_by_replay_low"] == table["saved_ns_per_node_low"]).all(), "it predicts by the replay alone"
    assert (table["more_percent_by_dose"] == "").all()


def test_its_page_needs_no_network(log, replayed, tmp_path):
    advised(log, tmp_path / "out", "--replayed", replayed, "--nodes-per-second", "1e6")
    source, page = assert_stands_alone(tmp_path / "out")
    assert not page.bad and "svg" in page.tags and "width=device-width" in source
    text = " ".join(page.text)
    assert "hyperbola_avx2" in text and "an answer for nothing" in text and "placements" in text
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "advice.csv", "advice.json", "index.html", "plots", "stream.trace"
    }  # fmt: skip


def test_without_a_rate_it_says_what_is_missing(log, replayed, tmp_path):
    said, told = advised(log, tmp_path / "out", "--replayed", replayed)
    assert "give --nodes-per-second N" in said and " % [" not in said and "ns a node saved" in said
    assert told["ns_per_node"] is None and all(row["more_nodes"] is None for row in told["methods"])


def test_another_reference_is_that_of_the_run(log, replayed, tmp_path):
    _, told = advised(log, tmp_path / "out", "--replayed", replayed, "--reference", "pext")
    assert {row["method"] for row in told["methods"]} >= {"magic_fancy"} and told["reference"] == "pext"


def test_a_dose_gives_the_time_a_node_and_says_what_its_own_estimate_lacks(log, replayed, tmp_path):
    said, told = advised(log, tmp_path / "out", "--replayed", replayed, "--dose", write_dose(tmp_path / "dose"))
    assert told["ns_per_node"] == 800 and told["queries_per_node"] == pytest.approx(6, rel=0.02)
    assert "No estimate by the dose, for which the replay lacks: instructions" in said and "kernel.csv" in said
    assert "; tables (" in said and all(row["saved_ns_per_node_by_dose"] is None for row in told["methods"])


def write_binary(path):
    """What slidebench_record.h writes: three moves of two queries each, and the beginning of a record that was cut off."""
    root, make, bishop = 1, 2, 7
    events = [(root, 0), *[(make, 0), (bishop, 12), (bishop, 30)] * 3]
    records = [struct.pack("<BBQ", event, square, START ^ (i << 24)) for i, (event, square) in enumerate(events)]
    path.write_bytes(b"SLQUERY\n" + struct.pack("<II", 2, 10) + b"".join(records) + b"\x07")
    return path


def test_a_recorded_log_is_read_and_one_that_was_cut_off_is_named(tmp_path):
    stream = stream_of(PROGRAM, [write_binary(tmp_path / "search.queries")], tmp_path)
    assert (stream.queries, stream.recorded_per_node, stream.cut_off) == (6, pytest.approx(6 / 4), True)


def with_counts(replayed, folder):
    """A copy of a replay with executed instructions and a simulation's lines."""
    shutil.copytree(replayed, folder)
    executed = {"magic_fancy": 10, "pext": 7, "hyperbola": 30}
    usual = {"level": "v3", "workload": "throughput", "loads_per_query": 3, "branches_per_query": 0, "code_bytes": 100}
    kernel = [usual | {"method": method, "instructions_per_query": number} for method, number in executed.items()]
    pd.DataFrame(kernel, columns=[column.name for column in KERNEL.columns]).to_csv(folder / "kernel.csv", index=False)
    read = {"magic_fancy": 200, "pext": 200, "hyperbola": 20}
    rows = [f"{method},search,isolated,host,4k,0,all,0,1000,{number},L1D,3000,311,,," for method, number in read.items()]
    (folder / "tables.csv").write_text(csv_of(TABLES, rows))
    return folder


def test_with_all_that_it_needs_a_dose_gives_a_second_estimate(log, replayed, tmp_path):
    folder = with_counts(replayed, tmp_path / "run")
    said, told = advised(log, tmp_path / "out", "--replayed", folder, "--dose", write_dose(tmp_path / "dose"))
    rows = {row["method"]: row for row in told["methods"]}
    latency = pd.read_csv(folder / "summary.csv").query("workload == 'latency'").set_index("contender")
    cycles = latency["ns_per_query"]["magic_fancy"] * (1 - latency["ratio"]["hyperbola"]) / 0.25
    share = told["queries_per_node"] / 6
    saved = share * (2 * cycles - 0.5 * 20 + DOSE_MODEL.lines_share * 20 * 0.9)
    assert rows["hyperbola"]["saved_ns_per_node_by_dose"]["value"] == pytest.approx(saved, rel=1e-3)
    assert rows["kogge_stone"]["saved_ns_per_node_by_dose"] is None, "its instructions were not counted"
    assert "by the dose" in said and "No estimate" not in said
    assert "by the dose" in " ".join(assert_stands_alone(tmp_path / "out")[1].text)


def test_where_all_methods_are_counted_the_dose_predicts(log, replayed, tmp_path):
    folder, methods = with_counts(replayed, tmp_path / "run"), ("--method", "pext", "--method", "hyperbola")
    said, told = advised(log, tmp_path / "out", "--replayed", folder, "--dose", write_dose(tmp_path / "dose"), *methods)
    assert told["basis"] == "dose" and told["model"] == vars(DOSE_MODEL) and "by the replay" in said
    assert all(row["saved_ns_per_node"] == row["saved_ns_per_node_by_dose"] for row in told["methods"])
    table = pd.read_csv(tmp_path / "out" / "advice.csv").set_index("method")
    for row in told["methods"]:
        for basis in ("dose", "replay"):
            ends = row[f"saved_ns_per_node_by_{basis}"]
            names = [f"saved_ns_per_node_by_{basis}{end}" for end in ("", "_low", "_high")]
            assert table.loc[row["method"], names].tolist() == pytest.approx(list(ends.values()), abs=1e-4)
    latency = pd.read_csv(folder / "summary.csv").query("workload == 'latency'").set_index("contender")
    nothing = 2 * latency["net_ns_per_query"]["magic_fancy"] / 0.25 + 0.5 * 10 + DOSE_MODEL.lines_share * 20
    share = told["queries_per_node"] / 6
    assert told["answer_for_nothing"]["saved_ns_per_node"]["value"] == pytest.approx(share * nothing, rel=1e-3)


# Refusals


def refused(log, out, *options):
    """The one line of a command that must be refused, and leave no folder."""
    existed = out.exists()
    status, said, err = advise(log, out, *options)
    assert (status, said, err.count("\n")) == (2, "", 1), err
    assert out.exists() == existed
    return err.removeprefix("slidebench.py advise: ")


BAD_LOGS = {
    "hello\n": "unknown event 'hello'",
    "": "search.queries",
    f"root {START:x}\nb e4 {START:x}\n": "holds queries, but no make: queries a node cannot be told; record sb_record_make too",
    f"root {START:x}\nmake {START ^ 1:x}\n": "search.queries",
}


@pytest.mark.parametrize("text, words", BAD_LOGS.items(), ids=["no stream", "empty", "no moves", "no queries"])
def test_a_bad_log_is_refused(text, words, tmp_path):
    log = tmp_path / "search.queries"
    log.write_text(text)
    assert words in refused(log, tmp_path / "out", "--minutes", "0.01")


def test_what_is_no_stream_at_all_is_refused(log, tmp_path):
    assert "no stream" in refused([], tmp_path / "out")
    assert f"{tmp_path / 'nothing'}: no such file" in refused(tmp_path / "nothing", tmp_path / "out")
    noise = tmp_path / "noise.trace"
    subprocess.run([PROGRAM, "trace", "random", "--nodes", "100", "--out", noise], check=True, capture_output=True)
    assert "is no search's: queries a node cannot be told" in refused(noise, tmp_path / "out")
    assert "give one trace, or logs alone" in refused([noise, log], tmp_path / "out")
    (tmp_path / "cut.trace").write_bytes(noise.read_bytes()[:200])
    assert "cut.trace" in refused(tmp_path / "cut.trace", tmp_path / "out")


BAD_OPTIONS = {
    ("--method", "pexd"): "--method pexd: no such method",
    ("--method", "empty"): "--method empty: no such method",
    ("--method", "magic_fancy"): "is the reference; name another",
    ("--reference", "nothing"): "--reference nothing: no such method",
    ("--minutes", "six"): "--minutes six: is no number above 0",
    ("--minutes", "-1"): "--minutes -1: is no number above 0",
    ("--nodes-per-second", "inf"): "--nodes-per-second inf: is no number above 0",
    ("--dose", "nowhere"): "nowhere: no such folder",
    ("--replayed", "nowhere"): "nowhere: no such folder",
    ("--slidebench", "nowhere"): "nowhere: no such program",
    ("--slidebench", "true"): "is no slidebench of this version",
}


@pytest.mark.parametrize("options, words", BAD_OPTIONS.items(), ids=" ".join)
def test_a_bad_option_is_refused(options, words, log, tmp_path):
    assert words in refused(log, tmp_path / "out", *options)


def test_a_bad_dose_is_refused(log, replayed, tmp_path):
    def with_dose(folder):
        return refused(log, tmp_path / "out", "--replayed", replayed, "--dose", folder)

    words = with_dose(write_dose(tmp_path / "other", queries=12.7))
    assert re.fullmatch(r"the stream has 6\.0 queries a node, the dose's engine 12\.7: are they of one engine, .*positions\?\n", words)
    assert "the dose is incomplete" in with_dose(write_dose(tmp_path / "stopped", complete=False))
    half = write_dose(tmp_path / "half")
    edit_info(half, lambda info: info["duel"]["dose"]["kinds"].pop())
    assert "the dose is incomplete" in with_dose(half)
    assert "holds no dose" in with_dose(replayed)


def test_a_bad_folder_is_refused(log, replayed, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    assert "is no folder" in refused(log, file)
    assert "cannot be read or written" in refused(log, file / "below")
    assert "holds something else (answer.json)" in refused(log, replayed)


def test_a_replay_of_something_else_is_refused(log, replayed, tmp_path):
    folder = Path(shutil.copytree(replayed, tmp_path / "run"))

    def with_replay(*options):
        return refused(log, tmp_path / "out", "--replayed", folder, *options)

    assert "--method obstruction_difference: was not replayed" in with_replay("--method", "obstruction_difference")
    assert "has no ratios against magic_black" in with_replay("--reference", "magic_black")
    assert "are the nodes a second of one thread" in with_replay("--nodes-per-second", "1e9")
    other = write_log(tmp_path / "other.queries", seed=2)
    assert "did not replay this stream (its traces: search)" in refused(other, tmp_path / "out", "--replayed", folder)
    edit_csv(folder, "summary.csv", lambda rows: rows.assign(ratio_low=""))
    assert "too few process runs" in with_replay()
    edit_csv(folder, "summary.csv", lambda rows: rows[rows["pressure"] != "net1024"])
    assert "has no cell throughput on search, net1024" in with_replay()
    edit_info(folder, lambda info: info.update(complete=False))
    assert "is not finished; slidebench run --resume" in with_replay()


# The replay that is made


def test_a_replay_takes_as_long_as_it_may():
    assert process_runs_in(6, 12) == pytest.approx(2 * process_runs_in(3, 12), abs=1)
    assert process_runs_in(1e-6, 12) == process_runs_in(1e-9, 40) == 8
    assert process_runs_in(6, 30) < process_runs_in(6, 5)


def test_a_trace_stays_where_it_is(tmp_path):
    options = SimpleNamespace(reference="pext", minutes=1.0, dose=None)
    stream = SimpleNamespace(path=tmp_path / "my.trace")
    words = command_of(stream, tmp_path / "out", ["pext", "hyperbola"], options)
    assert words[words.index("--trace") + 1] == str(tmp_path / "my.trace") and words[words.index("--reference") + 1] == "pext"


def unfinish(folder):
    """Leaves a replay as if it had been killed before its last process run was written down."""
    lines = (folder / "finished.jsonl").read_text().splitlines(keepends=True)
    (folder / "unfinished.jsonl").write_text("".join(lines[:-1]))
    (folder / "finished.jsonl").unlink()
    (folder / "run.json").unlink()
    return len(lines) - 1


def test_a_stream_becomes_an_advice(log, tmp_path):
    out, methods = tmp_path / "out", ("--method", "pext", "--method", "hyperbola")
    options = ("--minutes", "0.01", "--nodes-per-second", "1e6", *methods)
    said, told = advised(log, out, *options)
    assert {row["method"] for row in told["methods"]} == {"pext", "hyperbola"} and told["ns_per_node"] == 1000
    assert told["sentence"] in said and f"{PROGRAM} run --no-random" in said
    assert_stands_alone(out)
    made = (out / "replay" / "run.json").stat().st_mtime_ns

    again, same = advised(log, out, *options)
    assert same == told and " run --" not in again, "it is there already"
    assert (out / "replay" / "run.json").stat().st_mtime_ns == made
    assert "was not replayed" in refused(log, out, "--method", "kogge_stone")
    assert "on another stream" in refused(write_log(tmp_path / "other.queries", seed=2), out)

    count = unfinish(out / "replay")
    resumed, _ = advised(log, out, *options)
    assert "run --resume replay" in resumed
    assert len((out / "replay" / "finished.jsonl").read_text().splitlines()) == count + 1


def test_with_a_dose_all_is_measured_and_counted_that_it_needs(log, tmp_path):
    out, dose = tmp_path / "out", write_dose(tmp_path / "dose")
    said, told = advised(log, out, "--minutes", "0.01", "--dose", dose, "--method", "pext", "--method", "hyperbola")
    summary = pd.read_csv(out / "replay" / "summary.csv")
    assert {"latency", "throughput"} <= set(summary["workload"]) and (out / "replay" / "simulation" / "tables.csv").exists()
    if (out / "replay" / "kernel.csv").exists():
        assert told["basis"] == "dose"
    else:
        assert "which the replay lacks: instructions" in said


def changed(folder):
    """dict name -> when the file was last written, of what a replay and its counts leave."""
    names = ("run.json", "kernel.csv", "simulation/run.json", "simulation/tables.csv")
    return {name: (folder / name).stat().st_mtime_ns for name in names if (folder / name).exists()}


def test_what_was_not_counted_when_it_was_interrupted_is_counted_by_the_same_command(log, tmp_path):
    out, replay, methods = tmp_path / "out", tmp_path / "out" / "replay", ("--method", "pext", "--method", "hyperbola")
    options = ("--minutes", "0.01", "--dose", write_dose(tmp_path / "dose"), *methods)
    _, told = advised(log, out, *options)
    whole = changed(replay)
    assert advised(log, out, *options)[1] == told and changed(replay) == whole, "nothing is counted twice"

    def again():
        said, same = advised(log, out, *options)
        assert same == told and " run --" not in said
        return {name for name, time in changed(replay).items() if time != whole[name]}

    (replay / "kernel.csv").unlink(missing_ok=True)
    edit_info(replay / "simulation", lambda info: info.update(complete=False))
    (replay / "simulation" / "squares.csv").unlink()
    assert again() == whole.keys() - {"run.json"}
    shutil.rmtree(replay / "simulation")
    (replay / "simulation").mkdir()  # killed before its first file was whole
    assert again() == whole.keys() - {"run.json"}
    assert {"pext", "hyperbola", "magic_fancy"} == set(pd.read_csv(replay / "simulation" / "tables.csv")["method"])


def test_what_is_counted_is_all_that_was_replayed(log, tmp_path):
    """A dose that comes later, and asks for fewer methods."""
    out, methods = tmp_path / "out", ("--method", "pext", "--method", "hyperbola")
    advised(log, out, "--minutes", "0.01", *methods)
    assert not (out / "replay" / "simulation").exists()
    said, told = advised(log, out, "--dose", write_dose(tmp_path / "dose"), "--method", "pext")
    assert told["basis"] == "replay" and "latency" in said
    assert {"pext", "hyperbola", "magic_fancy"} == set(pd.read_csv(out / "replay" / "simulation" / "tables.csv")["method"])
