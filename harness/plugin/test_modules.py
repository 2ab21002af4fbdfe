# SPDX-License-Identifier: MIT
"""What the compiler and the linker made of the modules, read back from the files.

A benchmark's label must be what ran: a module exports one symbol, a module of level v2 holds no AVX instruction, the
PEXT method really uses PEXT, no scalar method was vectorised behind its author's back, and both replay kernels still
hold a loop with the method's loads in it.

Usage: test_modules.py PLUGIN_FOLDER plain|sanitized
"""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

FOLDER, SANITIZED = pathlib.Path(sys.argv[1]), sys.argv[2] == "sanitized"
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADERS = {path.stem: path.read_text() for path in (ROOT / "methods").rglob("*.hpp")}


def uses_vectors(method):
    """Whether a method says that it needs vector instructions; all others are scalar."""
    if method not in HEADERS:  # of an extra, whose words may lie in vectors whatever it needs
        return True
    needs = re.search(r"requires_isa = ([^}]*)", HEADERS[method])[1]
    return re.search(r"::(ssse3|avx|gfni|neon|sve2\b)", needs) is not None


def has_vector_batch(method):
    """Whether a scalar method's batch is written in vectors."""
    return not uses_vectors(method) and "gnu::vector_size" in HEADERS[method]


# What methods are made of, by their modules.
FORMS = {
    "pext.v*": {"pext"}, "magic_*.v?": {"imul"},
    **{f"{method}.{level}": mnemonics for level in ("a64", "sve2*") for method, mnemonics in {
        "hyperbola_rbit": {"rbit"}, "hyperbola_bitreverse": {"rbit"}, "obstruction_difference_clz": {"clz"},
        "hyperbola_neon": {"rev64", "rbit", "addp"}, "kogge_stone_neon": {"shl", "bsl", "rbit"}, "dumb7fill_neon": {"shl", "bsl", "rbit"},
        "kogge_stone_sve2": {"lsl", "bsl", "whilelo", "orv"}, "dumb7fill_sve2": {"lsl", "bsl", "whilelo", "orv"},
        "pext": {"bext"}, "pext_line": {"bext", "bdep"}, "pext_pdep": {"bext", "bdep"}, "pext_split": {"bext"},
        "pext_split_dense": {"bext"}}.items()},
}
# What a level does not have. TZCNT may stand in v1: it is REP BSF, which CPUs that do not know it run as BSF.
LATER = {
    "*.v1*.so": r"\b[yz]mm\d|\bpext\b|\bandn\b|\bpopcnt\b|\bpshufb\b",
    "*.v2*.so": r"\b[yz]mm\d|\bpext\b|\btzcnt\b|\bandn\b",
    "*.a64*.so": r"\bz\d+\.[bhsdq]\b|\bp\d+/[mz]",
}
# Arithmetic on whole vectors. Moves of them and zeros (copying a table, an empty batch) are harmless; of AArch64's, one word may be
# used: bits are counted there.
ON_VECTORS = {
    "*.v[1-4].so": r"\bv?p(add|sub|sll|srl|sra|and|or|xor|shufb|mul)\w*\s+[xyz]mm|gather",
    "*.a64.so": r"\b(add|sub|mul|shl|ushl|ushr|and|orr|eor|bic|bsl|rev64)\s+v\d+\.(16b|8h|4s|2d)",
}
KERNEL = re.compile(r"^[0-9a-f]+ <unsigned long slidebench::(replay<slidebench::\w+, \(slidebench::Dependence\)\d, slidebench::\w+>)")


def modules(pattern="*.so"):
    """The module files that match, sorted."""
    return sorted(FOLDER.glob(pattern))


def method_of(path):
    """The id of the method in a module's file name, `<id>.<level>[.<role>].so`."""
    return path.name.split(".")[0]


def run(*command):
    """Standard output of a command; a failure is an error."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def disassemble(path, without="slidebench6engine"):
    """The instructions of the module's method and kernels, one `mnemonic operands` a line. Not the engine's: it clears
    its records by vector registers, and multiplies for reasons of its own. `without` matches the symbols to leave out."""
    of_aarch64 = path.read_bytes()[18] == 0xB7  # EM_AARCH64
    cross = of_aarch64 and shutil.which("aarch64-linux-gnu-objdump")
    syntax = [] if of_aarch64 else ["-M", "intel"]
    text = run(cross or "objdump", "-d", "--no-show-raw-insn", *syntax, str(path))
    lines, left_out = [], False
    for line in text.splitlines():
        function = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        if function:
            left_out = re.search(without, function[1]) is not None
        elif "\t" in line and not left_out:
            lines.append(line.split("\t", 1)[1].strip())
    return lines


def conditional_jumps(module):
    """dict kernel of queries -> the conditional jumps in its code, of a module of x86-64."""
    functions = [(KERNEL.match(text), text) for text in run("objdump", "-dC", "--no-show-raw-insn", "-M", "intel", str(module)).split("\n\n")]
    jumps = {named[1].split(",", 1)[1]: re.findall(r"\tj(?!mp)\w+ ", text) for named, text in functions if named}
    return {kernel: len(found) for kernel, found in jumps.items()}


class Symbols(unittest.TestCase):
    def test_each_module_exports_one_symbol_and_runs_no_code_when_it_is_loaded(self):
        """One entry of .init_array is the C runtime's own frame_dummy; a second would be a constructor of ours."""
        self.assertGreaterEqual(len({method_of(module) for module in modules()}), 11)
        for module in modules():
            with self.subTest(module=module.name):
                symbols = run("nm", "-D", "--defined-only", str(module)).splitlines()
                self.assertEqual({line.split()[-1] for line in symbols}, {"slidebench_plugin"})
                if not SANITIZED:  # sanitizers register themselves
                    sizes = re.findall(r"\.init_array\s+\S+\s+\S+\s+\S+\s+(\S+)", run("readelf", "-SW", str(module)))
                    self.assertLessEqual(int(sizes[0], 16) if sizes else 0, 8)


@unittest.skipIf(SANITIZED, "sanitizers change the instructions")
class Instructions(unittest.TestCase):
    def test_a_level_holds_nothing_later(self):
        for pattern, later in LATER.items():
            for module in modules(pattern):
                with self.subTest(module=module.name):
                    self.assertNotRegex("\n".join(disassemble(module)), later)

    def test_scalar_methods_were_not_vectorised(self):
        # Were the words of the headers to change, nothing would be checked any more.
        self.assertTrue(uses_vectors("kogge_stone_sse2") and uses_vectors("kogge_stone_sve2"))
        self.assertFalse(uses_vectors("pext") or uses_vectors("hyperbola"))
        self.assertTrue(has_vector_batch("hyperbola") and not has_vector_batch("pext"))
        zero = re.compile(r"v?pxor\s+([xyz]mm\d+),(\1,)?\1")
        for pattern, on_vectors in ON_VECTORS.items():
            for module in modules(pattern):
                if uses_vectors(method_of(module)):
                    continue
                with self.subTest(module=module.name):
                    batch = "|[bB]atch" if has_vector_batch(method_of(module)) else ""
                    self.assertNotRegex(zero.sub("", "\n".join(disassemble(module, "slidebench6engine" + batch))), on_vectors)

    def test_vector_batches_are_vectors(self):
        """Four words a register, turned by a shuffle, where the processor can shift each by a count of its own."""
        for module in modules("*.v[34].so"):
            if not has_vector_batch(method_of(module)):
                continue
            with self.subTest(module=module.name):
                text = "\n".join(disassemble(module))
                self.assertRegex(text, r"vpsllvq\s+ymm")
                self.assertRegex(text, r"vpshufb\s+ymm")

    def test_the_loop_around_the_queries_has_the_same_branches_for_every_method(self):
        """GCC copies the tests of the loop into the kernels of some methods where it may, which was worth up to 30 % of their time."""
        levels_of_x86_64 = modules("*.v[1-4].so")
        if not levels_of_x86_64:
            self.skipTest("counts the jumps of x86-64")
        found = {method_of(path): conditional_jumps(path) for path in levels_of_x86_64}
        found = {method: kernels for method, kernels in found.items() if kernels}
        loop = found["empty"]
        self.assertEqual(len(loop), 6)
        self.assertEqual(found["magic_fancy"], loop)
        # Some methods have branches of their own, in each kernel.
        more = {method: {kernels[kernel] - loop[kernel] for kernel in loop} for method, kernels in found.items()}
        self.assertEqual({method: numbers for method, numbers in more.items() if numbers != {0} and min(numbers) <= 0}, {})
        self.assertGreater(sum(numbers == {0} for numbers in more.values()), 0.8 * len(more))

    def test_methods_use_what_they_are_for(self):
        for pattern, mnemonics in FORMS.items():
            for module in modules(f"{pattern}.so"):
                with self.subTest(module=module.name):
                    found = {line.split()[0] for line in disassemble(module)}
                    if found & {"bit", "bif"}:  # BSL with another operand for its result
                        found.add("bsl")
                    self.assertLessEqual(mnemonics, found)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
