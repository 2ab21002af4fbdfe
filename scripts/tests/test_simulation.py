# SPDX-License-Identifier: MIT
"""The report of a simulation."""

import json
import math
import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from folders import KNOWN, assert_refused, assert_reported, assert_stands_alone, edit_csv, read_page, source_of
from synthetic import CACHES, SIM_QUERIES, make_simulation, missed

from report.data.simulation import LINE, board_of, load_simulation, sizes_of
from report.figures.simulation import curves
from report.figures.style import set_defaults


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """(folder of a simulation, what its report printed)."""
    folder = make_simulation(tmp_path_factory.mktemp("simulation") / "original", KNOWN)
    return folder, assert_reported(folder)


@pytest.fixture
def little(tmp_path):
    """A simulation of three methods alone."""
    few = {name: KNOWN[name] for name in ("magic_fancy", "pext", "kogge_stone")}
    return make_simulation(tmp_path / "little", few, pressures=("isolated",), draws=1)


def test_files_are_listed_and_not_empty(reported):
    folder, out = reported
    files = [Path(line) for line in out.splitlines()]
    stems = [f"misses_game_{c}{p}" for c in CACHES for p in ("", "_light")]
    stems += ["curves_game", "curves_pages_game", "lines_game", "squares_game_host", "squares_game_host_light"]
    assert {str(f.relative_to(folder)) for f in files} == {f"plots/{stem}.svg" for stem in stems} | {"index.html"}
    assert all(f.stat().st_size > 2000 for f in files)
    assert [f.name for f in files if f.suffix == ".svg" and "simulated, not measured" not in f.read_text()] == []


def test_page_is_wellformed_and_says_what_it_is(reported):
    source, page = assert_stands_alone(reported[0])
    assert page.tags.count("svg") == 9
    assert source.count("<figcaption>Simulated, not measured") == 9
    text = "\n".join(page.text)
    said = (*KNOWN, "Imaginary CPU 9000", "abc1234", "L1=32K/8/64:lru", "slidebench simulate --out out")
    assert [words for words in (*said, "64 lines touched at each node") if words not in text] == []
    assert "is incomplete" not in text


def test_misses_are_the_known_truth(reported):
    simulation = load_simulation(reported[0])
    assert [place.pressure for place in simulation.places] == ["isolated"] * 2 + ["light"] * 2
    host, small = simulation.places[:2]
    wide = simulation.misses(host)
    assert "empty" not in wide.index
    assert wide.index[-1] == "magic_plain"
    size = KNOWN["pext"][1]
    low = missed(size, 32768) / SIM_QUERIES
    np.testing.assert_allclose(wide.loc["pext", "L1D"][["median", "low", "high"]], [low + 0.0005, low, low + 0.001])
    assert list(dict.fromkeys(wide.columns.get_level_values(0))) == ["L1D", "L2", "L3", "DTLB"]
    assert list(dict.fromkeys(simulation.misses(small).columns.get_level_values(0))) == ["L1D", "L2", "DTLB"]


def test_sizes_of_the_caches(reported):
    simulation = load_simulation(reported[0])
    found = {(mark.level, mark.size, mark.caches) for mark in simulation.marks("L1D", "L2", "DTLB", "STLB")}
    host = {("DTLB", 72), ("STLB", 3072), ("L1D", 32768), ("L2", 1048576)}
    small = {("DTLB", 64), ("L1D", 16384), ("L2", 262144)}
    assert found == {(*mark, (name,)) for name, marks in (("host", host), ("small", small)) for mark in marks}
    assert sizes_of("rubbish,L1=0,L2=none,=,L1") == {}


def test_tables_sum_up(reported):
    source = read_page(reported[0])[0]
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr.*?</tr>", source)]
    whole = [row for row in cells if len(row) == 11 and "pext" in row[0] and row[1] == "all"]
    assert len(whole) == 2 * 2 * 2
    for row in whole[:4]:
        assert row[5:11] == ["3000", "311", "48", "270", "-7", "0.311"]
        assert int(row[6]) == sum(int(cause) for cause in row[7:10])
    parts = [row for row in cells if len(row) == 11 and "pext" in row[0] and row[1] != "all"]
    assert sum(int(row[6]) for row in parts) == sum(int(row[6]) for row in whole)
    assert all(set(row[7:10]) == {"\u2013"} for row in parts)


def test_boards(reported):
    squares = load_simulation(reported[0]).squares
    one = squares[(squares["pressure"] == "isolated") & (squares["cache"] == "host")]
    bishop = board_of(one, "pext", "bishop", "l1d_misses")
    assert bishop[4, 3] == pytest.approx(0.75)  # d5: a bishop's 50 and a queen's 100 of 200 queries
    assert bishop[0, 0] == pytest.approx(0.75)  # a1: a queen's and both
    assert bishop[1, 3] == pytest.approx(200 / 300)  # d2: all three
    lines = board_of(one, "pext", "bishop", "distinct_lines")
    assert math.isnan(lines[0, 0])
    assert lines[0, 1] == 2
    assert board_of(one, "pext", "rook", "distinct_lines")[0, 1] == 4


def test_few_are_highlighted_of_many(tmp_path):
    many = {f"{name}_{i}": entry for name, entry in KNOWN.items() for i in range(5)}
    folder = make_simulation(tmp_path / "many", KNOWN | many, pressures=("isolated",), draws=1)
    simulation = load_simulation(folder)
    named, families = simulation.highlighted("game"), {family for family, size, _ in KNOWN.values() if size}
    assert "magic_fancy" in named and len(named) <= len(families) + 1
    assert {simulation.family(method) for method in named} == families
    set_defaults()
    figure = curves(simulation, "game", LINE)
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert len(labels) == len(named) + 1 and labels[-1].endswith("others")
    plt.close(figure)


def test_what_is_missing_is_left_out(little):
    (little / "mrc.csv").write_text((little / "mrc.csv").read_text().partition("\n")[0] + "\n")
    (little / "squares.csv").write_text("")
    (little / "tables.csv").unlink()
    out = assert_reported(little)
    assert not re.search("curves|squares|lines_", out)
    assert "misses_game_host.svg" in out
    (little / "mrc.csv").unlink()
    assert assert_reported(little) == out
    assert 'href="mrc.csv"' not in read_page(little)[0]


@pytest.mark.parametrize("info, words", [
    ({}, "Whether it is complete was not recorded"),
    ({"caches": [1, {"specification": 3, "notes": 5}], "pressures": {}, "methods": [{}]}, "not recorded"),
    ({"complete": False}, "This simulation is incomplete"),
])  # fmt: skip
def test_odd_run_json(little, info, words):
    (little / "run.json").write_text(json.dumps({"kind": "simulation"} | info))
    assert words in source_of(little)


@pytest.mark.parametrize("lines", ["1e-300", "40000000", "1e308"])
def test_sizes_beyond_all_measure_are_drawn_within_it(little, lines):
    edit_csv(little, "mrc.csv", lambda table: table.assign(cache_lines=lines))
    assert_reported(little)


@pytest.mark.parametrize("name, edit, words", [
    ("counters.csv", lambda t: t.assign(source="measured"), ("measured", "simulated")),
    ("counters.csv", lambda t: t.assign(queries="0"), ("line 2", "queries")),
    ("counters.csv", lambda t: t.drop(columns=["draw"]), ("draw",)),
    ("counters.csv", lambda t: t[t["method"] == "empty"], ("no misses",)),
    ("counters.csv", lambda t: t.head(0), ("no rows",)),
    ("mrc.csv", lambda t: t.assign(misses="many"), ("line 2", "many")),
    ("mrc.csv", lambda t: t.assign(cache_lines="0"), ("line 2", "cache_lines")),
    ("mrc.csv", lambda t: t.drop(columns=["granularity_bytes"]), ("granularity_bytes",)),
    ("squares.csv", lambda t: t.assign(square="j9"), ("line 2", "j9")),
    ("squares.csv", lambda t: t.assign(queries="-1"), ("line 2", "queries")),
    ("tables.csv", lambda t: t.assign(misses="-3"), ("line 2", "misses")),
    ("mrc.csv", b"\xff\xfe\x00", ("UTF-8",)),
    ("counters.csv", b"", ("empty",)),
])  # fmt: skip
def test_corrupt_files_are_refused(little, name, edit, words):
    if callable(edit):
        edit_csv(little, name, edit)
    else:
        (little / name).write_bytes(edit)
    assert_refused(little, name, *words)
