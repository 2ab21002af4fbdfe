# SPDX-License-Identifier: MIT
"""slidebench magics: what is found again, merged, proved and refused.

Usage: the program and the source folder, then what unittest takes.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2], "harness", "cli")))

from test_program import SOURCE, ProgramTest, run_tests, slidebench  # noqa: E402


class Magics(ProgramTest):
    def find_shard(self, shard, variant="black"):
        path = self.path(f"{variant}{shard.replace('/', '_')}.hpp")
        found = slidebench("magics", "find", "--variant", variant, "--seconds", 0.2, "--jobs", 1, "--shard", shard, "--out", path)
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertIn(f"--shard {shard}", path.read_text())
        return path

    def test_shards_differ_and_the_best_is_merged(self):
        def slots(path):
            return int(re.search(r"black_slots = (\d+)", path.read_text())[1])
        shards = [self.find_shard("1/2"), self.find_shard("2/2")]
        factors = [set(re.findall(r"0x[0-9A-F]{16}", path.read_text())) for path in shards]
        self.assertLess(len(factors[0] & factors[1]), 16)
        merged = slidebench("magics", "merge", *shards, "--out", self.path("best.hpp"))
        self.assertEqual((merged.returncode, merged.stdout), (0, ""), merged.stderr)
        self.assertEqual(slots(self.path("best.hpp")), min(map(slots, shards)))
        self.assertIn("black: magic on 128 squares", slidebench("magics", "check", self.path("best.hpp")).stdout)
        self.assert_refused(slidebench("magics", "merge", *shards, "--out", "/nonexistent/f.hpp"), "/nonexistent/f.hpp")
        shards[0].write_text(shards[0].read_text().replace(re.search(r"0x[0-9A-F]{16}", shards[0].read_text())[0], "0x1"))
        self.assert_refused(slidebench("magics", "merge", *shards), "share a slot", status=1)

    def test_what_is_no_magic_is_named(self):
        text = (SOURCE / "methods" / "magic" / "magic_factors.hpp").read_text()
        self.path("wrong.hpp").write_text(text.replace(re.search(r"0x[0-9A-F]{16}", text)[0], "0x0000000000000001"))
        self.assert_refused(slidebench("magics", "check", self.path("wrong.hpp")), "bishop on a1", "share a slot", status=1)

    def test_bad_arguments(self):
        self.assert_refused(slidebench("magics", "find", "--variant", "blue"), "blue", "packed_shift")
        self.assert_refused(slidebench("magics", "find", "--shard=0/2"), "is no shard")
        self.assert_refused(slidebench("magics", "find", "--out", "/nonexistent/f.hpp"), "/nonexistent/f.hpp")
        self.assert_refused(slidebench("magics", "find", "--variant", "black", "--out",
                                       SOURCE / "methods" / "magic" / "overlapped_factors.hpp"), "variant overlapped")


if __name__ == "__main__":
    run_tests()
