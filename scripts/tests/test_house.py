# SPDX-License-Identifier: MIT
"""The map of the house, harness/README.md, against the house: its rooms, what they know of each other, the files of the hot
path, and how many lines each folder may have. What a room knows is what its files include; tests may include more."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HARNESS = ROOT / "harness"
MAP = (HARNESS / "README.md").read_text()
# room -> the rooms above it that it knows; `methods` stands above all.
KNOWN = {room: set(re.findall(r"\w+", knows)) for room, knows in re.findall(r"^\| `(\w+)` \|.*\| ([\w, ]*) \|$", MAP, re.MULTILINE)}
ORDER = re.findall(r"^add_subdirectory\((\w+)\)$", (HARNESS / "CMakeLists.txt").read_text(), re.MULTILINE)


def room_of(path):
    """The room of a file or of an included path: a folder of harness/, or methods."""
    return path.split("/")[1 if path.startswith("harness/") else 0]


def is_code(path):
    """Whether a file is source code, and no test."""
    return "test" not in path.name and path.suffix in (".cpp", ".hpp", ".h", ".in")


def arrows():
    """(room, included room) -> a file and what it includes."""
    found = {}
    for path in sorted([*HARNESS.rglob("*"), *(ROOT / "methods").rglob("*")]):
        if not path.is_file() or not is_code(path):
            continue
        name = path.relative_to(ROOT).as_posix()
        for included in re.findall(r'^#include "((?:harness|methods)/[^"]+)"', path.read_text(), re.MULTILINE):
            if room_of(name) != room_of(included):
                found.setdefault((room_of(name), room_of(included)), f"{name} includes {included}")
    return found


def test_the_map_names_the_rooms_in_their_order():
    assert list(KNOWN) == ORDER
    assert sorted(ORDER) == sorted(path.parent.name for path in HARNESS.glob("*/CMakeLists.txt"))


def test_the_rooms_know_what_the_map_says():
    found, shown = arrows(), {(room, other) for room, others in KNOWN.items() for other in others}
    assert [found[arrow] for arrow in sorted(set(found) - shown)] == [], "not on the map"
    assert sorted(shown - set(found)) == [], "on the map alone"


def test_a_room_knows_only_rooms_above_it():
    """So there is no circle either."""
    place = {room: number for number, room in enumerate(["methods", *ORDER])}
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


FILES = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
ROOT_SHOWS = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "CITATION.cff", "CMakeLists.txt", "CMakePresets.json",
              "cmake", "methods", "headers", "harness", "datasets", "reports", "scripts", "extras"}


def test_the_root_shows_the_suite():
    assert {name.split("/")[0] for name in FILES if not name.startswith(".")} == ROOT_SHOWS


def test_the_core_includes_no_extra():
    core = [ROOT / name for name in FILES if name.split("/")[0] in ("methods", "headers", "harness") and (ROOT / name).is_file()]
    assert [str(path) for path in core if b'#include "extras/' in path.read_bytes()] == []


def lines_of(*folders, tests=False):
    """Lines of code in folders, without tests, or of the tests alone."""
    code = re.compile(r"\.(cpp|hpp|h|c|in|py|js|mjs|rs|sh|cmake|css|html)$|CMakeLists\.txt$")
    test = re.compile(r"/tests/|(^|/)(test_|fake_)[^/]*$|_test\.[^/]*$")
    return sum((ROOT / name).read_bytes().count(b"\n") for name in FILES
               if name.split("/")[0] in folders and code.search(name) and bool(test.search(name)) == tests and (ROOT / name).is_file())


BUDGETS = re.findall(r"^\| ([\w, `]+) \| ([\d,]+) \|$", MAP.split("## Budgets")[1], re.MULTILINE)


@pytest.mark.parametrize("what,most", BUDGETS, ids=[what for what, _ in BUDGETS])
def test_a_budget_is_kept(what, most):
    folders = re.findall(r"`(\w+)`", what)
    if what == "files":
        spent = len(FILES)
    elif what == "tests":
        spent = lines_of("methods", "headers", "harness", "datasets", "reports", "scripts", "extras", tests=True)
    else:
        spent = lines_of(*folders)
    assert spent <= int(most.replace(",", ""))
