# SPDX-License-Identifier: MIT
"""What reports/kernels says of a method's kernel: counts, and what llvm-mca's model says binds it."""

import gzip
import json

from report.data.headers import ROOT
from report.data.words import human_number
from report.errors import ReportError

KERNELS = ROOT / "reports" / "kernels" / "kernels.json.gz"
COUNTS = ("instructions", "loads", "branches")
WORKLOADS = ("throughput", "latency")


def kernels(path=KERNELS):
    """All kernels: dict with `about` and `methods`; without methods where none are committed. ReportError: the file is none."""
    if not path.exists():
        return {"about": {}, "methods": {}}
    try:
        return json.loads(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, ValueError):
        raise ReportError(f"{path}: cannot be read") from None


def kernel_of(found, method):
    """What a page shows of a method's kernel, from `kernels`: dict of `note`, `rows` (workload, counts, cycles, what binds it),
    `chain`, `asks`, `level`, `disassembly` (text, may be empty); None where it has none."""
    kernel = found["methods"].get(method)
    if kernel is None:
        return None
    about = found["about"]
    return {
        "note": f"LLVM {about['llvm']}'s llvm-mca for {about['cpu']}",
        "rows": [_row(name, kernel[name]) for name in WORKLOADS if name in kernel],
        "chain": human_number(kernel.get("chain_cycles"), 0),
        "asks": kernel.get("asks", ""),
        "level": kernel["level"],
        "lines": len(kernel.get("disassembly", [])),
        "disassembly": "".join(f"{line}\n" for line in kernel.get("disassembly", [])),
    }


def _row(name, kernel):
    counts = [human_number(kernel[count], 1) for count in COUNTS]
    needs = sorted(kernel["needs"].items(), key=lambda need: -need[1])
    parts = ", ".join(f"{part} {cycles:.1f}" for part, cycles in needs if cycles)
    return [name, *counts, human_number(kernel["mca_cycles"], 1), kernel["bound_by"], parts]
