# SPDX-License-Identifier: MIT
"""A run that is killed, and a disk that is full: what was measured stays, and --resume goes on. A plug-in that crashes is in
harness/plugin/test_outside_plugin.py.

Usage: test_faults.py SLIDEBENCH ROOT
"""

import json
import resource
import signal
import subprocess
import time

from program import PROGRAM, ProgramTest, rows_of, run_tests, slidebench


class Faults(ProgramTest):
    PROCESS_RUNS = 4

    def command(self, out):
        return [PROGRAM, "run", "--no-random", "--trace", self.trace, "--out", out, "--workload", "throughput",
                "--method", "hyperbola", "--profile", f"{self.PROCESS_RUNS}x20"]

    def start(self, out, **options):
        return subprocess.Popen([*map(str, self.command(out))], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options)

    def assert_whole(self, out):
        """All process runs, each with all rounds, and the answer."""
        self.assertTrue(json.loads((out / "run.json").read_text())["complete"])
        rounds = {}
        for row in rows_of(out / "samples.csv"):
            rounds.setdefault(row["process_run"], set()).add(int(row["round"]))
        self.assertEqual(rounds, {str(run): set(range(20)) for run in range(self.PROCESS_RUNS)})
        self.assertEqual(slidebench("show", out).returncode, 0)

    def test_a_killed_run_goes_on(self):
        out = self.path("run")
        run = self.start(out)
        journal = out / "unfinished.jsonl"
        while run.poll() is None and not (journal.exists() and journal.read_text().count("\n") > 1):
            time.sleep(.001)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        kept = [line for line in (out / "samples.csv").read_text().splitlines(keepends=True) if line.startswith("0,")]
        self.assertGreater(len(kept), 20)
        if not (out / "run.json").exists():  # a fast machine may have been done
            resumed = slidebench("run", "--resume", out)
            self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assert_whole(out)
        self.assertIn("".join(kept), (out / "samples.csv").read_text())

    def test_a_full_disk_keeps_what_was_measured(self):
        out = self.path("run")
        run = self.start(out, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, 12_000)))
        _, errors = run.communicate()
        self.assertEqual(run.returncode, 2, errors)
        self.assertRegex(errors.splitlines()[-1], r"^slidebench: cannot write .*File too large")
        self.assertFalse((out / "run.json").exists())
        resumed = slidebench("run", "--resume", out)
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assert_whole(out)


if __name__ == "__main__":
    run_tests()
