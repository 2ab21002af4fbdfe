# SPDX-License-Identifier: MIT
"""The map of the house, harness/README.md, against the house: its rooms, what they know of each other, and the files of the
hot path. What a room knows is what its files include; tests may include more."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HARNESS = ROOT / "harness"
MAP = (HARNESS / "README.md").read_text()
# room -> the rooms above it that it knows; `methods` stands above all, then `stores`.
KNOWN = {room: set(re.findall(r"\w+", knows)) for room, knows in re.findall(r"^\| `(\w+)` \|.*\| ([\w, ]*) \|$", MAP, re.MULTILINE)}
ORDER = re.findall(r"^add_subdirectory\((\w+)\)$", (HARNESS / "CMakeLists.txt").read_text(), re.MULTILINE)


def room_of(path):
    """The room of a file or of an included path: a folder of harness/, methods or stores."""
    return path.split("/")[1 if path.startswith("harness/") else 0]


def is_code(path):
    """Whether a file is source code, and no test."""
    return "test" not in path.name and path.suffix in (".cpp", ".hpp", ".h", ".in")


def arrows():
    """(room, included room) -> a file and what it includes."""
    found = {}
    for path in sorted([*HARNESS.rglob("*"), *(ROOT / "methods").rglob("*"), *(ROOT / "stores").rglob("*")]):
        if not path.is_file() or not is_code(path):
            continue
        name = path.relative_to(ROOT).as_posix()
        for included in re.findall(r'^#include "((?:harness|methods|stores)/[^"]+)"', path.read_text(), re.MULTILINE):
            if room_of(name) != room_of(included):
                found.setdefault((room_of(name), room_of(included)), f"{name} includes {included}")
    return found


def test_the_map_names_the_rooms_in_their_order():
    assert list(KNOWN) == ORDER
    assert sorted(ORDER) == sorted(path.parent.name for path in HARNESS.glob("*/CMakeLists.txt"))


def test_the_rooms_know_what_the_map_says():
    found, shown = arrows(), {(room, other) for room, others in KNOWN.items() for other in others}
    shown.add(("stores", "methods"))
    assert [found[arrow] for arrow in sorted(set(found) - shown)] == [], "not on the map"
    assert sorted(shown - set(found)) == [], "on the map alone"


def test_a_room_knows_only_rooms_above_it():
    """So there is no circle either."""
    place = {room: number for number, room in enumerate(["methods", "stores", *ORDER])}
    assert [why for (room, other), why in arrows().items() if place[other] >= place[room]] == []


PATH = MAP.split("## The hot path")[1].split("\n## ")[0]
STEPS = re.findall(r"`([\w/]+\.[ch]pp)`: `(\w+)\(\)`((?:(?!`[\w/]+\.[ch]pp`: ).)*)", PATH, re.DOTALL)


def test_the_hot_path_is_whole():
    assert [file.split("/")[0] for file, *_ in STEPS[:3]] == ["cli", "cli", "run"] and STEPS[-1][0] == "plugin/replay.hpp"
    assert len(STEPS) >= 10 and sum("```cpp" in text for *_, text in STEPS) >= 4


@pytest.mark.parametrize("file,function,text", STEPS, ids=[f"{file}:{function}" for file, function, _ in STEPS])
def test_a_step_of_the_hot_path_is_as_the_code_is(file, function, text):
    """The function stands in the file, and each line that is shown."""
    code = (HARNESS / file).read_text()
    assert re.search(rf"\b{function}\(", code)
    shown = [line.strip() for block in re.findall(r"```cpp\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    assert [line for line in shown if line not in {line.strip() for line in code.splitlines()}] == []
