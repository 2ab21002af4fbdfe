# SPDX-License-Identifier: MIT
"""The report of a run: a synthetic run of known truth in, figures and a page out; broken ones refused."""

import base64
import gzip
import json
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from folders import KNOWN, SCRIPTS_OF_A_RUN, assert_refused, assert_reported, assert_stands_alone, edit_csv, edit_info
from folders import files_of, page_data, read_page, run_command
from simulated import SIM_QUERIES, make_counts, missed
from synthetic import make_full_run

from report.analysis.answer import leaders
from report.analysis.findings import cell_sentences
from report.analysis.misses import kernels, of_cell
from report.command import main
from report.data.cells import Cell
from report.data.files import one_line
from report.data.run import load
from report.data.words import human_bytes
from report.errors import ReportError
from report.figures.axes import nice_ticks, spread
from report.figures.style import METHOD_COLOURS, label_colour, luminance, method_colour

SCRIPTS = Path(__file__).resolve().parent.parent
TABLES = ("summary.csv", "samples.csv")


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A run of all methods in four cells, which no test may change."""
    cells = [Cell(workload, trace, "isolated") for trace in ("game", "random") for workload in ("throughput", "latency")]
    return make_full_run(tmp_path_factory.mktemp("original") / "run", cells, KNOWN, simulated=False)


@pytest.fixture
def run_folder(original, tmp_path):
    """A copy of `original`."""
    return Path(shutil.copytree(original, tmp_path / "run"))


@pytest.fixture
def small(run_folder):
    """Two cells, few methods and rounds: for tests that draw but do not look at the whole."""
    left_out = ["kogge_stone", "dumb7fill", "ray_walk", "classical_rays", "rotated_hyatt", "hyperbola"]
    keep = lambda t: t[(t["trace"] == "game") & ~t["method"].isin(left_out)]  # noqa: E731
    edit_csv(run_folder, "samples.csv", lambda t: keep(t)[keep(t)["round"].astype(int) < 5])
    edit_csv(run_folder, "summary.csv", keep)
    return run_folder


@pytest.fixture(scope="module")
def reported(original, tmp_path_factory):
    """(folder of a run, what its report printed)."""
    folder = tmp_path_factory.mktemp("reported") / "run"
    shutil.copytree(original, folder)
    status, out, err = run_command(main, folder)
    assert (status, err) == (0, "")
    return folder, out


def source_of(folder):
    """The page of a folder, made now."""
    assert_reported(folder)
    return read_page(folder)[0]


# A whole run


def test_files_are_listed_and_not_empty(reported):
    folder, out = reported
    files = [Path(line) for line in out.splitlines()]
    stems = ["ranking", "ranking_narrow", "share", "orders", "rounds"]
    expected = {f"plots/{stem}.{suffix}" for stem in stems for suffix in ("svg", "png")} | {"index.html"}
    assert {str(f.relative_to(folder)) for f in files} == expected
    assert all(f.stat().st_size > 2000 for f in files)
    assert not list(folder.rglob("*.part"))
    size = struct.unpack(">II", (folder / "plots" / "share.png").read_bytes()[16:24])
    assert size == (1200, 630), "the picture to share"


def test_page_is_wellformed_and_has_every_method_and_the_run(reported):
    source, page = assert_stands_alone(reported[0])
    assert {arm["title"] for arm in page_data(source)["arms"]} == {name.replace("_", " ").capitalize() for name in KNOWN}
    text = "\n".join(page.text)
    said = ["Imaginary CPU 9000", "abc1234", "GNU 12.2.0", "the virtual machine offers no PMU", "needs avx512f"]
    for words in ("Magic fancy (magic_fancy)", *said, "the clock rate moved", "32 KiB", "game.trace"):
        assert words in text
    assert "incomplete" not in text


def test_findings_are_the_known_truth(original):
    run = load(original)
    for cell in run.cells:
        assert leaders(run, cell) == (["pext"], True, True)
        assert run.ranked(cell).iloc[-1]["method"] == "ray_walk"
    throughput = " ".join(cell_sentences(run, Cell("throughput", "game", "isolated")))
    assert "Pext (pext) is the fastest" in throughput
    assert re.search(r"it takes 0\.\d+ \[0\.\d+, 0\.\d+\] times as long as the second", throughput)
    assert re.search(r"Equivalent to Magic fancy \(magic_fancy\), within \S1 %: Magic plain", throughput)


def test_same_input_gives_the_same_bytes(reported, run_folder):
    # Another process has other hash seeds and object addresses.
    subprocess.run([sys.executable, SCRIPTS / "report.py", run_folder], check=True, stdout=subprocess.DEVNULL)
    assert files_of(run_folder) == files_of(reported[0])


# Odd runs


def test_hostile_names_make_safe_files(small):
    pressures = {"latency": "64@256K/node", "throughput": "64@256K node"}
    for name in TABLES:
        edit_csv(small, name, lambda t: t.assign(trace="../<b>", pressure=t["workload"].map(pressures)))
    out = assert_reported(small).splitlines()
    assert {Path(line).parent for line in out} == {small, small / "plots"}
    assert len(set(out)) == len(out)
    read_page(small)


def test_incomplete_run_says_so(small):
    edit_info(small, lambda i: i.update(complete=False))
    assert "This run is incomplete" in source_of(small)


def test_bare_run_json_shows_not_recorded(small):
    (small / "run.json").write_text('{"schema": 3}')
    source = source_of(small)
    assert source.count("not recorded") > 10
    assert "is the fastest" not in source


@pytest.mark.parametrize(("schema", "words"), [(2, "older version; run it again"), (None, "older"), (4, "newer version")])
def test_other_versions_are_refused(run_folder, schema, words):
    edit_info(run_folder, lambda i: i.update(schema=schema))
    assert_refused(run_folder, words)


def test_wrong_types_in_run_json_do_not_crash(small):
    odd = {
        "bests": [1, {"cell": 3}, {"cell": {"workload": "latency", "trace": "game"}, "arms": 5}],
        "crossings": [{"cell": {}, "lines": 3}, 7],
        "checks": {"twin": [{"cell": 1, "ratio": "x"}], "control": [None]},
        **{"machine": [1], "build": "x", "versions": 3, "counters": [], "traces": {"a": 1}, "correlations": {}},
        **{"methods": [1, None, {"id": 5}], "skipped": [{}], "effective_ghz": {"median": "fast"}, "warnings": "w"},
        **{"command": "x", "complete": "yes", "seed": {}},
    }
    for info in (odd, {"machine": {"caches": [{"level": 1, "bytes": "32K"}, {"level": 2}, 7]}}):
        (small / "run.json").write_text(json.dumps(info | {"schema": 3}))
        source_of(small)


def test_no_aa_arm(small):
    for name in TABLES:
        edit_csv(small, name, lambda t: t[t["role"] != "twin"])
    edit_csv(small, "summary.csv", lambda t: t.assign(aa_bound=""))
    assert "No A/A control ran" in source_of(small)


def test_one_launch_names_no_fastest(small):
    edit_info(small, lambda i: i.update(bests=[], correlations=[], crossings=[]))
    empty = {f"{name}_{end}": "" for name in ("ns", "net", "ratio", "holm") for end in ("low", "high")}
    edit_csv(small, "summary.csv", lambda t: t.assign(best="", launches="1", **empty))
    source = source_of(small)
    assert "the run did not compare the methods with each other" in source
    assert "is the fastest" not in source
    assert "Pext (pext) has the least ratio" in source


def test_unresolved_and_void_cells_say_why(small):
    def judge(table):
        methods, latency = table["role"] == "method", table["workload"] == "latency"
        verdict = table["verdict"].mask(methods & latency, "unresolved").mask(methods & ~latency, "void")
        bound = table["aa_bound"].mask(latency & (table["ratio"] != ""), "0.023")
        return table.assign(verdict=verdict, aa_bound=bound)

    edit_csv(small, "summary.csv", judge)
    source, said = source_of(small), "unresolved: identical code differed by up to 2.3 %"
    assert [cell["unresolved"] for cell in page_data(source)["cells"]] == ["", said]
    assert said[1:] in " ".join(read_page(small)[1].text)
    assert "Void: the empty loop was slower than a method" in source
    assert "furthest from it is latency on game" in source.lower()
    assert "more than the margin in 1 of 2 cells" in source


def test_an_update_cell_has_times_and_no_ratios(small):
    empty = dict.fromkeys(("ratio", "ratio_low", "ratio_high", "margin", "aa_bound", "verdict", "best"), "")

    def update(table):
        others = table["workload"] != "latency"
        table = table[~others | table["arm"].isin(["empty", "clock", "pext"])]
        table = table.assign(workload=table["workload"].replace("throughput", "update"))
        others = table["workload"] == "update"
        return table.assign(**{n: table[n].mask(others, v) for n, v in empty.items() if n in table.columns})

    for name in TABLES:
        edit_csv(small, name, update)
    source = source_of(small)
    assert "there are times and no ratios" in source
    (row,) = {cell["workload"]: cell["rows"] for cell in page_data(source)["cells"]}["update"]
    assert row["ns_per_query"] and row["net_ns_per_query"], row


def test_one_method_and_no_reference(small):
    for name in TABLES:
        edit_csv(small, name, lambda t: t[(t["method"] == "kindergarten") & (t["workload"] == "latency")])
    empty = dict.fromkeys(("ratio", "ratio_low", "ratio_high", "margin", "aa_bound", "best", "table_bytes"), "")
    edit_csv(small, "summary.csv", lambda t: t.assign(**empty))
    assert "No reference ran" in source_of(small)


def test_one_row(small):
    for name in TABLES:
        edit_csv(small, name, lambda t: t[t["role"] == "reference"].head(1))
    assert "Only the reference" in source_of(small)


def test_same_method_at_two_levels(small):
    def double(table):
        more = table[table["method"] == "pext"].assign(arm="pext@v4", level="v4")
        return pd.concat([table.assign(arm=table["arm"].replace("pext", "pext@v3")), more])

    for name in TABLES:
        edit_csv(small, name, double)
    both = {"arms": ["pext@v3", "pext@v4"], "sure": False}
    edit_info(small, lambda i: i.update(bests=[b | both for b in i["bests"] if "pext" in b["arms"]]))
    assert_reported(small)
    text = (small / "plots" / "orders.svg").read_text()
    assert "pext@v3" in text and "pext@v4" in text
    run = load(small)
    sentence = cell_sentences(run, run.cells[0])[0]
    assert "Pext (pext@v3) and Pext (pext@v4) cannot be told apart" in sentence
    assert "is the fastest" not in sentence


# Counts


def test_counters_keep_their_sources_apart(small):
    head, *lines = make_counts({"pext": KNOWN["pext"]}, ["game"]).splitlines()
    row = next(line for line in lines if "pext" in line and "l1d_misses" in line)
    (small / "counters.csv").write_text("\n".join([head, row, row.replace("simulated", "papi")]) + "\n")
    edit_info(small, lambda i: i.update(counters={"status": "papi", "reason": ""}))
    source = source_of(small)
    assert [count["source"] for count in page_data(source)["counts"]] == ["counted", "simulated"]
    (small / "counters.csv").write_text("launch,arm\n")
    assert page_data(source_of(small))["counts"] == []


def test_misses_belong_to_the_workload_or_the_trace(small):
    """Both kinds beside each other: test_counted_run.py, with what a program counts."""
    counts = make_counts(KNOWN, ["game"])
    (small / "counters.csv").write_text(counts)
    assert "plots/misses_game.svg" in assert_reported(small)
    alone = (small / "plots" / "misses_game.svg").read_text()
    for word in ("simulated, not measured", "L1D misses", "L2 misses", "L3 misses", "DTLB misses"):
        assert word in alone
    assert "counted" not in alone
    papi = "\n".join(
        f"0,{name},{name},v3,latency,game,isolated,l1d_misses,papi,PERF,1,0,8,{i + 7}.125,,,"
        for i, name in enumerate(["magic_fancy", "magic_plain", "pext", "kindergarten"])
    )
    (small / "counters.csv").write_text(counts + papi + "\n")
    out = assert_reported(small)
    assert "plots/misses_game.svg" in out, "throughput, in which nothing was counted"
    assert "plots/misses_latency_game.svg" in out
    run = load(small)
    throughput, latency = (Cell(w, "game", "isolated") for w in ("throughput", "latency"))
    assert of_cell(run, throughput, "l1d_misses", "papi") == {}
    assert of_cell(run, latency, "l1d_misses", "papi")["pext"] == 9.125
    for cell in (throughput, latency):
        assert of_cell(run, cell, "l1d_misses", "simulated")["pext"] == missed(KNOWN["pext"][1], 32768) / SIM_QUERIES
    for other in (Cell("latency", "game", "nnue"), Cell("latency", "game", "isolated", "both")):
        assert of_cell(run, other, "l1d_misses", "simulated") == {}, "neither pressed nor of other queries"
    assert of_cell(run, Cell("latency", "game", "isolated", pages="2m"), "l1d_misses", "papi") == {}


def test_misses_that_cannot_be_drawn(small):
    for known in ({"pext": KNOWN["pext"]}, {"pext": ("", 0, 0), "kindergarten": ("", 0, 0)}):
        (small / "counters.csv").write_text(make_counts(known, ["game"]))
        assert "plots/misses_" not in assert_reported(small)


def test_what_a_query_executes_is_read_from_kernel_csv(small):
    assert kernels(load(small)) == {}
    head = "method,level,instructions_per_query,loads_per_query,branches_per_query,code_bytes"
    (small / "kernel.csv").write_text(f"{head}\npext,v3,7.5,2,0,41\npext,v4,6.5,2,0,39\n")
    source = source_of(small)
    arms = {arm["arm"]: arm for arm in page_data(source)["arms"]}
    assert [arms["pext"][name] for name in ("instructions", "loads", "branches", "code")] == [7.5, 2, 0, 41]
    assert "code" not in arms["magic_fancy"]
    assert "counted one by one" in source
    assert 'href="kernel.csv"' in source
    broken = f"{head}\npext,v3,x,2,0,1\n"
    for text, words in (("", "is empty"), (head, "no rows"), ("method\npext\n", "no column"), (broken, "'x'")):
        (small / "kernel.csv").write_text(text)
        assert_refused(small, "kernel.csv", words)


# Bad input


def test_a_missing_folder(tmp_path):
    assert_refused(tmp_path / "nowhere", "nowhere", "slidebench run")


@pytest.mark.parametrize("name", [*TABLES, "run.json"])
def test_missing_and_empty_files(run_folder, name):
    if name != "run.json":
        edit_csv(run_folder, name, lambda t: t.head(0))
        assert_refused(run_folder, name, "no rows")
    (run_folder / name).unlink()
    if name != "samples.csv":  # a run that was passed on may come without it
        assert_refused(run_folder, name, "missing")
    (run_folder / name).write_text("")
    assert_refused(run_folder, name)


def test_missing_column(run_folder):
    edit_csv(run_folder, "summary.csv", lambda t: t.drop(columns=["ratio_low"]))
    assert_refused(run_folder, "summary.csv", "ratio_low")


@pytest.mark.parametrize(
    ("column", "value"), [("time_ns", "abc"), ("time_ns", "0"), ("queries", "-1"), ("time_ns", "inf")]
)
def test_impossible_cells(run_folder, column, value):
    edit_csv(run_folder, "samples.csv", lambda t: t.assign(**{column: [value] + list(t[column][1:])}))
    assert_refused(run_folder, "samples.csv", "line 2", column, value)


@pytest.mark.parametrize(("content", "words"), [(b"[1]", "object"), (b"{\n", "JSON"), (b"\xff\xfe\x00", "UTF-8")])
def test_no_text_no_json(run_folder, content, words):
    (run_folder / "run.json").write_bytes(content)
    assert_refused(run_folder, "run.json", words)


def test_unwritable_output(run_folder):
    (run_folder / "plots").write_text("in the way")  # also stops root, whom permissions do not
    assert_refused(run_folder, "plots", "cannot be")


def test_missing_packages(original):
    # -S leaves out the folders where a distribution keeps its packages.
    command = [sys.executable, "-S", SCRIPTS / "report.py", original]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "python3-" in done.stderr


def test_a_missing_drawing_library_is_named(small, monkeypatch):
    monkeypatch.setattr("report.page.html.D3", ("/nowhere/d3.min.js",))
    assert_refused(small, "/nowhere/d3.min.js", "install node-d3")


# Headers in the page, and an earlier run beside it


def test_headers_travel_in_the_page(small, tmp_path):
    program = tmp_path / "exporter"
    program.write_text('#!/bin/sh\n[ "$2" != kogge_stone ] && echo "// header of </script> $2" > "$4"\n')
    program.chmod(0o755)
    assert_reported(small, "--program", program)
    source, page = read_page(small)
    assert page.tags.count("script") == SCRIPTS_OF_A_RUN + 1
    held = re.search(r'id="headers">([^<]+)<', source)[1]
    headers = json.loads(gzip.decompress(base64.b64decode(held)))
    assert headers["pext"] == "// header of </script> pext\n"
    assert "kogge_stone" not in headers
    status, _, error = run_command(main, small, "--program", tmp_path / "nowhere")
    assert (status, error.count("\n")) == (2, 1)
    assert "cannot be started" in error


def test_an_earlier_run_stands_beside_it(small, tmp_path):
    before = Path(shutil.copytree(small, tmp_path / "before"))
    ends = ("ratio", "ratio_low", "ratio_high")
    faster = lambda t: t.assign(**{n: t[n].mask(t["arm"] == "pext", "0.1") for n in ends})  # noqa: E731
    edit_csv(before, "summary.csv", faster)

    def source():
        assert_reported(small, "--before", before)
        return read_page(small)[0]

    assert "in 2 of " in source()
    assert "2 changed ratios" in source()
    edit_info(before, lambda i: i["machine"].update(cpu="Another <CPU>"))
    assert "another machine (Another &lt;CPU&gt;)" in source()
    before = tmp_path / "nowhere"
    assert "Not compared" in source()


# Pieces


def test_every_colour_reads():
    """On light paper; test_page_browser.py looks at the dark."""
    assert len(set(METHOD_COLOURS.values())) == len(METHOD_COLOURS)
    for method in [*METHOD_COLOURS, *(f"method_{i}" for i in range(200))]:
        assert 1.05 / (luminance(method_colour(method)) + 0.05) > 3, method
        assert 1.05 / (luminance(label_colour(method)) + 0.05) > 4.5, method
    assert method_colour("pext") == "#834bb9"
    assert method_colour("a_new_method") == method_colour("a_new_method")


@pytest.mark.parametrize("ends", [(0.16, 11), (0.97, 1.04), (0.999, 1.0012), (0.5, 2), (0.001, 5000), (3, 3.5)])
def test_ticks_are_few_and_inside(ends):
    ticks = nice_ticks(*ends)
    assert 2 <= len(ticks) <= 9
    assert all(ends[0] <= t <= ends[1] for t in ticks), ticks


def test_sizes():
    sizes = {0: "0 B", 512: "512 B", 2048: "2 KiB", 9728: "9.50 KiB", 865280: "845 KiB", 2361344: "2.25 MiB"}
    assert {size: human_bytes(size) for size in sizes} == sizes


def test_errors_are_one_line():
    assert one_line("a\r\n\tb\x00 c\u2028d") == "a b c d"
    with pytest.raises(ReportError):
        load("/nonexistent\nfolder")


def test_names_beside_lines_do_not_overlap():
    places = spread([0.1, 0.1, 0.11, 0.5, 0.9], 0.05)
    assert min(b - a for a, b in zip(places, places[1:])) > 0.0499
    assert spread([0.1, 0.9], 0.05) == [0.1, 0.9]


def test_packages_need_only_those_before_them_and_modules_each_other_one_way():
    order = ["errors", "needed", "output", "data", "analysis", "figures", "page", "command"]
    needs = {}
    for path in (SCRIPTS / "report").rglob("*.py"):
        parts = path.relative_to(SCRIPTS / "report").with_suffix("").parts
        found = re.findall(r"^(\s*)from (report\.(\w+)[\w.]*) import", path.read_text(), re.M)
        needs["report." + ".".join(parts)] = {name for _, name, _ in found}
        for indent, name, package in found:
            assert indent.strip("\n") == "", f"{path}: an import inside a function"
            assert order.index(package) <= order.index(parts[0]), f"{path}: {name}"
    while free := [name for name, others in needs.items() if not others & set(needs)]:
        for name in free:
            del needs[name]
    assert needs == {}, "modules that need each other in a circle"
