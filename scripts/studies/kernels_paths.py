# SPDX-License-Identifier: MIT
"""What the timed kernels execute, from `slidebench kernel`: counts, and the instructions one by one, as assembly text."""

import csv
import json
import re
import shutil
import subprocess
from dataclasses import dataclass

from report.errors import ReportError

WORKLOADS = ("throughput", "latency")
COUNTS = {name: f"{name}_per_query" for name in ("instructions", "loads", "branches")}
FEATURES = "avx,avx2,bmi,bmi2,lzcnt,popcnt,gfni,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512ifma,avx512vbmi,avx512vbmi2"
FEATURES += ",avx512bitalg,avx512vpopcntdq,vpclmulqdq"


@dataclass(frozen=True)
class Tools:
    """The programs of one LLVM: 19 is llvm-mca-19 and llvm-mc-19, an empty version the plain names."""

    version: str

    def command(self, name):
        """The path of one of them. ReportError where it is not installed."""
        program = f"{name}-{self.version}" if self.version else name
        found = shutil.which(program)
        if found is None:
            words = "scripts/install_deps.sh --kernels installs LLVM 19, or say --llvm VERSION"
            raise ReportError(f"{program} is not installed; {words}")
        return found


def counted(program, trace, workload, queries, methods):
    """dict method -> dict of COUNTS' names -> a query's number, less those of the empty loop. ReportError as `printed`."""
    lines = printed(program, trace, workload, queries, methods, "csv").splitlines()
    return {row["method"]: {name: float(row[column]) for name, column in COUNTS.items()} for row in csv.DictReader(lines)}


def traced(program, trace, workload, queries, methods):
    """What each method's kernel executes, list of dicts as `slidebench kernel --format path` prints them."""
    return [json.loads(line) for line in printed(program, trace, workload, queries, methods, "path").splitlines()]


def printed(program, trace, workload, queries, methods, form):
    """What `slidebench kernel` prints. ReportError with its own words where it refuses."""
    chosen = [word for method in methods for word in ("--method", method)]
    command = [program, "kernel", "--trace", trace, "--workload", workload, "--queries", str(queries), "--format", form, *chosen]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ReportError(f"{program}: cannot be started ({error.strerror}); name the program slidebench") from error
    if done.returncode != 0:
        raise ReportError(" ".join(done.stderr.split()).removeprefix("slidebench: ") or f"{program} kernel: failed")
    return done.stdout


def disassembled(tools, code, intel=False):
    """A path's `code` as text, one instruction each: for the assembler (AT&T), or for readers (Intel's syntax).
    ReportError where llvm-mc does not know them all."""
    text = "\n".join(" ".join(f"0x{digits[i:i + 2]}" for i in range(0, len(digits), 2)) for _, digits in code)
    command = [tools.command("llvm-mc"), "--disassemble", "--triple=x86_64", f"--mattr=+{FEATURES.replace(',', ',+')}"]
    command.append(f"--output-asm-variant={int(intel)}")
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    lines = [" ".join(line.split("#")[0].split()) for line in done.stdout.splitlines()]
    lines = [line for line in lines if line and not line.startswith(".")]
    if len(lines) != len(code):
        raise ReportError(f"{command[0]}: read {len(lines)} of {len(code)} instructions; use LLVM 19 or newer")
    return lines


def in_order(lines, path):
    """The lines of a path's code as they were executed, list."""
    return [lines[index] for index in path["order"]]


def listing(tools, path, tables):
    """A path for readers, list of lines: tables by name instead of addresses, and of each branch whether it was taken."""
    code = path["code"]
    texts = disassembled(tools, code, intel=True)
    ends = [address + len(digits) // 2 for address, digits in code]
    named = [_with_names(text, end, tables) for text, end in zip(texts, ends)]
    shown = []
    for place, index in enumerate(path["order"]):
        text = named[index]
        if text.startswith("j"):
            following = path["order"][place + 1] if place + 1 < len(path["order"]) else None
            went_on = following is not None and code[following][0] == ends[index]
            text = text.split()[0] + ("" if text.startswith("jmp") else "  ; not taken" if went_on else "  ; taken")
        shown.append(text)
    return shown


def _with_names(text, end, tables):
    """A reference relative to the instruction's end as a table's name and an offset, or as a constant."""

    def name(found):
        address = end + int(found[1].replace(" ", "") or 0)
        for table, begin, size in tables:
            if begin <= address < begin + size:
                return f"[{table} + {address - begin}]" if address != begin else f"[{table}]"
        return "[constant]"

    return re.sub(r"\[rip( [+-] \d+)?\]", name, text)
