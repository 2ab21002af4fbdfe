# SPDX-License-Identifier: MIT
"""A drawn layout has the instructions of the compiler's and their jumps, and other distances between them.

Usage: test_layouts.py BUILD_FOLDER, of a build with placements.
"""

import bisect
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(sys.argv.pop(1))

# Loops, one within the other; a loop that is jumped into; a switch, whose table of jumps lies among the constants.
CODE = r"""
unsigned long walk(const unsigned long* from, unsigned long n, unsigned long mask) {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < n; ++i)
    for (unsigned long left = from[i]; left != 0; left &= left - 1) sum += (left & mask) ? left : sum >> 1;
  switch (n & 7) {
    case 0: return sum * 3;
    case 1: return sum ^ mask;
    case 2: return sum / 7;
    case 3: return sum - n;
    case 4: return ~sum;
    case 5: return sum << 5;
    default: return sum;
  }
}
"""


def drawn(assembly, seed):
    return subprocess.run(["awk", "-v", f"seed={seed}", "-f", HERE / "draw_layout.awk", assembly], capture_output=True, text=True,
                          check=True).stdout


def assembled(text, by=("as",)):
    with tempfile.NamedTemporaryFile(suffix=".o") as object_file:
        subprocess.run([*by, "-o", object_file.name, "-"], input=text, text=True, check=True)
        return subprocess.run(["objdump", "-dr", "--no-show-raw-insn", object_file.name], capture_output=True, text=True, check=True).stdout


def instructions(dump):
    """The instructions of each function, without no-ops; a jump's target is the number of the instruction that it leads to, and
    what the linker fills in, the place of a constant or of another function, is a name."""
    functions = {}
    for block in re.split(r"\n(?=[0-9a-f]{8,} <)", dump)[1:]:
        name = re.search(r"<(.*)>:", block)[1]
        lines = re.findall(r"^ +([0-9a-f]+):\t([a-z].*)(?:\n\t+[0-9a-f]+: R_\w+\t([^-+\n]+))?", block, re.MULTILINE)
        real = [line for line in lines if not re.match(r"(data16 |cs )*nop|xchg +%ax,%ax", line[1])]
        places = [int(at, 16) for at, *_ in real]
        number = {at: bisect.bisect_left(places, int(at, 16)) for at, *_ in lines}
        target = re.compile(r"\b([0-9a-f]+) <[^>]*>")
        functions[name] = [f"{what.split()[0]} {linked}" if linked else target.sub(lambda m: f"to {number.get(m[1])}", " ".join(what.split()))
                           for _, what, linked in real]
    return functions


def loop_heads(dump):
    """Where backward jumps lead to, within a cache line."""
    jumps = re.findall(r"^ +([0-9a-f]+):\tj\w+ +([0-9a-f]+) <", dump, re.MULTILINE)
    return tuple(sorted({int(to, 16) % 64 for at, to in jumps if int(to, 16) < int(at, 16)}))


class Layouts(unittest.TestCase):
    def assert_same_code(self, assembly, by=("as",)):
        own = instructions(assembled(assembly.read_text(), by))
        self.assertGreater(sum(map(len, own.values())), 20)
        for seed in (1, 2, 31):
            self.assertEqual(instructions(assembled(drawn(assembly, seed), by)), own, (assembly, seed))

    def test_the_instructions_of_a_module_are_the_compilers(self):
        texts = sorted(BUILD.glob("methods/CMakeFiles/magic_fancy.*/modules/*.s"))
        self.assertTrue(texts)
        for assembly in texts:
            self.assert_same_code(assembly)

    def compiled(self, folder, compiler):
        source, assembly = pathlib.Path(folder) / "walk.cpp", pathlib.Path(folder) / "walk.s"
        source.write_text(CODE)
        subprocess.run([compiler, "-O3", "-S", "-o", assembly, source], check=True)
        return assembly

    def test_either_compilers_assembly_is_understood(self):
        for compiler, by in (("g++", ("as",)), ("clang++", ("clang++", "-c", "-x", "assembler"))):
            if shutil.which(compiler):
                with self.subTest(compiler), tempfile.TemporaryDirectory() as folder:
                    self.assert_same_code(self.compiled(folder, compiler), by)

    def test_layouts_are_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            assembly = self.compiled(folder, "g++")
            self.assertEqual(drawn(assembly, 7), drawn(assembly, 7))
            heads = {loop_heads(assembled(drawn(assembly, seed))) for seed in range(1, 33)}
        self.assertGreater(len(heads), 24)

    def test_the_modules_of_a_build_are_drawn_too(self):
        own = BUILD / "plugins"
        plain = min(own.glob("magic_fancy.v[1-4].so"))  # of several levels one
        others = [path.read_bytes() for path in own.glob(f"placement*/{plain.name}")]
        self.assertEqual(len({plain.read_bytes(), *others}), 1 + len(others))
        self.assertGreater(len(others), 0)


if __name__ == "__main__":
    unittest.main()
