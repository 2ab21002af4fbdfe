# SPDX-License-Identifier: MIT
"""Tests of plain_vs_fancy.sh and its report, on data whose truth is known."""

import math
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree
from pathlib import Path

import pandas as pd
import pytest
from folders import edit_csv, edit_info, run_command
from synthetic import make_full_run, make_simulation, verdict_of

from report.data.cells import Cell
from report.data.files import read_json
from report.data.schema import KEY

SCRIPTS = Path(__file__).resolve().parent.parent
PLAINS = ["magic_plain", "magic_plain_arrays"]
PAIR = {"magic_fancy": ("magic", 865_280, 3.6)} | {name: ("magic", 2_361_344, 3.6) for name in PLAINS}
ALONE, ON_LARGE_PAGES = (Cell("latency", "search", "isolated", pages=pages) for pages in ("4k", "2m"))
PERFT = Cell("perft", "positions", "isolated")
# cell -> (the interval of plain over fancy, which takes 10 ns; what the run says of it, with a margin of 1 %)
TRUTH = {
    Cell("throughput", "search", "isolated"): ((0.995, 1.005), "equivalent"),
    ALONE: ((1.03, 1.05), "slower"),
    ON_LARGE_PAGES: ((0.90, 0.95), "faster"),
    Cell("latency", "search", "nnue"): ((1.00, 1.04), "inconclusive"),
    PERFT: ((1.005, 1.03), "inconclusive"),
}


def make_run(folder, truth):
    """A run in which plain has exactly these intervals, and identical code differs by up to 0.5 %."""
    make_full_run(folder, list(truth), PAIR, process_runs=2, rounds=2, simulated=False)
    rows = pd.read_csv(folder / "summary.csv")
    for cell, ((low, high), _) in truth.items():
        own = (rows[KEY] == [getattr(cell, name) for name in KEY]).all(axis=1)
        ratio = math.sqrt(low * high)
        columns = ["ns_per_query", "ratio", "ratio_low", "ratio_high", "verdict"]
        found = [10 * ratio, ratio, low, high, verdict_of(low, high, 0.005)]
        rows.loc[own & rows["method"].isin(PLAINS), columns] = found
        rows.loc[own & (rows["role"] == "reference"), "ns_per_query"] = 10
        rows.loc[own & rows["margin"].notna(), "aa_bound"] = 0.005
    rows.to_csv(folder / "summary.csv", index=False)


def make_folder(root):
    """A whole folder of results."""
    make_run(root / "measured/replay", TRUTH)
    took = "the positive control has 10 % more to do (tolerance 2.5 %) and took {} times the reference's time in {}: {}"
    warnings = [took.format("1.140 [1.130, 1.150]", "a cell", "do not believe this cell")]
    warnings.append(took.format("1.097 [1.075, 1.119]", "another", "too uncertain to tell"))
    edit_info(root / "measured/replay", lambda info: info.update(command=["/home/someone/slidebench", "run"], warnings=warnings))
    simulation = make_simulation(root / "simulated/pair", PAIR, ("search",), ("isolated", "nnue"), draws=1)
    edit_info(simulation, lambda info: info["caches"][0].update(notes=["LRU | assumed"]))
    return root


def report(folder, out):
    """Makes the report; returns its page."""
    status, _, err = run_command("plain-vs-fancy", folder, "--out", out)
    assert (status, err) == (0, "")
    return (out / "README.md").read_text()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """(folder of results, folder of the report, page), made once, and looked at from all sides; not to be changed."""
    folder, out = make_folder(tmp_path_factory.mktemp("whole")), tmp_path_factory.mktemp("out")
    return folder, out, report(folder, out)


@pytest.fixture
def folder(whole, tmp_path):
    """A folder of results of one's own."""
    return shutil.copytree(whole[0], tmp_path / "folder")


def test_every_setting_has_the_verdict_of_its_run(whole):
    rows = pd.read_csv(whole[1] / "verdicts.csv")
    found = {Cell(*row[KEY[:5]], row["corunners"]): row for _, row in rows.iterrows()}
    assert {cell: row["verdict"] for cell, row in found.items()} == {cell: said for cell, (_, said) in TRUTH.items()}
    expected = [10, 10 * math.sqrt(1.03 * 1.05), 1.03, 1.05, 0.01, 0.005]
    columns = ["fancy_ns", "plain_ns", "ratio_low", "ratio_high", "margin", "aa_bound"]
    assert list(found[ALONE][columns]) == pytest.approx(expected, abs=1e-5)
    assert list(rows["workload"]) == ["throughput", "latency", "latency", "latency", "perft"]
    assert list(rows["pressure"])[1:4] == ["isolated", "isolated", "nnue"]


def test_the_page_says_what_the_data_say(whole):
    text = " ".join(whole[2].split())
    for said in (
        "Against fancy, plain magic is in perft 1.7 % slower [0.5 %, 3.0 %]; in a loop between 0.5 % faster and 0.5 % slower.**",
        "In all 5 settings plain is equivalent in 1, faster in 1, not significant in 2, slower in 1; its time over fancy's is 0.92 to 1.04.",
        "tables are 2.7 times as large, and the same look-ups touch 1.0 times as many cache lines.",
        "L1D 1.2110 / 1.5760, L2 0.3140 / 0.8570,",
        "In the loops above plain's time less fancy's is -0.75 to +0.40 ns a look-up",
        "| perft | 4k | replay | 10.00 | 1.017 [1.005, 1.030] | not significant | 1.017 [1.005, 1.030] | not significant | 1.0 % | 0.5 % |",
        "| loop, dependent look-ups | 2m | replay | 10.00 | 0.925 [0.900, 0.950] | faster | 0.925 [0.900, 0.950] | faster | 1.0 % | 0.5 % |",
        "| search, network of 256 | | | | \N{EN DASH} | not measured | \N{EN DASH} | |",
        "| replay | 2026-01-02T03:04:05Z | `abc1234` | search `digest of search` | 3, 12 | 1.0 % |",
        "In 0 of 5 settings identical code may have differed by more than the margin (at most 0.5 %).",
        "The positive control failed in 1 cells and was imprecise in 1. Run replay, a cell: 1.140 [1.130, 1.150] instead of 1.1.",
    ):
        assert said in text
    assert "{" not in text and "nan" not in text


def test_the_report_is_whole(whole):
    _, out, text = whole
    stems = {"answer", "ratios", "simulated_curves", "simulated_curves_pages", "simulated_boards"}
    linked = {"../methodology.md", "run.json.gz", "summary.csv.gz", "verdicts.csv", "process_runs.csv.gz"}
    linked |= {f"plots/{stem}.svg" for stem in stems}
    assert set(re.findall(r"\]\(([^)#]+)\)", text)) == linked
    assert {str(path.relative_to(out)) for path in out.rglob("*.*")} == linked - {"../methodology.md"} | {"README.md"}
    for path in out.glob("plots/*.svg"):
        words = "".join(xml.etree.ElementTree.parse(path).getroot().itertext())
        assert ("simulated, not measured" in words) == path.stem.startswith("simulated"), path.stem
    assert re.findall(r"\]\((plots/.*?)\)", text.split("\n## ")[0]) == ["plots/answer.svg"]
    info = read_json(out / "run.json.gz")
    assert info["kind"] == "plain_vs_fancy", "by which the script knows such a report"
    assert info["runs"]["replay"]["commit"] == "abc1234"
    assert info["runs"]["replay"]["command"][0] == "slidebench", "without the place of the program"


def test_another_run_beside_it_is_shown_as_one(folder, tmp_path):
    other = {Cell("engine", "net256", "isolated"): ((0.98, 1.02), ""), PERFT: ((1.03, 1.05), "")}
    make_run(folder / "measured/with_networks", other)
    rows = [{"pages": pages, "bytes": 900, "large_page_bytes": 300} for pages in ("4k", "2m")]
    edit_info(folder / "measured/replay", lambda info: info.update(pages=rows))
    text = report(folder, tmp_path / "out")
    assert "33.3 % of the tables' bytes lay on 2 MiB ones" in text
    assert "| search, network of 256 | 4k | with_networks |" in text
    for run, ratio in (("replay", "1.017"), ("with_networks", "1.040")):
        assert f"| perft | 4k | {run} | 10.00 | {ratio} [" in text


def test_a_machine_without_large_pages_has_a_page(folder, tmp_path):
    edit_csv(folder, "measured/replay/summary.csv", lambda rows: rows[rows["pages"] == "4k"])
    text = report(folder, tmp_path / "out")
    assert "all tables lay on 4 KiB ones" in text


@pytest.mark.parametrize("said, name, old, new", [
    ("no setting has a ratio", "measured/replay/summary.csv", "magic_plain,magic_plain", "x,x"),
    ("ratios are not to magic_fancy", "measured/replay/summary.csv", "magic_fancy,magic_fancy", "x,x"),
    ("incomplete", "measured/replay/run.json", '"complete": true', '"complete": false'),
    ("another processor", "measured/other/run.json", "Imaginary CPU", "Another CPU"),
    ("or tables, or not of search, isolated", "simulated/pair/tables.csv", None, ""),
    ("no such folder", "measured/replay/run.json", None, None),
])  # fmt: skip
def test_what_does_not_belong_together_is_refused_in_one_line(folder, tmp_path, said, name, old, new):
    path = folder / name
    if "other" in name:
        shutil.copytree(folder / "measured/replay", path.parent)
    if new is None:
        shutil.rmtree(path.parent)
    else:
        path.write_text(path.read_text().replace(old, new) if old else new)
    status, out, err = run_command("plain-vs-fancy", folder, "--out", tmp_path / "out")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert not (tmp_path / "out").exists()


STAND_IN = """#!/bin/bash
# Stands in for slidebench: notes how it was called, and gives what the tests made.
echo "$*" >>calls
case "$1" in
  run) from=measured/replay ;;
  simulate) from=simulated/pair ;;
esac
cp -r "$MADE/$from" "${!#}"
"""


def run_script(made, tree, *arguments):
    """The whole script, in a tree of its own, in which the program and the build are stand-ins."""
    shutil.copytree(SCRIPTS, tree / "scripts", ignore=shutil.ignore_patterns("tests", "__pycache__"))
    nothing = "#!/bin/sh\n"
    stand_ins = {"build/bench/slidebench": STAND_IN, "scripts/install_deps.sh": nothing, "tools/cmake": nothing}
    for name, text in stand_ins.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
        (tree / name).chmod(0o755)
    environment = os.environ | {"PATH": f"{tree / 'tools'}:{os.environ['PATH']}", "MADE": str(made)}
    script = [tree / "scripts/plain_vs_fancy.sh", *arguments]
    return subprocess.run(script, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("quick", [False, True])
def test_the_script_goes_from_games_to_the_page(whole, tmp_path, quick):
    done = run_script(whole[0], tmp_path, *(["--quick"] if quick else []))
    assert done.returncode == 0, done.stderr
    assert re.search(r"about \d+ minutes", done.stderr)
    (out,) = (tmp_path / "reports").iterdir()
    assert out.name == ("plain_vs_fancy_quick" if quick else "plain_vs_fancy"), "the reference is left alone"
    assert "not significant" in (out / "README.md").read_text()
    assert not list(out.rglob("samples.csv")), "samples are too many to publish"
    calls = (tmp_path / "calls").read_text()
    assert str(tmp_path) not in calls, "what is recorded must not name a path of this machine"
    assert calls.count("run --margin 2%") == (2 if quick else 7)
    wanted = ["--workload perft", "--cache host", "--reuse", "--net 1024"]
    wanted += ["--profile quick"] if quick else ["--pressure nnue-xl", "--cache nehalem-i5-3m", "--net 0 --net 256", "--corunner 1"]
    assert [words for words in wanted if words not in calls] == []


@pytest.mark.parametrize("arguments, said", [
    (["--fast"], "unknown option '--fast'"),
    (["--out"], "--out needs a folder"),
    (["--out", str(SCRIPTS)], "holds something else"),
])  # fmt: skip
def test_the_script_refuses_what_it_cannot_use(arguments, said):
    done = subprocess.run([SCRIPTS / "plain_vs_fancy.sh", *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr
    help_ = subprocess.run([SCRIPTS / "plain_vs_fancy.sh", "--help"], capture_output=True, text=True, check=True)
    assert "--quick" in help_.stdout
