# SPDX-License-Identifier: MIT
"""Tests of builds that differ in placement alone, and of exchanged attack code, on engines of a few lines."""

import hashlib
import json
import os
import random
import re
import shutil
import subprocess
from collections import Counter

import pytest
from slidebench import main

from engines import mnemonics
from engines.attack_header import NO_INIT, has_init, header_of
from engines.link_line import LinkLine
from engines.network import BEGINS, network_from
from engines.padding import SECTIONS, assemble, random_sizes, symbol_of
from engines.recipe import RECIPES, load, substitute
from engines.relinked import collect
from engines.same_tree import fact_of, first_difference, search
from report.errors import ReportError

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


# ---- exchange

RECIPE = r"""
binary = "engine"
folder = "src"
build = "{cxx} -O1 {flags} main.cpp evaluate.cpp nodes.cpp -o engine"
[[prepare]]
file = "nodes.cpp"
pattern = '#error "too old"'
replacement = ""
[[exchange]]
file = "evaluate.cpp"
pattern = 'return table\[x\] \+ 7 \* x;'
replacement = 'sliding::init(); return int(sliding::rook(unsigned(x), 0));'
[[exchange]]
file = "evaluate.cpp"
pattern = '\A'
replacement = '#include "slidebench_attacks.h"\n'
[[record]]
file = "evaluate.cpp"
pattern = '(int evaluate\(int x\) \{)'
replacement = '''\1
#ifdef SLIDEBENCH_RECORD
  x += 100 - 100;
#endif
#ifdef SLIDEBENCH_DOSE
  x += 1;
#endif
'''
"""
EXPORT = """namespace sliding {
using Square = unsigned; using Bitboard = unsigned long long;
%s
inline Bitboard bishop(Square s, Bitboard occupied) { return s + occupied; }
inline Bitboard rook(Square s, Bitboard occupied) { return %s * s + occupied; }
inline Bitboard queen(Square s, Bitboard occupied) { return s + occupied; }
}
"""
# Stands in for slidebench: `good` answers as the engine's table does, `constant` as well, `bad` otherwise, `board` keeps a board.
PROGRAM = """#!/bin/sh
test "$1" = export || exit 9
case "$2" in good | constant | bad | board) cat "$0.$2" ;; *) echo "unknown method '$2'" >&2; exit 2 ;; esac
"""


@pytest.fixture(name="tree")
def _tree(place):
    """The engine as a source tree, a recipe for it, and a program that exports."""
    (place / "src").mkdir()
    for name in SOURCES:
        shutil.move(place / name, place / "src" / name)
    (place / "src" / "evaluate.cpp").write_text("int table[] = {0, 0, 0, 0};\nint evaluate(int x) { return table[x] + 7 * x; }\n")
    (place / "src" / "nodes.cpp").write_text('#error "too old"\n' + ENGINE["nodes.cpp"])
    (place / "tiny.toml").write_text(RECIPE)
    (place / "program").write_text(PROGRAM)
    (place / "program").chmod(0o755)
    (place / "program.good").write_text(EXPORT % ("inline void init() {}", "7"))
    (place / "program.constant").write_text(EXPORT % ("", "7"))
    (place / "program.bad").write_text(EXPORT % ("", "8"))
    (place / "program.board").write_text((EXPORT % ("", "7")).replace("rook(Square s, Bitboard occupied)", "rook(Square s, Board&)"))
    return place


def exchange(*words, recipe="tiny.toml"):
    options = ["--out", "new", "--slidebench", "./program", "--source", ".", "--builds", "2", "--compiler", COMPILERS[0]]
    return main(["exchange", recipe, *options, *words])


def refused_exchange(capsys, *words, **more):
    """The one line of an exchange that must be refused."""
    assert exchange(*words, **more) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    return said.err


def test_attack_code_is_exchanged(tree, capsys):
    assert exchange("--method", "good", "--method", "constant", "--method", "own") == 0
    said = capsys.readouterr().out.splitlines()
    contenders = " ".join(f"'{method}=new/{method}/*'" for method in ("own", "good", "constant"))
    assert said[-1] == f"{tree}/program duel {contenders} --out new/duel"
    assert said[-2].startswith("Tree: the same in all builds")
    for method in ("own", "good", "constant"):
        assert [path.name for path in sorted((tree / "new" / method).iterdir())] == ["engine.0", "engine.1"]
    assert (tree / "src" / "evaluate.cpp").read_text().startswith("int table")  # the source stays as it is
    made = {f"{method}{ending}" for method in ("own", "good", "constant") for ending in ("", ".json")}
    assert {path.name for path in (tree / "new").iterdir()} == made


def test_attack_code_with_other_answers_is_refused(tree, capsys):
    said = refused_exchange(capsys, "--method", "good", "--method", "bad")
    assert re.search(r"own/engine\.0 and .*bad/engine\.0: search different trees .*1 cp 21 34 against 1 cp 24 34", said)
    assert not list((tree / "new").iterdir())


@pytest.mark.parametrize("mode, evaluation", [("--record", 21), ("--dose", 28)])
def test_an_engine_is_built_with_the_recorder(tree, capsys, mode, evaluation):
    assert exchange(mode) == 0
    program = tree / "new" / mode[2:] / "src" / "engine"
    assert capsys.readouterr().out == f"{program}\n"
    said = subprocess.run([program], input="go\nquit\n", capture_output=True, text=True, check=True).stdout
    assert f"score cp {evaluation} " in said
    assert (program.parent / "slidebench_record.h").is_file()


@pytest.mark.parametrize("change, words", [
    ((r"return table\[x\]", r"return chart\[x\]"), r"recipe tiny: evaluate.cpp has no place 'return chart\[x\] \+ 7 \* x;'"),
    (('file = "evaluate.cpp"', 'file = "search.cpp"'), "recipe tiny: search.cpp: cannot be read (No such file"),
    (("pattern = '\\A'", "pattern = '('"), "exchange 2: needs file, pattern and replacement"),
    (("pattern = '\\A'", "colour = '('"), "exchange 2: needs file, pattern and replacement: 'pattern'"),
    (('#include "slidebench_attacks.h"', r"\7"), "is no replacement"),
    (("[[exchange]]", "[[exchange"), "cannot be read as TOML"),
    (('binary = "engine"', ""), "needs the text 'binary'"),
    (('folder = "src"', 'folder = "source"'), "has no folder source"),
    (("-O1 {flags}", "-O1 -no-such-flag"), "ended with status 1: "),
    (("-o engine", "-o other"), "engine: no executable of this name was linked"),
])  # fmt: skip
def test_a_recipe_that_does_not_fit_is_refused(tree, capsys, change, words):
    (tree / "tiny.toml").write_text(RECIPE.replace(*change))
    assert words in refused_exchange(capsys, "--method", "good")
    assert not [path for path in tree.glob("new/*") if path.is_dir()]


@pytest.mark.parametrize("words, expected", [
    (["--method", "better"], "better: cannot be exported: unknown method 'better'"),
    (["--method", "board"], "board: has no rook(square, occupied)"),
    (["--method", "good", "--builds", "1"], "--builds 1: must be 2 to 64"),
    (["--method", "good", "--compiler", "no-c++"], "no-c++: no such compiler"),
    (["--method", "good", "--slidebench", "./no-program"], "no-program: no such program"),
    (["--method", "good", "--method", "constant", "--record"], "--record and --dose build one method"),
    ([], "--method is needed"),
])  # fmt: skip
def test_an_exchange_that_cannot_be_is_refused(tree, capsys, words, expected):
    assert expected in refused_exchange(capsys, *words)
    assert not (tree / "new").exists()


def test_a_recipe_that_is_not_there_is_refused(tree, capsys):
    assert "tinny: no such recipe; give a file, or one of fairy-stockfish, glaurung" in refused_exchange(capsys, recipe="tinny")
    assert main(["exchange", "tiny.toml", "--out", "new", "--slidebench", "./program", "--method", "good"]) == 2
    assert "recipe tiny: names no source package; give --source FOLDER" in capsys.readouterr().err
    assert not list(tree.glob("new/*"))


def test_builds_that_are_there_stay(tree, capsys):
    (tree / "new" / "good").mkdir(parents=True)
    (tree / "new" / "good" / "engine.0").write_text("mine")
    assert "good: holds engine.0 already" in refused_exchange(capsys, "--method", "good")
    assert [path.name for path in (tree / "new").iterdir()] == ["good"] and (tree / "new" / "good" / "engine.0").exists()


def test_an_export_has_an_init_in_any_case(tree):
    good, constant = (header_of(tree / "program", method) for method in ("good", "constant"))
    assert has_init(good) and not good.endswith(NO_INIT)
    assert has_init(constant) and constant.endswith(NO_INIT)


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
def test_our_recipes_can_be_read(path):
    recipe = load(path.stem)
    assert recipe.package and recipe.exchange and recipe.record and "{cxx}" in recipe.build and "{flags}" in recipe.build
    calls = "".join(wanted.replacement for wanted in recipe.record)
    needed = ("open", "close", "root", "make", "unmake", "null", "eval", "probe", "bishop", "rook", "queen")
    assert [name for name in needed if f"sb_record_{name}(" not in calls] == []
    assert sum("sliding::init()" in wanted.replacement for wanted in recipe.exchange) == 1


def test_every_place_is_substituted(tree):
    recipe = load("tiny.toml")
    (tree / "src" / "evaluate.cpp").write_text("return table[x] + 7 * x;\n" * 2)
    substitute(recipe, "exchange", tree / "src")
    assert (tree / "src" / "evaluate.cpp").read_text().count("sliding::rook") == 2


def test_a_network_is_found_in_a_program(tmp_path):
    network = BEGINS + b"the network" * 9
    (tmp_path / "program").write_bytes(b"code" + BEGINS + b"no network" + network + b"more")
    sum_ = hashlib.sha256(network).hexdigest()
    assert network_from(tmp_path / "program", len(network), sum_[:12]) == network
    for bytes_, digest_ in ((len(network) - 1, sum_), (len(network), "00" + sum_[2:])):
        with pytest.raises(ReportError, match="holds no network of"):
            network_from(tmp_path / "program", bytes_, digest_)
    with pytest.raises(ReportError, match="cannot be read for its network"):
        network_from(tmp_path / "nowhere", 1, "")
