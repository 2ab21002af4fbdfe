# SPDX-License-Identifier: MIT
"""What llvm-mca says of straight-line code: cycles, and what the processor's parts would need by themselves.

The model has every load in the first level, foresees every branch, and fetches without end.
"""

import collections
import json
import re
import subprocess

from report.errors import ReportError
from studies.kernels_moves import rewritten

BINDS = 0.9  # of the cycles: a part that needs so much by itself binds
LONGEST = 300_000  # instructions that llvm-mca is asked about at once
LOADS, INTEGERS, VECTORS = "loads and stores", "integer units", "vector units"
CHAIN, FRONT_END = "dependency chain", "front end"
# Part -> the resources of llvm-mca that are units of it: AMD's, and Intel's.
PARTS = {LOADS: r"AGU|Load|LSU|Store|Port0?[234789]$|Port11$", INTEGERS: r"ALU|BRU|Multiplier|Divider|Port0?[0156]$|Port10$"}
PARTS |= {VECTORS: r"FP"}
VECTOR_REGISTERS = re.compile(r"%[xyz]mm|%k[0-7]")


class Unmodelled(Exception):
    """The model lacks an instruction; its words say which."""


def modelled(tools, cpu, lines):
    """llvm-mca's figures of instructions (AT&T), executed one after another once: dict `cycles`;
    `needs`, dict part -> cycles of its busiest unit; `unit`, the busiest of all. Unmodelled: the model lacks one of
    them. ReportError: llvm-mca does not know the processor."""
    if len(lines) > LONGEST:
        raise Unmodelled(f"{len(lines)} instructions, more than {LONGEST}")
    command = [tools.command("llvm-mca"), f"--mcpu={cpu}", "--iterations=1", "--json"]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
    if "is not a recognized processor" in done.stderr:
        raise ReportError(f"{command[0]} knows no processor {cpu}; {command[0]} -mcpu=help lists those it knows")
    if done.returncode != 0:
        lacking = re.search(r"note: instruction:\s*(.*)", done.stderr)
        raise Unmodelled(" ".join((lacking[1] if lacking else done.stderr).split())[:100])
    told = json.loads(done.stdout)
    region = told["CodeRegions"][0]
    summary = region["SummaryView"]
    needs, unit = _busy(told["TargetInfo"]["Resources"], region["ResourcePressureView"]["ResourcePressureInfo"], lines)
    # What is not executed (Intel's copies and additions of constants) is dispatched all the same.
    slots = sum(max(1, line["NumMicroOpcodes"]) for line in region["InstructionInfoView"]["InstructionList"])
    needs[FRONT_END] = slots / summary["DispatchWidth"]
    return {"cycles": max(summary["TotalCycles"], needs[FRONT_END]), "needs": needs, "unit": unit}


def _busy(resources, pressure, lines):
    """(dict part -> cycles of its busiest unit, the busiest unit of all), from llvm-mca's entries."""
    names = [re.sub(r"^(Zn\d|SPR|ICX)|[^\w.]", "", name).rstrip(".") for name in resources]
    uses = [(names[e["ResourceIndex"]], e["InstructionIndex"], e["ResourceUsage"]) for e in pressure]
    # The entries of all instructions together have the index after the last; several units may have one name.
    total = [(unit, cycles) for unit, i, cycles in uses if i == len(lines)]
    units = {name: max(cycles for unit, cycles in total if unit == name) for name, _ in total}
    needs = {part: max([n for unit, n in units.items() if re.search(named, unit)], default=0.0) for part, named in PARTS.items()}
    if any("Port" in name for name in names):
        needs |= _shared_ports(uses, lines, needs[INTEGERS])
    return needs, max(units, key=units.get, default="")


def _shared_ports(uses, lines, busiest):
    """Intel's integer and vector units share ports, of which the busiest counts as the part that uses most of it; the other
    part is what its own instructions need."""
    own = {INTEGERS: collections.Counter(), VECTORS: collections.Counter()}
    for unit, i, cycles in uses:
        if i < len(lines) and re.search(PARTS[INTEGERS], unit):
            own[VECTORS if VECTOR_REGISTERS.search(lines[i]) else INTEGERS][unit] += cycles
    needs = {part: max(counts.values(), default=0.0) for part, counts in own.items()}
    return needs | {max(needs, key=needs.get): busiest}


def bound_by(figures):
    """The part that needs the most, if that is about all the time; else the chain of dependencies."""
    part = max(figures["needs"], key=figures["needs"].get)
    return part if figures["needs"][part] >= BINDS * figures["cycles"] else CHAIN


def window(tools, cpu, lines, queries):
    """The figures of a window of queries, a query."""
    figures = modelled(tools, cpu, rewritten(lines))
    return figures | {"cycles": figures["cycles"] / queries, "needs": {part: n / queries for part, n in figures["needs"].items()}}


def chain_cycles(tools, cpu, lines):
    """From the occupancy to the rook's answer: cycles a call if each call's occupancy is the answer of the call before it."""
    body = [line for line in lines if not line.startswith("ret")]
    again = ["movl $27, %edi", *body, "leaq (%rax), %rsi"]
    few, many = (modelled(tools, cpu, rewritten(again * times))["cycles"] for times in (10, 60))
    return (many - few) / 50 - 1  # less that of lea
