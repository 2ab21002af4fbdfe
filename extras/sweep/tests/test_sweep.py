# SPDX-License-Identifier: MIT
"""Tests of sweeps with the real program: planned, run by Snakemake, killed, resumed, checked and merged."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

SWEEP = Path(__file__).resolve().parent.parent
ROOT = SWEEP.parent.parent
sys.path[:0] = [str(SWEEP.parent), str(ROOT / "scripts")]

from sweep.errors import SweepError  # noqa: E402
from sweep.folder import faults, part_of, publish  # noqa: E402
from sweep.merge import merge  # noqa: E402
from sweep.plan import Plan, with_defaults  # noqa: E402
from sweep.work import make  # noqa: E402

PROGRAM = os.environ.get("SLIDEBENCH", str(ROOT / "build" / "dev" / "slidebench"))
TRACE = {"kind": "search", "games": [str(ROOT / "datasets" / "sample.pgn")]}
TRACE["arguments"] = ["--positions", "1", "--nodes", "300"]
METHODS = ["magic_fancy", "hyperbola", "kogge_stone"]


def config_of(out, **changes):
    """A sweep of seconds, with every kind of job but a measurement."""
    cells = {"traces": ["search"], "methods": METHODS, "methods_a_job": 2, "caches": ["zen4", "L1=4K/4"], "draws": 1}
    search = {"variant": "black", "shards": 2, "rounds": 2, "seconds": 0.1}
    search["start"] = str(ROOT / "methods" / "magic" / "black_factors.hpp")
    config = {"program": PROGRAM, "out": str(out), "allow_dirty": True, "traces": {"search": TRACE}}
    return config | {"simulate": cells, "magics": [search]} | changes


def plan_of(out, **changes):
    return Plan(with_defaults(config_of(out, **changes)))


def merged(out):
    """The merged results but for what the jobs cost and when they ran: dict of name to bytes."""
    return {path.name: path.read_bytes() for path in (out / "merged").glob("*.csv") if path.name != "costs.csv"}


def made(plan):
    for job in plan.jobs.values():
        make(plan, job)
    merge(plan)
    return merged(plan.out)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A sweep that nothing disturbed. Tests copy it."""
    plan = plan_of(tmp_path_factory.mktemp("sweep") / "out")
    made(plan)
    return plan


@pytest.fixture
def copy(whole, tmp_path):
    """A copy of the whole sweep, whose results the plan takes for its own."""
    shutil.copytree(whole.out, tmp_path / "out")
    return plan_of(tmp_path / "out")


def test_every_method_is_there_once_in_every_cell(whole):
    rows = pd.read_csv(whole.out / "merged" / "counters.csv").query("metric == 'accesses'")
    assert len(rows) == len(rows[["method", "cache"]].drop_duplicates()) == (len(METHODS) + 1) * 2
    assert len(whole.cells) == 4
    assert "black_slots = " in (whole.out / "merged" / "black_factors.hpp").read_text()
    assert len(pd.read_csv(whole.out / "merged" / "costs.csv")) == len(whole.jobs) == 1 + 4 + 2 * 3


def test_a_later_round_goes_on_from_the_best_of_the_one_before(whole):
    (first, best), (second, _) = whole.searches[0]
    assert {job.what["start"] for job in second} == {best.id}
    assert not {job.id for job in first} & {job.id for job in second}
    assert second[0].start == best.folder / "factors.hpp"


def test_a_finished_sweep_stays_as_it_is(copy):
    before = {job.record: job.record.read_bytes() for job in copy.jobs.values()}
    assert made(copy) == merged(copy.out)
    assert {record: record.read_bytes() for record in before} == before


def test_what_is_missing_is_made_again_to_the_same_bytes(whole, copy):
    shutil.rmtree(copy.cells[1].folder)
    copy.cells[2].record.unlink()  # as Snakemake leaves it, when it means to make the result again
    with pytest.raises(SweepError, match="cannot be read"):
        merge(copy)
    assert not (copy.out / "merged" / "costs.csv").exists()
    assert made(copy) == merged(whole.out)


@pytest.mark.parametrize("harm", ["changed", "removed"])
def test_a_harmed_file_is_named_and_never_merged(copy, harm):
    path = copy.cells[0].folder / "counters.csv"
    text = path.read_text()
    path.unlink()
    if harm == "changed":
        path.write_text(text.replace("7", "8", 1))
    with pytest.raises(SweepError, match="counters.csv: is not what was written"):
        merge(copy)


def test_a_killed_job_leaves_nothing_that_is_believed(whole, copy):
    cell = copy.cells[0]
    shutil.rmtree(cell.folder)
    settings = copy.out / "sweep.json"
    settings.write_text(json.dumps(copy.config))
    command = [sys.executable, "-B", SWEEP / "job.py", settings, cell.id]
    with subprocess.Popen(command, start_new_session=True) as process:
        deadline = time.monotonic() + 30
        while process.poll() is None and not list(cell.home.glob("*.part-*")) and time.monotonic() < deadline:
            time.sleep(0.001)
        os.killpg(process.pid, 9)
    assert process.returncode == -9 and not cell.folder.exists()
    assert len(list(cell.home.glob("*.part-*"))) == 1
    assert subprocess.run(command, check=False).returncode == 0
    assert not faults(cell) and not list(cell.home.glob("*.part-*"))
    assert (cell.folder / "counters.csv").read_bytes() == (whole.cells[0].folder / "counters.csv").read_bytes()


def test_of_two_jobs_of_one_id_the_first_result_stands(copy):
    cell = copy.cells[0]
    part = part_of(cell)
    (part / "counters.csv").write_text("the later one\n")
    before = cell.record.read_bytes()
    publish(cell, part, copy)
    assert cell.record.read_bytes() == before and not part.exists() and not faults(cell)


def test_cells_that_contradict_each_other_are_not_merged(copy):
    cell, part = copy.cells[1], part_of(copy.cells[1])
    shutil.copytree(cell.folder, part, ignore=shutil.ignore_patterns("result.json"), dirs_exist_ok=True)
    text = (part / "counters.csv").read_text()
    (part / "counters.csv").write_text(re.sub("(,empty,.*?),0,0,", r"\1,1,1,", text, count=1))
    shutil.rmtree(cell.folder)
    publish(cell, part, copy)
    with pytest.raises(SweepError, match="the machines differ"):
        merge(copy)


def test_another_recipe_is_another_result(whole, tmp_path):
    ids = set(whole.jobs)
    assert set(plan_of(tmp_path).jobs) == ids
    other = plan_of(tmp_path, traces={"search": TRACE | {"arguments": ["--positions", "1", "--nodes", "301"]}})
    assert not {job.id for job in other.cells} & ids
    whole_search = config_of(tmp_path)["magics"][0]
    assert len(set(plan_of(tmp_path, magics=[whole_search | {"seed": 2}]).jobs) - ids) == 6


@pytest.mark.parametrize("changes, words", [
    ({"program": "/nonexistent/slidebench"}, "cannot be run"),
    ({"commit": "0123456789ab"}, "not from 0123456789ab"),
    ({"traces": {}}, "trace 'search' is not described"),
    ({"traces": {"search": {"file": "/nonexistent/a.trace"}}}, "/nonexistent/a.trace: cannot be read"),
    ({"simulate": {"traces": ["search"], "methods": ["magick"]}}, "unknown method 'magick'"),
])  # fmt: skip
def test_bad_configurations_are_one_line(tmp_path, changes, words):
    with pytest.raises(SweepError, match=words) as caught:
        plan_of(tmp_path, **changes)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(shutil.which("snakemake") is None, reason="no snakemake; scripts/install_deps.sh --sweeps has it")
def test_the_workflow_resumes_and_gives_the_same_bytes(whole, copy):
    """Snakemake itself: it makes what is missing of a copy, and then nothing more."""
    shutil.rmtree(copy.cells[3].folder)
    shutil.rmtree(copy.out / "merged")
    settings = copy.out / "config.json"
    settings.write_text(json.dumps(config_of(copy.out)))
    command = ["snakemake", "-s", SWEEP / "Snakefile", "--configfile", settings, "-j2"]
    done = subprocess.run(command, cwd=copy.out, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("rule simulate:") == 1 and "rule trace:" not in done.stderr
    assert merged(copy.out) == merged(whole.out)
    again = subprocess.run([*command, "-n"], cwd=copy.out, capture_output=True, text=True, check=False)
    assert "Nothing to be done" in again.stdout + again.stderr
    settings.write_text(json.dumps(config_of(copy.out, simulate={"traces": "search"})))
    wrong = subprocess.run(command, cwd=copy.out, capture_output=True, text=True, check=False)
    assert wrong.returncode != 0 and "Error validating config file" in wrong.stderr


def test_the_configuration_that_is_shipped_is_valid():
    yaml, jsonschema = pytest.importorskip("yaml"), pytest.importorskip("jsonschema")
    schema = yaml.safe_load((SWEEP / "schema.yaml").read_text())
    for path in SWEEP.glob("*.yaml"):
        if path.name != "schema.yaml":
            jsonschema.validate(yaml.safe_load(path.read_text()), schema)
