# SPDX-License-Identifier: MIT
"""Moves between registers, written so that llvm-mca models them rightly.

A processor that renames registers does not execute them. llvm-mca knows that (LLVM 14 to 22 do), but lets the copy go on to
follow the register that it was copied from, and so wait for that register's next value, or no longer for its own. So no
register is written here that has a copy: before it is, the two change names, which changes nothing else.
"""

import re

_LEGACY = {"rax": "eax ax al", "rbx": "ebx bx bl", "rcx": "ecx cx cl", "rdx": "edx dx dl"}
_LEGACY |= {"rsi": "esi si sil", "rdi": "edi di dil", "rbp": "ebp bp bpl", "rsp": "esp sp spl"}
_NUMBERED = {f"r{n}": f"r{n}d r{n}w r{n}b" for n in range(8, 16)}
_VECTORS = {f"zmm{n}": f"ymm{n} xmm{n}" for n in range(32)}
FAMILIES = {whole: (whole, *parts.split()) for whole, parts in (_LEGACY | _NUMBERED | _VECTORS).items()}
_PLACE = {name: (whole, width) for whole, names in FAMILIES.items() for width, name in enumerate(names)}

_REGISTER = re.compile(r"%(\w+)")
_MOVE = re.compile(r"(?:movq|movl|v?movdq[au](?:8|16|32|64)?|v?mov[au]p[sd]) %(\w+), %(\w+)$")
_READS_ONLY = re.compile(r"(cmp|test|push|j|bt[lqw]? |vptest|vtest|v?u?comis|kortest|ktest|ret|nop)")
# Registers that instructions use without naming them, or that they cannot exchange.
_IMPLIED = {
    r"%cl\b|^rep": {"rcx"},
    r"^(i?mul[bwlq]? %\w+$|i?mul[bwlq]? [^,]*\([^)]*\)$|i?div|cq|cl?t|cwt|mulx|cmpxchg|rdtsc|cpuid)": {"rax", "rdx"},
    r"^(rep|movs[bwlq]$|stos)": {"rdi", "rsi", "rax"},
    r"%[abcd]h\b": {"rax", "rbx", "rcx", "rdx"},
    "^call": {"rax", "rcx", "rdx", "rsi", "rdi"},
}


def family(register):
    """The widest register that a register is part of, or its own name: of `ecx` rcx, of `xmm3` zmm3, of `k1` k1."""
    return _PLACE.get(register, (register, 0))[0]


def written(line):
    """The families that an instruction (AT&T) may write, as far as it names them."""
    if _READS_ONLY.match(line):
        return set()
    operands = [operand.split(" {")[0] for operand in re.split(r", (?![^(]*\))", line.partition(" ")[2])]
    changed = operands if line.startswith("xchg") else operands[-2:] if line.startswith("mulx") else operands[-1:]
    return {family(operand[1:]) for operand in changed if re.fullmatch(r"%\w+", operand)}


def rewritten(path):
    """A straight line of instructions, list of str, with its moves as llvm-mca models them rightly. A move of a register to
    itself, and one of registers that cannot change names, become an instruction of one cycle."""
    fixed = {"rsp"}.union(*(names for line in set(path) for pattern, names in _IMPLIED.items() if re.search(pattern, line)))
    names = _Names()
    result = []
    for line in path:
        for register in written(line):
            names.write(register)
        found = _MOVE.match(line)
        if found and len({"mm" in register for register in found.groups()}) == 1:
            source, copy = map(family, found.groups())
            if source == copy or {source, copy} & fixed:
                line = _executed(line)
            else:
                names.move(source, copy)
        result.append(names.render(line))
    return result


class _Names:
    """Which register stands for which, so that none is written while it has a copy."""

    def __init__(self):
        self._now = {name: name for name in FAMILIES}
        self._copied_from = {}  # of the registers that stand for others: copy -> the first of its copies

    def write(self, register):
        """A register is about to be written: if it has a copy, the copy is written, and it stands for the copy."""
        place = self._now.get(register)
        copies = [copy for copy, first in self._copied_from.items() if first == place]
        if copies:
            other = next(name for name, now in self._now.items() if now == copies[0])
            self._now[register], self._now[other] = copies[0], place
            place = copies[0]
        self._copied_from.pop(place, None)

    def move(self, source, copy):
        """A register is now another's copy."""
        place = self._now[source]
        self._copied_from[self._now[copy]] = self._copied_from.get(place, place)

    def render(self, line):
        """An instruction with the registers that stand for its own."""

        def other(found):
            whole, width = _PLACE.get(found[1], (None, 0))
            return f"%{FAMILIES[self._now[whole]][width]}" if whole else found[0]

        return _REGISTER.sub(other, line)


def _executed(move):
    """A move as an instruction that computes the same in one cycle."""
    source, copy = _MOVE.match(move).groups()
    if "mm" in source:
        return f"vorps %{source}, %{source}, %{copy}"
    return f"lea{'q' if _PLACE[copy][1] == 0 else 'l'} (%{family(source)}), %{copy}"
