# SPDX-License-Identifier: MIT
"""The advice of README.md against the committed data of reports/example.

A point of "What should I use?" ends with a comment of claims: `CELLS: METHOD WORD..., METHOD WORD...; CELLS: ...`. A
word is a verdict of summary.csv; `lead` (it may be the fastest of all); `first-without-ISA` (the lowest ratio among the
methods that do not need it); or `N%` (so much less time than the reference). What a point names must be claimed.
"""

import re

import pytest

from report.data.cells import COMPARED_ROLES, Cell
from report.data.run import load_summary
from report.data.words import human_bytes
from studies.readme import EXAMPLE, ROOT

CELLS = {name: (".", Cell("throughput", "search", name)) for name in ("net0", "net256", "net1024")} | {
    "loop": (".", Cell("throughput", "search", "isolated")),
    "latency": (".", Cell("latency", "search", "isolated")),
    "setwise": (".", Cell("setwise", "search", "isolated")),
    "perft": ("engine", Cell("perft", "positions", "isolated")),
    "search": ("engine", Cell("engine", "net1024", "isolated")),
    "search-net0": ("engine", Cell("engine", "net0", "isolated")),
}
RUNS = {folder: load_summary(EXAMPLE / folder) for folder in (".", "engine")}
ISA = {method["id"]: method["isa"] for method in RUNS["."].info["methods"]}
ADVICE = (ROOT / "README.md").read_text().split("## What should I use?")[1].split("\n## ")[0]
POINTS = re.findall(r"^- .*?(?=^- |\Z)", ADVICE, re.DOTALL | re.MULTILINE)


def text_of(point):
    """What a reader sees of a point."""
    return re.sub(r"<!--.*?-->", "", point, flags=re.DOTALL)


def claims_of(point):
    """The claims of a point: (cell, method, word)."""
    for claims in re.findall(r"<!--(.*?)-->", point, re.DOTALL):
        for claim in claims.split(";"):
            cells, methods = claim.split(":")
            for method, *words in (entry.split() for entry in methods.split(",")):
                yield from ((cell, method, word) for cell in cells.split() for word in words)


def rows_of(cell):
    """What was measured in a cell, by method."""
    folder, key = CELLS[cell]
    return RUNS[folder].rows(key, *COMPARED_ROLES).set_index("contender")


def percent_less(row):
    """How much less time than the reference's, as the text has it."""
    return f"{100 * (1 - row['ratio']):.0f}%"


def holds(rows, method, word):
    """Whether the data carry a claim."""
    row = rows.loc[method]
    if word == "lead":
        return row["best"] in ("fastest", "among")
    if word.startswith("first-without-"):
        without = [name for name in rows.index if word.removeprefix("first-without-") not in ISA[name]]
        return rows.loc[without, "ratio"].idxmin() == method
    return word == (percent_less(row) if word.endswith("%") else row["verdict"])


@pytest.mark.parametrize("claim", [claim for point in POINTS for claim in claims_of(point)], ids=" ".join)
def test_the_data_carry_the_claim(claim):
    cell, method, word = claim
    row = rows_of(cell).loc[method]
    assert holds(rows_of(cell), method, word), f"{row['verdict']}, {row['best']}, {percent_less(row)} less"


@pytest.mark.parametrize("point", POINTS[:-1], ids=lambda point: re.search(r"\*\*(.*?)\*\*", point)[1])
def test_what_a_point_names_is_claimed(point):
    text, claims = text_of(point), list(claims_of(point))
    named = {method for method in re.findall(r"`(\w+)`", text)} - {"magic_fancy"}
    assert named == {method for _, method, _ in claims} - {"magic_fancy"}
    shown = {f"{percent}%" for percent in re.findall(r"(\d+) %", text)}
    assert shown == {word for *_, word in claims if word.endswith("%")}


@pytest.mark.parametrize("method,size", re.findall(r"`(\w+)` \(([\d.]+ [KM]?i?B)\)", ADVICE))
def test_tables_are_as_large_as_the_advice_says(method, size):
    assert human_bytes(rows_of("loop")["table_bytes"][method]) == size


def test_advice_that_the_data_do_not_carry_is_found():
    """Yesterday's advice on sets, a verdict of another cell, a percentage, and a rank that another has."""
    assert not holds(rows_of("setwise"), "kogge_stone_avx2", "lead")
    assert not holds(rows_of("latency"), "ray_masks_avx512", "faster")
    assert not holds(rows_of("perft"), "pext", "13%")
    assert not holds(rows_of("net1024"), "ray_masks_avx2", "first-without-avx512")


def test_the_advice_has_claims_and_sizes():
    assert len(POINTS) == 6 and all(list(claims_of(point)) for point in POINTS[:-1])
    assert all(re.search(r"\([\d.]+ [KM]?i?B\)", point) for point in POINTS[:-1])
    assert list(claims_of(POINTS[-1])) == []
