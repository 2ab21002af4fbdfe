# SPDX-License-Identifier: MIT
"""`slidebench try` and `slidebench placements` on an engine of one file, which behaves well or ill. No time is asserted."""

import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

PROGRAM, ENGINES = (os.environ[name] for name in ("SLIDEBENCH_PROGRAM", "SLIDEBENCH_ENGINES"))
HERE = Path(__file__).resolve().parent
COMPILER = shutil.which("gcc") or shutil.which("clang")
SHUFFLES = shutil.which("ld.lld") is not None
pytestmark = pytest.mark.skipif(not COMPILER, reason="no C compiler")
POSITIONS = """rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1
"""


@pytest.fixture(name="place")
def _place(tmp_path, monkeypatch):
    """A folder with the engine's source, where the test runs."""
    shutil.copy(HERE / "try_engine.c", tmp_path / "engine.c")
    (tmp_path / "positions").write_text(POSITIONS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def build(fault="", method="hyperbola", more=""):
    """A build command as a script, in which the engine does something wrong with a method."""
    at = f'grep -q "^// {method}," slidebench_attacks.h && fault="-DFAULT={fault}"; ' if fault else ""
    return ["sh", "-c", f"{at}gcc -std=c11 -O2 $fault {more} engine.c -o engine"]


def words(*arguments, command=None, methods=("magic_black", "hyperbola"), nodes=("--nodes", "20000"), seconds=1):
    """The words of a trial of a second, which is four process runs."""
    named = [word for method in methods for word in ("--method", method)]
    return [ENGINES, "try", "--engine", "./engine", "--time", f"{seconds}s", "--positions", "positions", "--turn-limit", "3s", *nodes, *named,
            *arguments, "--", *(command or build())]


def left_behind(place):
    """Processes that run in the folder of a test."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if Path(os.readlink(process / "cwd")) == place and process.name != str(os.getpid()):
                found.append((process / "cmdline").read_bytes())
        except OSError:
            continue
    return found


def trial(place, *arguments, **more):
    done = subprocess.run(words(*arguments, **more), capture_output=True, text=True, check=False, timeout=300)
    assert left_behind(place) == []
    return done


def succeeded(place, *arguments, **more):
    """A trial that ends well."""
    done = trial(place, *arguments, **more)
    assert done.returncode == 0, done.stderr
    return done


def record_of(place):
    return json.loads((place / "slidebench-try" / "run.json").read_text())


def methods_of(done):
    """The methods of the table."""
    return set(re.findall(r"^  (\w+) +[\d,]+  ", done.stdout, re.MULTILINE))


def refused(place, *arguments, **more):
    """The one line of a trial that is refused."""
    done = trial(place, *arguments, **more)
    assert done.returncode == 2 and done.stdout == ""
    said = [line for line in done.stderr.splitlines() if not re.search(r" \w+ left$", line)]
    assert len(said) == 1, done.stderr
    return said[0]


def test_a_trial_says_a_sentence_and_a_table(place):
    done = succeeded(place)
    assert done.stdout.startswith("Nothing to gain above ")
    assert methods_of(done) == {"own", "magic_black", "hyperbola"}
    assert (place / "slidebench_attacks.h").read_text().startswith("// own,")
    record = record_of(place)
    assert record["complete"] and record["duel"]["trial"]
    assert all(tree["same_tree"] for tree in record["duel"]["trees"])
    builds = {engine["id"]: len(engine["builds"]) for engine in record["methods"]}
    assert builds == dict.fromkeys(("own", "magic_black", "hyperbola"), 4 if SHUFFLES else 1)
    shown = subprocess.run([PROGRAM, "show", "slidebench-try"], capture_output=True, text=True, check=True).stdout
    for row in re.findall(r"^  (?:magic_black|hyperbola) .*?(\[.*?\])", done.stdout, re.MULTILINE):
        assert row in shown  # the same intervals
    assert "--resume" not in shown


def test_every_header_is_taken_by_c_and_by_cpp(place):
    for method in ("magic_fancy", "kogge_stone", "pext"):
        for compiler, standard in (("gcc", "-std=c11"), ("g++ -x c++", "-std=c++17")):
            command = ["sh", "-c", f"{compiler} {standard} -march=native -Wall -Wextra -Wno-unused-function -Werror engine.c -o engine"]
            done = trial(place, "--out", f"out-{method}{standard}", command=command, methods=(method,))
            needs = "needs" in done.stderr and method == "pext"  # this processor has it not
            assert done.returncode == 0 or needs, done.stderr


FAULTS = {"crash": "ended by signal 11", "hang": "has not answered", "silent": "ended with status 0",
          "other_tree": "searches another tree than your own at position 3, 4k3/4p3"}  # fmt: skip


@pytest.mark.parametrize("fault, said", FAULTS.items(), ids=FAULTS)
def test_a_method_that_fails_is_left_out_with_one_line(place, fault, said):
    done = succeeded(place, command=build(fault))
    lines = [line for line in done.stderr.splitlines() if "hyperbola" in line]
    assert len(lines) == 1 and "hyperbola is left out: " in lines[0] and said in lines[0]
    assert methods_of(done) == {"own", "magic_black"}
    assert said in done.stdout


@pytest.mark.parametrize("fault", ["crash", "hang", "silent"])
def test_an_engine_that_fails_as_it_is_ends_the_trial(place, fault):
    assert FAULTS[fault] in refused(place, command=build(fault, "own"))
    assert (place / "slidebench_attacks.h").read_text().startswith("// own,")


BUILDS = {
    "fails": ("echo x.c: error: mistake; false", "the build of own failed (status 1): "),
    "fails with a method": ("grep -q '^// own' slidebench_attacks.h || { printf 'cc x.c\\nx.c:7: error: mistake\\n'; exit 1; }; "
                            "gcc engine.c -o engine", "the build of hyperbola failed (status 1): x.c:7: error: mistake"),
    "leaves no program": ("true", "--engine ./engine: is no program after the build of own"),
    "sees no header": ("gcc -DNO_HEADER engine.c -o engine", "the build did not see slidebench_attacks.h"),
    "keeps old objects": ("test -e engine.o || gcc -c engine.c; gcc engine.o -o engine",
                          "left parts with the header of own where hyperbola was written: build from clean"),
}  # fmt: skip


@pytest.mark.parametrize("command, said", BUILDS.values(), ids=BUILDS)
def test_a_bad_build_is_told(place, command, said):
    assert said in refused(place, command=["sh", "-c", command], methods=("hyperbola",))


@pytest.mark.parametrize("fault", ["only_depth", "no_quit"])
def test_engines_with_manners_of_their_own(place, fault):
    succeeded(place, command=build(more=f"-DFAULT={fault}"), methods=("hyperbola",), nodes=())
    assert record_of(place)["duel"]["go"].startswith("depth" if fault == "only_depth" else "nodes")


def test_a_folder_that_is_there_and_a_method_that_is_not(place):
    assert "--method pxt: has no header; did you mean 'pext'?" in refused(place, methods=("pxt",))
    (place / "slidebench-try").mkdir()
    assert "slidebench-try: is there already; --resume goes on" in refused(place)
    assert "--resume: there is no other" in refused(place, "--resume", "--out", "other")


@pytest.mark.parametrize("moment", ["own: ", " processes "])
def test_an_interrupted_trial_goes_on(place, moment):
    with subprocess.Popen(words(seconds=300), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        next(line for line in process.stderr if moment in line)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait(timeout=60) == 2 and "the same command with --resume goes on" in said
    assert left_behind(place) == []
    assert methods_of(succeeded(place, "--resume")) == {"own", "magic_black", "hyperbola"}


@pytest.mark.skipif(not SHUFFLES, reason="no lld")
def test_placements_differ_in_addresses(place):
    functions = [f"f{number}" for number in range(8)]
    source = "".join(f"int {name}(int x) {{ return x * {number + 3}; }}\n" for number, name in enumerate(functions))
    (place / "more.c").write_text(source)
    command = [PROGRAM, "placements", "--engine", "engine", "--out", "old", "--builds", "3", "--", "sh", "-c",
               "gcc -O1 -DNO_HEADER engine.c more.c -o engine && strip engine"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "slidebench duel 'old=old/*' 'new=...'" in done.stdout
    orders = set()
    for path in sorted((place / "old").iterdir()):
        table = subprocess.run(["nm", "-n", path], capture_output=True, text=True, check=True).stdout
        orders.add(tuple(name for name in re.findall(r"\w+$", table, re.MULTILINE) if name in functions))
    assert len(orders) == 3 and {len(order) for order in orders} == {8}
    assert sorted(path.name for path in place.iterdir()) == ["engine", "engine.c", "more.c", "old", "positions"]


def test_a_build_without_a_link_has_no_placements(place):
    shutil.copy("/bin/true", place / "engine")
    command = [PROGRAM, "placements", "--engine", "engine", "--out", "old", "--", "true"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "cannot be shuffled" in done.stderr
    assert not (place / "old").exists()


def test_what_is_asked_is_recorded(place):
    done = succeeded(place, "--record", "log", nodes=("--nodes", "500"))
    imported = [PROGRAM, *done.stdout.split()[1:]]
    assert imported[1:4] == ["trace", "import", "log"]
    subprocess.run(imported, capture_output=True, check=True)
    shown = subprocess.run([PROGRAM, "trace", "info", "--format", "json", "engine.trace"], capture_output=True, text=True, check=True)
    queries = json.loads(shown.stdout)["queries"]
    assert queries == 2 * 3 * 500  # on three positions a queen a node, and a bishop and a rook of one square, which are one
    assert sorted(path.name for path in place.iterdir()) == ["engine", "engine.c", "engine.trace", "log", "positions", "slidebench_attacks.h"]
    assert (place / "slidebench_attacks.h").read_text().startswith("// own,")
    assert "--record log: is there already" in refused(place, "--record", "log")
