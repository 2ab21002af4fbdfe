#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Are exported methods as fast as the suite's? Each is exported, wrapped as a plug-in outside the tree, and measured
beside the method that it came from; the reference's A/A control, identical code, is measured in the same rounds.

Prints a table: instructions a query of the suite's own method and of the exported one; time of the exported method over
the suite's own, and of the A/A control over the reference, with 95 % intervals over the process runs. --instructions leaves
the times out: what is counted does not depend on how busy the machine is.

Usage: measure_exports.py [--instructions] SLIDEBENCH OUT [METHOD...]
       SLIDEBENCH of a build or an installation, OUT a new folder
"""

import csv
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

from scipy import stats

WORKLOADS = ("throughput", "latency")
LEVELS = {"avx512f": "v4", "avx2": "v3", "bmi2": "v3", "lzcnt": "v3"}  # further features are FEATURES

WRAPPER = """#pragma once
#include "{method}.h"
#include "methods/method.hpp"

namespace slidebench {{

/// {method} as exported.
struct Exported {{
  static constexpr MethodInfo info{{.id = "exported_{method}", .title = "{method}, exported", .family = "{family}",
                                   .inventor = "see {method}", .year = {year}, .reference = "slidebench export",
                                   .requires_isa = Isa::none}};
{board}
  static Bitboard bishop(Square s, {asked}) {{ return sliding::bishop(s, board); }}
  static Bitboard rook(Square s, {asked}) {{ return sliding::rook(s, board); }}
  static Bitboard queen(Square s, {asked}) {{ return sliding::queen(s, board); }}
  static BishopRook both(Square s, {asked}) {{
    const sliding::BishopRook sets = sliding::both(s, board);
    return {{sets.bishop, sets.rook}};
  }}
{init}}};

}}  // namespace slidebench
"""

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(exported LANGUAGES CXX)
find_package(slidebench REQUIRED)
slidebench_add_method(exported_{method} Exported{options})
"""


def run(*command):
    """Runs a command; its failure ends the program with its messages."""
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"measure_exports.py: {' '.join(map(str, command))}: {result.stdout}{result.stderr}")
    return result.stdout


def write_project(program, method, folder):
    """A project whose method is the exported one."""
    folder.mkdir(parents=True)
    header = folder / f"{method['id']}.h"
    run(program, "export", method["id"], "--out", header)
    text = header.read_text(encoding="utf-8")
    board = re.search(r"(?m)^(using Board =|struct Board\b|class Board\b)", text) is not None
    isa = method["isa"].split()
    level = next((LEVELS[name] for name in LEVELS if name in isa), "")
    features = [name for name in ("gfni", "avx512bitalg") if name in isa]
    options = (f" LEVEL {level}" if level else "") + (" FEATURES " + " ".join(features) if features else "")
    (folder / f"exported_{method['id']}.hpp").write_text(WRAPPER.format(
        method=method["id"], family=method["family"], year=method["year"],
        board="  using Board = sliding::Board;" if board else "",
        asked="const sliding::Board& board" if board else "Bitboard board",
        init="  static void init() { sliding::init(); }\n" if "inline void init()" in text else ""), encoding="utf-8")
    (folder / "CMakeLists.txt").write_text(PROJECT.format(method=method["id"], options=options), encoding="utf-8")


def build(program, folder):
    """Builds the project against the program's own package; returns the folder of its modules."""
    beside = pathlib.Path(program).resolve().parent
    package = beside if (beside / "slidebenchConfig.cmake").exists() else beside.parent / "lib" / "cmake" / "slidebench"
    run("cmake", "-S", folder, "-B", folder / "build", f"-Dslidebench_DIR={package}")
    run("cmake", "--build", folder / "build", "-j2")
    return folder / "build" / "plugins"


def ratio(rows, contender, against):
    """Geometric mean over process runs of the median ratio of their rounds, with a 95 % interval (Student's t)."""
    times = {}
    for row in rows:
        times.setdefault((row["process_run"], row["round"]), {})[row["contender"]] = float(row["time_ns"]) / float(row["queries"])
    logs = {}
    for (process_run, _), round_times in times.items():
        if contender in round_times and against in round_times:
            logs.setdefault(process_run, []).append(math.log(round_times[contender] / round_times[against]))
    medians = [statistics.median(values) for values in logs.values()]
    mean = statistics.mean(medians)
    half = stats.t.ppf(0.975, len(medians) - 1) * statistics.stdev(medians) / math.sqrt(len(medians))
    return tuple(map(math.exp, (mean, mean - half, mean + half)))


def measure(program, method, modules, out):
    """The two ratios in each workload."""
    exported = f"exported_{method}"
    run(program, "run", "--process-runs", 32, "--rounds", 4, "--out", out, "--plugin", modules, "--method", method,
        "--method", exported, *(word for workload in WORKLOADS for word in ("--workload", workload)))
    with open(out / "samples.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for workload in WORKLOADS:
        cell = [row for row in rows if row["workload"] == workload]
        yield workload, ratio(cell, exported, method), ratio(cell, "magic_fancy.twin", "magic_fancy")


def count(program, method, modules, trace):
    """Instructions a query in each workload: (of the suite's own, of the exported)."""
    exported = f"exported_{method}"
    for workload in WORKLOADS:
        text = run(program, "kernel", "--trace", trace, "--workload", workload, "--format", "csv", "--plugin", modules,
                   "--method", method, "--method", exported)
        found = {row["method"]: row["instructions_per_query"] for row in csv.DictReader(text.splitlines())}
        yield workload, (found[method], found[exported])


def main():
    """Measures the methods named, or all that this machine runs."""
    words = [word for word in sys.argv[1:] if word != "--instructions"]
    if len(words) < 2 or pathlib.Path(words[1]).exists():
        sys.exit(__doc__)
    timed = "--instructions" not in sys.argv
    program, out, named = words[0], pathlib.Path(words[1]), words[2:]
    listed = {entry["id"]: entry for entry in json.loads(run(program, "list", "--format", "json"))}
    for name in named:
        if name not in listed:
            sys.exit(f"measure_exports.py: unknown method '{name}'; slidebench list shows the methods")
    chosen = named or [name for name, m in listed.items() if m["family"] != "baseline" and m["status"] == "ready"]
    out.mkdir(parents=True)
    trace = out / "random.trace"
    run(program, "trace", "random", "--nodes", 4096, "--out", trace)
    modules = {}
    for name in chosen:  # all compilers are done before the first time is taken
        write_project(program, listed[name], out / name)
        modules[name] = build(program, out / name)
    print("| method | workload | instructions: own | exported | time: exported / own | A/A control |\n|---|---|---|---|---|---|",
          flush=True)
    for name in chosen:
        folder = out / name
        times = {}
        for workload, *ratios in measure(program, name, modules[name], folder / "run") if timed else ():
            times[workload] = [f"{value:.3f} [{low:.3f}, {high:.3f}]" for value, low, high in ratios]
        for workload, counts in count(program, name, modules[name], trace):
            cells = [*counts, *times.get(workload, ("-", "-"))]
            print(f"| `{name}` | {workload} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
