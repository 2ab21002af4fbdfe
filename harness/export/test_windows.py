# SPDX-License-Identifier: MIT
"""Exports on Windows: every method's header compiled by MinGW-w64 and compared with an oracle under Wine.

Usage: test_windows.py SLIDEBENCH plain
"""

import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import test_export as exports  # its way to export, to compile, and to find what a header offers

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "platform"))
import wine  # noqa: E402

OBJDUMP = "x86_64-w64-mingw32-objdump"
COMPILERS = {"c++17": wine.COMPILERS["c++"], "c11": wine.COMPILERS["c"]}
ALIGNED_MOVE = re.compile(r"\bvmov(?:dqa|ap[sd])\S*\s[^\n]*%[yz]mm[^\n]*\(|\bvmov(?:dqa|ap[sd])\S*\s[^\n]*\([^\n]*%[yz]mm")
ON_THE_STACK = re.compile(r"%[yz]mm[^\n]*\(%r[sb]p|\(%r[sb]p[^\n]*%[yz]mm")


setUpModule = exports.setUpModule  # without libclang nothing is exported


class Windows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.wine = wine.Wine()
        cls.addClassCleanup(cls.wine.close)
        cls.methods = exports.methods()
        cls.features = exports.cpu_flags()
        # The methods whose vectors are wider than what Windows aligns the stack to.
        cls.wide = [method for method, isa in cls.methods.items() if any(feature.startswith("avx") for feature in isa)]

    def header_of(self, method, language):
        """The path of a header with all that is offered; written once."""
        header = self.folder / f"{method}.{language}.h"
        if not header.exists():
            more = ["--with", "set_attacks,batch"] if language == "c++17" else []
            done = exports.slidebench("export", method, "--language", language, "--out", header, *more)
            self.assertEqual((done.returncode, done.stderr), (0, ""), method)
        return header

    def build(self, method, language, optimisation):
        """The program that checks a header."""
        header = self.header_of(method, language)
        program = header.with_suffix(f".{optimisation}.exe")
        command = exports.compile_command(COMPILERS[language], language, header, self.methods[method])
        command += [optimisation, *wine.OPTIONS, *exports.offered(header.read_text()), str(exports.CHECK), "-o", str(program)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{method}, {language}: {done.stderr[:2000]}")
        return program

    def check_vectors(self, program, are_on_the_stack):
        """The stack is aligned to 16 bytes, and GCC may move what lies there by instructions that want 32 or 64 (GCC bug 54412).
        Wine's stack happens to lie so that none of them fails: the instructions are looked at."""
        done = subprocess.run([OBJDUMP, "-d", "--no-show-raw-insn", program], capture_output=True, text=True, check=True)
        self.assertEqual(ALIGNED_MOVE.findall(done.stdout), [], program.name)
        if are_on_the_stack:
            self.assertRegex(done.stdout, ON_THE_STACK)

    def check(self, method, language, optimisation):
        """The method must be right, if this processor can run it."""
        program = self.build(method, language, optimisation)
        if method in self.wide:
            self.check_vectors(program, optimisation == "-O0")
        if set(self.methods[method]) <= self.features:
            ran = self.wine.run(program)
            self.assertEqual((ran.returncode, ran.stdout), (0, "right\n"), (method, language, optimisation, ran.stderr))
        program.unlink()

    def check_all(self, methods, language, optimisation):
        """Checks every method, two at a time."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda method: self.check(method, language, optimisation), methods))

    def test_every_method_in_cpp17(self):
        self.assertGreaterEqual(len(self.methods), 40)
        self.check_all(self.methods, "c++17", "-O2")

    def test_those_of_c11(self):
        refused = exports.slidebench("export", "ray_walk", "--language", "c11").stderr
        in_c = refused.strip().rpartition("C has ")[2].split(", ")
        self.assertGreaterEqual(len(in_c), 7)
        self.check_all(in_c, "c11", "-O2")

    def test_wide_vectors_without_optimisation(self):
        """All of them are put on the stack then."""
        self.assertGreaterEqual(len(self.wide), 10)
        self.check_all(self.wide, "c++17", "-O0")

    def test_an_aligned_move_would_be_seen(self):
        for code in ("vmovdqa %ymm0,0x20(%rsp)", "vmovaps -0x40(%rbp),%ymm1", "vmovdqa64 %zmm0,(%rsp)"):
            self.assertRegex(code, ALIGNED_MOVE)
            self.assertRegex(code, ON_THE_STACK)
        for code in ("vmovdqu %ymm0,0x20(%rsp)", "vmovdqa %ymm0,%ymm1", "vmovdqa %xmm0,0x20(%rsp)"):
            self.assertNotRegex(code, ALIGNED_MOVE)


if __name__ == "__main__":
    wine.skip_if_missing()
    unittest.main(argv=sys.argv[:1])
