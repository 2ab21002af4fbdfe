# SPDX-License-Identifier: MIT
"""An object that holds nothing but room, of a random size in each section, so that all behind it lies elsewhere."""

import os
import subprocess

# Section -> its flags and kind, as an assembler names them.
SECTIONS = {".text.unlikely": ("ax", "progbits"), ".text": ("ax", "progbits"), ".rodata": ("a", "progbits"),
            ".data": ("aw", "progbits"), ".bss": ("aw", "nobits")}  # fmt: skip
X86 = {"elf_x86_64": "--64", "elf_i386": "--32", "elf32_x86_64": "--x32"}
NOP = 0x90  # what a compiler puts between functions on x86


def symbol_of(section):
    """The name of the room in a section; a linker that throws unused sections away must be told to keep it."""
    return "slidebench_padding" + section.replace(".", "_")


KEPT = [word for section in SECTIONS for word in ("-u", symbol_of(section))]


def random_sizes(draw):
    """Section -> bytes, 0 to 4096, multiples of 16. `draw` is a random.Random."""
    return {section: 16 * draw.randint(0, 256) for section in SECTIONS}


def source_of(sizes, emulation):
    """The object in assembly language."""
    lines = []
    for section, bytes_ in sizes.items():
        flags, kind = SECTIONS[section]
        is_x86_code = flags == "ax" and emulation in X86
        lines += [f'.section {section},"{flags}",%{kind}', ".p2align 4", f".globl {symbol_of(section)}", f"{symbol_of(section)}:",
                  f".fill {bytes_}, 1, {NOP}" if is_x86_code else f".skip {bytes_}"]
    return "\n".join([*lines, '.section .note.GNU-stack,"",%progbits', ""])


def assemble(path, sizes, emulation, assembler):
    """Writes the object; `assembler` is the path of `as` or of a compiler. OSError, or RuntimeError with what it said."""
    is_as = os.path.basename(assembler).startswith("as") or os.path.basename(assembler).endswith("-as")
    words = [X86[emulation]] if is_as and emulation in X86 else [] if is_as else ["-c", "-x", "assembler"]
    command = [assembler, *words, "-o", path, "-"]
    done = subprocess.run(command, input=source_of(sizes, emulation), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"{assembler} failed")
