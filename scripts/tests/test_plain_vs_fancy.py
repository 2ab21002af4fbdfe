# SPDX-License-Identifier: MIT
"""Tests of plain_vs_fancy.sh and plain_vs_fancy_report.py, on data whose truth is known."""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import pandas as pd
import pytest
from folders import edit_csv, edit_info
from synthetic import make_simulation, verdict_of

from report.data.schema import KEY, SUMMARY
from report.errors import ReportError
from studies.plain_vs_fancy import command, data, page, words

SCRIPTS = Path(__file__).resolve().parent.parent
BYTES = {"magic_fancy": 865_280, "magic_plain": 2_361_344, "pext": 863_232, "empty": 0}
CACHES = [("instruction", 1, 64 << 10), ("data", 1, 32 << 10), ("unified", 2, 1 << 20), ("unified", 3, 32 << 20)]
MACHINE = {"cpu": "Imaginary CPU", "hypervisor": ""}
MACHINE["caches"] = [{"type": kind, "level": level, "bytes": size} for kind, level, size in CACHES]

# (workload, trace, pressure, pages) -> the interval of plain over fancy, which the run's verdict follows
PERFT = ("perft", "positions", "isolated", "4k")
ALONE = ("latency", "game", "isolated", "4k")
INTERVALS = {
    ("throughput", "game", "isolated", "4k"): (0.99, 1.01),
    ALONE: (1.03, 1.05),
    ("latency", "game", "nnue", "4k"): (1.00, 1.04),
    ("latency", "game", "isolated", "2m"): (0.90, 0.95),
    PERFT: (1.01, 1.03),
}
# ns that plain is predicted to take more
PREDICTED = {ALONE: 0.35, ("latency", "game", "isolated", "2m"): 0.25}
RUN = {
    "schema": 3,
    "complete": True,
    "inference": {"interval": "student-t", "confidence": 0.95, "margin": 0.02},
    "machine": MACHINE,
    "command": ["/home/someone/slidebench", "run"],
    "commit": "abc",
    "dirty": False,
    "started": "noon",
    "build": {"compiler": "GNU 12.2.0"},
    "counters": {"status": "none", "reason": "no PMU"},
    "traces": [{"name": "game", "xxh3": "0123"}],
}


def ladder_csv(pages=("4k", "2m")):
    lines = ["bytes,pages,large_page_share,ns_per_load,ns_per_load_q1,ns_per_load_q3"]
    for page_ in pages:
        sizes = [round(64 * 2 ** (k / 2)) * 64 for k in range(33)]
        lines += [f"{size},{page_},1,{size / 4096},{size / 5000},{size / 4000}" for size in sizes]
    return "\n".join(lines) + "\n"


def summary_csv(intervals=None, aa=(0.995, 1.005)):
    """One fancy, its twin, one plain, one pext and one empty loop a setting."""
    rows, bound = [], round(max(1 / aa[0], aa[1]) - 1, 5)
    for (workload, trace, pressure, pages), (low, high) in (intervals or INTERVALS).items():
        ratio, fancy = math.sqrt(low * high), 10 if pressure == "isolated" else 20
        where = dict(zip(KEY, (workload, trace, pressure, "all", pages, 0)))
        for arm, role, ns, ends, verdict in (
            ("empty", "empty", 1, None, "baseline"),
            ("magic_fancy", "reference", fancy, (1, 1, 1), "reference"),
            ("magic_fancy.twin", "twin", fancy, (1, *aa), "twin"),
            ("magic_plain", "method", fancy * ratio, (round(ratio, 6), low, high), verdict_of(low, high, bound, 0.02)),
            ("pext", "method", fancy * 0.8, (0.8, 0.79, 0.81), verdict_of(0.79, 0.81, bound, 0.02)),
        ):
            method = arm.removesuffix(".twin")
            row = {"arm": arm, "method": method, "role": role, "table_bytes": BYTES[method], "verdict": verdict}
            row |= where | {"launches": 16, "rounds": 160, "ns_per_query": round(ns, 4)}
            if ends:
                row |= dict(zip(("ratio", "ratio_low", "ratio_high"), ends)) | {"margin": 0.02, "aa_bound": bound}
            rows.append(row)
    return pd.DataFrame(rows, columns=[column.name for column in SUMMARY.columns]).to_csv(index=False)


def predicted_csv(intervals=None):
    """Predictions of the loops: fancy as measured, plain as PREDICTED says, of which 0.1 ns is computed."""
    rows = []
    for workload, trace, pressure, pages in (key for key in intervals or INTERVALS if key[0] != "perft"):
        more = PREDICTED.get((workload, trace, pressure, pages), 0)
        for method, ns in (("empty", 1), ("magic_fancy", 10), ("magic_plain", 10 + more)):
            row = {"method": method, "workload": workload, "trace": trace, "pressure": pressure, "pages": pages}
            row |= {"predicted_ns": ns, "predicted_low": ns, "predicted_high": ns}
            rows.append(row | {"computed_ns": 5.1 if method == "magic_plain" else 5})
    return pd.DataFrame(rows).to_csv(index=False)


def make_folder(root, **changes):
    """A whole folder of results; `changes` replaces files by the name of their keyword, or leaves them out (None)."""
    files = {
        "measured/replay/summary.csv": changes.get("summary", summary_csv()),
        "measured/replay/run.json": json.dumps(changes.get("run", RUN)),
        "predicted/predicted.csv": changes.get("predicted", predicted_csv()),
        "computed/run.json": json.dumps({"started": "later", "commit": "def"}),
        "ladder.csv": changes.get("ladder", ladder_csv()),
        "touches.csv": changes.get("touches", ladder_csv()),
    }
    for name, text in files.items():
        path = Path(root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            path.write_text(text)
    pair = {method: ("magic", BYTES[method], 0) for method in ("magic_fancy", "magic_plain")}
    simulation = make_simulation(Path(root) / "simulated/pair", pair, pressures=("isolated", "nnue"), draws=1)
    edit_info(simulation, lambda info: info["caches"][0].update(notes=["LRU | assumed"]))
    edit_csv(simulation, "counters.csv", lambda rows: rows.assign(source=changes.get("source", "simulated")))
    return Path(root)


def judged(root, summary):
    """The verdicts of a folder with a summary."""
    return data.judged(data.load(make_folder(root, summary=summary)).summary)


def text_of(root, also=None, **changes):
    """The page of a folder."""
    study = data.load(make_folder(root, **changes), also)
    verdicts = data.judged(study.summary)
    return page.page(study, verdicts, data.headline(study, verdicts), [])


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """(folder, files, README) of one report, made once, and looked at from all sides."""
    out = tmp_path_factory.mktemp("out")
    files = command.report(make_folder(tmp_path_factory.mktemp("whole")), out)
    return out, files, (out / "README.md").read_text()


# Verdicts


def test_every_setting_has_the_verdict_of_its_run(tmp_path):
    rows = judged(tmp_path, summary_csv())
    found = {(r.workload, r.trace, r.pressure, r.pages): (r.verdict, r.faster) for r in rows.itertuples()}
    assert found == {
        ("throughput", "game", "isolated", "4k"): ("equivalent", ""),
        ALONE: ("different", "magic_fancy"),
        ("latency", "game", "nnue", "4k"): ("undecided", ""),
        ("latency", "game", "isolated", "2m"): ("different", "magic_plain"),
        PERFT: ("undecided", ""),
    }
    assert list(rows["workload"]) == ["throughput", "latency", "latency", "latency", "perft"]
    assert list(rows["pressure"]) == ["isolated", "isolated", "isolated", "nnue", "isolated"]
    assert "identical code differed by up to 0.5 %" in page.aa_text(rows)


def test_nothing_is_judged_again(tmp_path):
    said = summary_csv().replace(",equivalent", ",void").replace(",slower", ",inconclusive")
    assert list(judged(tmp_path, said)["verdict"]).count("undecided") == 4


def test_where_identical_code_differs_nothing_is_equal(tmp_path):
    rows = judged(tmp_path, summary_csv(aa=(0.94, 1.04)))
    assert set(rows["verdict"]) == {"unresolved"}
    assert "In 5 of 5 settings that is more than the margin" in page.aa_text(rows)
    assert "differed by up to 6.4 %" in page.aa_text(rows)


TWICE = summary_csv() + summary_csv().splitlines()[4].replace(",160,", ",161,", 1) + "\n"


@pytest.mark.parametrize(
    ("said", "changes"),
    [
        ("has no column ratio_low", {"summary": summary_csv().replace("ratio_low", "low")}),
        ("no setting has a ratio", {"summary": summary_csv().replace("magic_plain,magic_plain", "x,pext_line")}),
        ("measured twice", {"summary": TWICE}),
        ("ratios are to pext", {"summary": summary_csv().replace("magic_fancy,magic_fancy", "pext,pext")}),
        ("incomplete", {"run": RUN | {"complete": False}}),
        ("older version; run it again", {"run": RUN | {"schema": 2}}),
        ("a margin of 1 %, and not 2 %", {"summary": summary_csv().replace(",0.02,", ",0.01,")}),
        ("source 'papi'", {"source": "papi"}),
        ("ladder.csv", {"ladder": "bytes,pages\n"}),
        ("touches.csv", {"touches": "bytes,pages\n"}),
        ("predicted.csv", {"predicted": None}),
        ("no cell in common", {"predicted": predicted_csv({("setwise", "game", "nnue", "4k"): 0})}),
    ],
)
def test_what_does_not_belong_together_is_refused(tmp_path, said, changes):
    with pytest.raises(ReportError, match=said) as caught:
        data.judged(data.load(make_folder(tmp_path, **changes)).summary)
    assert "\n" not in str(caught.value)


# Predictions


def test_predictions_are_compared_with_the_measured_intervals(tmp_path):
    rows = data.load(make_folder(tmp_path)).predicted.set_index(["workload", "trace", "pressure", "pages"])
    near, far = rows.loc[ALONE], rows.loc[("latency", "game", "isolated", "2m")]
    assert (near["inside"], far["inside"]) == (True, False)
    assert near["predicted_ns"] == pytest.approx(0.35)
    assert near["computed_ns"] == pytest.approx(0.1)
    assert near["measured_ns"] == pytest.approx(10 * math.sqrt(1.03 * 1.05) - 10, abs=1e-3)
    assert near["measured_low"] == pytest.approx(0.3)
    assert far["residual_ns"] == pytest.approx(10 * math.sqrt(0.90 * 0.95) - 10 - 0.25, abs=1e-3)


def test_the_page_says_how_many_predictions_hold(whole):
    _, _, text = whole
    inside = text.count("| **inside** |")
    assert f"{inside} of {inside + text.count('| outside |')} differences lie in the measured interval" in text
    assert "| latency, game, isolated | 4k | 0.40 [0.30, 0.50] | 0.35 [0.35, 0.35] | +0.10 | +0.25 | +0.05 |" in text
    assert re.search(r"\| latency \| isolated \| -0.18 \| 0.1[78] \| \+0.30 \| -0.48 \| 1 of 2 \|", text)
    assert "Rank correlation of predicted with measured differences in latency: " in text
    assert "(commit `def`), the times from noon on (commit `abc`)" in text


def test_a_note_is_on_the_page(tmp_path):
    make_folder(tmp_path).joinpath("note.txt").write_text("The ladder is\nof another hour.\n")
    assert "\n- The ladder is of another hour.\n" in text_of(tmp_path)


def test_a_machine_without_large_pages_and_the_second_ladder_has_a_page(tmp_path):
    small = {key: value for key, value in INTERVALS.items() if key[3] == "4k"}
    files = make_folder(tmp_path, summary=summary_csv(small), ladder=ladder_csv(pages=("4k",)), touches=None)
    command.report(files, tmp_path / "out")
    text = (tmp_path / "out/README.md").read_text()
    assert "All tables lay on 4 KiB pages" in text
    assert "only the first kind of ladder" in text


# The page


def test_the_template_has_no_number_of_its_own():
    names = r"\{\{.*?\}\}|\{%.*?%\}|`[^`]*`|\]\([^)]*\)|```.*?```|<!--.*?-->|\bi5\b|Core 2 Duo|L1D|95 %|[24] [KM]iB|2m"
    rest = re.sub(names, "", page.TEMPLATE.read_text(), flags=re.DOTALL)
    assert re.findall(r"\S*\d\S*", rest) == []


def test_the_report_is_whole(whole):
    out, files, text = whole
    stems = {path.stem for path in files if path.suffix == ".svg"}
    simulated = {"simulated_curves", "simulated_curves_pages", "simulated_boards"}
    assert stems == {"answer", "ratios", "ladder", "predicted"} | simulated
    assert {path.name for path in files if path.parent == out} == {
        *("README.md", "run.json", "summary.csv", "verdicts.csv", "predicted.csv", "ladders.csv")
    }
    for path in files:
        assert path.stat().st_size > 100, path.name
    links = re.findall(r"\]\(([^)#]+)\)", text)
    assert len(links) > 10
    for link in links:
        assert (out / link).exists(), link
    assert set(re.findall(r"plots/(\w+)\.svg", text)) == stems


def test_figures_of_simulated_counts_say_so(whole):
    for path in whole[1]:
        if path.suffix == ".svg":
            text = "".join(xml.etree.ElementTree.parse(path).getroot().itertext())
            assert ("simulated, not measured" in text) == path.stem.startswith("simulated"), path.stem


def test_the_same_data_give_the_same_bytes(whole, tmp_path):
    again = command.report(make_folder(tmp_path / "again"), tmp_path / "out")
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in whole[1]]


def test_the_page_says_what_the_data_say(whole):
    _, _, text = whole
    for said in (
        "| latency | 0 | 2 | 0 | 1 | 0.925 to 1.040 |",
        "Intervals are 95 %: Student's t on the launches' means",
        "| latency, game, isolated | 2m | 10.00 | 9.25 | 0.925 [0.900, 0.950] | **different**: magic_plain is faster |",
        "**In perft**, on this machine (Imaginary CPU), plain magic is 2.0 % slower [1.0, 3.0] than fancy: apart, "
        "but not surely by more than the margin of 2 %, and in keeping with the 1.6 % on an i5 and the 2.6 % on a "
        "Core 2 Duo",
        "**In a classical search**, without a network: not measured in this run.",
        "0.0 % faster [-1.0, 1.0] in independent look-ups (surely less than the margin of 2 %) and 4.0 % slower "
        "[3.0, 5.0] in look-ups that wait for each other (surely more than the margin of 2 %); beside the memory "
        "traffic of a network (`nnue`), 2.0 % slower [0.0, 4.0] in look-ups that wait for each other: not told apart.",
        "2.7 times as large; the same look-ups touch 1.0 times as many cache lines and miss more often (simulated, "
        "alone, misses a look-up: L1D 1.576 instead of 1.211, L2 0.857 instead of 0.314",
        "in the loops that makes -0.8 to +0.4 ns a look-up.",
        "under `nnue` the simulated host",
        "| host | `magic_plain` | 0.311 | 15 % | 87 % | -2 % |",
        "LRU \\| assumed",
    ):
        assert said in text
    assert "{" not in re.sub(r"`[^`]*`", "", text)
    assert "nan" not in text


def test_it_opens_with_five_sentences_a_figure_and_the_table(whole):
    top, *folded = whole[2].split("<details>")
    assert len(re.findall(r"^- \*\*", top, flags=re.MULTILINE)) == 5
    assert re.findall(r"\]\((plots/.*?)\)", top) == ["plots/answer.svg"]
    rows = [line.split(" | ")[0] for line in top.splitlines() if line.startswith("| ")][1:]
    assert rows == [f"| {name}" for name, *_ in data.QUESTIONS]
    assert whole[2].count("</details>") == len(folded)
    assert whole[2].endswith("</details>\n"), "all else is folded"


def check_expectations(text):
    """The counts behind each expectation are those of the rows of the page's own table."""
    rows = [line.split(" | ") for line in text.splitlines() if re.match(r"\| \w+, \w+, [\w-]+ \| [42][km] \| \d", line)]
    rows = [row for row in rows if re.fullmatch(r"[\d.]+", row[2])]
    where = [row[0].strip("| ").split(", ") for row in rows]
    said = [row[5] for row in rows]
    alone = [v for (w, t, p), v in zip(where, said) if (w, p) == ("throughput", "isolated") and t != "random"]
    heavy = [v for (_, t, p), v in zip(where, said) if p in page.LARGE_NETWORKS and t != "random"]
    for found, word in ((alone, "equivalent"), (heavy, "different")):
        held = sum(word in verdict for verdict in found)
        result = "held" if held == len(found) else "held in part" if held else "did not hold"
        noun = "setting" if len(found) == 1 else "settings"
        assert f"It **{result}**: {held} of {len(found)} {noun} {'is' if held == 1 else 'are'} {word}" in text


def test_expectations_agree_with_the_table_of_settings(whole, tmp_path):
    check_expectations(whole[2])
    settings = {("throughput", "game", "isolated", "4k"): (0.99, 1.01)}
    for pressure, interval in (("nnue", (1.1, 1.2)), ("nnue-xl", (0.99, 1.01)), ("net1024", (1.1, 1.2))):
        settings["setwise", "game", pressure, "4k"] = settings["latency", "game", pressure, "4k"] = interval
    text = text_of(tmp_path, summary=summary_csv(settings))
    check_expectations(text)
    assert "2 of 2 under `nnue`, 0 of 2 under `nnue-xl`" in text
    assert "(`net1024`)" in text, "the fitted preset stands for a network where it was measured"


def test_the_tlb_is_judged_by_what_large_pages_take_away(whole, tmp_path):
    said = "with large pages less than half of the gap is left"
    assert f"and not the L1D, carries most of the gap.* It **held**: 1 of 1 setting is so: {said}." in whole[2]
    settings = {ALONE: (1.10, 1.12), ("latency", "game", "isolated", "2m"): (1.09, 1.11)}
    assert f"It **did not hold**: 0 of 1 setting are so: {said}." in text_of(tmp_path, summary=summary_csv(settings))


def test_derived_files_say_the_same(whole):
    out, _, _ = whole
    info = json.loads((out / "run.json").read_text())
    assert (info["kind"], info["margin"]) == ("plain_vs_fancy", 1.02)
    assert info["measured"]["replay"]["commit"] == "abc"
    assert info["measured"]["replay"]["command"] == ["slidebench", "run"], "no path of a machine is published"
    lines = (out / "verdicts.csv").read_text().splitlines()
    assert len(lines) == 1 + len(INTERVALS)
    assert ",1.02,different,magic_plain," in "\n".join(lines)
    assert lines[1].endswith(",0.99500,1.00500,0.00503"), lines[1]
    assert set(pd.read_csv(out / "predicted.csv")["inside"]) == {True, False}
    assert len(pd.read_csv(out / "summary.csv")) == 5 * len(INTERVALS)


# Other data


def test_perft_is_compared_with_the_old_reports(tmp_path):
    other = {PERFT: (0.99, 1.01), ALONE: (1, 1)}
    for interval, said in (
        ((0.99, 1.01), "less than the 1.6 % on an i5 and the 2.6 % on a Core 2 Duo that"),
        ((1.02, 1.03), "more than the 1.6 % on an i5, in keeping with the 2.6 % on a Core 2 Duo that"),
    ):
        other[PERFT] = interval
        assert said in text_of(tmp_path, summary=summary_csv(other))
    del other[PERFT]
    assert "**In perft**, the unit of 2010: not measured in this run." in text_of(tmp_path, summary=summary_csv(other))


def test_another_run_fills_in_what_was_not_measured_and_says_so(tmp_path):
    other = {("engine", "net256", "isolated", "4k"): (0.98, 1.02), PERFT: (1.03, 1.05)}
    also = make_folder(tmp_path / "other", summary=summary_csv(other, aa=(0.96, 1.01))) / "measured/replay"
    study = data.load(make_folder(tmp_path / "own"), also)
    head = data.headline(study, data.judged(study.summary))
    assert list(head[head["place"] != ""]["name"]) == ["search, network of 256"]
    text = " ".join(text_of(tmp_path / "own", also).split())
    assert "| search, network of 256 \\* |" in text
    assert "commit `abc`, 16 launches and 160 rounds, judged with a margin of 2 %" in text
    assert "because identical code differed by up to 4.2 %" in text
    assert "What both measured, it has so: 4.0 % slower [3.0, 5.0] in perft." in text
    assert "2.0 % slower [1.0, 3.0] than fancy" in text, "the study's own figure comes first"


def test_a_search_that_differs_by_page_says_both(tmp_path):
    small, large = (("engine", "net0", "isolated", pages) for pages in ("4k", "2m"))
    text = text_of(tmp_path, summary=summary_csv({small: (1.03, 1.05), large: (1, 1.03), ALONE: (1, 1)}))
    assert "4.0 % slower [3.0, 5.0] a node: surely more than the margin of 2 %; on 2 MiB pages, 1.5 %" in text


def test_another_machine_s_run_is_refused(tmp_path):
    also = make_folder(tmp_path / "other", run=RUN | {"machine": {"cpu": "Another CPU"}}) / "measured/replay"
    with pytest.raises(ReportError, match="another processor"):
        data.load(make_folder(tmp_path / "own"), also)


def test_the_words_for_how_sure_follow_the_verdict(tmp_path):
    for low, high, said in (
        (1.03, 1.05, "surely more"),
        (0.99, 1.01, "surely less"),
        (0.97, 1.01, "not told apart"),
        (1.01, 1.03, "apart, but not surely"),
    ):
        assert words.how_sure(next(judged(tmp_path, summary_csv({ALONE: (low, high)})).itertuples())).startswith(said)
    rows = judged(tmp_path, summary_csv({ALONE: (0.99, 1.01)}, aa=(0.94, 1.005)))
    assert words.how_sure(next(rows.itertuples())).startswith("no equality can be shown")


def test_large_pages_are_those_that_the_kernel_gave(tmp_path):
    for given, said in ((900, "all tables lay on 2 MiB pages"), (300, "33 % of the bytes")):
        rows = [{"pages": pages, "bytes": 900, "large_page_bytes": given} for pages in ("4k", "2m")]
        assert said in text_of(tmp_path, run=RUN | {"pages": rows})


# Commands


def test_bad_folders_get_one_line_and_status_2(tmp_path, capsys):
    make_folder(tmp_path / "spoilt", ladder="bytes,pages\n4096,4k\n")
    for folder, said in (("nowhere", "no such folder"), (".", "holds no run"), ("spoilt", "ladder.csv")):
        assert command.main([str(tmp_path / folder)]) == 2
        errors = capsys.readouterr().err
        assert errors.count("\n") == 1
        assert said in errors


def script(*arguments):
    return subprocess.run([SCRIPTS / "plain_vs_fancy.sh", *arguments], capture_output=True, text=True, check=False)


def test_the_script_explains_itself():
    done = script("--help")
    assert done.returncode == 0
    assert "--quick" in done.stdout and "minutes" in done.stdout


def test_the_script_refuses_what_it_does_not_know():
    for arguments, said in (
        (["--fast"], "unknown option '--fast'"),
        (["--out"], "--out needs a folder"),
        (["--pgn"], "--pgn needs a file"),
        (["--pgn", "/nonexistent/x.pgn"], "no such file"),
    ):
        done = script(*arguments)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert said in done.stderr


STAND_IN = """#!{python}
# Stands in for slidebench: notes how it was called, and writes what the tests' data say.
import sys
sys.dont_write_bytecode = True
sys.path[:0] = [{scripts!r}, {scripts!r} + "/tests"]
import test_plain_vs_fancy
test_plain_vs_fancy.stand_in(sys.argv[1:])
"""


def stand_in(arguments):
    """Writes what a command of slidebench would; each run of the script has settings of its own."""
    with open("calls", "a", encoding="utf-8") as calls:
        calls.write(" ".join(arguments) + "\n")
    out, settings = Path(arguments[arguments.index("--out") + 1]), {
        "replay": {key: value for key, value in INTERVALS.items() if key != PERFT},
        "engine": {PERFT: INTERVALS[PERFT]},
        "random": {("throughput", "random", "isolated", "4k"): (0.99, 1.01)},
        "setwise": {("setwise", "search", "isolated", "4k"): (0.99, 1.01)},
    }
    if arguments[0] in ("trace", "ladder"):
        out.write_text(ladder_csv())
        return
    place = {"run": "measured/replay", "simulate": "simulated/pair", "predict": "predicted"}[arguments[0]]
    whole = make_folder(Path("stand_in") / out.name, summary=summary_csv(settings.get(out.name)))
    shutil.copytree(whole / place, out)
    (out / "samples.csv").write_text("every slice")


def run_script(folder, *arguments):
    """The whole script, in a tree of its own, in which the program and the build are stand-ins."""
    shutil.copytree(SCRIPTS, folder / "scripts", ignore=shutil.ignore_patterns("tests", "__pycache__"))
    for path, text in (
        (folder / "build/bench/slidebench", STAND_IN.format(python=sys.executable, scripts=str(SCRIPTS))),
        (folder / "scripts/install_deps.sh", "#!/bin/sh\n"),
        (folder / "tools/cmake", "#!/bin/sh\n"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    search = {**os.environ, "PATH": f"{folder / 'tools'}:{os.environ['PATH']}"}
    command_ = [folder / "scripts/plain_vs_fancy.sh", *arguments]
    return subprocess.run(command_, env=search, capture_output=True, text=True, check=False)


def test_it_goes_from_games_to_the_page(tmp_path):
    done = run_script(tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(r"about \d+ minutes", done.stderr)
    out = tmp_path / "reports/plain_vs_fancy"
    assert "different" in (out / "README.md").read_text()
    summary = pd.read_csv(out / "summary.csv")
    assert set(summary["workload"]) == {"throughput", "latency", "setwise", "perft"}
    assert list(out.rglob("samples.csv")) == [], "slices are too many to publish"
    calls = (tmp_path / "calls").read_text()
    assert str(tmp_path) not in calls, "what is recorded must not name a path of this machine"
    assert calls.count("run --margin 2%") == 4
    for wanted in ("--workload perft", "--pressure nnue-xl", "--cache nehalem-i5-3m", "--reuse", "--pages 4k"):
        assert wanted in calls
    for wanted in ("--net 0 --net 256 --net 1024", "--between touches", "--window-queries 256", "predict --trace"):
        assert wanted in calls, "the searches with networks, and what the prediction starts from"


def test_quick_leaves_the_reference_alone(tmp_path):
    done = run_script(tmp_path, "--quick")
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (tmp_path / "reports").iterdir()] == ["plain_vs_fancy_quick"]
    assert "--profile quick" in (tmp_path / "calls").read_text()


def test_a_folder_of_something_else_is_not_touched(tmp_path):
    other = tmp_path / "precious"
    other.mkdir()
    (other / "measured").write_text("mine")
    done = run_script(tmp_path, "--out", str(other))
    assert done.returncode == 2
    assert "holds something else" in done.stderr
    assert (other / "measured").read_text() == "mine"
