# SPDX-License-Identifier: MIT
"""Every method exported: compiled alone by both compilers without a warning, and compared with an oracle; nothing in it that
is not used; as short as README.md says; what of it MSVC would see read by Clang in its place.

Of a sanitized program only the exporting is tested: what it writes is what the plain one writes, and no other code when
it is compiled.

Usage: test_export.py SLIDEBENCH plain|sanitized
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv[1]
SANITIZED = sys.argv[2] == "sanitized"
CHECK = pathlib.Path(__file__).resolve().parent / "check_attacks.c"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
COMPILERS = {
    "c++17": [name for name in ("g++", "clang++") if shutil.which(name)],
    "c11": [name for name in ("gcc", "clang") if shutil.which(name)],
}
# Features that the kernel and the compilers name in another way.
CPUINFO_NAMES = {"lzcnt": "abm", "avx512bitalg": "avx512_bitalg"}
COMPILER_NAMES = {"bmi1": "bmi"}
# Methods that AArch64 has forms of its own for: the level that is exported, what the compiler is told for it, and the methods.
CROSS = "aarch64-linux-gnu-g++"
EMULATOR = "qemu-aarch64"
OF_AARCH64 = (
    ("a64", "-march=armv8-a", ("hyperbola_bitreverse", "hyperbola_rbit", "hyperbola_neon", "obstruction_difference_clz",
                               "kogge_stone_neon", "dumb7fill_neon")),
    ("sve2", "-march=armv8.2-a+sve2", ("kogge_stone_sve2", "dumb7fill_sve2")),
    ("sve2-bitperm", "-march=armv8.2-a+sve2-bitperm", ("pext", "pext_line", "pext_pdep", "pext_split", "pext_split_dense")),
)
# The most lines that an export may have, with its idea and credits and without rows of factors.
LINES = {"ray_masks_avx2": 90, "ray_masks_avx512": 90, "hyperbola": 90, "obstruction_difference": 90, "magic_fancy": 120,
         "pext": 120}
FACTORS = re.compile(r"^ *(\{?0x[0-9A-F]+(, \d+\})?,? ?)+$", re.MULTILINE)
# Methods that MSVC is meant to compile; the others may say by #error that they need GCC or Clang.
OF_MSVC = ("hyperbola", "hyperbola_avx2", "obstruction_difference", "magic_plain", "magic_fancy", "magic_black", "pext",
           "kogge_stone", "ray_masks_avx2", "ray_masks_avx512")
# What these bring and do not use: in their templates names are left open, and all that is called so is kept; what other compilers
# need is there for Clang too.
WITH_MORE = ("dumb7fill_avx2", "kogge_stone_avx2", "kogge_stone_avx512", "magic_shared", "magic_shared_dense", "hyperbola_bitreverse")
MSVC_TARGET = ["--target=x86_64-pc-windows-msvc", "-U__clang__", "-nostdinc++", "-ffreestanding", "-fsyntax-only"]
INTRIN = """#pragma once
extern "C" unsigned char _BitScanForward64(unsigned long*, unsigned long long);
extern "C" unsigned char _BitScanReverse64(unsigned long*, unsigned long long);
extern "C" unsigned long long _byteswap_uint64(unsigned long long);
extern "C" unsigned long long __popcnt64(unsigned long long);
"""
# What is the suite's alone, and C++ that came after 2017.
FOREIGN = (r"slidebench|SLIDEBENCH|MethodInfo|TableInfo|table_info|\bTable<|record_access|\bIsa::|\.member\(|\.from\(|\.row\(|"
           r"\bconcept\b|\brequires\b|std::popcount|std::count|std::bit_|using enum|consteval|constinit|\[\]<")


def slidebench(*arguments):
    """Runs the program; returns the finished process."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)


def each(function, jobs):
    """function(*job) of every job, in order; as many at a time as there are processors."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(lambda job: function(*job), jobs))


def methods():
    """Id and instruction sets of every method of the build that gives attack sets."""
    listed = json.loads(slidebench("list", "--method", "all", "--format", "json").stdout)
    listed = [method for method in listed if method["group"] != "store"]  # which are not exported
    return {entry["id"]: entry["isa"].split() for entry in listed if entry["family"] != "baseline"}


def cpu_flags():
    """The features of this CPU as /proc/cpuinfo names them."""
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    flags = set(re.search(r"^flags\s*:(.*)$", text, re.MULTILINE)[1].split())
    return flags | {name for name, flag in CPUINFO_NAMES.items() if flag in flags}


def without_comments(code):
    """C or C++ without its comments."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", code, flags=re.DOTALL)


def offered(text):
    """What a header has beside its queries, as macros of check_attacks.c."""
    macros = []
    if re.search(r"void (sliding_)?init\(", text):
        macros.append("-DHAS_INIT")
    if re.search(r"^(using Board =|struct Board\b|class Board\b)", text, re.MULTILINE):
        macros.append("-DHAS_BOARD")
    if re.search(r"^((inline|constexpr) Bitboard |static inline uint64_t sliding_)set_attacks", text, re.MULTILINE):
        macros.append("-DHAS_SETS")
    if re.search(r"^inline void batch\(", text, re.MULTILINE):
        macros.append("-DHAS_BATCH")
    return macros


def compile_command(compiler, language, header, isa):
    """Compiler and options for a source file that is given after them, of any name."""
    return [compiler, "-x", "c" if language == "c11" else "c++", f"-std={language}", "-O1", *WARNINGS,
            *(f"-m{COMPILER_NAMES.get(feature, feature)}" for feature in isa), "-DSLIDING_IMPLEMENTATION", f'-DATTACKS_HEADER="{header}"']


def setUpModule():
    """Without libclang there is one line that says what to install, and no more to test."""
    tried = slidebench("export", "hyperbola")
    if "needs libclang" in tried.stderr:
        assert tried.returncode == 2 and "scripts/install_deps.sh --export" in tried.stderr and tried.stderr.count("\n") == 1
        raise unittest.SkipTest("this build has no slidebench-export: scripts/install_deps.sh --export, then build again")


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.methods = methods()
        cls.features = cpu_flags()

    def export(self, method, language="c++17", *options):
        """The path of a header, which is written once."""
        name = re.sub(r"[+,-]", "", "_".join((method, language, *options)))
        path = self.folder / f"{name}.h"
        if path.exists():
            return path
        result = slidebench("export", method, "--language", language, "--out", path, *options)
        self.assertEqual((result.returncode, result.stderr), (0, ""), method)
        return path

    def check(self, compiler, language, method, header, *macros):
        """Compiles and runs the check; returns what went wrong, or nothing."""
        if SANITIZED:
            return None
        isa = self.methods[method]
        program = self.folder / f"{header.stem}.{compiler}"
        command = compile_command(compiler, language, header, isa)
        command += [*offered(header.read_text()), *macros, str(CHECK), "-o", str(program)]
        compiled = subprocess.run(command, capture_output=True, text=True, check=False)
        if compiled.returncode != 0:
            return f"{method}, {compiler}, {language}: {compiled.stderr[:2000]}"
        if not set(isa) <= self.features:
            return None
        ran = subprocess.run([program], capture_output=True, text=True, check=False)
        program.unlink()
        return None if ran.stdout == "right\n" and ran.returncode == 0 else f"{method}, {compiler}: {ran.stdout}"

    def export_all(self, methods_, language, *options):
        """Method -> the path of its header."""
        return dict(zip(methods_, each(self.export, [(method, language, *options) for method in methods_])))

    def check_all(self, language, headers):
        """Every header by every compiler of its language."""
        found = each(self.check, [(compiler, language, *header) for header in headers.items() for compiler in COMPILERS[language]])
        self.assertEqual([text for text in found if text], [])

    def test_every_method_in_cpp17(self):
        headers = self.export_all(self.methods, "c++17", "--with", "set_attacks,batch")
        self.assertGreaterEqual(len(headers), 40)
        for method, header in headers.items():
            text = header.read_text()
            self.assertIsNone(re.search(FOREIGN, without_comments(text.replace("slidebench export", ""))), method)
            self.assertTrue(text.startswith("// SPDX-License-Identifier: MIT\n// Copyright (c) 2026 The slidebench authors\n"), method)
            self.assertRegex(text, r"(?m)^// Inventor: .*, \d{4}\.(\n//)? Source: ")
            self.assertLessEqual({"-DHAS_BATCH", "-DHAS_SETS"}, set(offered(text)), method)
        self.check_all("c++17", headers)

    def check_as_cpp20(self, compiler, method, header):
        """What a compiler says of a header as C++20, and Clang of what nobody uses in it: in a namespace without a name it sees
        that."""
        text = header.read_text()
        main = self.folder / f"{header.stem}.{compiler}.cpp"
        names = [name for name in ("init", "bishop", "rook", "queen", "both") if re.search(rf"\b{name}\(", text)]
        unnamed = re.sub(r"(?m)^#pragma once\n", "", text.replace("namespace sliding {", "namespace {"))
        board = "  Board board(0);\n  board.toggle(0);\n" if "-DHAS_BOARD" in offered(text) else ""
        main.write_text(unnamed + "int main() {\n" + board + "".join(f"  (void)&{name};\n" for name in names) + "}\n")
        command = compile_command(compiler, "c++20", header, self.methods[method])
        sees_all = compiler == "clang++" and method not in WITH_MORE
        command += ["-fsyntax-only", *(["-Wunused-member-function"] if sees_all else ["-Wno-unused-function"])]
        done = subprocess.run([*command, main], capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else f"{method}, {compiler}: {done.stderr[:2000]}"

    def test_every_method_as_it_is_by_default(self):
        headers = self.export_all(self.methods, "c++17")
        for method, most in LINES.items():
            text = headers[method].read_text()
            self.assertLessEqual(text.count("\n") - len(FACTORS.findall(text)), most, method)
        longest = max(max(map(len, header.read_text().splitlines())) for header in headers.values())
        self.assertLessEqual(longest, 120)
        if SANITIZED:
            return
        jobs = [(compiler, *header) for header in headers.items() for compiler in COMPILERS["c++17"]]
        self.assertEqual([text for text in each(self.check_as_cpp20, jobs) if text], [])

    @unittest.skipIf(SANITIZED, "what is exported is compiled where the plain program is tested")
    def test_what_msvc_would_see(self):
        """No MSVC here: Clang with its target reads what is written for it, with stand-ins for its headers."""
        if not shutil.which("clang++"):
            self.skipTest("needs clang++")
        stand_ins = self.folder / "msvc"
        stand_ins.mkdir()
        (stand_ins / "standard.hpp").write_text((CHECK.parent / "standard.hpp").read_text())
        for name in ("algorithm", "array", "cstddef", "cstdint", "cstring", "utility"):
            (stand_ins / name).write_text('#include "standard.hpp"\n')
        (stand_ins / "intrin.h").write_text(INTRIN)

        def read(method, isa):
            """Whether it is read; it may say that it is not for MSVC."""
            flags = [f"-m{COMPILER_NAMES.get(feature, feature)}" for feature in isa]
            done = subprocess.run(["clang++", *MSVC_TARGET, "-std=c++20", "-I", stand_ins, *flags, "-x", "c++", "-include",
                                   self.export(method), "/dev/null"], capture_output=True, text=True, check=False)
            errors = re.findall(r"error: .*", done.stderr)
            refused = bool(errors) and "beyond the standard; take clang-cl" in errors[0]
            self.assertTrue(done.returncode == 0 or refused, f"{method}: {done.stderr[:2000]}")
            return done.returncode == 0

        were_read = dict(zip(self.methods, each(read, self.methods.items())))
        self.assertLessEqual(set(OF_MSVC), {method for method, was_read in were_read.items() if was_read})

    def check_on_aarch64(self, method, level, machine):
        """What went wrong with a header of AArch64 under the emulator, or nothing."""
        header = self.export(method, "c++17", "--level", level, "--with", "set_attacks,batch")
        if SANITIZED:
            return None
        program = self.folder / f"{method}.aarch64"
        command = compile_command(CROSS, "c++17", header, [])
        command += [machine, "-static", *offered(header.read_text()), str(CHECK), "-o", str(program)]
        compiled = subprocess.run(command, capture_output=True, text=True, check=False)
        if compiled.returncode != 0:
            return f"{method}: {compiled.stderr[:2000]}"
        ran = subprocess.run([EMULATOR, "-cpu", "max", program], capture_output=True, text=True, check=False)
        return None if ran.stdout == "right\n" else f"{method}: {ran.stdout}{ran.stderr}"

    def test_the_forms_of_aarch64(self):
        if not SANITIZED and not (shutil.which(CROSS) and shutil.which(EMULATOR)):
            self.skipTest(f"needs {CROSS} and {EMULATOR}")
        found = each(self.check_on_aarch64, [(method, level, machine) for level, machine, ids in OF_AARCH64 for method in ids])
        self.assertEqual([text for text in found if text], [])

    def test_those_of_c11(self):
        refused = slidebench("export", "ray_walk", "--language", "c11")
        self.assertEqual(refused.returncode, 2)
        self.assertRegex(refused.stderr, r"^slidebench: method ray_walk is not to be had in C[^\n]*\n$")
        in_c = refused.stderr.strip().rpartition("C has ")[2].split(", ")
        well_known = "hyperbola obstruction_difference kogge_stone magic_plain magic_fancy magic_black pext"
        self.assertEqual(in_c, well_known.split())
        self.check_all("c11", {method: self.export(method, "c11") for method in in_c})

    @unittest.skipIf(SANITIZED, "what is exported is compiled where the plain program is tested")
    def test_a_missing_instruction_set_is_an_error_of_the_header(self):
        def check(method):
            """The preprocessor sees it."""
            command = compile_command("g++", "c++17", self.export(method), [])
            result = subprocess.run([*command, "-E", str(CHECK)], capture_output=True, text=True, check=False)
            self.assertNotEqual(result.returncode, 0, method)
            self.assertRegex(result.stderr, r"#error \".* needs? .*: compile for", method)

        with_one = [(method,) for method, isa in self.methods.items() if isa]
        self.assertGreaterEqual(len(with_one), 20)
        each(check, with_one)

    @unittest.skipIf(SANITIZED, "what is exported is compiled where the plain program is tested")
    def test_two_source_files_share_the_tables(self):
        other = self.folder / "other.c"
        for language, options in {"c++17": [], "c11": ["-USLIDING_IMPLEMENTATION"]}.items():
            header = self.export("magic_fancy", language)
            call, linkage = ("sliding::", 'extern "C" ') if language == "c++17" else ("sliding_", "")
            declaration = f"{linkage}uint64_t rook_of_other_file(unsigned s, uint64_t occupied)"
            other.write_text(f"#include ATTACKS_HEADER\n{declaration};\n{declaration} {{ return {call}rook(s, occupied); }}\n")
            for compiler in COMPILERS[language]:
                command = compile_command(compiler, language, header, [])
                objects = [self.folder / "check.o", self.folder / "other.o"]
                subprocess.run([*command, "-DHAS_INIT", "-DOTHER_FILE", "-c", CHECK, "-o", objects[0]], check=True)
                subprocess.run([*command, *options, "-c", other, "-o", objects[1]], check=True)
                subprocess.run([compiler, *objects, "-o", self.folder / "two"], check=True)
                ran = subprocess.run([self.folder / "two"], capture_output=True, text=True, check=False)
                self.assertEqual(ran.stdout, "right\n", (language, compiler))

    def test_a8_may_be_square_0(self):
        for method in ("magic_fancy", "hyperbola", "kindergarten", "rotated_hyatt"):
            header = self.export(method, "c++17", "--square-mapping", "a8")
            self.assertIn("Square 0 is a8", header.read_text())
            self.assertIsNone(self.check(COMPILERS["c++17"][0], "c++17", method, header, "-DA8_IS_0"))

    def test_the_namespace_is_the_users(self):
        text = slidebench("export", "pext", "--namespace", "my_attacks").stdout
        self.assertIn("namespace my_attacks {", text)
        self.assertNotIn("namespace sliding", text)
        text = slidebench("export", "pext", "--language", "c11", "--namespace", "hq").stdout
        self.assertIn("static inline uint64_t hq_rook(unsigned s", text)
        self.assertNotIn("sliding_", text)

    def assert_refused(self, *arguments, words):
        result = slidebench("export", *arguments)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertRegex(result.stderr, r"^slidebench: [^\n]*\n$")
        self.assertEqual(result.stdout, "")
        for word in words:
            self.assertIn(word, result.stderr)

    def test_bad_input(self):
        self.assert_refused("nonesuch", words=["no method 'nonesuch'", "slidebench list"])
        self.assert_refused("", words=["no method ''"])
        self.assert_refused("empty", words=["no method 'empty'"])
        self.assert_refused(words=["METHOD"])
        self.assert_refused("pext", "--language", "ada", words=["ada", "c++17", "c11", "rust"])
        self.assert_refused("pext", "--square-mapping", "h8", words=["h8", "a1", "a8"])
        self.assert_refused("pext", "--with", "perft", words=["perft", "set_attacks", "batch"])
        self.assert_refused("pext", "--level", "v9", words=["v9", "v1", "sve2"])
        self.assert_refused("pext", "--level", "v2", words=["pext", "v2", "BMI2"])
        self.assert_refused("pext", "--language", "c11", "--with", "batch", words=["--with", "c++17"])
        self.assert_refused("pext", "--language", "rust", "--square-mapping", "a8", words=["--square-mapping", "Rust"])
        for name in ("", "9lives", "a b", "class", "std", "a::b", "_x", "a__b"):
            self.assert_refused("pext", f"--namespace={name}", words=["--namespace"])

    def test_an_output_that_cannot_be_written(self):
        kept = self.folder / "kept.h"
        kept.write_text("old")
        self.assert_refused("pext", "--out", self.folder, words=[str(self.folder)])
        self.assert_refused("pext", "--out", self.folder / "none" / "attacks.h", words=["attacks.h"])
        self.assert_refused("pext", "--out", "/dev/full", words=["/dev/full"])
        self.assert_refused("ray_walk", "--language", "c11", "--out", kept, words=["ray_walk"])
        self.assertEqual(kept.read_text(), "old")
        self.assertEqual([name for name in os.listdir(self.folder) if "partial" in name], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
