# SPDX-License-Identifier: MIT
"""The WebAssembly module in node: the same answers as the native program's, to the bit.

Usage: test_wasm.py ROOT PROGRAM     PROGRAM is the native slidebench

Exit status 77, and the test is skipped, where build.sh built no module.
"""

import csv
import json
import math
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT, PROGRAM = pathlib.Path(), ""
MODULE = pathlib.Path()
FOLDER = pathlib.Path()  # with what all tests need: a trace
TWO_64 = 1 << 64
WORKLOADS = ("throughput", "latency", "setwise", "batch")

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


def run(*command, status=0, **how):
    """Runs a command; returns its standard output, of one that is to fail the last line of standard error."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **how)
    assert done.returncode == status, f"{command}: {done.returncode}, {done.stderr[-2000:]}"
    return done.stderr.splitlines()[-1] if status else done.stdout


def process_run(plan, module=None, trace=None, status=0):
    """A process run in node; returns its result, of one that is to fail the line that says why."""
    usual = {"methods": [], "reference": "magic_fancy", "cells": [[w, "isolated"] for w in WORKLOADS], "rounds": 1,
             "sampleMs": 0.1, "warmUpMs": 0.1, "seed": 1, "verify": False}  # fmt: skip
    command = ("node", HERE / "node.mjs", module or MODULE, trace or FOLDER / "search.trace")
    said = run(*command, input=json.dumps(usual | plan), status=status)
    return said if status else json.loads(said)


def native_run(out, *words):
    """A small run of the native program on the same trace."""
    small = ("--sample-ms", 0.1, "--warm-up-ms", 0.1)
    run(PROGRAM, "run", "--no-random", "--trace", FOLDER / "search.trace", "--pressure", "isolated", *small, *words, "--out", out)


def rows_of(path):
    """The rows of a CSV file, a list of dict."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Module(unittest.TestCase):
    def test_it_imports_nothing(self):
        self.assertEqual(run("node", "-p", "WebAssembly.Module.imports(new WebAssembly.Module(fs.readFileSync("
                             f"{json.dumps(str(MODULE))}))).length").strip(), "0")  # fmt: skip

    def test_every_method_answers_rightly(self):
        """On every square and subset of relevant occupancy, and in all workloads."""
        result = process_run({"verify": True})
        ids = {method["id"] for method in result["methods"]}
        self.assertLessEqual({*FORMS, "hyperbola", "kindergarten", "magic_black"}, ids)
        self.assertEqual({sample["workload"] for sample in result["samples"]}, set(WORKLOADS))
        self.assertEqual({sample["method"] for sample in result["samples"]}, ids)

    def test_an_engine_without_simd_refuses_it_in_a_line(self):
        """V8 has no SIMD128 on an x86 without SSE4.1."""
        done = subprocess.run(["node", "--no-enable-sse4-1", HERE / "node.mjs", MODULE, FOLDER / "search.trace"], input="{}",
                              capture_output=True, text=True, check=False)  # fmt: skip
        if "unrecognized" in done.stderr or platform.machine() != "x86_64":
            self.skipTest("this node cannot play a processor without SIMD")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        self.assertIn("needs SIMD128", done.stderr)

    def test_methods_are_made_of_what_their_names_say(self):
        objects = sorted(MODULE.parent.glob("extras/web/wasm/CMakeFiles/*/entries/*.obj"))
        self.assertLessEqual(set(FORMS), {path.name.split(".")[0] for path in objects})
        for path in objects:
            method = path.name.split(".")[0]
            code = run("llvm-objdump", "-d", "--no-show-raw-insn", path)
            found = set(re.findall(r"\s((?:v128|[if]\d+(?:x\d+)?)\.[a-z0-9_]+)", code))
            with self.subTest(method=method):
                self.assertLessEqual(FORMS.get(method, set()), found)
                # Cleared arrays and copied boards are vectors anywhere; arithmetic in lanes is not.
                lanes = {name for name in found if re.match(r"i\d+x\d+\.(?!splat|replace_lane|extract_lane)", name)}
                self.assertEqual(lanes != set(), method.endswith("_simd128"), lanes)


class SameAsNative(unittest.TestCase):
    """Sums of all answers: of a segment, in the module and in the native program."""

    def sums(self, samples):
        """(workload, segment) -> queries and sum, of a sample of the reference."""
        return {(s["workload"], int(s["segment"])): (int(s["queries"]), int(s["checksum"], 16))
                for s in samples if s["contender"] == "magic_fancy"}  # fmt: skip

    def test_sums_are_equal_to_the_bit(self):
        native = FOLDER / "native"
        workloads = [word for name in WORKLOADS for word in ("--workload", name)]
        native_run(native, *workloads, "--method", "hyperbola", "--process-runs", 2, "--rounds", 8)
        theirs = self.sums(rows_of(native / "samples.csv"))
        ours = self.sums(process_run({"methods": ["magic_fancy"], "rounds": 40})["samples"])
        both = theirs.keys() & ours.keys()
        self.assertEqual({workload for workload, _ in both}, set(WORKLOADS))
        for key in both:
            (queries, total), (other_queries, other_total) = theirs[key], ours[key]
            passes = math.gcd(queries, other_queries)  # a multiple of the queries of one pass
            with self.subTest(cell=key):
                self.assertEqual(total * (other_queries // passes) % TWO_64, other_total * (queries // passes) % TWO_64)


class Requests(unittest.TestCase):
    def test_beside_a_network_there_is_throughput_alone(self):
        self.assertIn("throughput alone", process_run({"cells": [["latency", "net1024"]]}, status=2))


if __name__ == "__main__":
    ROOT, PROGRAM = pathlib.Path(sys.argv[1]), sys.argv[2]
    MODULE = ROOT / "build" / "wasm" / "slidebench.wasm"
    if not MODULE.exists() or not shutil.which("node"):
        print("no build/wasm/slidebench.wasm, or no node: scripts/install_deps.sh --wasm, extras/web/wasm/build.sh")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        FOLDER = pathlib.Path(name)
        run(PROGRAM, "trace", "build", "--kind", "search", "--positions", 2, "--nodes", 6000, "--out", FOLDER / "search.trace",
            ROOT / "datasets" / "sample.pgn")  # fmt: skip
        unittest.main(argv=sys.argv[:1], verbosity=1)
