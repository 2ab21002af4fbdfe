#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One job of a sweep, or the merge of all: what the workflow's rules run.

    job.py OUT/sweep.json ID|merge
"""

import json
import sys
from pathlib import Path

EXTRAS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(EXTRAS), str(EXTRAS.parent / "scripts")]

from sweep.errors import SweepError  # noqa: E402
from sweep.merge import merge  # noqa: E402
from sweep.plan import Plan  # noqa: E402
from sweep.work import make  # noqa: E402


def main(config, name):
    """Returns the exit status: 2 with one line on standard error where the job cannot be done."""
    try:
        plan = Plan(json.loads(Path(config).read_text()))
        if name == "merge":
            merge(plan)
        elif name in plan.jobs:
            make(plan, plan.jobs[name])
        else:
            raise SweepError(f"{config}: has no job {name}; start the sweep again")
    except (SweepError, OSError) as error:
        print(f"sweep: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
