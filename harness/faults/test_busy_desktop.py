# SPDX-License-Identifier: MIT
"""A busy desktop: a run that is suspended, loses CPUs, or has no room for scratch files; decimal commas.

A run ends well, or says in one line what happened and goes on by --resume.

Usage: test_busy_desktop.py SLIDEBENCH
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

import faults
from faults import rows_of

PROGRAM = sys.argv[1]
ROUNDS, PROCESS_RUNS = 30, 4


class BusyDesktop(faults.BenchTest):
    def words(self, out, *more):
        """A run of about two seconds."""
        return [PROGRAM, *map(str, ["run", "--trace", self.bench.trace, "--no-random", "--workload", "throughput", "--pressure",
                                    "isolated", "--method", "hyperbola", "--process-runs", PROCESS_RUNS, "--rounds", ROUNDS,
                                    "--sample-ms", "1", "--warm-up-ms", "0.5", *more, "--out", out])]

    def disturbed(self, disturb, *more, environment=None):
        """A run with disturb(run, measuring process) in its first process run: (finished process, its folder)."""
        out = self.path("run")
        with subprocess.Popen(self.words(out, *more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, **(environment or {})}) as run:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and not (out / "samples.csv").exists():
                time.sleep(0.01)
            while time.monotonic() < deadline and not rows_of(out / "samples.csv"):
                time.sleep(0.002)
            disturb(run.pid, *faults.children(run.pid)[:1])
            stdout, stderr = run.communicate(timeout=120)
        return subprocess.CompletedProcess(run.args, run.returncode, stdout, stderr), out

    def assert_whole(self, done, out):
        """Complete, with every slice once, and sound to who checks it."""
        self.assertEqual(done.returncode, 0, done.stderr)
        record = json.loads((out / "run.json").read_text())
        self.assertEqual((record["complete"], record["missing_process_runs"]), (True, []))
        rows = rows_of(out / "samples.csv")
        slices = {(row["process_run"], row["round"], row["contender"]) for row in rows}
        contenders = {row["contender"] for row in rows}
        self.assertEqual(len(rows), len(slices))
        self.assertEqual(len(slices), PROCESS_RUNS * ROUNDS * len(contenders))
        self.assertTrue(all(float(row["time_ns"]) > 0 for row in rows))
        self.assertEqual(self.bench.run("show", out, "--all").returncode, 0)

    @staticmethod
    def suspend(*processes, seconds):
        """Stops processes, and lets them go on, the first one last."""
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        time.sleep(seconds)
        for process in reversed(processes):
            os.kill(process, signal.SIGCONT)

    def test_the_run_is_suspended(self):
        self.assert_whole(*self.disturbed(lambda run, _: self.suspend(run, seconds=1)))

    def test_its_measuring_process_is_suspended(self):
        self.assert_whole(*self.disturbed(lambda _, measuring: self.suspend(measuring, seconds=1)))

    def test_both_are_suspended_for_longer_than_a_process_run_may_take(self):
        done, out = self.disturbed(lambda *both: self.suspend(*both, seconds=3), "--process-run-limit", "2s")
        self.assert_whole(done, out)

    def test_a_cpu_is_taken_away(self):
        """As by taskset, or by the system: what ran on it goes on elsewhere."""
        cpus = sorted(os.sched_getaffinity(0))

        def take(run, measuring):
            for left in cpus[:1], cpus[-1:]:
                for process in run, measuring:
                    with contextlib.suppress(ProcessLookupError):
                        os.sched_setaffinity(process, left)
                time.sleep(0.2)

        self.assert_whole(*self.disturbed(take))

    def test_one_cpu_alone_and_then_all_of_them(self):
        """Killed with one, it goes on with all."""
        cpus = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, cpus[:1])
        try:
            _, out = self.disturbed(lambda run, _: os.kill(run, signal.SIGKILL))
        finally:
            os.sched_setaffinity(0, cpus)
        self.assert_whole(self.bench.run("run", "--resume", out), out)

    def full_folder(self):
        """A folder without room for a byte; skips the test where nothing may be mounted."""
        point = self.path("full")
        point.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=4", "none", point], capture_output=True,
                                 check=False)
        if mounted.returncode != 0:
            self.skipTest("mounting needs rights that this user does not have")
        self.addCleanup(subprocess.run, ["umount", point], check=True)
        (point / "filler").write_bytes(b"x" * 4096)
        return point

    def test_no_room_for_scratch_files(self):
        """Nothing of a run lies in TMPDIR; the one thing that does, a trace for a pipe, says so in one line."""
        scratch = {"TMPDIR": str(self.full_folder())}
        self.assert_whole(*self.disturbed(lambda *_: None, environment=scratch))
        done = self.bench.run("trace", "build", "--out", "/dev/stdout", self.bench.pgn, environment=scratch)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"\Aslidebench: [^\n]*No space left on device[^\n]*\n\Z")

    def test_scratch_fills_up_in_the_middle(self):
        """By the limit of a file's size, which ends a write as a full disk does."""
        done = subprocess.run(["sh", "-c", 'ulimit -f 16; exec "$@" | cat > /dev/null', "sh", PROGRAM, "trace", "random", "--nodes",
                               "65536", "--out", "/dev/stdout"], capture_output=True, text=True, check=False)
        self.assertRegex(done.stderr, r"\Aslidebench: cannot write [^\n]*File too large[^\n]*\n\Z")

    def test_decimal_commas(self):
        """Numbers are read and written with points wherever they are."""
        locales = self.path("locales")
        locales.mkdir()
        made = shutil.which("localedef") and subprocess.run(
            ["localedef", "-i", "de_DE", "-f", "UTF-8", locales / "de_DE.UTF-8"], capture_output=True, check=False)
        if not (locales / "de_DE.UTF-8").exists():
            self.skipTest(f"there is no locale with decimal commas: {made and made.stderr}")
        commas = {"LC_ALL": "de_DE.UTF-8", "LOCPATH": str(locales)}
        said = subprocess.run(["bash", "-c", "printf %.1f 1,5"], capture_output=True, text=True, check=False,
                              env={**os.environ, **commas})
        self.assertEqual(said.stdout, "1,5", "the locale has no decimal commas")
        done, out = self.disturbed(lambda *_: None, environment=commas)
        self.assert_whole(done, out)
        for words in (["show", out, "--all"], ["show", out, "--json"], ["list", "--format", "csv"], ["trace", "info", self.bench.trace]):
            with_commas, with_points = self.bench.run(*words, environment=commas), self.bench.run(*words)
            self.assertEqual((with_commas.returncode, with_commas.stdout), (0, with_points.stdout))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
