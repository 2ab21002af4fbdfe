# SPDX-License-Identifier: MIT
"""What llvm-mca says of straight-line code: cycles, and what the processor's parts would need by themselves.

The model has every load in the first level, foresees every branch, and fetches without end.
"""

import json
import re
import subprocess

from studies.kernels_moves import rewritten

BINDS = 0.9  # of the cycles: a part that needs so much by itself binds
LONGEST = 300_000  # instructions that llvm-mca is asked about at once
# Part -> the resources of llvm-mca that are units of it.
PARTS = {"loads and stores": r"AGU|Load|LSU|Store", "integer units": r"ALU|BRU|Multiplier|Divider", "vector units": r"FP"}
CHAIN, FRONT_END = "dependency chain", "front end"


class Unmodelled(Exception):
    """The model lacks an instruction; its words say which."""


def modelled(tools, cpu, lines):
    """llvm-mca's figures of instructions (AT&T), executed one after another once: dict `cycles`;
    `needs`, dict part -> cycles of its busiest unit; `unit`, the busiest of all. Unmodelled: the model lacks one of them."""
    if len(lines) > LONGEST:
        raise Unmodelled(f"{len(lines)} instructions, more than {LONGEST}")
    command = [tools.command("llvm-mca"), f"--mcpu={cpu}", "--iterations=1", "--json", "--instruction-info=0"]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lacking = re.search(r"note: instruction:\s*(.*)", done.stderr)
        raise Unmodelled(" ".join((lacking[1] if lacking else done.stderr).split())[:100])
    told = json.loads(done.stdout)
    region = told["CodeRegions"][0]
    summary = region["SummaryView"]
    units = _busy(told["TargetInfo"]["Resources"], region["ResourcePressureView"]["ResourcePressureInfo"], len(lines))
    needs = {part: max([n for unit, n in units.items() if re.search(named, unit)], default=0.0) for part, named in PARTS.items()}
    needs[FRONT_END] = summary["TotaluOps"] / summary["DispatchWidth"]
    return {"cycles": summary["TotalCycles"], "needs": needs, "unit": max(units, key=units.get, default="")}


def _busy(resources, pressure, total):
    """dict unit -> cycles, from the entries of all instructions together, which have the index `total`."""
    entries = [entry for entry in pressure if entry["InstructionIndex"] == total]
    names = [re.sub(r"^Zn\d|[^\w.]", "", resources[entry["ResourceIndex"]]).rstrip(".") for entry in entries]
    return {name: max(e["ResourceUsage"] for e, n in zip(entries, names) if n == name) for name in names}


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
