# SPDX-License-Identifier: MIT
"""The atlas's module in node: every method is right, so are the steps, and it reads what the native traced modules read.

Usage: test_atlas.py ROOT PLUGINS     PLUGINS is the folder of the native modules

Exit status 77, and the test is skipped, where build.sh built no module.
"""

import ctypes
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import steps

HERE = pathlib.Path(__file__).resolve().parent
ROOT, PLUGINS = pathlib.Path(), pathlib.Path()
BOARDS = (0x00FF00000000FF00, 0xFFFF00100842FFFF, 0x5A3C96E1780F2D4B)

# Prints the methods of a module, and answer and reads of each query on standard input, lists of [method, kind, square, occupied].
ASK = """
import { readFileSync } from "node:fs";
import { openAtlas } from "./atlas.mjs";
const atlas = await openAtlas(readFileSync(process.argv[1]), []);
const asked = JSON.parse(readFileSync(0, "utf8")).map(([id, kind, square, occupied]) => {
  const { answer, events } = atlas.ask(atlas.method(id), kind, square, BigInt(occupied));
  return [`0x${answer.toString(16)}`, events.filter(({ read }) => read).map(({ read }) => [read.table, read.offset, read.bytes])];
});
process.stdout.write(JSON.stringify({ methods: atlas.methods.map(({ id }) => id), asked }));
"""


def module():
    """The module's file."""
    return ROOT / "build/atlas/atlas.wasm"


def ask(queries):
    """What ASK prints for the queries."""
    command = ["node", "--input-type=module", "-e", ASK, module()]
    done = subprocess.run(command, cwd=HERE, input=json.dumps(queries), text=True, capture_output=True, check=True)
    return json.loads(done.stdout)


def structure(name, **fields):
    """A C struct of harness/plugin/abi.hpp."""
    return type(name, (ctypes.Structure,), {"_fields_": list(fields.items())})


TEXT, NUMBER, POINTER, BOARD = ctypes.c_char_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint64
Info = structure("Info", id=TEXT, title=TEXT, family=TEXT, inventor=TEXT, year=ctypes.c_int, reference=TEXT, isa=NUMBER)
Queries = structure("Queries", bishop=POINTER, rook=POINTER, queen=POINTER, others=POINTER * 3, own_batch=ctypes.c_bool)
Boards = structure("Boards", bytes=ctypes.c_size_t, has_state=ctypes.c_bool, build=POINTER, others=POINTER * 2)
Descriptor = structure("Descriptor", magic=ctypes.c_uint64, version=NUMBER, bytes=NUMBER, info=Info, level=NUMBER, isa=NUMBER,
                       role=NUMBER, group=NUMBER, tables=POINTER, table_count=NUMBER, initialise=POINTER, queries=Queries,
                       board=Boards, store=POINTER, kernels=POINTER * 23, trace=POINTER, texts=TEXT * 2)  # fmt: skip
Sink = ctypes.CFUNCTYPE(None, POINTER, NUMBER, NUMBER, NUMBER)


class Native:
    """A traced module of the native program."""

    def __init__(self, path):
        self.described = Descriptor.in_dll(ctypes.CDLL(str(path)), "slidebench_plugin")
        known = (self.described.version, self.described.bytes) == (9, ctypes.sizeof(Descriptor))
        assert known, "harness/plugin/abi.hpp has changed: so must Descriptor"
        self.reads = []
        self.sink = Sink(lambda _, table, offset, length: self.reads.append([table, offset, length]))
        ctypes.CFUNCTYPE(None)(self.described.initialise)()
        ctypes.CFUNCTYPE(None, Sink, POINTER)(self.described.trace)(self.sink, None)

    def taken(self, function, *words):
        """The result of a function, and the reads that it took."""
        self.reads.clear()
        return function(*words), list(self.reads)

    def build_board(self, occupied):
        """The reads that the method's board takes."""
        room = ctypes.create_string_buffer(self.described.board.bytes + 64)
        aligned = (ctypes.addressof(room) + 63) // 64 * 64
        return self.taken(ctypes.CFUNCTYPE(None, POINTER, BOARD)(self.described.board.build), aligned, occupied)[1]

    def ask(self, kind, square, occupied):
        """Answer and reads of a query, without those of the board that is built for it."""
        built = self.build_board(occupied)
        query = ctypes.CFUNCTYPE(BOARD, ctypes.c_uint, BOARD)(getattr(self.described.queries, kind))
        answer, reads = self.taken(query, square, occupied)
        assert reads[: len(built)] == built, "a query does not begin with its board"
        return hex(answer), reads[len(built) :]


def runs_here(path):
    """Whether this machine runs a native module, as far as its level and its name say."""
    needed = {"v3": {"avx2", "bmi2"}, "v4": {"avx2", "bmi2", "avx512vl", "avx512bw", "avx512_bitalg"}}[path.name.split(".")[1]]
    has = set(pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    return needed | ({"gfni"} if "gfni" in path.name else set()) <= has


class Module(unittest.TestCase):
    def test_it_imports_nothing(self):
        code = f"WebAssembly.Module.imports(new WebAssembly.Module(fs.readFileSync({json.dumps(str(module()))}))).length"
        self.assertEqual(subprocess.check_output(["node", "-p", code], text=True).strip(), "0")

    def test_it_has_every_method_but_those_of_another_processor(self):
        lines = (ROOT / "methods/CMakeLists.txt").read_text(encoding="utf-8")
        listed = re.findall(r"^add_method\(\w+/(\w+) \w+( LEVEL (?:a64|sve2)\b(?!-))?", lines, re.MULTILINE)
        self.assertEqual(ask([])["methods"], [method for method, other_processor in listed if not other_processor])

    def test_methods_and_steps_are_right(self):
        """Answers, reads within tables, products, and the last step of every square: see check.mjs."""
        done = subprocess.run([sys.executable, "-B", HERE / "steps.py", "check"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_it_answers_and_reads_what_the_native_modules_do(self):
        paths = {path.name.split(".")[0]: path for path in PLUGINS.glob("*.v[34].traced.so") if runs_here(path)}
        modules = {method: Native(paths[method]) for method in ask([])["methods"] if method in paths}
        if not modules:
            self.skipTest("no native module that runs here")
        queries = [(method, kind, square, occupied) for method in modules for kind in ("bishop", "rook", "queen")
                   for square in range(64) for occupied in BOARDS]  # fmt: skip
        for query, (answer, reads) in zip(queries, ask([(*query[:3], str(query[3])) for query in queries])["asked"]):
            native_answer, native_reads = modules[query[0]].ask(*query[1:])
            # Compilers may work arguments out in another order.
            self.assertEqual((answer, sorted(reads)), (native_answer, sorted(native_reads)), query)


class Steps(unittest.TestCase):
    """What is wrong with a steps file is said in a line for each fault."""

    PLACES = [{"file": "methods/magic/x.hpp", "function": "index", "text": text} for text in ("a | b", "c", "(a | b) * c")]

    def faults(self, text, header="x.hpp"):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for part in ("methods/magic", f"{steps.STEPS}/magic"):
                (root / part).mkdir(parents=True)
            (root / "methods/magic" / header).touch()
            (root / steps.STEPS / "magic/x.steps").write_text(text)
            try:
                return steps.read_steps(self.PLACES, root)
            except steps.StepsError as error:
                return str(error).replace("methods/magic/", "").replace(f"{steps.STEPS}/magic/", "").splitlines()

    def test_right_ones_are_read(self):
        found = self.faults("# Said by nobody.\nindex | a | b | board\nOne\ntwo.\n\n"
                            "rook: index | (a | b) * c | product a | b ; c\nThree.\n")  # fmt: skip
        parts = ("line", "kind", "expression", "drawing", "factors", "text", "places")
        self.assertEqual([tuple(step[part] for part in parts) for step in found],
                         [(2, None, "a | b", "board", None, "One two.", [0]),
                          (6, "rook", "(a | b) * c", "product", ["a | b", "c"], "Three.", [2])])  # fmt: skip

    def test_wrong_ones_are_told(self):
        form = f"is not [bishop:|rook:] function | expression | drawing, one of {steps.DRAWING}"
        for text, faults in {
            "index | c | pie\nText.": [f"x.steps:1: 'index | c | pie' {form}"],
            "\nindex | c | bits\n": ["x.steps:2: no text follows"],
            "index | d | bits\nText.": ["x.steps:1: x.hpp computes no `d` in index()"],
            "other | c | bits\nText.": ["x.steps:1: x.hpp computes no `c` in other()"],
            "index | (a | b) * c | product d ; 0x01\nText.": ["x.steps:1: x.hpp computes no `d` in index()"],
            "index | c | bits\nText.\n\nindex | c | board\nText.": ["x.steps:4: line 1 says it already"],
        }.items():
            with self.subTest(text=text):
                self.assertEqual(self.faults(text), faults)
        self.assertEqual(self.faults("", header="y.hpp"), ["x.steps:1: there is no x.hpp"])


if __name__ == "__main__":
    ROOT, PLUGINS = map(pathlib.Path, sys.argv[1:])
    if not module().exists():
        print(f"{module()} is missing; extras/web/atlas/build.sh builds it")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
