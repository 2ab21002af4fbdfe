# SPDX-License-Identifier: MIT
"""slidebench_gbench: names, what Google Benchmark's own options give, wrong words. No time is looked at.

Usage: test_gbench.py SLIDEBENCH SLIDEBENCH_GBENCH
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SLIDEBENCH, GBENCH = sys.argv[1:3]


class GoogleBenchmark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.trace = pathlib.Path(folder.name) / "random.trace"
        subprocess.run([SLIDEBENCH, "trace", "random", "--nodes", "512", "--out", cls.trace], check=True, capture_output=True)

    def run_with(self, *arguments):
        return subprocess.run([GBENCH, *map(str, arguments)], capture_output=True, text=True, check=False)

    def test_one_result_for_each_method_workload_and_pressure(self):
        done = self.run_with("--trace", self.trace, "--pressure", "isolated", "net0", "--simulate", "--benchmark_format=json",
                             "--benchmark_min_time=0.001", "--benchmark_filter=^(magic_fancy|hyperbola)/")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(len(result["context"]["trace_random"]), 16)
        self.assertEqual({row["name"] for row in result["benchmarks"]},
                         {f"{method}/{workload}/random/{pressure}" for method in ("magic_fancy", "hyperbola")
                          for workload in ("throughput", "latency") for pressure in ("isolated", "net0")})
        for row in result["benchmarks"]:
            self.assertNotIn("error_occurred", row)
            self.assertGreater(row["items_per_second"], 0)
        misses = {row["name"]: row["simulated_l1d_misses"] for row in result["benchmarks"]}
        # A table of 845 KiB is missed, one of 2 KiB is not.
        self.assertGreater(misses["magic_fancy/throughput/random/isolated"], .1)
        self.assertLess(misses["hyperbola/throughput/random/isolated"], .01)

    def test_what_is_no_trace_workload_or_pressure_is_one_line(self):
        for words in (["--trace", "nowhere.trace"], ["--trace", self.trace, "--workload", "setwise"],
                      ["--trace", self.trace, "--pressure", "lukewarm"], ["--trace", self.trace, "--method", "pexst"]):
            done = self.run_with(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(str(words[-1]), done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
