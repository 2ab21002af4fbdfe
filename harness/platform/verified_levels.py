# SPDX-License-Identifier: MIT
"""Which methods were verified at which level by the emulator, as a processor with SVE2 and as one without: a table in
Markdown, for the page beside this file.

Usage: verified_levels.py EMULATOR PROGRAM [--write]     --write puts it into README.md
"""

import json
import os
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).with_name("README.md")
PROCESSORS = ("max", "cortex-a72")
LEVELS = ("a64", "sve2", "sve2-bitperm")
BOARDS = "20000"


def verdicts(command, processor):
    """Of each method that the program has: its level and what came out, on this processor."""
    done = subprocess.run([*command, "verify", "--method", "all", "--boards", BOARDS, "--json"], text=True, check=False,
                          stdout=subprocess.PIPE, env={**os.environ, "QEMU_CPU": processor})
    answer = json.loads(done.stdout)
    right = {m["id"]: (m["level"], "right" if m["right"] else "WRONG") for m in answer["methods"]}
    return right, {m["id"]: m["why"] for m in answer["skipped"]}


def cell(methods, found):
    """What the processor says of these methods: one word if it is the same for all."""
    verified, skipped = found
    words = {verified[m][1] if m in verified else f"skipped: {skipped.get(m, 'not there')}" for m in methods}
    return "; ".join(sorted(words))


def table(command):
    """A line per level."""
    found = {processor: verdicts(command, processor) for processor in PROCESSORS}
    most = found["max"][0]
    lines = ["| level | methods | " + " | ".join(f"as `{p}`" for p in PROCESSORS) + " |",
             "|---|---|" + "---|" * len(PROCESSORS)]
    for level in LEVELS:
        methods = sorted(m for m in most if most[m][0] == level)
        names = ", ".join(f"`{m}`" for m in methods)
        words = " | ".join(cell(methods, found[p]) for p in PROCESSORS)
        lines.append(f"| `{level}` | {len(methods)}: {names} | {words} |")
    return "\n".join(lines)


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    if len(words) != 2:
        sys.exit(__doc__)
    text = table(words)
    if "--write" not in sys.argv:
        print(text)
        return
    page = PAGE.read_text()
    new = re.sub(r"(<!-- verified -->\n).*?(<!-- end verified -->)", lambda m: f"{m[1]}{text}\n{m[2]}", page, flags=re.S)
    PAGE.write_text(new)


if __name__ == "__main__":
    main()
