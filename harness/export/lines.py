#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long exports are: a table of Markdown with the lines of every method's header in C++17, with those of them that are rows of
factors, and in C11 where it has one, beside those of a file of earlier counts ("391 ray_masks_avx2.h" a line, as wc -l prints them).

Usage: lines.py SLIDEBENCH [EARLIER]
"""

import json
import pathlib
import re
import subprocess
import sys


FACTORS = re.compile(r"^ *(\{?0x[0-9A-F]+(, \d+\})?,? ?)+$", re.MULTILINE)


def lines(program, method, language):
    """The lines of an export and how many of them are rows of factors; none where the language has not this method."""
    done = subprocess.run([program, "export", method, "--language", language], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, None
    return done.stdout.count("\n"), len(FACTORS.findall(done.stdout)) or None


def earlier_counts(path):
    """Name of a header -> its lines."""
    return {name: int(count) for count, name in re.findall(r"^\s*(\d+) (\S+)\.h$", pathlib.Path(path).read_text(encoding="utf-8"),
                                                          re.MULTILINE)}


def main():
    """Prints the table."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    earlier = earlier_counts(sys.argv[2]) if len(sys.argv) == 3 else {}
    listed = subprocess.run([sys.argv[1], "list", "--method", "all", "--format", "json"], capture_output=True, text=True, check=True)
    print("| method | C++17 before | C++17 | of them factors | C11 before | C11 |\n|---|---:|---:|---:|---:|---:|")
    for entry in json.loads(listed.stdout):
        if entry["family"] == "baseline" or entry["group"] == "store":
            continue
        method = entry["id"]
        cells = [earlier.get(method), *lines(sys.argv[1], method, "c++17"), earlier.get(method + ".c11"),
                 lines(sys.argv[1], method, "c11")[0]]
        print(f"| `{method}` | {' | '.join('' if cell is None else str(cell) for cell in cells)} |")


if __name__ == "__main__":
    main()
