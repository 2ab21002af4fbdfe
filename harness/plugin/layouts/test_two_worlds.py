# SPDX-License-Identifier: MIT
"""Whether times hold for other layouts of a kernel: seven methods, compiled by five sets of options that only lay code out otherwise.

If layouts are drawn (draw_layout.awk), the mean over layouts of a method must be the same in all five worlds: the
differences over their standard errors are of a size near 1 (chi2/n). With one layout a world they are not. Prints both
tables. Asserts nothing of a time. Takes half an hour, on a quiet machine: ctest --test-dir build/dev -C full -R two_worlds -V

Usage: test_two_worlds.py SLIDEBENCH CXX [PROCESS_RUNS]
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import pandas as pd

PROGRAM, COMPILER = sys.argv[1], sys.argv[2]
PROCESS_RUNS = int(sys.argv[3]) if len(sys.argv) > 3 else 64
LAYOUTS = 32
ROOT = pathlib.Path(__file__).resolve().parents[3]
METHODS = ("pext", "magic_black", "magic_fancy", "hyperbola", "hyperbola_avx2", "obstruction_difference", "ray_masks_avx2")
WORLDS = {
    "a": "-falign-loops=64",
    "b": "-falign-loops=1",
    "c": "-falign-loops=16 -falign-labels=16",
    "d": "-falign-loops=1 -falign-labels=1 -falign-jumps=1 -fno-schedule-insns2",
}
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(worlds LANGUAGES CXX)
set(SLIDEBENCH_PLACEMENTS {LAYOUTS})
include({ROOT}/harness/plugin/add_method.cmake)
"""
CELLS = {
    "replay": "--workload throughput --workload latency --pressure isolated --pressure net0 --pressure net1024",
    "engine": "--workload perft --workload engine --net 1024 --nodes 5000",
}


def done(*command):
    """Standard output of a command that must end well."""
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, check=True).stdout


def write_project(folder):
    """The methods' own headers under other ids, one a world, as modules outside the tree."""
    listed = (ROOT / "methods/CMakeLists.txt").read_text()
    lines = [PROJECT]
    for method in METHODS:
        stem, type_, rest = re.search(rf"^add_method\((\S+/{method}) (\w+)(.*)\)", listed, re.M).groups()
        header = (ROOT / f"methods/{stem}.hpp").read_text()
        for world, options in WORLDS.items():
            name = f"{method}_{world}"
            other = re.sub(rf"\b{type_}\b", f"{type_}_{world}", header).replace(f'"{method}"', f'"{name}"')
            (folder / f"{name}.hpp").write_text(other)
            lines.append(f"add_method({name} {type_}_{world}{rest})\nforeach(level v1 v2 v3)\n  if(TARGET {name}.${{level}})\n"
                         f"    target_compile_options({name}.${{level}} PRIVATE {options})\n  endif()\nendforeach()\n")
    (folder / "CMakeLists.txt").write_text("\n".join(lines))


def clustered(values, layouts):
    """Mean of process runs and its standard error, with layouts as clusters; of one layout that of process runs."""
    sums = (values - values.mean()).groupby(layouts).sum()
    count = len(sums) if len(sums) > 1 else len(values)
    squares = (sums if len(sums) > 1 else values - values.mean()) ** 2
    return values.mean(), np.sqrt(squares.sum() * count / (count - 1)) / len(values)


def agreement(out):
    """Prints of each cell the worlds' times over the first one's, and chi2/n."""
    rows = pd.read_csv(out / "process_runs.csv").query("role in ['method', 'reference']")
    for cell, part in rows.groupby(["workload", "pressure"]):
        times = np.log(part.pivot(index="process_run", columns="contender", values="ns_per_query"))
        layouts = part.pivot(index="process_run", columns="contender", values="placement")
        times = times.sub(times.mean(axis=1), axis=0)
        total, methods = 0, [method for method in METHODS if method in times]
        print(f"\n{', '.join(cell)}")
        for method in methods:
            names = [method, *(f"{method}_{world}" for world in WORLDS)]
            means, errors = np.array([clustered(times[name], layouts[name]) for name in names]).T
            chi2 = (((means - np.average(means, weights=errors**-2)) / errors) ** 2).sum()
            total += chi2
            spread = 100 * np.expm1(means.max() - means.min())
            over = " ".join(f"{np.exp(mean - means[0]):.3f} +- {196 * error:.1f} %" for mean, error in zip(means, errors))
            between = 100 * times[method].groupby(layouts[method]).mean().std()
            print(f"  {method:24} {over}  spread {spread:.1f} %  sd of layouts {between:.1f} %  chi2/n {chi2 / len(WORLDS):.1f}")
        print(f"  chi2/n {total / len(WORLDS) / len(methods):.2f}")


class TwoWorlds(unittest.TestCase):
    def test_times_hold_for_other_layouts(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        write_project(folder)
        done("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_CXX_COMPILER={COMPILER}")
        done("cmake", "--build", folder / "build", "-j2")
        drawn, single = folder / "build/plugins", folder / "single"
        single.mkdir()
        for module in drawn.glob("*.so"):
            shutil.copy(module, single)
        trace = folder / "search.trace"
        done(PROGRAM, "trace", "build", "--kind", "search", "--out", trace, ROOT / "datasets/sample.pgn")
        names = [*METHODS, *(f"{method}_{world}" for method in METHODS for world in WORLDS)]
        chosen = [word for name in names for word in ("--method", name)]
        for what, modules in {"one layout a world": single, "drawn layouts": drawn}.items():
            print(f"\n== {what}, {PROCESS_RUNS} process runs")
            for part, cells in CELLS.items():
                out = folder / f"{what} {part}"
                done(PROGRAM, "run", "--no-random", "--trace", trace, "--plugin", modules, *chosen, *cells.split(),
                     "--profile", f"{PROCESS_RUNS}x4", "--out", out)
                measured = set(pd.read_csv(out / "process_runs.csv")["contender"])
                searched = {"ray_masks_avx2"} if part == "engine" else set()  # the engine is not built into it
                self.assertLessEqual(set(names) - searched, measured, "each method is measured in each world")
                agreement(out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
