# SPDX-License-Identifier: MIT
"""Tests of builds that differ in placement alone, on engines of a few lines."""

import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from engines import main

from builds import mnemonics
from builds.link_line import LinkLine
from builds.padding import SECTIONS, assemble, random_sizes, symbol_of
from builds.relinked import collect
from builds.same_tree import fact_of, first_difference, search
from report.errors import ReportError

ENGINES = Path(__file__).resolve().parents[1] / "engines.py"
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
LLD = "-fuse-ld=lld"
WAYS = [words for words in ("", "-flto", LLD, f"-flto {LLD}", "-fuse-ld=gold")
        if not (LLD in words and not shutil.which("ld.lld")) and not ("gold" in words and not shutil.which("ld.gold"))]
pytestmark = pytest.mark.skipif(not COMPILERS, reason="no C++ compiler")

ENGINE = {
    "main.cpp": """
#include <cstdio>
#include <cstring>
int evaluate(int);
long nodes_of(long);
#ifndef GO
#define GO printf("info depth 1 score cp %d nodes %ld\\n", evaluate(3), nodes_of(5)); \\
  printf("info depth 2 score cp 5 nodes 77\\nbestmove e2e4\\n")
#endif
int main() {
  char line[1000];
  setbuf(stdout, nullptr);
  while (fgets(line, sizeof line, stdin)) {
    if (!strncmp(line, "uci\\n", 4)) printf("option name Hash type spin default 1 min 1 max 99\\nuciok\\n");
    if (!strncmp(line, "isready", 7)) printf("readyok\\n");
    if (!strncmp(line, "go", 2)) { GO; }
    if (!strncmp(line, "quit", 4)) return 0;
  }
}
""",
    "evaluate.cpp": 'extern "C" int table[100];\nint table[100] = {1, 2, 3};\nint evaluate(int x) { return table[x] + 7 * x; }\n',
    "nodes.cpp": "extern int table_of_nodes[];\nint table_of_nodes[50] = {9};\n"
                 "long nodes_of(long x) { return table_of_nodes[0] + x * x; }\n",
}
SOURCES = tuple(ENGINE)
FUNCTIONS = {"_Z8evaluatei", "_Z8nodes_ofl"}
OBJECTS = {"table", "table_of_nodes"}


@pytest.fixture(name="place")
def _place(tmp_path, monkeypatch):
    """A folder with the engine's source, where the test runs."""
    for name, text in ENGINE.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def placements(*words, out="out", builds=2, options=()):
    """Runs the command; its status."""
    return main(["placements", "--out", str(out), "--builds", str(builds), *options, "--", *words])


def refused(capsys, *words, **more):
    """The one line of a command that must be refused, and leave no builds."""
    assert placements(*words, **more) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and said.out == ""
    return said.err


def addresses(path, names):
    """name -> address of a program's symbols."""
    listing = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    return {words[2]: int(words[0], 16) for words in map(str.split, listing.splitlines()) if words[-1] in names}


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


# lld cannot read GCC's objects of LTO.
PAIRS = [(compiler, words) for compiler in COMPILERS for words in WAYS if (compiler, words) != ("g++", f"-flto {LLD}")]


@pytest.mark.parametrize("compiler, words", PAIRS)
def test_builds_differ_in_placement_alone(place, capsys, compiler, words):
    lto = "-flto" in words
    command = [compiler, "-O1", "-fno-inline", *words.split(), *SOURCES, "-o", "engine"]
    assert subprocess.run(command, check=False).returncode == 0
    plain = digest(place / "engine")
    (place / "engine").unlink()
    assert placements(*command) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "slidebench duel 'old=out/*' 'new=...' --out reports/duel"
    assert any(line.startswith("Instructions: the same in all builds (") for line in said)
    assert any(line.startswith("Tree: the same in all builds (`go nodes 20000`, 3 positions, 6 lines") for line in said)
    assert digest(place / "engine") == plain or lto  # linked as it was asked; LTO names temporary files in its output
    files = sorted((place / "out").iterdir())
    assert [path.name for path in files] == ["engine.0", "engine.1"]
    assert len({digest(path) for path in files} | {plain}) == 3
    # A table may be gone under LTO; main is always there.
    found = [addresses(path, {"main", *FUNCTIONS, *OBJECTS}) for path in files]
    assert all("main" in symbols for symbols in found)
    assert all(len({symbols.get(name) for symbols in found}) > 1 for name in found[0])
    record = json.loads((place / "out.json").read_text())
    assert record["objects"] == 3 and record["command"] == command
    assert [build["sections"] is not None for build in record["builds"]] == [LLD in words] * 2
    assert sorted(path.name for path in place.iterdir()) == sorted([*SOURCES, "engine", "out", "out.json"])


def test_objects_come_in_several_orders(place):
    assert placements(COMPILERS[0], "-O1", *SOURCES, "-o", "engine") == 0
    orders = [sorted(FUNCTIONS, key=addresses(path, FUNCTIONS).get) for path in (place / "out").iterdir()]
    assert orders[0] == orders[1][::-1]


@pytest.mark.skipif(not shutil.which("ld.lld"), reason="no lld")
def test_lld_shuffles_the_sections_of_one_object(place):
    names = [f"f{number}" for number in range(8)]
    functions = "".join(f'extern "C" int {name}(int x) {{ return x * {number + 3}; }}\n' for number, name in enumerate(names))
    (place / "one.cpp").write_text(functions + "int main() {}\n")
    command = [COMPILERS[-1], LLD, "-O1", "-ffunction-sections", "one.cpp", "-o", "one"]
    assert placements(*command, options=["--no-search"]) == 0
    orders = [sorted(names, key=addresses(path, set(names)).get) for path in sorted((place / "out").iterdir())]
    assert orders[0] != orders[1] and names not in orders


OTHER_BUILDS = {
    "static": "{cxx} -O1 -static main.cpp evaluate.cpp nodes.cpp -o engine",
    "pie and threads": "{cxx} -O1 -fPIE -pie -pthread main.cpp evaluate.cpp nodes.cpp -o engine",
    "a response file": "echo main.cpp evaluate.cpp '\"nodes.cpp\"' -o engine > words && {cxx} -O1 @words",
    "a linker's response file": "{cxx} -c main.cpp evaluate.cpp nodes.cpp && echo main.o evaluate.o nodes.o > words && "
                                "{cxx} -Wl,@words -o engine",
    "an archive": "{cxx} -c main.cpp evaluate.cpp nodes.cpp && ar rc libengine.a evaluate.o nodes.o && "
                  "{cxx} main.o -L. -lengine -o engine",
    "a question for the linker's version": "{cxx} -O1 main.cpp evaluate.cpp nodes.cpp -o engine && "
                                           "{cxx} main.cpp -o engine -Wl,--version",
    "unused sections go": "{cxx} -O1 -ffunction-sections -Wl,--gc-sections,-Map=map main.cpp evaluate.cpp nodes.cpp -o engine",
}  # fmt: skip


@pytest.mark.parametrize("text", OTHER_BUILDS.values(), ids=OTHER_BUILDS)
def test_other_ways_to_link(place, text):
    assert placements("sh", "-c", text.format(cxx=COMPILERS[-1])) == 0
    found = [addresses(path, FUNCTIONS | OBJECTS) for path in sorted((place / "out").iterdir())]
    assert len(found) == 2 and all(found[0][name] != found[1][name] for name in FUNCTIONS | OBJECTS)
    room = set(map(symbol_of, SECTIONS))
    assert all(set(addresses(path, room)) == room for path in (place / "out").iterdir())
    if "-Map" in text:
        assert "padding.o" not in (place / "map").read_text()  # the map is the build's own link's


def test_a_seed_makes_the_same_builds(place):
    sums = []
    for out, seed in (("one", "7"), ("two", "7"), ("three", "8")):
        assert placements(COMPILERS[0], *SOURCES, "-o", "engine", out=out, options=["--seed", seed, "--no-search"]) == 0
        sums.append([digest(path) for path in sorted((place / out).iterdir())])
    assert sums[0] == sums[1] and not set(sums[0]) & set(sums[2])


def test_the_last_program_counts_or_the_one_named(place):
    text = f"{COMPILERS[0]} {' '.join(SOURCES)} -o engine && echo 'int main() {{}}' > tool.cpp && {COMPILERS[0]} tool.cpp -o tool"
    assert placements("sh", "-c", text, options=["--binary", "engine"]) == 0
    assert {path.name for path in (place / "out").iterdir()} == {"engine.0", "engine.1"}
    assert placements("sh", "-c", text, out="last", options=["--no-search"]) == 0
    assert {path.name for path in (place / "last").iterdir()} == {"tool.0", "tool.1"}


def test_engines_run_where_their_files_are(place):
    (place / "source").mkdir()
    (place / "source" / "network").touch()
    needs = '-DGO=if(!fopen("network","r")) return 3; printf("bestmove e2e4\\n")'
    text = f"cd source && {COMPILERS[0]} '{needs}' ../main.cpp ../evaluate.cpp ../nodes.cpp -o engine"
    assert placements("sh", "-c", text) == 0


def test_an_engine_that_knows_no_nodes_searches_to_a_depth(place, capsys):
    endless = ('-DGO=if(strstr(line,"nodes")) { printf("info depth 9 score cp 1 nodes 99000000\\n");'
               'if(fgets(line,999,stdin)&&strstr(line,"stop")) printf("bestmove h2h3\\n"); }'
               'else printf("info depth 6 score cp 2 nodes 5\\nbestmove a2a3\\n");')  # fmt: skip
    assert placements(COMPILERS[0], endless, *SOURCES, "-o", "engine") == 0
    assert "`go depth 6`, 3 positions, 3 lines" in capsys.readouterr().out


# What builds nothing that counts, as a shell's words, and what the one line says.
REFUSED = {
    "a command that fails": ("echo first; echo 'x.cpp: error: a mistake' >&2; exit 3", "status 3: x.cpp: error: a mistake"),
    "a link that fails": ("{cxx} main.cpp -o engine", "ended with status 1: "),
    "all up to date": ("true", "if all was up to date, clean it first"),
    "a library alone": ("{cxx} -shared -fPIC nodes.cpp -o engine", "no executable was linked"),
    "objects joined": ("{cxx} -r nodes.cpp evaluate.cpp -o engine", "no executable was linked"),
    "a linker by its path": (
        "echo 'void _start() {{}}' > start.c && {cxx} -x c -c start.c && $(command -v ld) start.o -o engine",
        "names its linker by a path",
    ),
    "no engine": ("echo 'int main() {{ return 7; }}' > x.cpp && {cxx} x.cpp -o x", "x.0: ended with status 7"),
}


@pytest.mark.parametrize("text, expected", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_built_is_refused(place, capsys, text, expected):
    assert expected in refused(capsys, "sh", "-c", text.format(cxx=COMPILERS[0]))
    assert not (place / "out").exists() and not (place / "out.json").exists()
    assert not list(place.glob(".slidebench-*"))


def test_a_command_that_is_not_there_is_refused(place, capsys):
    assert "there-is-none: no such command" in refused(capsys, "there-is-none")
    assert not (place / "out").exists()


def test_another_program_than_the_one_named_is_refused(place, capsys):
    command = [COMPILERS[0], *SOURCES, "-o", "engine"]
    assert "enigne: no executable of this name was linked" in refused(capsys, *command, options=["--binary", "enigne"])


@pytest.mark.parametrize("count", [1, 65])
def test_a_count_of_builds_that_makes_no_sense_is_refused(place, capsys, count):
    assert f"--builds {count}: must be 2 to 64" in refused(capsys, "true", builds=count)
    assert not (place / "out").exists()


def test_an_output_folder_that_cannot_be_taken_is_refused(place, capsys):
    (place / "out").mkdir()
    (place / "out" / "notes").write_text("mine")
    assert "out: holds notes already" in refused(capsys, "true")
    assert (place / "out" / "notes").read_text() == "mine"
    assert "cannot be a folder" in refused(capsys, "true", out="main.cpp/out")
    assert "cannot be a folder" in refused(capsys, "true", out="main.cpp")
    assert f"a path with '{os.pathsep}'" in refused(capsys, "true", out="a:b")
    assert (place / "main.cpp").read_text() == ENGINE["main.cpp"]


# Which of two files is initialised first depends on their order.
ORDERED = {
    "evaluate.cpp": "#include <cstdlib>\nint *made;\nstatic int mine = 5;\n"
                    "static bool done = (made = &mine, true);\nint evaluate(int x) { return x + done + *made; }\n",
    "nodes.cpp": "#include <cstdlib>\nextern int *made;\nstatic int wait() { AT_ONCE; return made ? 1 : 2; }\nint first = wait();\n"
                 "long nodes_of(long x) { return x + first; }\n",
}  # fmt: skip


def test_an_order_of_initialisation_that_kills_a_build_is_named(place, capsys):
    for name, text in ORDERED.items():
        (place / name).write_text(text)
    said = refused(capsys, COMPILERS[0], "-O1", "-DAT_ONCE=if(!made)abort()", *SOURCES, "-o", "engine")
    assert re.search(r"out/engine\.[01]: was ended by signal 6: an order of initialisation", said)


def test_builds_that_search_different_trees_are_named(place, capsys):
    for name, text in ORDERED.items():
        (place / name).write_text(text)
    said = refused(capsys, COMPILERS[0], "-O1", "-DAT_ONCE=", *SOURCES, "-o", "engine")
    found = re.search(r"out/engine\.0 and out/engine\.1: search different .*position 1, 1 cp 9 (\d) against 1 cp 9 (\d)\)", said)
    assert found and {found[1], found[2]} == {"6", "7"}


def test_a_search_that_does_not_repeat_is_told_apart(place, capsys):
    (place / "nodes.cpp").write_text("#include <unistd.h>\nlong nodes_of(long) { return getpid(); }\n")
    said = refused(capsys, COMPILERS[0], *SOURCES, "-o", "engine")
    assert "out/engine.0: searches another tree each time" in said


# ---- the parts


def test_builds_that_are_the_same_file_are_refused(tmp_path):
    (tmp_path / "out").mkdir()
    for number in range(2):
        (tmp_path / str(number)).write_text("the same")
        (tmp_path / str(number)).chmod(0o755)
    record = {"output": "/x/engine", "folder": tmp_path, "builds": [{}, {}]}
    with pytest.raises(ReportError, match=r"out/engine.1: is the same file as engine.0"):
        collect(record, tmp_path / "out")


def test_a_link_line_is_read():
    words = "-pie -o engine -L. /usr/lib/x/crt1.o /usr/lib/x/own.o a.o -Map b.o b.o -lm c.o --start-lib d.o --end-lib lib.a e.o"
    link = LinkLine(words.split())
    own = [[link.words[place] for place in run] for run in link.runs]
    assert own == [["a.o", "b.o"], ["c.o"], ["e.o"]]
    assert (link.output, link.makes_executable) == ("engine", True)
    assert not LinkLine(["-shared", "a.o"]).makes_executable and not LinkLine(["-r", "a.o"]).makes_executable
    forms = {"a.o": "a.out", "-ox a.o": "x", "--output=y": "y", "--output z": "z", "-o 1 -o 2": "2"}
    assert {form: LinkLine(form.split()).output for form in forms} == forms


def test_a_link_goes_elsewhere():
    words = "/usr/lib/x/crt1.o -o engine a.o b.o -plugin-opt=-fresolution=/tmp/x.res -lm c.o --dependency-file=d -Map map --output=e"
    found = LinkLine(words.split()).elsewhere("new", "mine.res", lambda run: run[::-1], ["-u", "s", "pad.o"])
    assert found == "/usr/lib/x/crt1.o -u s pad.o b.o a.o -plugin-opt=-fresolution=mine.res -lm c.o -o new".split()
    assert LinkLine(["-o", "x", "-lm"]).elsewhere("y", "", list, ["pad.o"]) == ["pad.o", "-lm", "-o", "y"]


def test_response_files_are_read_in_one_another(tmp_path):
    (tmp_path / "inner").write_text("'b c.o' \"d.o\"\n")
    (tmp_path / "outer").write_text(f"a.o @{tmp_path / 'inner'} e\\ f.o")
    assert LinkLine([f"@{tmp_path / 'outer'}", "@nowhere"]).words == ["a.o", "b c.o", "d.o", "e f.o", "@nowhere"]


def test_padding_is_as_long_as_it_says(tmp_path):
    sizes = random_sizes(random.Random(1))
    assert all(size % 16 == 0 and 0 <= size <= 4096 for size in sizes.values()) and len(set(sizes.values())) > 1
    assemble(str(tmp_path / "p.o"), sizes, "", shutil.which("as"))
    listing = subprocess.run(["objdump", "-h", tmp_path / "p.o"], capture_output=True, text=True, check=True).stdout
    found = {name: int(size, 16) for name, size in re.findall(r"^ +\d+ (\S+) +([0-9a-f]+) ", listing, re.MULTILINE)}
    assert {name: found[name] for name in SECTIONS} == sizes
    assert set(addresses(tmp_path / "p.o", set(map(symbol_of, SECTIONS)))) == set(map(symbol_of, SECTIONS))
    with pytest.raises(RuntimeError):
        assemble(str(tmp_path / "no" / "p.o"), sizes, "", shutil.which("as"))


def test_instructions_are_counted_without_what_stands_between():
    said = ("push   %rbp", "xchg   %ax,%ax", "mov    %rsp,%rbp", "data16 cs nopw 0x0(%rax,%rax,1)", "nop", "mov    $0x1,%eax",
            "xchg   %rax,%rbx", "ret")  # fmt: skip
    listing = "\n0000000000001139 <main>:\n" + "".join(f"    113{place}:\t{words}\n" for place, words in enumerate(said))
    assert mnemonics.count_of(listing) == Counter(push=1, mov=2, xchg=1, ret=1)


@pytest.mark.parametrize("counts, words", [
    ([{"mov": 9}, {"mov": 9}, {"mov": 9}], "the same in all builds (9)"),
    ([{"mov": 9}, {"mov": 9}, {"mov": 7, "add": 1}], "1 of 3 builds differ from the first, by up to 3 of 9"),
    ([{"mov": 9}, {"mov": 8}, {"mov": 7}], "2 of 3 builds differ from the first, by up to 2 of 9"),
    ([{"mov": 9}, None, {"mov": 7}], "not compared, because objdump"),
])  # fmt: skip
def test_instructions_that_differ_are_told(monkeypatch, counts, words):
    monkeypatch.setattr(mnemonics, "mnemonics", lambda number: counts[number] and Counter(counts[number]))
    assert words in mnemonics.compare(range(3))


def test_the_facts_of_a_search():
    line = "info depth 7 seldepth 9 multipv 1 score cp -13 nodes 4711 nps 9 pv e2e4"
    assert fact_of(line) == ("7", "cp -13", "4711")
    assert fact_of(line.replace("cp -13", "cp -13 upperbound")) is None
    assert fact_of("info depth 7 currmove e2e4") is None
    one, other = ([("a",), (("7", "cp 1", "9"), move)] for move in ("e2e4", "d2d4"))
    assert first_difference(one, other) == "position 2, e2e4 against d2d4"


class Scripted:
    """An engine that says one line, and no more until it is stopped."""

    def __init__(self, line):
        self.lines, self.said, self.waited = [line], [], 0

    def say(self, line):
        self.said.append(line)

    def line(self, _):
        if self.lines:
            return self.lines.pop()
        self.waited += "stop" not in self.said
        return "bestmove a2a3" if "stop" in self.said else None


@pytest.mark.parametrize("nodes, waited", [(21, 0), (20, 1)])
def test_a_search_is_stopped_where_it_goes_beyond_its_nodes_or_its_time(nodes, waited):
    engine = Scripted(f"info depth 1 score cp 1 nodes {nodes}")
    assert search(engine, "go nodes 5", 60, 20) is None
    assert (engine.said, engine.waited) == (["go nodes 5", "stop"], waited)


def test_a_command_that_is_interrupted_says_so_in_one_line(tmp_path):
    """As Ctrl-C does it, while the command waits for a program that it started."""
    (tmp_path / "waiting").write_text("#!/bin/sh\ntouch started\nexec sleep 60\n")
    (tmp_path / "waiting").chmod(0o755)
    command = [sys.executable, ENGINES, "placements", "--out", "out", "--", "./waiting"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, text=True, start_new_session=True, **pipes) as child:
        while child.poll() is None and not (tmp_path / "started").exists():
            time.sleep(0.05)
        os.killpg(child.pid, signal.SIGINT)
        said = child.communicate(timeout=60)[1]
    assert (child.returncode, said.count("\n")) == (130, 1), said
    assert said.startswith("engines.py placements: interrupted")
