# SPDX-License-Identifier: MIT
"""What holds the headers to the methods: each compiles alone in C11, C++17 and Rust, answers as a walk over the board does, and
executes no more instructions a query than its method.

Usage: test_headers.py SLIDEBENCH FOLDER_OF_THE_HEADERS_AS_PLUGINS [table]

With `table` it prints lines and instructions, header beside method, and tests nothing.
"""

import concurrent.futures
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PLUGINS = sys.argv[1:3]
HEADERS = pathlib.Path(__file__).resolve().parent.parent
CHECK = HEADERS / "tests" / "check.c"
NAMES = sorted(path.stem for path in HEADERS.glob("*.h"))
NEEDS = {"pext": ["bmi2"], "pext_pdep": ["bmi2"], "hyperbola_avx2": ["avx2"], "ray_masks_avx2": ["avx2"],
         "hyperbola_gfni": ["avx2", "gfni"], "ray_masks_avx512": ["avx512vl", "avx512cd"]}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
C, CPP = ["-std=c11"], ["-x", "c++", "-std=c++17"]
COMPILERS = [[name, *options] for name, options in (("gcc", C), ("clang", C), ("g++", CPP), ("clang++", CPP)) if shutil.which(name)]
# Every subset of the whole lines of a rook (2^14 a square) and of a bishop, each with the other squares empty and occupied.
RIGHT = f"right on {2 * (64 * 2**14 + 28 * 2**7 + 20 * 2**9 + 12 * 2**11 + 4 * 2**13)} occupancies\n"
# Rust has the intrinsics of AVX-512 and GFNI on stable since 1.89; an older compiler is told to know them, and GFNI by its old name.
STABLE_SINCE = 89


def runs_here(name):
    """Whether this processor has the instructions that a header needs."""
    known = re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return bool(known) and set(NEEDS.get(name, [])) <= set(known[1].split())


def chosen(*forms):
    """Options that choose the methods of these names, for each header that this processor runs."""
    return [word for name in filter(runs_here, NAMES) for form in forms for word in ("--method", form.format(name))]


def run(command, **options):
    """A finished process, its output as text."""
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)


def instructions():
    """dict id -> executed instructions a query, of the headers and their methods that this processor runs."""
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "random.trace"
        run([PROGRAM, "trace", "random", "--nodes", 1000, "--out", trace])
        done = run([PROGRAM, "kernel", "--plugin", PLUGINS, *chosen("{}", "header_{}"), "--trace", trace, "--format", "csv"])
        return {row["method"]: float(row["instructions_per_query"]) for row in csv.DictReader(done.stdout.splitlines())}


class Headers(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def compile(self, name, compiler, *options):
        """Compiles the check of a header without a warning; the program."""
        program = self.folder / f"{name}.{compiler[0]}"
        done = run([*compiler, "-O1", *WARNINGS, *(f"-m{need}" for need in NEEDS.get(name, [])), *options,
                    f"-DSLIDING_HEADER=<{name}.h>", f"-I{HEADERS}", CHECK, "-o", program])
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{name}.h, {compiler[0]}")
        return program

    def assert_right(self, name, program):
        """The program says so, where this processor can run it."""
        if runs_here(name):
            done = run([program])
            self.assertEqual((done.returncode, done.stdout), (0, RIGHT), program)

    def for_each(self, work, jobs):
        """Calls work(*job) for each job, on all cores."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda job: work(*job), jobs))

    def test_every_header_is_right_in_c_and_in_cpp(self):
        self.assertEqual(len(NAMES), 13)
        self.for_each(lambda name, compiler: self.assert_right(name, self.compile(name, compiler)),
                      [(name, compiler) for name in NAMES for compiler in COMPILERS])

    def test_a_forgotten_init_is_told(self):
        def told(name):
            done = run([self.compile(name, COMPILERS[0], "-DFORGET_INIT")])
            self.assertLess(done.returncode, 0, name)
            self.assertIn("call sliding_init() first", done.stderr, name)

        self.for_each(told, [(name,) for name in filter(runs_here, NAMES) if name != "kogge_stone"])

    def test_missing_instructions_are_told(self):
        for name in NEEDS:
            done = run(["gcc", "-std=c11", "-fsyntax-only", "-x", "c", HEADERS / f"{name}.h"])
            self.assertIn(f"{name}.h needs", done.stderr)

    @unittest.skipUnless(shutil.which("x86_64-w64-mingw32-gcc"), "no MinGW here (scripts/install_deps.sh --ci)")
    def test_every_header_compiles_for_windows(self):
        for name in NAMES:
            self.compile(name, ["x86_64-w64-mingw32-gcc", "-std=c11", "-fsyntax-only"])

    @unittest.skipUnless(shutil.which("rustc", path="/usr/bin"), "no Rust compiler here (scripts/install_deps.sh --ci)")
    def test_every_module_is_right_in_rust(self):
        minor = int(re.search(r"1\.(\d+)", run(["/usr/bin/rustc", "--version"]).stdout)[1])

        def right(name):
            needs = NEEDS.get(name, [])
            options = ["--edition", "2021", "-O", "-Dwarnings"]
            if minor < STABLE_SINCE and ("gfni" in needs or "avx512vl" in needs):
                needs = [need.replace("gfni", "avx512gfni") for need in needs]
                options += ["-Zcrate-attr=feature(stdsimd)", '--cfg=target_feature="gfni"']
            options += [f"-Ctarget-feature={','.join('+' + need for need in needs)}"] if needs else []
            source = self.folder / f"{name}.rs"
            source.write_text(f'#[path = "{HEADERS}/rust/{name}.rs"]\nmod sliding;\n' + (HEADERS / "tests" / "check.rs").read_text())
            done = run(["/usr/bin/rustc", *options, source, "-o", self.folder / name], env={**os.environ, "RUSTC_BOOTSTRAP": "1"})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assert_right(name, self.folder / name)

        self.assertEqual(sorted(path.stem for path in (HEADERS / "rust").glob("*.rs")), NAMES)
        self.for_each(right, [(name,) for name in NAMES])


class Plugins(unittest.TestCase):
    def test_every_header_is_verified_as_methods_are(self):
        done = run([PROGRAM, "verify", "--plugin", PLUGINS, *chosen("header_{}")])
        self.assertEqual(done.returncode, 0, done.stderr)
        right = re.findall(r"^header_(\w+) .* right ", done.stdout, re.MULTILINE)
        self.assertEqual(sorted(right), list(filter(runs_here, NAMES)), done.stdout)

    def test_no_header_executes_more_than_its_method(self):
        found = instructions()
        more = {name: (found[f"header_{name}"], found[name]) for name in filter(runs_here, NAMES)
                if found[f"header_{name}"] > found[name] + 0.05}
        self.assertEqual(more, {})


def print_table():
    """Lines of code and instructions a query of each header, and its method's."""
    found = instructions()
    print(f"{'header':24}{'lines':>6}{'instructions':>14}{'its method':>12}")
    for name in NAMES:
        counts = [f"{found[key]:.1f}" if key in found else "-" for key in (f"header_{name}", name)]
        lines = len((HEADERS / f"{name}.h").read_text().splitlines())
        print(f"{name:24}{lines:6}{counts[0]:>14}{counts[1]:>12}")


if __name__ == "__main__":
    if sys.argv[3:] == ["table"]:
        print_table()
    else:
        unittest.main(argv=sys.argv[:1], verbosity=1)
