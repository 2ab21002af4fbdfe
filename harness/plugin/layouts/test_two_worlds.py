# SPDX-License-Identifier: MIT
"""Whether times hold for other layouts of a kernel: seven methods, compiled by five sets of options that only lay code out otherwise.

If layouts are drawn (draw_layout.awk), the mean over layouts of a method must be the same in all five worlds: the
differences over their standard errors are of a size near 1 (chi2/n). With one layout a world they are not. Prints both
tables, and which properties of a layout go with the time in the loop. Asserts nothing of a time. Takes half an hour, on a
quiet machine: ctest --test-dir build/dev -C full -R two_worlds -V

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
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
METHODS = ("pext", "magic_black", "magic_fancy", "hyperbola", "hyperbola_avx2", "obstruction_difference", "ray_masks_avx2")
WORLDS = {
    "own": "",
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
    """The methods' own headers under other ids, one a world, as modules outside the tree: all with the same flags otherwise."""
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
    """Prints of each cell the worlds' times over the first one's, and chi2/n. Returns log times and layouts of the loop's
    process runs by contender; None of a run without the loop."""
    loop = None
    rows = pd.read_csv(out / "process_runs.csv").query("role in ['method', 'reference']")
    for cell, part in rows.groupby(["workload", "pressure"]):
        times = np.log(part.pivot(index="process_run", columns="contender", values="ns_per_query"))
        layouts = part.pivot(index="process_run", columns="contender", values="placement")
        times = times.sub(times.mean(axis=1), axis=0)
        total, methods = 0, [method for method in METHODS if f"{method}_own" in times]
        print(f"\n{', '.join(cell)}")
        for method in methods:
            names = [f"{method}_{world}" for world in WORLDS]
            means, errors = np.array([clustered(times[name], layouts[name]) for name in names]).T
            chi2 = (((means - np.average(means, weights=errors**-2)) / errors) ** 2).sum()
            total += chi2
            spread = 100 * np.expm1(means.max() - means.min())
            over = " ".join(f"{np.exp(mean - means[0]):.3f} +- {196 * error:.1f} %" for mean, error in zip(means, errors))
            between = 100 * times[names[0]].groupby(layouts[names[0]]).mean().std()
            print(f"  {method:24} {over}  spread {spread:.1f} %  sd of layouts {between:.1f} %  chi2/n {chi2 / (len(WORLDS) - 1):.1f}")
        print(f"  chi2/n {total / (len(WORLDS) - 1) / len(methods):.2f}")
        if cell == ("throughput", "isolated"):
            loop = times, layouts
    return loop


def properties(assembly, layout):
    """Properties of a drawn layout of the loop that asks all queries: dict name -> count."""
    object_file = assembly.with_suffix(".o")
    drawn = subprocess.run(["awk", "-v", f"seed={layout}", "-f", HERE / "draw_layout.awk", assembly], capture_output=True, check=True)
    subprocess.run(["as", "-o", object_file, "-"], input=drawn.stdout, check=True)
    kernel = re.search(r"\S*6replayI\w+LNS_10DependenceE0ENS_10NoPressureE\S*", done("nm", object_file))[0]
    code = done("objdump", "-d", "--no-show-raw-insn", f"--disassemble={kernel}", object_file)
    found = re.findall(r"^ +([0-9a-f]+):\t(\S+) *([0-9a-f]*)", code, re.M)
    places = [int(place, 16) for place, _, _ in found]
    jumps = [(at, after - 1, int(to, 16)) for (_, name, to), at, after in zip(found, places, places[1:]) if name[0] == "j" and to]
    ends, targets = pd.Series([end // 64 for _, end, _ in jumps]), {to for _, _, to in jumps}
    return {
        "jumps across a 64-byte line": sum(at // 64 != end // 64 for at, end, _ in jumps),
        "jumps that share a 64-byte line": int(ends.duplicated(keep=False).sum()),
        "targets in the last 16 bytes of a line": sum(to % 64 >= 48 for to in targets),
        "loop heads in the last 16 bytes of a line": sum(to % 64 >= 48 for to in {to for at, _, to in jumps if to <= at}),
        "lines that loops span": sum(at // 64 - to // 64 + 1 for at, _, to in jumps if to <= at),
    }


def causes(folder, times, layouts):
    """Prints how properties of drawn layouts go with the time in the loop."""
    rows = []
    for name in (f"{method}_{world}" for method in METHODS for world in WORLDS):
        (assembly,) = (folder / "build").glob(f"CMakeFiles/{name}.v*.dir/modules/{name}.cpp.o.s")
        means = times[name].groupby(layouts[name]).mean()
        rows += [{"name": name, "time": mean, **properties(assembly, layout)} for layout, mean in means.items() if layout > 0]
    table = pd.DataFrame(rows)
    table = table.set_index("name") - table.groupby("name").mean().reindex(table["name"])
    table = table.loc[:, table.std() > 0]
    method = table.index.str.rpartition("_").get_level_values(0)
    print(f"\nPearson's r with the time in the loop, {len(table)} layouts; in brackets the least and largest of a method")
    for name in table.columns.drop("time"):
        each = table.groupby(method).apply(lambda part, name=name: part[name].corr(part["time"]))
        print(f"  {name:45} {table[name].corr(table['time']):+.2f} [{each.min():+.2f}, {each.max():+.2f}]")
    known = table.drop(columns="time")
    slopes = np.linalg.lstsq(known, table["time"], rcond=None)[0]
    print(f"  all together: R2 {1 - (table['time'] - known @ slopes).var() / table['time'].var():.2f}")


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
        names = [f"{method}_{world}" for method in METHODS for world in WORLDS]
        chosen = [word for name in names for word in ("--method", name)]
        for what, modules in {"one layout a world": single, "drawn layouts": drawn}.items():
            print(f"\n== {what}, {PROCESS_RUNS} process runs")
            for part, cells in CELLS.items():
                out = folder / f"{what} {part}"
                done(PROGRAM, "run", "--trace", trace, "--plugin", modules, *chosen, *cells.split(),
                     "--profile", f"{PROCESS_RUNS}x4", "--out", out)
                measured = set(pd.read_csv(out / "process_runs.csv")["contender"])
                self.assertLessEqual(set(names), measured, "each method is measured in each world")
                loop = agreement(out)
                if modules == drawn and loop:
                    causes(folder, *loop)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
