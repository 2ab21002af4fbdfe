# SPDX-License-Identifier: MIT
"""Every method that is to be had in Rust: compiled alone without a warning, found clean by Clippy, and compared with an oracle.

Of a sanitized program only the exporting is tested, as in test_export.py.

Usage: test_rust.py SLIDEBENCH plain|sanitized
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from rust_compiler import MODULE_CRATE, distribution_compiler

PROGRAM = sys.argv[1]
SANITIZED = sys.argv[2] == "sanitized"
CHECK = pathlib.Path(__file__).resolve().parent / "rust" / "check" / "check_attacks.rs"
COMPILER = None if SANITIZED else distribution_compiler()
NEEDS_COMPILER = unittest.skipUnless(COMPILER, "no Rust compiler here (scripts/install_deps.sh --rust), or a sanitized program")
# Every relevant occupancy of a bishop and of a rook, with the slider's own bit both ways.
RIGHT = f"right on {2 * (102_400 + 5_248)} occupancies\n"
WELL_KNOWN = "hyperbola hyperbola_avx2 obstruction_difference kogge_stone magic_plain magic_fancy magic_black pext".split()
LEADING = "ray_masks_avx2 ray_masks_avx512 hyperbola_gfni hyperbola_record kogge_stone_avx512 pext_arrays".split()


def slidebench(*arguments):
    """Runs the program; returns the finished process."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)


def offered(text):
    """What a module has beside its queries, as options of check_attacks.rs."""
    found = {"has_init": "\npub fn init()" in text, "has_sets": "\npub fn set_attacks(" in text}
    return [f"--cfg={name}" for name, there in found.items() if there]


class RustExports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        listed = json.loads(slidebench("list", "--method", "all", "--format", "json").stdout)
        cls.listed = {entry["id"]: entry for entry in listed}

    def crate(self, method):
        """A crate of the exported method alone: the text of the method, the path of the crate."""
        folder = self.folder / method
        folder.mkdir(exist_ok=True)
        module = folder / "sliding.rs"
        result = slidebench("export", method, "--language", "rust", "--out", module)
        self.assertEqual((result.returncode, result.stderr), (0, ""), method)
        (folder / "lib.rs").write_text(MODULE_CRATE.format(path=module, module="sliding"))
        return module.read_text(), folder / "lib.rs"

    def compile(self, program, source, options, isa=()):
        """What a compiler or Clippy says of a source; nothing if it is content."""
        environment = dict(os.environ, RUSTC_BOOTSTRAP="1") if COMPILER.needs_nightly(isa) else None
        command = [program, "--edition=2021", "--sysroot", COMPILER.sysroot, *COMPILER.machine(isa), *options, source]
        result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, env=environment)
        return result.stderr if result.returncode != 0 else ""

    def check(self, method):
        """What is wrong with a method, or nothing."""
        isa = self.listed[method]["isa"].split()
        text, crate = self.crate(method)
        library = crate.with_name("libsliding_attacks.rlib")
        of_crate = ["--crate-type=rlib", "--crate-name=sliding_attacks", "-Dwarnings"]
        wrong = self.compile(COMPILER.rustc, crate, [*of_crate, "-O", "-o", library], isa)
        if not wrong and COMPILER.clippy:
            options = [*of_crate, "-Dclippy::all", "--emit=metadata", "-o", f"{library}.meta"]
            wrong = self.compile(COMPILER.clippy, crate, options, isa)
        program = crate.with_name("check")
        if not wrong:
            wrong = self.compile(COMPILER.rustc, CHECK, ["-O", "-Cdebug-assertions", f"--extern=sliding_attacks={library}",
                                                         *offered(text), "-o", program], isa)
        if wrong or self.listed[method]["status"] != "ready":  # those that this machine does not run
            return wrong and f"{method}: {wrong[:2000]}"
        ran = subprocess.run([program], capture_output=True, text=True, check=False)
        return None if (ran.stdout, ran.returncode) == (RIGHT, 0) else f"{method}: {ran.stdout}{ran.stderr}"

    def in_rust(self):
        """The methods that the program says it has in Rust."""
        refused = slidebench("export", "ray_walk", "--language", "rust")
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertRegex(refused.stderr, r"^slidebench: method ray_walk is not to be had in Rust[^\n]*\n$")
        return refused.stderr.strip().rpartition("Rust has ")[2].split(", ")

    def test_which_there_are(self):
        self.assertEqual(sorted(self.in_rust()), sorted(WELL_KNOWN + LEADING))

    @NEEDS_COMPILER
    def test_every_method(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.assertEqual([found for found in pool.map(self.check, self.in_rust()) if found], [])

    @NEEDS_COMPILER
    def test_a_missing_instruction_set_is_an_error_of_the_module(self):
        for method in self.in_rust():
            if self.listed[method]["isa"]:
                _, crate = self.crate(method)
                command = [COMPILER.rustc, "--edition=2021", "--crate-type=rlib", "--emit=metadata", "-o", f"{crate}.meta", crate]
                result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
                self.assertNotEqual(result.returncode, 0, method)
                self.assertRegex(result.stderr, r"(?m)^error: \w+ needs .*: compile with -C", method)

    def test_the_text(self):
        for method in self.in_rust():
            text, _ = self.crate(method)
            self.assertTrue(text.startswith("// SPDX-License-Identifier: MIT\n"), method)
            self.assertIn("Inventor: ", text, method)
            self.assertNotIn("include!", text, method)
            self.assertLessEqual(max(map(len, text.splitlines())), 120, method)

    def test_the_module_is_the_users(self):
        text = slidebench("export", "pext", "--language", "rust", "--namespace", "attacks").stdout
        self.assertIn("`mod attacks;`", text)
        self.assertIn("`attacks::init()`", text)

    def test_bad_input(self):
        for method, words in (("nonesuch", "nonesuch"), ("", "Rust has hyperbola"), ("empty", "empty")):
            result = slidebench("export", method, "--language", "rust")
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertRegex(result.stderr, rf"^slidebench: [^\n]*{words}[^\n]*\n$")
        for name in ("", "9lives", "a b", "match", "Sliding", "a::b", "_x"):
            result = slidebench("export", "pext", "--language", "rust", f"--namespace={name}")
            self.assertEqual((result.returncode, result.stdout), (2, ""), name)
            self.assertRegex(result.stderr, r"^slidebench: --namespace [^\n]*\n$", name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
