# SPDX-License-Identifier: MIT
"""Base pages of 16 and 64 KiB, which AArch64 kernels may have: the emulator tells a program whatever page size it is
asked for. Modules load, methods are right, tables are counted in the pages that there are, and --pages 2m is refused.

Usage: test_page_sizes.py EMULATOR PROGRAM
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMMAND = []


class Pages16K(unittest.TestCase):
    page_bytes = 16 << 10

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = pathlib.Path(self.folder.name) / "run"

    def program(self, *arguments):
        """The program, told of the page size."""
        return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False,
                              env={**os.environ, "QEMU_PAGESIZE": str(self.page_bytes),
                                   "SLIDEBENCH_ALLOW_EMULATOR": "1"})

    def test_methods_are_right(self):
        done = self.program("verify", "--boards", 1000, "--joint-every", 256, "--method", "magic_plain", "--method", "kogge_stone_neon")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count(" right "), 2, done.stdout)

    def test_a_run_tells_the_size(self):
        done = self.program("run", "--workload", "perft", "--method", "magic_plain", "--profile", "2x1", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((self.out / "run.json").read_text())["machine"]["page_bytes"], self.page_bytes)

    def test_pages_of_2_mib_are_refused(self):
        done = self.program("run", "--workload", "perft", "--pages", "2m", "--method", "magic_plain", "--out", self.out)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f"this kernel's have {self.page_bytes >> 10} KiB", done.stderr)
        self.assertFalse(self.out.exists())


class Pages64K(Pages16K):
    page_bytes = 64 << 10


if __name__ == "__main__":
    COMMAND = sys.argv[1:]
    unittest.main(argv=sys.argv[:1], verbosity=1)
