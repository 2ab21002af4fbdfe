#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What became of a Slurm job, as Snakemake wants it: running, success or failed.

Works without an accounting database. A job that Slurm no longer knows counts as failed: made again, a result that is
there is found whole and taken as it is.
"""

import re
import subprocess
import sys
import time

WAITING = "PENDING RUNNING COMPLETING CONFIGURING SUSPENDED REQUEUED RESIZING STAGE_OUT SIGNALING".split()


def state_of(job):
    """Slurm's word for a job's state; None where the controller does not answer, "" where it knows no such job."""
    done = subprocess.run(["scontrol", "-o", "show", "job", job], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return "" if "Invalid job id" in done.stderr else None
    return re.search(r"JobState=(\w+)", done.stdout)[1]


def main():
    """Prints one word."""
    for wait in (0, 1, 2, 4, 8):  # a controller that is starting again, or busy
        time.sleep(wait)
        state = state_of(sys.argv[1].split(";")[0])
        if state is not None:
            break
    print("running" if state is None or state in WAITING else "success" if state == "COMPLETED" else "failed")


if __name__ == "__main__":
    main()
