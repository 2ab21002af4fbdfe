# SPDX-License-Identifier: MIT
"""The methods on Windows: their headers compiled by MinGW-w64 into one program, which verifies them under Wine.

Usage: test_windows.py
"""

import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "harness/platform"))
import wine  # noqa: E402

# What is the same on both systems, of the program that verifies.
SOURCES = """plugin/windows/verify_methods plugin/verification plugin/verification_game plugin/features_x86-64 plugin/cpu
             platform/cpuid engine/fen engine/legal_moves engine/uci_move""".split()
COMPILE = [wine.COMPILERS["c++"], "-std=c++20", "-O2", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", *wine.OPTIONS,
           f"-I{ROOT}", "-c"]
LEVELS = {"v1": "-march=x86-64", "v2": "-march=x86-64-v2", "v3": "-march=x86-64-v3", "v4": "-march=x86-64-v4"}
# GCC 12 takes the unused operands inside its AVX-512 intrinsics for uninitialised variables (GCC bug 105593).
OF_V4 = ["-Wno-uninitialized", "-Wno-maybe-uninitialized"]
# The methods that are compiled with the same flags, and all of them.
SOME = """%(includes)s
#include <vector>
#include "harness/plugin/windows/linked_method.hpp"
void list_%(number)d(std::vector<slidebench::PluginDescriptor>& all) {
  using namespace slidebench;
%(listed)s
}
"""
ALL = """#include "harness/plugin/windows/linked_methods.hpp"
%(declared)s
std::vector<slidebench::PluginDescriptor> slidebench::linked_methods() {
  std::vector<PluginDescriptor> all;
  %(called)s
  return all;
}
"""


def methods_by_flags():
    """{(level, features): [(header, type)]} of the lines of methods/CMakeLists.txt that are for x86-64."""
    found = {}
    for line in re.findall(r"^add_method\((.*)\)$", (ROOT / "methods/CMakeLists.txt").read_text(), re.MULTILINE):
        stem, name, *words = line.split()
        given = {"LEVEL": [], "FEATURES": []}
        keyword = None
        for word in words:
            if word.isupper():
                keyword = word
            elif keyword in given:
                given[keyword].append(word)
        level = next((level for level in given["LEVEL"] or ["v1"] if level in LEVELS), None)
        if level and stem != "empty":
            found.setdefault((level, *given["FEATURES"]), []).append((f"methods/{stem}.hpp", name))
    return found


def write_sources(folder, groups):
    """Writes linked_methods() and its parts; returns [(source, flags)]."""
    numbers = range(len(groups))
    jobs = [(folder / "linked_methods.cpp", [])]
    jobs[0][0].write_text(ALL % {
        "declared": "\n".join(f"void list_{number}(std::vector<slidebench::PluginDescriptor>& all);" for number in numbers),
        "called": " ".join(f"list_{number}(all);" for number in numbers)})
    for number, ((level, *features), methods) in enumerate(groups.items()):
        isa = " | ".join(["Isa::none", *(f"Isa::{feature}" for feature in features)])
        level_number = list(LEVELS).index(level) + 1
        path = folder / f"methods_{number}.cpp"
        path.write_text(SOME % {
            "includes": "\n".join(f'#include "{header}"' for header, _ in methods), "number": number,
            "listed": "\n".join(f"  all.push_back(linked_method<{name}>({level_number}, {isa}));" for _, name in methods)})
        jobs.append((path, [LEVELS[level], *(f"-m{feature}" for feature in features), *(OF_V4 if level == "v4" else [])]))
    return jobs


class Methods(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def compile(self, source, flags):
        """The path of the object file."""
        output = self.folder / f"{source.stem}.o"
        done = subprocess.run([*COMPILE, *flags, source, "-o", output], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return output

    def test_every_method_is_right(self):
        groups = methods_by_flags()
        jobs = write_sources(self.folder, groups) + [(ROOT / f"harness/{name}.cpp", []) for name in SOURCES]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            objects = list(pool.map(lambda job: self.compile(*job), jobs))
        program = self.folder / "verify.exe"
        subprocess.run([wine.COMPILERS["c++"], "-static", *objects, "-o", program], check=True)
        windows = wine.Wine()
        self.addCleanup(windows.close)
        done = windows.run(program, timeout=300)
        lines = done.stdout.splitlines()
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        self.assertGreaterEqual(len(lines), 70)
        self.assertEqual(len(lines), sum(map(len, groups.values())))
        wrong = [line for line in lines if not re.fullmatch(r"\w+: (right, \d{6,} answers|needs \w+)", line)]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    wine.skip_if_missing()
    unittest.main(argv=sys.argv[:1])
