# SPDX-License-Identifier: MIT
"""Plug-ins outside the tree, built as their authors would: against the installed package, moved elsewhere.

Then modules that must be refused: a shared object that is no plug-in, one of another ABI version, one whose id is taken.

Usage: test_outside_plugin.py SLIDEBENCH CXX plain|sanitized BUILD_FOLDER
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

PROGRAM, COMPILER = sys.argv[1], sys.argv[2]
SANITIZED = sys.argv[3] == "sanitized"
BUILD = sys.argv[4]
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def run(*command, status=0, **options):
    """A finished process, which has ended with that status."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    assert done.returncode == status, done.stdout + done.stderr
    return done


def slidebench(*arguments, program=PROGRAM, **options):
    return run(program, *arguments, **options)


def measure(out, *named, **options):
    return slidebench("run", "--trace", out.parent / "random.trace", "--profile", "quick", "--workload", "latency", "--out", out, *named, **options)


def configure(source, *arguments, **options):
    """Configures a project in its folder `build`."""
    return run("cmake", "-S", source, "-B", source / "build", f"-DCMAKE_CXX_COMPILER={COMPILER}", *arguments, **options)


def build(source, *arguments):
    """Builds a project; returns the folder of its modules."""
    configure(source, *arguments)
    run("cmake", "--build", source / "build", "-j2")
    return source / "build" / "plugins"


# The example's method, with one thing wrong with it.
BROKEN = """
#include "harness/plugin/example/first_rank_rays.hpp"
#include "harness/plugin/module.hpp"
using namespace slidebench;
constexpr PluginDescriptor broken() {
  // A control module needs no engine.
  PluginDescriptor d = ModuleOf<FirstRankRays>::descriptor<ModuleRole::timed>(2, Isa::none, MethodGroup::core, "");
  %s
  return d;
}
extern "C" constinit const PluginDescriptor slidebench_plugin = broken();
"""


class InAFolder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        slidebench("trace", "random", "--out", cls.folder / "random.trace")

    def assert_one_line(self, refused, *words):
        self.assertEqual(refused.stderr.count("\n"), 1, refused.stderr)
        for word in words:
            self.assertIn(word, refused.stderr)


class OutsidePlugin(InAFolder):
    def shared_object(self, name, source):
        """Compiles C++ text to a shared object and returns its path."""
        code = self.folder / f"{name}.cpp"
        code.write_text(source)
        flags = ["-fsanitize=address,undefined"] if SANITIZED else []
        run(COMPILER, "-std=c++20", "-shared", "-fPIC", *flags, "-I", ROOT, code, "-o", code.with_suffix(".so"))
        return code.with_suffix(".so")

    def broken(self, name, damage):
        """The options that choose the example's method with some damage."""
        return ("--plugin", self.shared_object(name, BROKEN % damage), "--method", "first_rank_rays")

    @unittest.skipIf(SANITIZED, "the author of a plug-in builds without our sanitizers")
    def test_the_example_builds_from_a_checkout(self):
        source = self.folder / "example"
        shutil.copytree(HERE / "example", source)
        named = ("--plugin", build(source, f"-Dslidebench_DIR={HERE}"), "--method", "first_rank_rays")
        self.assertIn("right", slidebench("verify", "--boards", 10000, *named).stdout)
        answered = slidebench("verify", "--stdin", *named, input="rook d4 0xffff00000000ffff\n")
        self.assertEqual(answered.stdout, "0x00080808f7080800\n")
        measure(self.folder / "run", *named)
        self.assertIn("first_rank_rays", (self.folder / "run" / "summary.csv").read_text())
        described = {m["id"]: m for m in json.loads((self.folder / "run" / "run.json").read_text())["methods"]}
        self.assertRegex(described["first_rank_rays"]["flags"], "^-DNDEBUG -O3 .*-march=x86-64-v")

    @unittest.skipIf(SANITIZED, "sanitizers tell of a crash in their own way")
    def test_a_crash_has_a_name_and_the_others_go_on(self):
        crash = "[](Square, Bitboard) -> Bitboard { __builtin_trap(); }"
        for name, damage in {"asked": f"d.queries.rook = {crash};", "initialised": "d.initialise = [] { __builtin_trap(); };"}.items():
            named = self.broken(name, damage)
            others = ("--method", "ray_walk", "--method", "pext", "--if-runnable")
            verified = slidebench("verify", "--boards", 1000, *named, *others, status=1)
            self.assertRegex(verified.stdout, r"(?m)^ray_walk +v\d  right")
            self.assertRegex(verified.stdout, r"(?m)^first_rank_rays +v\d  WRONG")
            self.assertRegex(verified.stderr, rf"^slidebench: method first_rank_rays \(.*{name}.so\) crashed[^\n]*: \w[^\n]*\n$")
            self.assertIn("method first_rank_rays", measure(self.folder / f"never_{name}", *named, status=1).stderr)
        trap = self.broken("trap", "d.replay.latency.alone = [](const TraceBlock&) -> std::uint64_t { __builtin_trap(); };")
        measured = measure(self.folder / "trap_run", *trap, status=1)
        self.assertRegex(measured.stderr, r"slidebench: first_rank_rays crashed while it was measured: \w")

    def test_what_makes_contenders_unlike_is_said(self):
        """A module that says that it was built for level 2, by other flags."""
        out = self.folder / "unlike_run"
        measured = measure(out, *self.broken("unlike", 'd.flags = "-Os";'), "--method", "ray_walk")
        warnings = "\n".join(json.loads((out / "run.json").read_text())["warnings"])
        self.assertRegex(warnings, "built differently from most: .*first_rank_rays")
        self.assertIn("built differently", measured.stderr)

    def test_tables_that_are_not_declared_are_unknown(self):
        named = (*self.broken("silent", "d.tables = nullptr; d.table_count = 0;"), "--method", "ray_walk")
        self.assertRegex(slidebench("list", *named).stdout, r"(?m)^first_rank_rays .* unknown ")
        sizes = {m["id"]: m["table_bytes"] for m in json.loads(slidebench("list", "--format", "json", *named).stdout)}
        self.assertEqual(sizes, {"first_rank_rays": None, "ray_walk": 0})

    def test_no_plugin_one_of_another_version_and_an_id_that_is_taken(self):
        newer = ('#pragma GCC diagnostic ignored "-Wmissing-field-initializers"\n#include "harness/plugin/abi.hpp"\n'
                 "using namespace slidebench;\nextern \"C\" constinit const PluginDescriptor slidebench_plugin"
                 "{.magic = plugin_magic, .abi_version = plugin_abi_version + 1};\n")
        for name, source, why in (("stranger", 'extern "C" int something() { return 1; }\n', "not a slidebench plug-in"),
                                  ("impostor", 'extern "C" const char slidebench_plugin[64] = "hello";\n', "not a slidebench plug-in"),
                                  ("newer", newer, "ABI version 11")):
            with self.subTest(name):
                self.assert_one_line(slidebench("list", "--plugin", self.shared_object(name, source), status=2), f"{name}.so", why)
        taken = next(pathlib.Path(PROGRAM).parent.glob("plugins/magic_fancy.v?.so"))
        self.assert_one_line(slidebench("list", "--plugin", taken, status=2), "two modules", "magic_fancy")

    def test_what_is_wrong_does_not_pass_verification(self):
        """Of the engine the queries are right; of the board the answers, but a timed one could not be told from a wrong one."""
        counting = """struct Counting { Bitboard occupied; std::uint64_t toggles; };
  d.board = {.bytes = sizeof(Counting), .has_state = true,
             .build = [](void* b, Bitboard o) { *static_cast<Counting*>(b) = {o, 0}; },
             .toggle = [](void* b, Bitboard c) { auto& board = *static_cast<Counting*>(b);
                                                 board = {board.occupied ^ c, board.toggles + 1}; },
             .both = [](const void* b, Square s) { const Bitboard o = static_cast<const Counting*>(b)->occupied;
                                                   return BishopRook{reference::bishop(s, o), reference::rook(s, o)}; }};"""
        for name, damage, said in (
                ("rook", "d.queries.rook = [](Square s, Bitboard o) { return reference::rook(s, o & ~bit(28)); };",
                 r"rook on \w\d, occupied 0x\w+: expected 0x"),
                ("perft", "d.engine.perft = [](const engine::PositionState&, unsigned) { return std::uint64_t{197'281}; };",
                 r"engine: perft of depth 3 of r3k2r/.*: expected 97862, got 197281"),
                ("board", counting, r"board toggled forwards, occupied 0x\w+: .*words")):
            with self.subTest(name):
                named = self.broken(name, damage)
                verified = slidebench("verify", *named, status=1)
                self.assertIn("WRONG", verified.stdout)
                self.assertRegex(verified.stderr, "^slidebench: first_rank_rays: " + said)
                if name == "rook":  # a run verifies too, before it writes anything
                    measure(self.folder / "never", *named, status=1)
                    self.assertFalse((self.folder / "never").exists())

    def test_wrong_sums_end_a_run(self):
        """Verification asks the queries; only the sums can see that the timed loop does something else."""
        wrong = "d.replay.latency.alone = [](const TraceBlock& b) { return std::uint64_t{b.queries}; };"
        out = self.folder / "lazy_run"
        measured = measure(out, *self.broken("lazy", wrong), status=1)
        self.assertIn("first_rank_rays gave wrong answers in latency", measured.stderr)
        self.assertNotIn(",first_rank_rays,", (out / "samples.csv").read_text())


FOREIGN_SOURCE = """
#include <cstdint>
#ifndef NDEBUG
#error "assertions are on"
#endif
static_assert(FAST == 1);
std::uint64_t nothing() { return 0; }
"""

METHOD = """
#pragma once
#include "methods/method.hpp"
#include "methods/reference.hpp"
%s
namespace slidebench {
struct %s {
  static constexpr MethodInfo info{.id = "%s", .title = "t", .family = "calculation", .inventor = "i", .year = 2026,
                                   .reference = "r", .requires_isa = Isa::none};
  static Bitboard bishop(Square s, Bitboard occupied) { return reference::bishop(s, occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return reference::rook(s, occupied) %s; }
  %s
};
}
"""

# A table that each source file has for itself: init() fills that of the queries, and the engine's stays empty.
FILE_STATIC = METHOD % ("static std::uint64_t open_board[64];", "FileStatic", "file_static", "& open_board[s]",
                        "static void init() { for (Square s = 0; s < 64; ++s) open_board[s] = ~std::uint64_t{0}; }")
FOREIGN = METHOD % ("std::uint64_t nothing();", "Foreign", "foreign", "| nothing()", "")


@unittest.skipIf(SANITIZED, "the author of a plug-in builds without our sanitizers")
class Installed(InAFolder):
    """Against an installation that was moved after it was made."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run("cmake", "--install", BUILD, "--prefix", cls.folder / "first")
        cls.prefix = cls.folder / "moved" / "here"
        cls.prefix.parent.mkdir()
        (cls.folder / "first").rename(cls.prefix)

    def installed(self, *arguments, **options):
        return slidebench(*arguments, program=self.prefix / "bin" / "slidebench", cwd=self.folder, **options)

    def test_the_program_finds_its_modules_and_nothing_names_the_place_where_it_was_made(self):
        self.assertEqual(self.installed("list").stdout, slidebench("list").stdout)
        self.installed("verify", "--method", "magic_fancy", "--boards", 100)
        for path in (self.prefix / "lib" / "cmake").rglob("*.cmake"):
            text = path.read_text()
            self.assertNotIn(str(ROOT), text, path)
            self.assertNotIn(str(self.folder / "first"), text, path)

    def test_a_new_method_as_its_author_builds_it_and_names_that_are_none(self):
        made = self.installed("new-method", "my_rays")
        project = self.folder / "my_rays"
        self.assertLessEqual(len((project / "CMakeLists.txt").read_text().splitlines()), 10)
        package = re.search(r"-Dslidebench_DIR=(\S+)", made.stdout)[1]
        self.assertEqual(pathlib.Path(package), self.prefix / "lib" / "cmake" / "slidebench")
        verified = self.installed("verify", "--plugin", build(project, f"-Dslidebench_DIR={package}"), "--method", "my_rays")
        self.assertRegex(verified.stdout, r"^my_rays +v\d  right  [\d,]+ answers compared, and [\d,]+ nodes of the engine\n")
        self.assert_one_line(self.installed("new-method", "my_rays", status=2), "my_rays")
        for name in ("", "My", "9a", "a-b", "../up", "a b", "magic_fancy"):
            self.assert_one_line(self.installed("new-method", name, status=2))
        self.assertFalse((self.folder / "magic_fancy").exists())

    def test_foreign_sources_and_a_table_a_source_file(self):
        project = self.folder / "two"
        project.mkdir()
        (project / "theirs.cpp").write_text(FOREIGN_SOURCE)
        (project / "foreign.hpp").write_text(FOREIGN)
        (project / "file_static.hpp").write_text(FILE_STATIC)
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(two LANGUAGES CXX)\nfind_package(slidebench REQUIRED)\n"
            "slidebench_add_method(foreign Foreign SOURCES theirs.cpp DEFINITIONS FAST=1)\n"
            "slidebench_add_method(file_static FileStatic)\n")
        named = ("--plugin", build(project, f"-DCMAKE_PREFIX_PATH={self.prefix}"), "--method", "foreign", "--method", "file_static")
        verified = self.installed("verify", "--boards", 1000, *named, status=1)
        self.assertRegex(verified.stdout, r"(?m)^foreign +v\d  right")
        self.assertRegex(verified.stdout, r"(?m)^file_static +v\d  WRONG")
        self.assertRegex(verified.stderr, r"^slidebench: file_static: engine: perft .*: expected 197281, got \d+; .*each source file")
        self.assertRegex(self.installed("list", *named).stdout, r"(?m)^foreign .* unknown ")

    def test_what_cmake_says_without_the_package_and_for_wrong_arguments(self):
        project = self.folder / "wrong"
        project.mkdir()
        head = "cmake_minimum_required(VERSION 3.25)\nproject(wrong LANGUAGES CXX)\nfind_package(slidebench REQUIRED)\n"
        (project / "CMakeLists.txt").write_text(head)
        self.assertIn("slidebench_DIR", configure(project, "-DCMAKE_PREFIX_PATH=/nonexistent", status=1).stderr)
        shutil.rmtree(project / "build")
        (project / "a.hpp").write_text("struct A {};\n")
        for line, word in {"slidebench_add_method(none None)": "there is no", "slidebench_add_method(a A LEVEL v9)": "'v9' is not a level"}.items():
            (project / "CMakeLists.txt").write_text(head + line + "\n")
            self.assertIn(word, configure(project, f"-DCMAKE_PREFIX_PATH={self.prefix}", status=1).stderr)


@unittest.skipIf(SANITIZED, "one build of it is enough")
class TwoTouches(InAFolder):
    """CONTRIBUTING.md's "A method": its header and its line, in a copy of the tree, and nothing else."""

    def test_the_method_of_the_page_is_built_listed_and_verified(self):
        text = (ROOT / "CONTRIBUTING.md").read_text()
        header = re.search(r"`(methods/[\w/]+\.hpp)`.*?```cpp\n(.*?)```", text, re.DOTALL)
        line = re.search(r"`(add_method\([^`]*\))`", text)[1]
        for name in ("CMakeLists.txt", "cmake", "datasets", "extras", "harness", "headers", "methods"):
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, self.folder / name)
        (self.folder / header[1]).write_text(textwrap.dedent(header[2]))
        with (self.folder / "methods" / "CMakeLists.txt").open("a") as list_of_methods:
            list_of_methods.write(line + "\n")
        method = pathlib.Path(header[1]).stem
        configure(self.folder, f"-DSLIDEBENCH_METHODS={method}", "-DSLIDEBENCH_TESTS=OFF", "-DSLIDEBENCH_WERROR=ON")
        targets = run("cmake", "--build", self.folder / "build", "--target", "help").stdout
        module = re.search(rf"\b{method}\.\w+(?=[:\s])", targets)[0]
        run("cmake", "--build", self.folder / "build", "-j2", "--target", module)
        named = ("--plugin", self.folder / "build" / "plugins", "--method", method)
        self.assertRegex(slidebench("list", *named).stdout, rf"(?m)^{method} ")
        self.assertRegex(slidebench("verify", *named).stdout, rf"(?m)^{method} +\w+  right")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
