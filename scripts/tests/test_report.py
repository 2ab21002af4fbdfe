# SPDX-License-Identifier: MIT
"""The report of a run: a synthetic run of known truth in, figures and a page out; broken ones refused."""

import json
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import synthetic
from folders import KNOWN, Page, assert_refused, assert_reported, assert_stands_alone, edit_csv, edit_info
from folders import packed_parts, page_data, read_page, run_command, source_of
from synthetic import SIM_QUERIES, make_counts, missed

from report.analysis.answer import leaders, read_answer, trace_of
from report.analysis.findings import alarms, cell_sentences, check_rows, warnings
from report.analysis.misses import chosen_cells, kernels, of_cell
from report.analysis.ranks import clustered_interval, spearman
from report.data.cells import Cell, pressure_key, touched
from report.data.files import one_line
from report.data.run import DISTURBANCES, load, round_ratios
from report.data.words import human_bytes, human_change
from report.figures.axes import nice_ticks
from report.figures.style import METHOD_COLOURS, label_colour, luminance, method_colour, with_short_numbers
from studies.figure import inches

SCRIPTS = Path(__file__).resolve().parent.parent
TABLES = ("summary.csv", "samples.csv")
THROUGHPUT, LATENCY = (Cell(workload, "game", "isolated") for workload in ("throughput", "latency"))
FEW = {name: KNOWN[name] for name in ("magic_fancy", "magic_plain", "pext", "kindergarten")}


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """A run with everything that a run can have."""
    return load(synthetic.make_full_run(tmp_path_factory.mktemp("full") / "run"))


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """(folder of a run of all methods in four cells, which no test may change; what its report printed)."""
    cells = [Cell(w, trace, "isolated") for trace in ("game", "random") for w in ("throughput", "latency")]
    folder = synthetic.make_full_run(tmp_path_factory.mktemp("reported") / "run", cells, KNOWN, simulated=False)
    return folder, assert_reported(folder)


@pytest.fixture
def small(tmp_path):
    """Two cells, few methods and rounds."""
    return synthetic.make_full_run(tmp_path / "run", [THROUGHPUT, LATENCY], FEW, rounds=3, simulated=False)


def test_files_are_listed_and_not_empty(reported):
    folder, out = reported
    files = [Path(line) for line in out.splitlines()]
    assert {str(f.relative_to(folder)) for f in files} == {"plots/rounds.svg", "index.html"}
    assert all(f.stat().st_size > 2000 for f in files)
    assert not list(folder.rglob("*.part"))


def test_page_is_wellformed_and_has_every_method_and_the_run(reported):
    source, page = assert_stands_alone(reported[0])
    titles = {name.replace("_", " ").capitalize() for name in KNOWN}
    assert {contender["title"] for contender in page_data(source)["contenders"]} == titles
    text = "\n".join(page.text)
    said = ["Imaginary CPU 9000", "abc1234", "GNU 12.2.0", "the virtual machine offers no PMU", "needs avx512f"]
    assert [words for words in (*said, "the clock rate moved", "32 KiB", "game.trace") if words not in text] == []
    assert "incomplete" not in text


def test_same_input_gives_the_same_bytes(reported, tmp_path):
    # Another process has other hash seeds and object addresses.
    again = shutil.copytree(reported[0], tmp_path / "run", ignore=shutil.ignore_patterns("plots", "index.html"))
    subprocess.run([sys.executable, SCRIPTS / "slidebench.py", "report", again], check=True, stdout=subprocess.DEVNULL)
    one, other = ({p.relative_to(f): p.read_bytes() for p in f.rglob("*") if p.is_file()} for f in (reported[0], again))
    assert one == other


def test_findings_are_the_known_truth(full):
    known = synthetic.methods()
    for cell in full.plain:
        contenders, compared, _ = leaders(full, cell)
        true = {m: synthetic.true_ns(cell, size, work) for m, (_, size, work) in known.items()}
        assert compared and set(contenders) <= {m for m in true if true[m] <= 1.02 * min(true.values())}, cell
    number = r"0\.\d+"
    words = rf"Pext \(pext\) is the fastest.*; it takes {number} \[{number}, {number}\] times as long as the second"
    assert re.search(words, cell_sentences(full, LATENCY)[0])


def test_plain_cells_and_pressures_in_order(full):
    assert set(full.cells) == set(synthetic.cells())
    assert all((c.kinds, c.pages, c.corunners) == ("all", "4k", 0) and "@" not in c.pressure for c in full.plain)
    assert Cell("latency", "game", "nnue", "both", corunners=2).name == "latency of both on game, nnue, 2 co-runners"
    assert touched("nnue") == touched("768@8M/eval/rows")
    assert [name for name in ("isolated", "", "64@", "x@8M/eval", "64@8M/often") if touched(name)] == []
    order = ["isolated", "light", "nnue", "64@8M/eval", "512@8M/eval", "zzz"]
    assert sorted(reversed(order), key=pressure_key) == order


def test_disturbances_are_those_of_the_program():
    sample = (SCRIPTS.parent / "harness" / "statistics" / "sample.hpp").read_text()
    flagged = re.search(r"bool flagged\(\) const \{(.*?)\}", sample, re.S)[1]
    assert tuple(re.findall(r"(\w+)(?:\.value_or\(0\))? > 0", flagged)) == DISTURBANCES


def test_the_page_has_the_answer_and_all_data(full):
    source = source_of(full.folder)
    assert '<li class="sure">' in source
    found = page_data(source)
    assert len(found["contenders"]) == len(synthetic.methods())
    assert len(found["cells"]) == len(full.cells)
    assert {each["contender"]: each["header"] for each in found["contenders"]}["pext"] == "methods/pext/pext.hpp"


def test_the_committed_example_has_a_page(tmp_path):
    folder = Path(shutil.copytree(SCRIPTS.parent / "reports" / "example", tmp_path / "example"))
    assert "samples.csv is not in this folder" in source_of(folder)


def test_the_answer_is_read_as_the_program_wrote_it(full):
    found, written = read_answer(full), json.loads((full.folder / "answer.json").read_text())
    assert [s.text for s in found.situations] == [minus(s["text"]) for s in written["situations"]]
    lines = [{"what": s.what, "change": s.change, "rest": s.rest} for s in found.situations]
    assert lines == [{name: minus(text) for name, text in s["line"].items()} for s in written["situations"]]
    assert [s.id for s in found.drawn] == written["table"]["situations"]
    assert [row[2] for row in found.rows] == [row["ratios"] for row in written["table"]["rows"]]
    assert found.next == (written["next"]["command"], f"{written['next']['minutes']} min: {written['next']['why']}")
    assert found.deciding == "net1024"
    assert trace_of(full) == "search"


def minus(text):
    """A text with true minus signs."""
    return re.sub(r"(?<![\w.])-(?=\d)", "\N{MINUS SIGN}", text)


def test_hostile_names_make_safe_files(small):
    pressures = {"latency": "64@256K/node", "throughput": "64@256K node"}
    for name in TABLES:
        edit_csv(small, name, lambda t: t.assign(trace="../<b>", pressure=t["workload"].map(pressures)))
    out = assert_reported(small).splitlines()
    assert {Path(line).parent for line in out} == {small, small / "plots"}
    assert len(set(out)) == len(out)
    read_page(small)


@pytest.mark.parametrize("value", [0.0, 1e-300, 1e308])
@pytest.mark.parametrize("column", ["ratio", "ratio_low", "ratio_high", "margin"])
def test_numbers_beyond_all_measure_are_drawn_within_it(small, column, value):
    """Two process runs on a noisy machine have intervals whose low end is printed as 0; no ratio can be."""
    edit_csv(small, "summary.csv", lambda t: t.assign(**{column: t[column].where(t["contender"] != "pext", value)}))
    if value == 0 and column in ("ratio", "ratio_high"):
        assert_refused(small)
    else:
        assert_reported(small)


JUDGED = ["ratio", "ratio_low", "ratio_high", "margin", "aa_bound", "best"]
ENDS = [f"{name}_{end}" for name in ("ns", "net", "ratio", "holm") for end in ("low", "high")]
TIED = [{"cell": c.__dict__, "contenders": ["pext", "kindergarten"]} for c in (THROUGHPUT, LATENCY)]


def emptied(columns):
    """An edit that empties columns, where a table has them."""
    return lambda table: table.assign(**{name: "" for name in columns if name in table})


@pytest.mark.parametrize("info, edits, words", [
    ({"complete": False}, [], ["This run is incomplete"]),
    ({"bests": []}, [emptied([*ENDS, "best"])], ["did not compare the methods", "Pext (pext) has the least ratio"]),
    ({}, [lambda t: t[t["role"] != "twin"], emptied(["aa_bound"])], ["No A/A control ran"]),
    ({}, [lambda t: t[t["method"] == "kindergarten"], emptied(JUDGED)], ["No reference ran"]),
    ({}, [lambda t: t[t["role"] == "reference"].head(1)], ["Magic fancy (magic_fancy)"]),
    ({}, [lambda t: t.assign(aa_bound="0.023")], ["differed by up to 2.3 %", "in 2 of 2 cells"]),
    ({}, [lambda t: t.assign(workload="duel")], ["How fast chess engines search", "Speed is not strength"]),
    ({}, [lambda t: t.assign(verdict="void")], ["Void: the empty loop was slower"]),
    ({"bests": TIED}, [], ["Pext (pext) and Kindergarten (kindergarten) are tied"]),
])  # fmt: skip
def test_what_is_not_known_is_said(small, info, edits, words):
    edit_info(small, lambda i: i.update(info))
    for name in TABLES:
        for edit in edits:
            edit_csv(small, name, edit)
    source = source_of(small)
    said = " ".join([*Page(source).text, *(cell["said"] for cell in page_data(source)["cells"])])
    assert [word for word in words if word not in said] == []
    assert "bests" not in info or "is the fastest" not in source


def test_a_run_without_an_answer_and_a_bare_run_json_say_what_they_lack(small):
    (small / "answer.json").unlink()
    source = source_of(small)
    assert "slidebench show DIR --json &gt; DIR/answer.json" in source
    assert page_data(source)["answer"] is None
    (small / "run.json").write_text('{"schema": 4}')
    source = source_of(small)
    assert source.count("not recorded") > 10
    assert "is the fastest" not in source


@pytest.mark.parametrize(("workload", "unit"), [("update", "move"), ("keep", "query")])
def test_a_cell_of_moves_or_of_an_extra_is_judged_and_has_its_unit(small, workload, unit):
    for name in TABLES:
        edit_csv(small, name, lambda t: t.assign(workload=t["workload"].replace("throughput", workload)))
    (cell,) = (cell for cell in page_data(source_of(small))["cells"] if cell["workload"] == workload)
    assert cell["unit"] == unit and f"ns per {unit}" in cell["said"]
    assert any(row["verdict"] == "faster" for row in cell["rows"])


def test_simulated_misses_are_those_of_queries_and_of_no_moves(small):
    (small / "counters.csv").write_text(make_counts(KNOWN, ["game"]))
    for name in TABLES:
        edit_csv(small, name, lambda t: t.assign(workload=t["workload"].replace("latency", "update")))
    run = load(small)
    found = {cell.workload: of_cell(run, cell, "l1d_misses", "simulated") for cell in run.cells if cell.pressure == "isolated"}
    assert found["throughput"] and not found["update"]
    assert {cell.workload for cell in chosen_cells(run)} == {"throughput"}


def test_same_method_at_two_levels(small):
    def double(table):
        more = table[table["method"] == "pext"].assign(contender="pext@v4", level="v4")
        return pd.concat([table.assign(contender=table["contender"].replace("pext", "pext@v3")), more])

    for name in TABLES:
        edit_csv(small, name, double)
    assert {"pext@v3", "pext@v4"} <= {contender["label"] for contender in page_data(source_of(small))["contenders"]}


@pytest.mark.parametrize(("result", "valid", "is_alarm"), [("imprecise", False, False), ("failed", False, True)])
def test_failed_checks_are_alarms_and_imprecise_ones_are_not(small, result, valid, is_alarm):
    wide = {"cell": LATENCY.__dict__, "ratio": 1, "low": 0.9, "high": 1.1, "margin": 0.01, "result": result}
    edit_info(small, lambda i: i.update(checks={"valid": valid, "twin": [wide], "control": []}))
    run = load(small)
    assert check_rows(run) == [("A/A", LATENCY.name, "1 \xb1 0.01", "1.0000 [0.9000, 1.1000]", result)]
    assert bool(alarms(run)) == is_alarm


def test_disturbed_rounds_are_marked_and_said_where_they_matter(small):
    assert not round_ratios(load(small), LATENCY)["disturbed"].all()
    edit_csv(small, "samples.csv", lambda t: t.assign(minor_faults=1))
    edit_csv(small, "summary.csv", lambda t: t.assign(ratio_unflagged=t["ratio_unflagged"].mask(t["contender"] == "pext", "0.5")))
    run = load(small)
    assert round_ratios(run, LATENCY)["disturbed"].all()
    assert any(text.startswith("2 ratios move") for text in warnings(run))


def test_misses_belong_to_the_workload_or_the_trace(small):
    """Both kinds beside each other: test_runs.py, with what a program counts."""
    counts = make_counts(FEW, ["game"])
    (small / "counters.csv").write_text(counts)
    assert "plots/misses_game.svg" in assert_reported(small)
    alone = (small / "plots" / "misses_game.svg").read_text()
    said = ("simulated, not measured", "L1D misses", "L2 misses", "L3 misses", "DTLB misses", "counted")
    assert [words for words in said if words not in alone] == ["counted"]
    counted = [f"0,{m},{m},v3,latency,all,game,isolated,0,l1d_misses,measured,PERF,1,0,8,{i}.125,,,4k," for i, m in enumerate(FEW)]
    (small / "counters.csv").write_text(counts + "\n".join(counted) + "\n")
    edit_info(small, lambda i: i.update(counters={"status": "measured", "reason": ""}))
    run = load(small)
    assert of_cell(run, THROUGHPUT, "l1d_misses", "measured") == {}
    assert of_cell(run, LATENCY, "l1d_misses", "measured")["pext"] == (2.125,) * 3
    for cell in (THROUGHPUT, LATENCY):
        assert of_cell(run, cell, "l1d_misses", "simulated")["pext"][0] == missed(KNOWN["pext"][1], 32768) / SIM_QUERIES


@pytest.mark.parametrize("known", [{"pext": KNOWN["pext"]}, {"pext": ("", 0, 0), "kindergarten": ("", 0, 0)}])
def test_misses_that_cannot_be_drawn(small, known):
    (small / "counters.csv").write_text(make_counts(known, ["game"]))
    assert "plots/misses_" not in assert_reported(small)


KERNEL = "method,level,instructions_per_query,loads_per_query,branches_per_query,code_bytes\n"


def test_what_a_query_executes_is_read_from_kernel_csv(small):
    assert kernels(load(small)) == {}
    (small / "kernel.csv").write_text(f"{KERNEL}pext,v3,7.5,2,0,41\npext,v4,6.5,2,0,39\n")
    source = source_of(small)
    contenders = {contender["contender"]: contender for contender in page_data(source)["contenders"]}
    assert [contenders["pext"][name] for name in ("instructions", "loads", "branches", "code")] == [7.5, 2, 0, 41]
    assert "code" not in contenders["magic_fancy"]
    assert 'data-file="kernel.csv"' in source
    assert packed_parts(source)["files"]["kernel.csv"].startswith(KERNEL)


@pytest.mark.parametrize("name, content, words", [
    *((name, None, "missing") for name in ("summary.csv", "run.json")),
    *((name, b"", "") for name in (*TABLES, "run.json", "answer.json")),
    *((name, b"[1]", "object") for name in ("run.json", "answer.json")),
    *((name, b"{\n", "JSON") for name in ("run.json", "answer.json")),
    ("run.json", b"\xff\xfe", "UTF-8"),
    ("run.json", b'{"schema": 2}', "older version; run it again"),
    ("run.json", b"{}", "older version"),
    ("run.json", b'{"schema": 5}', "newer version"),
    ("summary.csv", lambda t: t.drop(columns=["ratio_low"]), "ratio_low"),
    *((name, lambda t: t.head(0), "no rows") for name in TABLES),
    *(("samples.csv", lambda t, v=v: t.assign(time_ns=v), f"line 2: time_ns is '{v}'") for v in ("x", "0", "inf")),
    ("samples.csv", lambda t: t.assign(queries="-1"), "line 2: queries is '-1'"),
    ("kernel.csv", b"", "is empty"),
    ("kernel.csv", KERNEL.encode(), "no rows"),
    ("kernel.csv", b"method\npext\n", "no column"),
    ("kernel.csv", f"{KERNEL}pext,v3,x,2,0,1\n".encode(), "'x'"),
    ("plots", b"in the way", "cannot be"),  # also stops root, whom permissions do not
])  # fmt: skip
def test_bad_files_are_refused_in_one_line(small, name, content, words):
    if content is None:
        (small / name).unlink()
    elif callable(content):
        edit_csv(small, name, content)
    else:
        (small / name).write_bytes(content)
    assert_refused(small, name if "version" not in words else "run", words)


def test_missing_packages(reported):
    # -S leaves out the folders where a distribution keeps its packages.
    command = [sys.executable, "-S", SCRIPTS / "slidebench.py", "report", reported[0]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "python3-" in done.stderr


def test_a_missing_drawing_library_is_named(small, monkeypatch):
    monkeypatch.setattr("report.page.html.D3", ("/nowhere/d3.min.js",))
    assert_refused(small, "/nowhere/d3.min.js", "install node-d3")


def test_an_earlier_run_stands_beside_it(small, tmp_path):
    before = Path(shutil.copytree(small, tmp_path / "before"))
    ends = ("ratio", "ratio_low", "ratio_high")
    edit_csv(before, "summary.csv", lambda t: t.assign(**{n: t[n].mask(t["contender"] == "pext", "0.1") for n in ends}))
    source = source_of(small, "--before", before)
    assert "in 2 of " in source and "2 changed ratios" in source
    edit_info(before, lambda i: i["machine"].update(cpu="Another <CPU>"))
    assert "another machine (Another &lt;CPU&gt;)" in source_of(small, "--before", before)
    assert "Not compared" in source_of(small, "--before", tmp_path / "nowhere")


def test_a_figure_has_the_methods_and_the_width(reported, tmp_path):
    chosen = ("--cell", THROUGHPUT.name, "--method", "pext", "magic_fancy", "--width", "84mm")
    for out in (tmp_path / "a.svg", tmp_path / "b.svg", tmp_path / "c.pdf"):
        assert run_command("figure", reported[0], *chosen, "--out", out) == (0, f"{out}\n", "")
    text = (tmp_path / "a.svg").read_text()
    assert 'width="238.1' in text and text == (tmp_path / "b.svg").read_text()
    assert (tmp_path / "c.pdf").read_bytes().startswith(b"%PDF")
    assert inches("50.8mm") == pytest.approx(2)
    assert run_command("figure", reported[0], "--out", tmp_path / "all.png")[0] == 0


@pytest.mark.parametrize("arguments, words", [
    (["--cell", "perft"], [f"no cell 'perft' in this run; it has: {THROUGHPUT.name}; {LATENCY.name}"]),
    (["--method", "pxt"], ["no method 'pxt'", "hyperbola"]),
    (["--width", "9"], ["--width"]),
    (["--out", "a.gif"], ["give --out one of these endings"]),
])  # fmt: skip
def test_a_figure_of_what_is_not_there_is_refused(reported, tmp_path, arguments, words):
    out = [] if "--out" in arguments else ["--out", tmp_path / "a.pdf"]
    status, _, err = run_command("figure", reported[0], *arguments, *out)
    assert status == 2 and all(word in err for word in words), err
    assert not list(tmp_path.iterdir())


def test_rows_of_one_cluster_count_once_and_a_constant_has_no_correlation():
    draw = np.random.default_rng(3)
    a = draw.normal(size=40)
    b = a + draw.normal(size=40)
    alone = clustered_interval(a, b, range(40))
    repeated = clustered_interval(np.repeat(a, 12), np.repeat(b, 12), np.repeat(range(40), 12))
    assert np.ptp(repeated) == pytest.approx(np.ptp(alone), rel=0.1)
    rho = spearman(a, b)  # by Fisher's z, its interval is about as wide
    spread = 1.96 * math.sqrt((1 + rho * rho / 2) / 37)
    assert np.ptp(alone) == pytest.approx(math.tanh(math.atanh(rho) + spread) - math.tanh(math.atanh(rho) - spread), rel=0.3)
    assert np.isnan(clustered_interval(a, b, ["one"] * 40)).all()
    assert math.isnan(spearman([1, 1, 1], [1, 2, 3]))


def test_every_colour_reads():
    """On light paper; test_page_browser.py looks at the dark."""
    assert len(set(METHOD_COLOURS.values())) == len(METHOD_COLOURS)
    for method in [*METHOD_COLOURS, "a_new_method"]:
        assert 1.05 / (luminance(method_colour(method)) + 0.05) > 3, method
        assert 1.05 / (luminance(label_colour(method)) + 0.05) > 4.5, method


@pytest.mark.parametrize("ends", [(0.16, 11), (0.97, 1.04), (0.999, 1.0012), (0.5, 2), (0.001, 5000), (3, 3.5)])
def test_ticks_are_few_and_inside(ends):
    ticks = nice_ticks(*ends)
    assert 2 <= len(ticks) <= 9
    assert all(ends[0] <= t <= ends[1] for t in ticks), ticks


def test_sizes_and_changes_in_words():
    sizes = {0: "0 B", 512: "512 B", 2048: "2 KiB", 9728: "9.50 KiB", 865280: "845 KiB", 2361344: "2.25 MiB"}
    assert {size: human_bytes(size) for size in sizes} == sizes
    assert one_line("a\r\n\tb\x00 c\u2028d") == "a b c d"
    said = {0.945: "\N{MINUS SIGN}5.5 %", 0.774: "\N{MINUS SIGN}23 %", 1.0002: "0.0 %", 4.52: "+352 %"}
    said |= {12.34: "12.3\N{MULTIPLICATION SIGN}"}
    assert {ratio: human_change(ratio) for ratio in said} == said
    assert human_change(None) == "\N{EN DASH}"


def test_packages_need_only_those_before_them():
    order = ["errors", "arguments", "output", "data", "analysis", "figures", "page", "command"]
    for path in (SCRIPTS / "report").rglob("*.py"):
        own = path.relative_to(SCRIPTS / "report").with_suffix("").parts[0]
        for needed in re.findall(r"^\s*from report\.(\w+)[\w.]* import", path.read_text(), re.M):
            assert order.index(needed) <= order.index(own), path


def test_short_numbers_are_those_of_the_drawing_and_not_of_its_text():
    drawn = '<path d="M 1.23456 7.5\nL 8.98765 1"/><text x="3.14159">0.969 pext</text>'
    assert with_short_numbers(drawn) == '<path d="M 1.23 7.5\nL 8.98 1"/><text x="3.14">0.969 pext</text>'
