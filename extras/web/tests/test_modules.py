# SPDX-License-Identifier: MIT
"""The two WebAssembly modules in node: every method is right, the atlas reads what the native traced modules read, its steps are
right, and the module that measures sums what the native program sums."""

import csv
import ctypes
import json
import math
import os
import pathlib
import re
import subprocess

import pytest
from conftest import PROGRAM, ROOT, WEB, node

from pages.steps import DRAWING, places_in, read_steps
from report.errors import ReportError

PLUGINS = pathlib.Path(os.environ.get("SLIDEBENCH_PLUGINS", ROOT / "build/dev/plugins"))
BOARDS = (0x00FF00000000FF00, 0xFFFF00100842FFFF, 0x5A3C96E1780F2D4B)
# What a method of the name must be made of, and what no other may: a scalar method with vectors is not what its name says.
FORMS = {
    "hyperbola_simd128": {"i8x16.swizzle", "i64x2.sub"},
    "hyperbola_pair_simd128": {"i8x16.swizzle", "i64x2.sub"},
    "ray_masks_simd128": {"i8x16.swizzle", "i64.clz"},
    "kogge_stone_simd128": {"i8x16.swizzle", "i64x2.shl"},
    "magic_fancy": {"i64.mul"},
    "magic_split32": {"i32.mul"},
    "obstruction_difference": {"i64.clz"},
}

# Prints the methods of a module, and answer and reads of each query, of `given`: [module, [method, kind, square, occupied] ...].
ASK = """
import { readFileSync } from "node:fs";
const atlas = await openAtlas(readFileSync(given[0]), []);
const asked = given[1].map(([id, kind, square, occupied]) => {
  const { answer, events } = atlas.ask(atlas.method(id), kind, square, BigInt(occupied));
  return [`0x${answer.toString(16)}`, events.filter(({ read }) => read).map(({ read }) => [read.table, read.offset, read.bytes])];
});
console.log(JSON.stringify({ methods: atlas.methods.map(({ id }) => id), asked }));
"""


def ask(modules, queries):
    """What ASK prints for the queries."""
    return node(ASK, ("module", "atlas"), [str(modules / "atlas/atlas.wasm"), queries])


def structure(name, **fields):
    """A C struct of harness/plugin/abi.hpp."""
    return type(name, (ctypes.Structure,), {"_fields_": list(fields.items())})


TEXT, NUMBER, POINTER, BOARD = ctypes.c_char_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint64
Info = structure("Info", id=TEXT, title=TEXT, family=TEXT, inventor=TEXT, year=ctypes.c_int, reference=TEXT, isa=NUMBER)
Queries = structure("Queries", bishop=POINTER, rook=POINTER, queen=POINTER, others=POINTER * 3, own_batch=ctypes.c_bool)
Boards = structure("Boards", bytes=ctypes.c_size_t, has_state=ctypes.c_bool, build=POINTER, others=POINTER * 2)
Descriptor = structure("Descriptor", magic=ctypes.c_uint64, version=NUMBER, bytes=NUMBER, info=Info, level=NUMBER, isa=NUMBER,
                       role=NUMBER, group=NUMBER, tables=POINTER, table_count=NUMBER, initialise=POINTER, queries=Queries,
                       board=Boards, kernels=POINTER * 17, trace=POINTER, extension=POINTER, texts=TEXT * 2)  # fmt: skip
Sink = ctypes.CFUNCTYPE(None, POINTER, NUMBER, NUMBER, NUMBER)


class Native:
    """A traced module of the native program."""

    def __init__(self, path):
        self.described = Descriptor.in_dll(ctypes.CDLL(str(path)), "slidebench_plugin")
        known = (self.described.version, self.described.bytes) == (10, ctypes.sizeof(Descriptor))
        assert known, "harness/plugin/abi.hpp has changed: so must Descriptor"
        self.reads = []
        self.sink = Sink(lambda _, table, offset, length: self.reads.append([table, offset, length]))
        ctypes.CFUNCTYPE(None)(self.described.initialise)()
        ctypes.CFUNCTYPE(None, Sink, POINTER)(self.described.trace)(self.sink, None)

    def taken(self, function, *words):
        """The result of a function, and the reads that it took."""
        self.reads.clear()
        return function(*words), list(self.reads)

    def ask(self, kind, square, occupied):
        """Answer and reads of a query, without those of the board that is built for it."""
        room = ctypes.create_string_buffer(self.described.board.bytes + 64)
        aligned = (ctypes.addressof(room) + 63) // 64 * 64
        _, built = self.taken(ctypes.CFUNCTYPE(None, POINTER, BOARD)(self.described.board.build), aligned, occupied)
        query = ctypes.CFUNCTYPE(BOARD, ctypes.c_uint, BOARD)(getattr(self.described.queries, kind))
        answer, reads = self.taken(query, square, occupied)
        assert reads[: len(built)] == built, "a query does not begin with its board"
        return hex(answer), reads[len(built) :]


def runs_here(path):
    """Whether this machine runs a native module, as far as its level and its name say."""
    needed = {"v3": {"avx2", "bmi2"}, "v4": {"avx2", "bmi2", "avx512vl", "avx512bw", "avx512_bitalg"}}[path.name.split(".")[1]]
    has = set(pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    return needed | ({"gfni"} if "gfni" in path.name else set()) <= has


@pytest.mark.parametrize("file", ["atlas/atlas.wasm", "wasm/slidebench.wasm"])
def test_a_module_imports_nothing(modules, file):
    code = "import { readFileSync } from 'node:fs';"
    code += "console.log(WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(given))).length)"
    assert node(code, given=str(modules / file)) == 0


def test_the_atlas_has_every_method_but_those_of_another_processor(modules):
    lines = (ROOT / "methods/CMakeLists.txt").read_text(encoding="utf-8")
    listed = re.findall(r"^add_method\(\w+/(\w+) \w+( LEVEL (?:a64|sve2)\b(?!-))?", lines, re.MULTILINE)
    assert ask(modules, [])["methods"] == [method for method, other_processor in listed if not other_processor]


def test_methods_and_steps_are_right(modules):
    """Answers, reads within tables, products, and the last step of every square: see check.mjs."""
    places = modules / "atlas/places.json"
    command = ["node", WEB / "tests/check.mjs", modules / "atlas/atlas.wasm", places]
    done = subprocess.run(command, input=json.dumps(read_steps(places_in(places))), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_atlas_answers_and_reads_what_the_native_modules_do(modules):
    paths = {path.name.split(".")[0]: path for path in PLUGINS.glob("*.v[34].traced.so") if runs_here(path)}
    native = {method: Native(paths[method]) for method in ask(modules, [])["methods"] if method in paths}
    if not native:
        pytest.skip("no native module that runs here")
    queries = [(method, kind, square, occupied) for method in native for kind in ("bishop", "rook", "queen")
               for square in range(64) for occupied in BOARDS]  # fmt: skip
    for query, (answer, reads) in zip(queries, ask(modules, [(*query[:3], str(query[3])) for query in queries])["asked"]):
        native_answer, native_reads = native[query[0]].ask(*query[1:])
        # Compilers may work arguments out in another order.
        assert (answer, sorted(reads)) == (native_answer, sorted(native_reads)), query


SUMS = """
import { readFileSync } from "node:fs";
const suite = await openSuite(readFileSync(given[0]), readFileSync(given[1]), 1);
const wrong = suite.methods.filter((id, method) => id !== "empty" && suite.module.verify(method) !== 0);
const segments = Array.from({ length: suite.module.segments() }, (_, i) => [suite.module.queries(i), `${suite.expected(i)}`]);
const sums = suite.methods.map((id, method) => suite.pressures.map((_, pressure) => `${suite.replay(method, pressure, 0, 1)}`));
console.log(JSON.stringify({ methods: suite.methods, wrong, segments, sums }));
"""


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    if not PROGRAM.exists():
        pytest.skip(f"no {PROGRAM}")
    path = tmp_path_factory.mktemp("trace") / "search.trace"
    command = [PROGRAM, "trace", "build", "--kind", "search", "--positions", 2, "--nodes", 6000, "--out", path]
    subprocess.run([*map(str, command), str(ROOT / "datasets/sample.pgn")], check=True, capture_output=True)
    return path


@pytest.fixture(scope="module")
def said(modules, trace):
    return node(SUMS, ("module", "worker"), [str(modules / "wasm/slidebench.wasm"), str(trace)])


def test_every_method_answers_rightly_alone_and_next_to_a_network(said):
    """On every square and subset of relevant occupancy, and in a replay."""
    assert {*FORMS, "empty", "hyperbola", "kindergarten", "magic_black"} <= set(said["methods"]) and said["wrong"] == []
    expected = said["segments"][0][1]
    wrong = [id_ for id_, sums in zip(said["methods"], said["sums"]) if id_ != "empty" and set(sums) != {expected}]
    assert wrong == [] and len(said["sums"][0]) == 2


def test_segments_are_those_of_the_native_program(said, trace, tmp_path):
    """As many queries, and the same sum of all answers to the bit."""
    small = "run --pressure isolated --workload throughput --method hyperbola --profile 2x8"
    command = [str(PROGRAM), *small.split(), "--trace", str(trace), "--out", str(tmp_path / "run")]
    subprocess.run(command, check=True, capture_output=True)
    with open(tmp_path / "run/samples.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["contender"] == "magic_fancy"]
    assert rows
    for row in rows:
        queries, total = int(row["queries"]), int(row["checksum"], 16)
        own, own_total = said["segments"][int(row["segment"])]
        passes = math.gcd(queries, own)  # a multiple of the queries of one pass
        assert total * (own // passes) % 2**64 == int(own_total) * (queries // passes) % 2**64


def test_methods_are_made_of_what_their_names_say(modules):
    objects = sorted((modules / "wasm").glob("extras/web/wasm/CMakeFiles/*/entries/*.obj"))
    assert set(FORMS) <= {path.name.split(".")[0] for path in objects}
    for path in objects:
        method = path.name.split(".")[0]
        code = subprocess.check_output(["llvm-objdump", "-d", "--no-show-raw-insn", path], text=True)
        found = set(re.findall(r"\s((?:v128|[if]\d+(?:x\d+)?)\.[a-z0-9_]+)", code))
        assert FORMS.get(method, set()) <= found, method
        # Cleared arrays and copied boards are vectors anywhere; arithmetic in lanes is not.
        lanes = {name for name in found if re.match(r"i\d+x\d+\.(?!splat|replace_lane|extract_lane)", name)}
        assert (lanes != set()) == method.endswith("_simd128"), (method, lanes)


PLACES = [{"file": "methods/magic/x.hpp", "function": "index", "text": text} for text in ("a | b", "c", "(a | b) * c")]


def faults(folder, text, header="x"):
    """What reading a steps file gives, or its faults."""
    (folder / "methods/magic").mkdir(parents=True, exist_ok=True)
    (folder / "methods/magic/x.hpp").touch()
    (folder / "magic.steps").write_text(f"== {header}\n{text}")
    try:
        return read_steps(PLACES, folder, folder)
    except ReportError as error:
        return str(error).replace("methods/magic/", "").splitlines()


def test_right_steps_are_read(tmp_path):
    found = faults(tmp_path, "# Said by nobody.\nindex | a | b | board\nOne\ntwo.\n\nrook: index | (a | b) * c | product a | b ; c\nThree.\n")
    parts = ("line", "kind", "expression", "drawing", "factors", "text", "places")
    assert [tuple(step[part] for part in parts) for step in found] == [
        (3, None, "a | b", "board", None, "One two.", [0]),
        (7, "rook", "(a | b) * c", "product", ["a | b", "c"], "Three.", [2]),
    ]


@pytest.mark.parametrize("text, expected", [
    ("index | c | pie\nText.", f"2: 'index | c | pie' is not [bishop:|rook:] function | expression | drawing, one of {DRAWING}"),
    ("\nindex | c | bits\n", "3: no text follows"),
    ("index | d | bits\nText.", "2: x.hpp computes no `d` in index()"),
    ("other | c | bits\nText.", "2: x.hpp computes no `c` in other()"),
    ("index | (a | b) * c | product d ; 0x01\nText.", "2: x.hpp computes no `d` in index()"),
    ("index | c | bits\nText.\n\nindex | c | board\nText.", "5: line 2 says it already"),
    ("== y\nindex | c | bits\nText.", "3: there is no y.hpp"),
])  # fmt: skip
def test_wrong_steps_are_told(tmp_path, text, expected):
    assert faults(tmp_path, text) == [f"magic.steps:{expected}"]
