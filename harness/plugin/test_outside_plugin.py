# SPDX-License-Identifier: MIT
"""A plug-in outside the tree: the example folder is copied elsewhere, built as its author would, loaded and verified.

Then modules that must be refused: a shared object that is no plug-in, one of another ABI version, one whose id is taken.

Usage: test_outside_plugin.py SLIDEBENCH CXX plain|sanitized
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, COMPILER = sys.argv[1], sys.argv[2]
SANITIZED = sys.argv[3] == "sanitized"
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def slidebench(*arguments, stdin=""):
    """Runs the program; returns the finished process."""
    return subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, text=True, check=False)


# The example's method, with one thing wrong with it.
BROKEN = """
#include "harness/plugin/example/first_rank_rays.hpp"
#include "harness/plugin/module.hpp"
using namespace slidebench;
constexpr PluginDescriptor broken() {
  // A control module needs no engine.
  PluginDescriptor d = ModuleOf<FirstRankRays>::descriptor<ModuleRole::control>(2, Isa::none, 0, "");
  d.role = ModuleRole::timed;
  %s
  return d;
}
extern "C" constinit const PluginDescriptor slidebench_plugin = broken();
"""


def shared_object(folder, name, source):
    """Compiles C++ text to a shared object and returns its path."""
    code = folder / f"{name}.cpp"
    code.write_text(source)
    module = folder / f"{name}.so"
    flags = ["-fsanitize=address,undefined"] if SANITIZED else []
    subprocess.run([COMPILER, "-std=c++20", "-shared", "-fPIC", *flags, "-I", str(ROOT), str(code), "-o", str(module)],
                   check=True)
    return str(module)


class OutsidePlugin(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def assert_refused(self, result, *words):
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    @unittest.skipIf(SANITIZED, "the author of a plug-in builds without our sanitizers")
    def test_the_example_builds_and_works(self):
        source = self.folder / "example"
        shutil.copytree(HERE / "example", source)
        build = self.folder / "build"
        subprocess.run(["cmake", "-S", source, "-B", build, f"-DSLIDEBENCH={ROOT}", f"-DCMAKE_CXX_COMPILER={COMPILER}"],
                       check=True, capture_output=True)
        subprocess.run(["cmake", "--build", build], check=True, capture_output=True)
        modules = [m for m in (build / "plugins").glob("*.so") if m.name.count(".") == 2]
        self.assertEqual(len(modules), 1, modules)
        named = ("--plugin", str(modules[0]), "--method", "first_rank_rays")

        verified = slidebench("verify", "--boards", "10000", *named)
        self.assertEqual(verified.returncode, 0, verified.stderr)
        self.assertIn("right", verified.stdout)
        answered = slidebench("attacks", *named, stdin="rook d4 0xffff00000000ffff\n")
        self.assertEqual(answered.stdout, "0x00080808f7080800\n")
        measured = slidebench("run", "--profile", "quick", "--workload", "latency", "--out", str(self.folder / "run"), *named)
        self.assertEqual(measured.returncode, 0, measured.stderr)
        self.assertIn("first_rank_rays", (self.folder / "run" / "summary.csv").read_text())

    def test_no_plugin_at_all(self):
        module = shared_object(self.folder, "stranger", 'extern "C" int something() { return 1; }\n')
        self.assert_refused(slidebench("list", "--plugin", module), "stranger.so", "not a slidebench plug-in")

    def test_a_symbol_of_another_kind(self):
        module = shared_object(self.folder, "impostor", 'extern "C" const char slidebench_plugin[64] = "hello";\n')
        self.assert_refused(slidebench("list", "--plugin", module), "not a slidebench plug-in")

    def test_another_abi_version(self):
        source = ('#include "harness/plugin/abi.hpp"\nusing namespace slidebench;\n'
                  'extern "C" constinit const PluginDescriptor slidebench_plugin'
                  "{.magic = plugin_magic, .abi_version = plugin_abi_version + 1};\n")
        module = shared_object(self.folder, "newer", "#pragma GCC diagnostic ignored \"-Wmissing-field-initializers\"\n" + source)
        self.assert_refused(slidebench("list", "--plugin", module), "newer.so", "ABI version 5")

    def test_wrong_answers_do_not_pass_the_gate(self):
        wrong = "d.queries.rook = [](Square s, Bitboard o) { return reference::rook(s, o & ~bit(28)); };"
        named = ("--plugin", shared_object(self.folder, "wrong", BROKEN % wrong), "--method", "first_rank_rays")
        verified = slidebench("verify", *named)
        self.assertEqual(verified.returncode, 1)
        self.assertIn("WRONG", verified.stdout)
        self.assertRegex(verified.stderr, r"^slidebench: first_rank_rays: rook on \w\d, occupied 0x\w+: expected 0x")
        measured = slidebench("run", "--profile", "quick", "--out", str(self.folder / "never"), *named)
        self.assertEqual(measured.returncode, 1)
        self.assertFalse((self.folder / "never").exists())

    def test_a_board_whose_words_depend_on_its_past_does_not_pass(self):
        """Its answers are right, but a timed board could not be told from a wrong one."""
        counting = """struct Counting { Bitboard occupied; std::uint64_t toggles; };
  d.board = {.bytes = sizeof(Counting), .has_state = true,
             .build = [](void* b, Bitboard o) { *static_cast<Counting*>(b) = {o, 0}; },
             .toggle = [](void* b, Bitboard c) { auto& board = *static_cast<Counting*>(b);
                                                 board = {board.occupied ^ c, board.toggles + 1}; },
             .both = [](const void* b, Square s) { const Bitboard o = static_cast<const Counting*>(b)->occupied;
                                                   return BishopRook{reference::bishop(s, o), reference::rook(s, o)}; }};"""
        named = ("--plugin", shared_object(self.folder, "counting", BROKEN % counting), "--method", "first_rank_rays")
        verified = slidebench("verify", *named)
        self.assertEqual(verified.returncode, 1)
        self.assertRegex(verified.stderr, r"^slidebench: first_rank_rays: board toggled forwards, occupied 0x\w+: .*words")

    def test_wrong_sums_end_a_run(self):
        """The gate asks the queries; only the sums can see that the timed loop does something else."""
        wrong = "d.replay.latency.alone = [](const TraceBlock& b) { return std::uint64_t{b.queries}; };"
        named = ("--plugin", shared_object(self.folder, "lazy", BROKEN % wrong), "--method", "first_rank_rays")
        out = self.folder / "lazy_run"
        measured = slidebench("run", "--profile", "quick", "--workload", "latency", "--out", str(out), *named)
        self.assertEqual(measured.returncode, 1)
        self.assertIn("first_rank_rays gave wrong answers in latency", measured.stderr)
        self.assertNotIn(",first_rank_rays,", (out / "samples.csv").read_text())

    def test_a_text_file(self):
        text = self.folder / "text.so"
        text.write_text("not an object")
        self.assert_refused(slidebench("list", "--plugin", str(text)), "text.so")

    def test_a_missing_file(self):
        self.assert_refused(slidebench("list", "--plugin", "/nonexistent.so"), "/nonexistent.so")

    def test_an_id_that_is_taken(self):
        taken = next(pathlib.Path(PROGRAM).parent.glob("plugins/magic_fancy.v?.so"))
        self.assert_refused(slidebench("list", "--plugin", str(taken)), "two modules", "magic_fancy")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
