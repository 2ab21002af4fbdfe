# SPDX-License-Identifier: MIT
"""Which instructions a program has, counted by name: builds that differ in placement alone have the same."""

import re
import shutil
import subprocess
from collections import Counter

# What compilers, linkers and padding.py put between functions.
BETWEEN = {"nop", "nopw", "nopl", "data16", "cs", "int3", "udf", "xchg %ax,%ax"}


def count_of(listing):
    """Mnemonic -> how often, of lines of `objdump -d --no-show-raw-insn`, without what stands between functions."""
    found = re.findall(r"^ +[0-9a-f]+:\t(\S+)(?: +(\S+))?", listing, re.MULTILINE)
    return Counter(name for name, operands in found if name not in BETWEEN and f"{name} {operands}" not in BETWEEN)


def mnemonics(program):
    """The count of a program's mnemonics; None where objdump is not there or cannot read it."""
    if not shutil.which("objdump"):
        return None
    command = ["objdump", "-d", "--no-show-raw-insn", "-M", "att", program]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:  # another processor's objdump knows no -M att
        done = subprocess.run([*command[:3], program], capture_output=True, text=True, errors="replace", check=False)
    return count_of(done.stdout) if done.returncode == 0 else None


def distance(one, other):
    """How many instructions one count has that the other has not, and the other way round, together."""
    return sum(((one - other) + (other - one)).values())


def compare(programs):
    """What to say of the programs' instructions, in one line."""
    counts = [mnemonics(program) for program in programs]
    if None in counts:
        return "Instructions: not compared, because objdump (package binutils) is not there or cannot read the builds."
    distances = [distance(counts[0], count) for count in counts[1:]]
    others, total = sum(map(bool, distances)), sum(counts[0].values())
    if not others:
        return f"Instructions: the same in all builds ({total:,})."
    return (f"Instructions: {others} of {len(programs)} builds differ from the first, by up to {max(distances):,} of {total:,}: "
            "the order of objects moved what the compiler inlines (link-time optimisation).")  # fmt: skip
