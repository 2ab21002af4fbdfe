# SPDX-License-Identifier: MIT
"""The atlas's lecture (extras/web/lecture.md), and what it says of methods' relatives and users: the form that the pages read,
and the answers to the questions, worked out by ray walking."""

import math
import re
import shutil
import statistics
import subprocess
from pathlib import Path

import pytest
from conftest import PROGRAM, ROOT, WEB
from scipy.stats import t as student

METHODS = set(re.findall(r"^add_method\((?:\w+/)?(\w+) ", (ROOT / "methods" / "CMakeLists.txt").read_text(), re.MULTILINE))
TITLES = ["What a bitboard is", "Walk the rays", "Scan for the first blocker", "Let a borrow find the blocker",
          "Two blockers, one subtraction", "Fill the empty squares", "Turn the board", "A line by multiplication", "Magic",
          "How a factor is found", "PEXT", "All rays at once", "Measure"]  # fmt: skip
LINES = r"([^\n]+)\n\nminutes: (\d+)\nboard: ([^\n]+)\nslider: (\w+) (\w+)\nmethods: ([^\n]+)(?:\nfactors: yes)?\n\n"
STATION = re.compile(LINES + r"(.+?)\n\nQuestion: (.+?)\n\nAnswer: (.+?)\n\nHomework: (.+)", re.DOTALL)
PARTS = {text.split("\n")[0]: text.strip() for text in (WEB / "lecture.md").read_text().split("\n## ")[1:]}
STATIONS = {title: text for title, text in PARTS.items() if title not in ("Notation", "Licence")}
ROOK, BISHOP = [(0, 1), (1, 0), (0, -1), (-1, 0)], [(1, 1), (-1, 1), (-1, -1), (1, -1)]
KINDS = {"rook": ROOK, "bishop": BISHOP, "queen": ROOK + BISHOP}


def station(title):
    """The parts of a station: dict."""
    names = ["title", "minutes", "board", "kind", "square", "methods", "text", "question", "answer", "homework"]
    return dict(zip(names, STATION.fullmatch(STATIONS[title]).groups(), strict=True))


def number(name):
    """A square's number: a1 is 0."""
    return ord(name[0]) - ord("a") + 8 * (int(name[1]) - 1)


def named(squares):
    """Names of squares, in the order of their numbers."""
    return [f"{'abcdefgh'[s % 8]}{s // 8 + 1}" for s in sorted(squares)]


def pieces_of(board):
    """The pieces of a FEN's board: dict square -> letter. A rank of more or less than eight squares is an error."""
    pieces = {}
    for down, rank in enumerate(board.split("/")):
        row = re.sub(r"\d", lambda found: " " * int(found[0]), rank)
        assert len(row) == 8
        pieces |= {8 * (7 - down) + file: letter for file, letter in enumerate(row) if letter != " "}
    assert board.count("/") == 7
    return pieces


def walk(square, step, occupied):
    """The squares attacked on one ray, nearest first."""
    found, (file, rank) = [], (square % 8 + step[0], square // 8 + step[1])
    while file in range(8) and rank in range(8) and not (found and found[-1] in occupied):
        found.append(8 * rank + file)
        file, rank = file + step[0], rank + step[1]
    return found


def attacks(title, occupied=None):
    """The squares that a station's slider attacks, of its own board or of another occupancy."""
    it = station(title)
    occupied = set(pieces_of(it["board"])) if occupied is None else occupied
    return {s for step in KINDS[it["kind"]] for s in walk(number(it["square"]), step, occupied)}


def board_of(title):
    """A station's slider and the occupied squares of its board."""
    it = station(title)
    return number(it["square"]), set(pieces_of(it["board"]))


def relevant(square, directions):
    """The squares on which a blocker changes the attacks, in order."""
    return sorted(s for step in directions for s in walk(square, step, set())[:-1])


def index_of(squares, occupied):
    """The number that the occupancy of some squares makes, the first of them the lowest bit."""
    return sum(1 << i for i, s in enumerate(squares) if s in occupied)


@pytest.mark.parametrize("title", TITLES)
def test_a_station_has_the_form_that_the_pages_read(title):
    it = station(title)
    assert list(STATIONS) == TITLES, "in their order"
    assert pieces_of(it["board"])[number(it["square"])].lower() == it["kind"][0]
    assert set(it["methods"].split(", ")) <= METHODS
    assert 80 <= len(it["text"].split()) <= 240 and 20 <= int(it["minutes"]) <= 60


def test_what_a_bitboard_is():
    bits = sorted(board_of("What a bitboard is")[1])
    answer = " ".join(station("What a bitboard is")["answer"].split())
    assert (bits, named(s + 8 for s in bits)) == ([0, 18, 20], ["a2", "c4", "e4"])
    assert "a1, c3 and e3 are bits 0, 18 and 20" in answer and "a2, c4 and e4, bits 8, 26 and 28" in answer
    rows = dict(re.findall(r"^    (o.*?|r)   +((?:[01] ?){8})$", STATIONS["What a bitboard is"], re.MULTILINE))
    o, r, difference, changed = (int(row.replace(" ", ""), 2) for row in rows.values())
    assert list(rows) == ["o", "r", "o - r", "o ^ (o - r)"] and (o - r, o ^ difference) == (difference, changed)


def test_the_line_by_two_subtractions_is_drawn_rightly():
    drawn = re.findall(r"^    (o|o - r|o' - r'|XOR) +((?:[.1] +){7}[.1])", STATIONS["Let a borrow find the blocker"], re.MULTILINE)
    o, up, down, both = (int(row.replace(" ", "").replace(".", "0"), 2) for _, row in drawn)

    def turned(byte):
        return int(f"{byte:08b}"[::-1], 2)

    r = 1 << 3
    assert (up, down, both) == ((o - r) & 255, turned(turned(o) - turned(r) & 255), up ^ down)


def test_walk_the_rays():
    before = attacks("Walk the rays")
    after = attacks("Walk the rays", board_of("Walk the rays")[1] | {number("f4")})
    assert (len(before), len(after), named(before - after)) == (9, 8, ["g4"])
    assert station("Walk the rays")["answer"].startswith("Nine before, eight after. Only g4 is lost")


def test_scan_for_the_first_blocker():
    square, occupied = board_of("Scan for the first blocker")
    ray = walk(square, (1, 1), set())
    first, other = (s for s in ray if s in occupied)
    hidden = named(walk(first, (1, 1), set()))
    assert (named([first, other]), hidden) == (["e5", "g7"], ["f6", "g7", "h8"])
    answer = station("Scan for the first blocker")["answer"]
    assert f"e5, bit {first}, and g7, bit {other}" in answer and "f6, g7 and h8" in answer


def test_let_a_borrow_find_the_blocker():
    square, occupied = board_of("Let a borrow find the blocker")
    file = [s for s in range(64) if s % 8 == square % 8 and s != square]
    o = sum(1 << s for s in file if s in occupied)
    difference = (o - (1 << square)) ^ o
    changed = [s for s in range(64) if difference >> s & 1]
    assert changed == list(range(19, 52)) and not (o - (1 << square)) >> 51 & 1
    assert named(set(changed) & set(file)) == ["d4", "d5", "d6", "d7"]
    assert "Bits 19 to 51 change" in station("Let a borrow find the blocker")["answer"]


def test_two_blockers_one_subtraction():
    title = "Two blockers, one subtraction"
    square, occupied = board_of(title)
    occupied.remove(number("c5"))
    on_rank = [s for s in attacks(title, occupied) if s // 8 == square // 8]
    assert named(on_rank) == ["a5", "b5", "c5", "d5", "f5", "g5"]
    assert "a5, b5, c5, d5, f5 and g5" in " ".join(station(title)["answer"].split())


def test_fill_the_empty_squares():
    square, occupied = board_of("Fill the empty squares")
    answer = " ".join(station("Fill the empty squares")["answer"].split())
    filled, runs, seen = {square}, {s for s in range(64) if s not in occupied and s % 8}, []
    for jump in (1, 2, 4):
        filled |= {s + jump for s in filled} & runs
        runs = {s for s in runs if s - jump in runs}
        seen.append(named(filled))
    assert seen == [["a4", "b4"], ["a4", "b4", "c4", "d4"], ["a4", "b4", "c4", "d4"]]
    assert named(walk(square, (1, 0), occupied)) == ["b4", "c4", "d4", "e4"]
    assert "a4 and b4 after the first; a4, b4, c4 and d4 after the second" in answer and "b4, c4, d4 and e4 the attacked squares" in answer


def test_turn_the_board():
    _, occupied = board_of("Turn the board")
    inner = [9 * place for place in range(1, 7)]  # b2 to g7
    assert index_of(inner, occupied) == 43 and "= 43" in station("Turn the board")["answer"]


def test_a_line_by_multiplication():
    square, occupied = board_of("A line by multiplication")
    indices = []
    for ways in ([(1, 1), (-1, -1)], [(1, -1), (-1, 1)]):
        line = sum(1 << s for way in ways for s in walk(square, way, set()) if s in occupied)
        indices.append((line * 0x0202020202020202) % 2**64 >> 58)
    assert indices == [33, 0] and "index 33" in station("A line by multiplication")["answer"]


def test_magic():
    square, _ = board_of("Magic")
    squares = relevant(square, ROOK)
    subsets = range(1 << len(squares))
    sets = {frozenset(attacks("Magic", {s for i, s in enumerate(squares) if subset >> i & 1})) for subset in subsets}
    answer = station("Magic")["answer"]
    assert (len(subsets), len(sets)) == (4096, 49) and "4,096" in answer and "49 sets" in answer


def test_how_a_factor_is_found():
    square, occupied = board_of("How a factor is found")
    squares = relevant(square, ROOK)
    words = [sum(1 << s for i, s in enumerate(squares) if subset >> i & 1) for subset in range(1 << len(squares))]
    sets = {frozenset(attacks("How a factor is found", {s for s in squares if word >> s & 1})) for word in words}
    text = STATIONS["How a factor is found"]
    assert (len(words), len(sets), {word % 2**64 >> 54 for word in words}) == (1024, 144, {0}) and "144 sets" in text
    assert max(squares) == number("e7") == 52 and min(squares) == number("e2") and "e7, is bit 52" in text


def test_measure():
    logs, text = [0.02, 0.05, 0.03, 0.04], STATIONS["Measure"]
    half = student.ppf(0.975, 0.75 * len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))
    low, middle, high = (100 * math.expm1(statistics.mean(logs) + side) for side in (-half, 0, half))
    assert f"{middle:.1f} % slower [{low:.1f}, {high:.1f}]" in text and f"{student.ppf(0.975, 2):.2f} for n = 4" in text
    assert f"s is {statistics.stdev(logs):.4f}" in text and f"reaches {half:.3f}" in text


def test_pext():
    square, occupied = board_of("PEXT")
    squares = relevant(square, ROOK)
    answer = " ".join(station("PEXT")["answer"].split())
    assert ", ".join(named(squares)[:-1]) in answer and index_of(squares, occupied) == 672 and "= 672" in answer


def test_all_rays_at_once():
    square, occupied = board_of("All rays at once")
    byte = index_of(walk(square, (1, 0), set()), occupied) | 0x80
    assert (byte, byte ^ (byte - 1)) == (0x82, 0x03) and "0x82 ^ 0x81 = 0x03" in station("All rays at once")["answer"]


SOLUTIONS = re.findall(r"^== (\w+)\n(.*?)^==\n(.*?)(?=^== |\Z)", Path(__file__).with_name("solutions.txt").read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("name", "before", "inside"), SOLUTIONS, ids=[name for name, *_ in SOLUTIONS])
def test_a_right_solution_prints_what_the_lecture_says(tmp_path, name, before, inside):
    """By the commands of the lecture."""
    if not PROGRAM.exists() or not shutil.which("cmake"):
        pytest.skip("no slidebench, or no cmake")

    def run(*command):
        return subprocess.run([str(word) for word in command], cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    run(PROGRAM, "new-method", name)
    header = tmp_path / name / f"{name}.hpp"
    inside += "" if "constexpr std::array tables" in inside else "  static constexpr auto tables = no_tables;\n"
    text = re.sub(r"  static Bitboard bishop.*no_tables;\n", lambda _: inside, header.read_text(), flags=re.DOTALL)
    text = text.replace("#pragma once\n", "#pragma once\n#include <algorithm>\n#include <random>\n").replace("\nstruct My", f"\n{before}struct My")
    header.write_text(text)
    run("cmake", "-S", name, "-B", f"{name}/build", f"-Dslidebench_DIR={PROGRAM.parent}")
    run("cmake", "--build", f"{name}/build")
    said = run(PROGRAM, "verify", "--plugin", f"{name}/build/plugins", "--method", name)
    assert f"    {' '.join(said.split())}\n" in re.sub(r"(?<=\S)  +", " ", (WEB / "lecture.md").read_text())


def rows(page):
    """The cells of the table of a page, line by line."""
    lines = [line for line in (WEB / page).read_text().splitlines() if line.startswith("| `")]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]


def test_every_method_has_one_relative_but_the_first():
    table = {method: relative for method, relative, _ in rows("relatives.md")}
    assert set(table) == METHODS - {"empty", "ray_walk"} and len(table) == len(rows("relatives.md"))
    for method in table:
        path = [method]
        while path[-1] != "ray_walk":
            path.append(table[path[-1]])
            assert path.count(path[-1]) == 1, path


def test_users_are_of_methods_and_have_a_source():
    table = rows("users.md")
    assert {method for method, _, _ in table} <= METHODS and len(table) > 10
    assert all(user and re.search(r"@[0-9a-f]{8}|github\.com/", source) for _, user, source in table)
