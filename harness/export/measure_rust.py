#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is a method in Rust as fast as in C++? Both exports of it become plug-ins: the same wrapper and the same replay loop, compiled
by the same LLVM (Clang for C++, rustc for Rust), and joined by a link that inlines the queries into the loop. They are
measured in the same rounds, beside the reference's A/A control, identical code.

Prints a table: instructions a query of C++, of Rust that is told a square's range, as by the type of an engine's square, and of
Rust that takes any number modulo 64; then the time of Rust over that of C++, and of the A/A control over the reference, with 95 %
intervals over the process runs. --instructions leaves the times out. Ends with status 2 where a query was not inlined.

Usage: measure_rust.py [--instructions] [--process-runs N] SLIDEBENCH OUT [METHOD...]
       SLIDEBENCH of a build or an installation, OUT a new folder; 16 process runs if N is not given
"""

import argparse
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from measure_exports import WORKLOADS, ratio
from rust_compiler import STABLE_SINCE, distribution_compiler

TWIN = pathlib.Path(__file__).resolve().parent / "rust" / "twin"
# The link optimises again, and must not vectorise either.
FLAGS = "-flto -Wl,--lto-O3 -Wl,-mllvm,-vectorize-loops=false -Wl,-mllvm,-vectorize-slp=false -fuse-ld=lld"
QUIET = "-Wno-unused-command-line-argument -Wno-override-module"
TO_BITCODE = ("--edition=2021", "--crate-type=staticlib", "-Cpanic=abort", "-Copt-level=3", "-Ccodegen-units=1",
              "-Cno-vectorize-loops", "-Cno-vectorize-slp", "--emit=llvm-bc")
VARIANTS = ("cpp", "rust", "any")

HEADER = """#pragma once
#include "twin.hpp"

namespace slidebench {{

/// {method} as exported in another language.
struct Exported : Twin {{
  static constexpr MethodInfo info{{.id = "{variant}_{method}", .title = "{method}", .family = "{family}",
                                   .inventor = "see {method}", .year = {year}, .reference = "slidebench export",
                                   .requires_isa = Isa::none}};
}};

}}  // namespace slidebench
"""

# A file of LLVM's code is a source to Clang, unless CMake tells it that it is C++ (policy CMP0119).
PROJECT = """cmake_minimum_required(VERSION 3.25)
cmake_policy(SET CMP0119 OLD)
project(exported LANGUAGES CXX)
set(SLIDEBENCH_ENGINES known)
find_package(slidebench REQUIRED)
"""


def fail(text):
    """Ends the program: bad input, or a tool that failed."""
    print(f"measure_rust.py: {text}", file=sys.stderr)
    sys.exit(2)


def run(*command, **more):
    """Runs a command; its failure ends the program with its messages."""
    try:
        result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **more)
    except OSError as error:
        fail(f"{command[0]}: {error.strerror}")
    if result.returncode != 0:
        fail(f"{' '.join(map(str, command))}: {result.stdout}{result.stderr}")
    return result.stdout


def check_inlined(module):
    """Ends the program if a module calls an exported function or an intrinsic elsewhere than where it fills the tables."""
    functions = run("objdump", "-d", "--no-show-raw-insn", module).split("\n\n")
    for function in functions:
        name = function.lstrip().partition("\n")[0]
        if re.search(r"\scall\s.*(twin_|7sliding|core_arch)", function) and "initialise" not in name:
            fail(f"{module}: {name} calls a query, which should be inlined")


class Measurement:
    """The plug-ins of some methods, and what is measured of them. `listed` are the methods as `slidebench list` tells of them."""

    def __init__(self, program, out, compiler, listed):
        self.program, self.out, self.compiler, self.listed = program, out, compiler, listed

    def level(self, method):
        """The level to compile for. An older Rust inlines its intrinsics of GFNI only where AVX-512 may be used."""
        isa = self.listed[method]["isa"]
        return "v4" if "avx512" in isa or "gfni" in isa and self.compiler.minor < STABLE_SINCE else "v3"

    def write_rust(self, method, variant):
        """The method in Rust as LLVM's code."""
        folder = self.out / f"{variant}_{method}"
        folder.mkdir()
        run(self.program, "export", method, "--language", "rust", "--out", folder / "sliding.rs")
        shutil.copy(TWIN / "plugin.rs", folder)
        isa = self.listed[method]["isa"].split()
        has_init = "\npub fn init()" in (folder / "sliding.rs").read_text(encoding="utf-8")
        options = (["--cfg=has_init"] if has_init else []) + (["--cfg=any_number"] if variant == "any" else [])
        environment = dict(os.environ, RUSTC_BOOTSTRAP="1") if self.compiler.needs_nightly(isa) else None
        source = folder / "sliding.bc"
        run(self.compiler.rustc, *TO_BITCODE, *self.compiler.machine(isa, self.level(method)), *options, "-o", source,
            folder / "plugin.rs", env=environment)
        return source, ""

    def write_cpp(self, method):
        """The method in C++: its source file, and macros."""
        folder = self.out / f"cpp_{method}"
        folder.mkdir()
        header = folder / "sliding.h"
        run(self.program, "export", method, "--level", self.level(method), "--out", header)
        shutil.copy(TWIN / "twin.cpp", folder)
        has_init = re.search(r"\bvoid init\(\)", header.read_text(encoding="utf-8"))
        return folder / "twin.cpp", f'DEFINITIONS EXPORTED="{header}"' + (" HAS_INIT" if has_init else "")

    def write_method(self, method):
        """The lines of the project for a method's three plug-ins."""
        features = " FEATURES gfni" if "gfni" in self.listed[method]["isa"].split() else ""
        lines = ""
        for variant in VARIANTS:
            source, definitions = self.write_cpp(method) if variant == "cpp" else self.write_rust(method, variant)
            (self.out / f"{variant}_{method}.hpp").write_text(HEADER.format(
                method=method, variant=variant, family=self.listed[method]["family"], year=self.listed[method]["year"]),
                encoding="utf-8")
            lines += (f"set_source_files_properties({source} PROPERTIES LANGUAGE CXX)\n"
                      f"slidebench_add_method({variant}_{method} Exported LEVEL {self.level(method)}{features} SOURCES {source} "
                      f"{definitions})\n")
        return lines

    def build(self, methods):
        """Builds the plug-ins of all methods against the program's own package."""
        self.out.mkdir(parents=True)
        (self.out / "CMakeLists.txt").write_text(PROJECT + "".join(map(self.write_method, methods)), encoding="utf-8")
        beside = pathlib.Path(self.program).resolve().parent
        package = beside if (beside / "slidebenchConfig.cmake").exists() else beside.parent / "lib" / "cmake" / "slidebench"
        run("cmake", "-G", "Ninja", "-S", self.out, "-B", self.out / "build", "-DCMAKE_CXX_COMPILER=clang++",
            "-DSLIDEBENCH_LEVELS=v3", "-DSLIDEBENCH_PLACEMENTS=4", f"-Dslidebench_DIR={package}",
            f"-DCMAKE_CXX_FLAGS={FLAGS} {QUIET} -I{TWIN}")
        modules = [f"{variant}_{method}.{self.level(method)}" for method in methods for variant in VARIANTS]
        run("cmake", "--build", self.out / "build", "-j2", "--target", *modules)
        for module in modules:
            check_inlined(self.out / "build" / "plugins" / f"{module}.so")

    def count(self, method, trace):
        """Instructions a query of each variant, in each workload."""
        names = [f"{variant}_{method}" for variant in VARIANTS]
        for workload in WORKLOADS:
            text = run(self.program, "kernel", "--trace", trace, "--workload", workload, "--format", "csv",
                       "--plugin", self.out / "build" / "plugins", *(word for name in names for word in ("--method", name)))
            found = {row["method"]: row["instructions_per_query"] for row in csv.DictReader(text.splitlines())}
            yield workload, [found[name] for name in names]

    def time(self, method, process_runs):
        """In each workload: the time of Rust over that of C++, and of the A/A control over the reference."""
        folder = self.out / f"run_{method}"
        run(self.program, "run", "--process-runs", process_runs, "--rounds", 4, "--out", folder, "--plugin",
            self.out / "build" / "plugins", "--method", f"rust_{method}", "--method", f"cpp_{method}",
            *(word for workload in WORKLOADS for word in ("--workload", workload)))
        with open(folder / "samples.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for workload in WORKLOADS:
            cell = [row for row in rows if row["workload"] == workload]
            yield workload, [ratio(cell, f"rust_{method}", f"cpp_{method}"), ratio(cell, "magic_fancy.twin", "magic_fancy")]


def chosen_methods(program, named):
    """The methods to measure, of those that are to be had in Rust and that this machine runs."""
    listed = {entry["id"]: entry for entry in json.loads(run(program, "list", "--method", "all", "--format", "json"))}
    in_rust = [name for name, entry in listed.items() if entry["status"] == "ready" and subprocess.run(
        [program, "export", name, "--language", "rust"], capture_output=True, check=False).returncode == 0]
    for name in named:
        if name not in in_rust:
            fail(f"'{name}' is not to be had in Rust, or this machine does not run it; there are {', '.join(in_rust)}")
    return listed, named or in_rust


def main():
    """Measures the methods named, or all that are to be had in Rust."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--process-runs", type=int, default=16)
    parser.add_argument("program", metavar="SLIDEBENCH")
    parser.add_argument("out", metavar="OUT", type=pathlib.Path)
    parser.add_argument("methods", metavar="METHOD", nargs="*")
    given = parser.parse_args()
    if given.out.exists():
        fail(f"{given.out} exists; name a new folder")
    if given.process_runs < 2:
        fail(f"--process-runs {given.process_runs}: an interval takes two at least")
    missing = [name for name in ("clang++", "ld.lld", "cmake", "ninja", "objdump") if not shutil.which(name)]
    compiler = distribution_compiler()
    if missing or not compiler:
        fail(f"{', '.join(missing) or 'rustc'} not found; scripts/install_deps.sh --rust installs it")
    clang = int(re.search(r"version (\d+)", run("clang++", "--version"))[1])
    if compiler.llvm > clang:
        fail(f"rustc has LLVM {compiler.llvm}, clang++ {clang}, which cannot read newer code; take a newer clang++")
    listed, methods = chosen_methods(given.program, given.methods)
    measurement = Measurement(given.program, given.out.resolve(), compiler, listed)
    measurement.build(methods)  # all compilers are done before the first time is taken
    trace = measurement.out / "random.trace"
    run(given.program, "trace", "random", "--nodes", 4096, "--out", trace)
    print("| method | workload | instructions: C++ | Rust | Rust, any number | time: Rust / C++ | A/A control |\n"
          "|---|---|---:|---:|---:|---|---|", flush=True)
    for method in methods:
        times = {} if given.instructions else dict(measurement.time(method, given.process_runs))
        for workload, counts in measurement.count(method, trace):
            ratios = [f"{value:.3f} [{low:.3f}, {high:.3f}]" for value, low, high in times.get(workload, ())] or ["-", "-"]
            print(f"| `{method}` | {workload} | {' | '.join([*counts, *ratios])} |", flush=True)


if __name__ == "__main__":
    main()
