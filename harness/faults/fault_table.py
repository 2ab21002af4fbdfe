# SPDX-License-Identifier: MIT
"""Disturbs every command at every moment at which it writes, takes it up again, and prints a table in Markdown.

Of the writes to one file the first, one in the middle and the last are tried. Takes some minutes; the test tries a few.

Usage: fault_table.py SLIDEBENCH      exit status 1 if something was lost, or believed half
"""

import collections
import pathlib
import sys
import tempfile

import faults


def faults_at(operation):
    """The faults that an operation can suffer: only writes, and what waits for them, meet a full disk."""
    return ("kill", "full") if operation.startswith(("write ", "sync ")) else ("kill",)


def try_all(work, folder):
    """Tries every moment of a command.

    Returns:
        list of (operation, fault, moments tried, list of what went wrong).
    """
    reference = folder / "reference"
    rows = []
    for operation, moments in faults.stages_of(faults.reference_of(work, reference)):
        for fault in faults_at(operation):
            wrong = []
            for moment in moments:
                try:
                    faults.disturb(work, f"{fault}:{moment}", folder / f"{fault}-{moment}", reference)
                except faults.Broken as error:
                    wrong.append(f"{moment}: {error}")
            rows.append((operation, fault, len(moments), wrong))
    return rows


def main():
    """The command; returns the exit status."""
    folder = pathlib.Path(tempfile.mkdtemp()).resolve()
    bench = faults.Bench(pathlib.Path(sys.argv[1]).resolve(), folder)
    broken = 0
    print("| command | moment | killed there | disk full there |")
    print("|---|---|---|---|")
    for kind in faults.WORKS:
        work = kind(bench)
        cells = collections.defaultdict(dict)
        for operation, fault, moments, wrong in try_all(work, folder / kind.__name__):
            times = "" if moments == 1 else f" ({moments} times)"
            cells[operation][fault] = "; ".join(wrong) or f"whole{times}"
            broken += len(wrong)
        for operation, found in cells.items():
            print(f"| {work.name} | {operation} | {found['kill']} | {found.get('full', '')} |", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
