# SPDX-License-Identifier: MIT
"""What scripts/slidebench.py kernels makes of executed instructions: texts, moves, what binds, and the committed page."""

import gzip
import json
import os
import platform
import random
import re
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest

from report.errors import ReportError
from slidebench import main
from studies.kernels_measured import agreement
from studies.kernels_model import CHAIN, FRONT_END, Unmodelled, bound_by, chain_cycles, modelled, window
from studies.kernels_moves import rewritten, written
from studies.kernels_page import parts_of
from studies.kernels_paths import Tools, disassembled, in_order, listing
from studies.readme import filled

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "reports" / "kernels"
VERSION = next((version for version in ("19", "20", "18") if shutil.which(f"llvm-mca-{version}")), None)
TOOLS = Tools(VERSION or "19")
needs_llvm = pytest.mark.skipif(VERSION is None, reason="no llvm-mca of LLVM 18 or newer; scripts/install_deps.sh --kernels")
CPU = "znver4"


@pytest.mark.parametrize(
    "line, families",
    [
        ("addq (%rax,%rcx,8), %rdx", {"rdx"}),
        ("andw $15, %bx", {"rbx"}),
        ("movq %rax, 8(%rsp)", set()),
        ("cmpq %rax, %rdx", set()),
        ("jne -98", set()),
        ("mulxq %rcx, %r8, %r9", {"r8", "r9"}),
        ("xchgq %rax, %rbx", {"rax", "rbx"}),
        ("vpandq %zmm1, %zmm2, %zmm3 {%k1} {z}", {"zmm3"}),
        ("sete %r10b", {"r10"}),
    ],
)
def test_what_an_instruction_writes(line, families):
    assert written(line) == families


def values(path):
    """What a straight line of moves, additions and XORs computes, by register, from one number a register; 64 bits."""
    known = {name: 3 + place for place, name in enumerate(("rax", "rbx", "rcx", "rdx", "rsi", "r8"))}
    for line in path:
        name, *operands = line.replace(",", "").split()
        source = known[operands[0][1:].strip("()%")] if operands[0].startswith(("%", "(")) else int(operands[0][1:])
        into = operands[1][1:]
        known[into] = {"movq": source, "leaq": source, "addq": known[into] + source, "xorq": known[into] ^ source}[name]
    return known


@pytest.mark.parametrize("seed", range(20))
def test_moves_written_anew_compute_the_same_and_no_register_with_a_copy_is_written(seed):
    draw = random.Random(seed)
    registers = [f"%{name}" for name in ("rax", "rbx", "rcx", "rdx", "rsi", "r8")]
    names = draw.choices(("movq", "movq", "addq", "xorq"), k=60)
    path = [f"{name} {draw.choice(registers)}, {draw.choice(registers)}" for name in names]
    path += [f"addq {register}, %rax" for register in registers[1:]]  # which depends on all
    after = rewritten(path)
    places = values(after)
    whole = values(path)["rax"]
    # The last line of both adds the last register into rax, or into what stands for it.
    assert places[after[-1].split("%")[-1]] == whole
    copies = {}
    for line in after:
        name, source, into = line.replace(",", "").replace("%", "").split()
        assert into not in copies.values(), f"{into} is written, of which there is a copy"
        copies.pop(into, None)
        if name == "movq":
            copies[into] = copies.get(source, source)


def test_a_move_of_a_register_that_others_use_unnamed_is_executed():
    assert rewritten(["movq %rcx, %rax", "shlq %cl, %rbx"])[0] == "leaq (%rcx), %rax"
    assert rewritten(["movq %rax, %xmm0", "addq %rbx, %rax"]) == ["movq %rax, %xmm0", "addq %rbx, %rax"]  # no copy
    assert rewritten(["movl %ecx, %ecx"]) == ["leal (%rcx), %ecx"]
    assert rewritten(["vmovdqa %ymm1, %ymm1"]) == ["vorps %ymm1, %ymm1, %ymm1"]


COPIED = ["imulq %rcx, %rcx"] * 3 + ["movq %rcx, %rax", "movq %r9, %rcx", "addq %rbx, %rcx", "xorq %r13, %rax"]


@needs_llvm
def test_a_copy_waits_for_its_own_value():
    """Three multiplications and an XOR of their copy, whose register is written anew behind it, a hundred times in a chain."""
    chained = [*COPIED, "leaq (%rax), %rcx"]
    assert modelled(TOOLS, CPU, rewritten(chained * 100))["cycles"] == pytest.approx(1100, abs=30)
    assert modelled(TOOLS, CPU, chained * 100)["cycles"] < 1000, "llvm-mca is right by itself now: drop kernels_moves"


@needs_llvm
@pytest.mark.parametrize("cpu", [CPU, "graniterapids"])
def test_what_binds_known_code(cpu):
    def of(lines):
        return bound_by(window(TOOLS, cpu, lines * 200, 200))

    assert of(["imulq %rax, %rax"]) == CHAIN
    assert of([f"movq (%rax), %r{n}" for n in range(8, 14)]) == "loads and stores"
    assert of(["pextq %rax, %rbx, %rcx", "pextq %rax, %rbx, %rdx"]) == "integer units"
    assert of(["movq %rbx, %r10", "movq %rbx, %r11"] * 3) == FRONT_END
    mixed = ["movq (%rax), %r8", "movq 8(%rax), %r9", "addq %rbx, %r10", "addq %rbx, %r11"]
    assert of([*mixed, "vpaddq %ymm0, %ymm1, %ymm2", "vpaddq %ymm0, %ymm1, %ymm3"]) == FRONT_END
    assert of(["vpmullw %ymm0, %ymm1, %ymm2", "vpmullw %ymm0, %ymm1, %ymm3", "vpmullw %ymm0, %ymm1, %ymm4"]) == "vector units"


@needs_llvm
def test_a_port_that_both_kinds_of_instructions_use_counts_as_the_kind_that_uses_more():
    shift, products = ["vpsllvq %zmm1, %zmm2, %zmm3"], ["imulq %rax, %rbx", "vpmullw %ymm0, %ymm1, %ymm2"]
    needs = window(TOOLS, "graniterapids", shift * 300, 100)["needs"]
    assert needs["vector units"] == pytest.approx(3) and needs["integer units"] == 0
    needs = window(TOOLS, "graniterapids", products[:1] * 300 + products[1:] * 100, 100)["needs"]
    assert needs["integer units"] == pytest.approx(3, abs=0.5) and 0 < needs["vector units"] <= 1


@needs_llvm
def test_the_chain_of_a_query_is_from_occupancy_to_answer():
    lines = ["imulq %rsi, %rsi", "movq (%rdi,%rsi,8), %rax", "retq"]
    assert chain_cycles(TOOLS, CPU, lines) == pytest.approx(8, abs=1.1)


@needs_llvm
def test_what_the_model_lacks_is_said():
    with pytest.raises(Unmodelled, match="vpshufbitqmb"):
        modelled(TOOLS, "znver3", ["vpshufbitqmb %zmm1, %zmm0, %k1"])


@needs_llvm
def test_an_unknown_processor_is_refused():
    with pytest.raises(ReportError, match="knows no processor nonsense"):
        modelled(TOOLS, "nonsense", ["addq %rax, %rbx"])


# lea rax, [rip + 16]; and rsi, [rax]; jne +2; ret, from address 100 on
PATH = {"code": [[100, "488d0510000000"], [107, "482330"], [110, "7502"], [112, "c3"]], "order": [0, 1, 2, 3]}


@needs_llvm
def test_a_listing_names_tables_and_says_which_way_branches_went():
    named = ["lea rax, [sets + 3]", "and rsi, qword ptr [rax]", "jne  ; not taken", "ret"]
    assert listing(TOOLS, PATH, [["sets", 120, 8]]) == named
    assert listing(TOOLS, PATH, [])[0] == "lea rax, [constant]"
    assert in_order(disassembled(TOOLS, PATH["code"]), {"order": [1, 1]}) == ["andq (%rax), %rsi"] * 2


def test_a_part_binds_only_where_it_needs_about_all_the_time():
    assert bound_by({"cycles": 10.0, "needs": {FRONT_END: 9.1, "integer units": 9.0}}) == FRONT_END
    assert bound_by({"cycles": 10.0, "needs": {FRONT_END: 8.9, "integer units": 3.0}}) == CHAIN


def test_agreement_counts_what_is_near_with_the_loop_and_without():
    rows = pd.DataFrame({"method": ["empty", "a", "b"], "mca_cycles": [4.0, 8.0, 20.0], "measured_1": [6.0, 10.0, 21.0]})
    found = agreement(rows, "measured_1")
    assert (found["alone"]["near"], found["alone"]["methods"], found["excess"]) == (0.5, 2, 2.0)
    assert (found["beside"]["near"], found["beside"]["median"]) == (1.0, pytest.approx((1.0 + 22 / 21) / 2))
    assert agreement(rows[1:], "measured_1")["beside"] is None


@pytest.mark.skipif("SLIDEBENCH" not in os.environ, reason="needs a build")
@pytest.mark.skipif(os.environ.get("SLIDEBENCH_SANITIZED") == "1", reason="a sanitizer's checks are no part of a method's kernel")
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the model is of x86-64")
@needs_llvm
def test_the_command_on_a_trace(tmp_path, capfd):
    program = os.environ["SLIDEBENCH"]
    trace = tmp_path / "game.trace"
    subprocess.run([program, "trace", "build", "--games", "2", "--out", trace, ROOT / "datasets" / "sample.pgn"], check=True)
    arguments = ["--program", program, "--trace", str(trace), "--queries", "40", "--llvm", VERSION, "--out", str(tmp_path)]
    status = main(["kernels", *arguments, "--method", "pext", "--method", "rotated_hyatt"])
    if status == 2 and "must allow ptrace" in capfd.readouterr().err:
        pytest.skip("this system does not let a process trace its child")
    assert status == 0
    rows = pd.read_csv(tmp_path / "kernels.csv.gz").set_index(["method", "workload"])
    assert len(rows) == 6
    assert rows.loc[("pext", "latency"), "bound_by"] == CHAIN
    assert rows.loc[("pext", "latency"), "mca_cycles"] > 1.5 * rows.loc[("pext", "throughput"), "mca_cycles"]
    facts = json.loads(gzip.decompress((tmp_path / "kernels.json.gz").read_bytes()))["methods"]
    assert any(line.startswith("pext") for line in facts["pext"]["disassembly"])
    assert facts["pext"]["asks"] == "rook" and facts["rotated_hyatt"]["asks"] == "both"


KERNEL = re.compile(r"^[0-9a-f]+ <unsigned long slidebench::(replay<slidebench::\w+, \(slidebench::Dependence\)\d, slidebench::\w+>)")


def conditional_jumps(module):
    """dict kernel of queries -> the conditional jumps in its code, of a module."""
    command = ["objdump", "-dC", "--no-show-raw-insn", "-M", "intel", module]
    code = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    functions = [(KERNEL.match(text), text) for text in code.split("\n\n")]
    jumps = {named[1].split(",", 1)[1]: re.findall(r"\tj(?!mp)\w+ ", text) for named, text in functions if named}
    return {kernel: len(found) for kernel, found in jumps.items()}


@pytest.mark.skipif("SLIDEBENCH" not in os.environ, reason="needs a build")
@pytest.mark.skipif(os.environ.get("SLIDEBENCH_SANITIZED") == "1", reason="a sanitizer's checks are branches")
@pytest.mark.skipif(platform.machine() != "x86_64", reason="looks for the jumps of x86-64")
def test_the_loop_around_the_queries_has_the_same_branches_for_every_method():
    """GCC copied the tests of the loop into the kernels of some methods, which took up to 30 % less time for it on one processor."""
    plugins = Path(os.environ["SLIDEBENCH"]).parent / "plugins"
    found = {path.name.split(".")[0]: conditional_jumps(path) for path in sorted(plugins.glob("*.v?.so"))}
    found = {method: kernels for method, kernels in found.items() if kernels}
    loop = found["empty"]
    assert len(loop) == 6 and len(found) > 40 and found["magic_fancy"] == loop
    # Some methods have branches of their own, in each kernel.
    more = {method: {kernels[kernel] - loop[kernel] for kernel in loop} for method, kernels in found.items()}
    assert {method: numbers for method, numbers in more.items() if numbers != {0} and min(numbers) <= 0} == {}
    assert sum(numbers == {0} for numbers in more.values()) > 0.8 * len(more)


@pytest.mark.parametrize("folder", [REPORT, REPORT / "granite_rapids"], ids=lambda folder: folder.name)
def test_the_committed_page_says_what_its_files_say(folder):
    page = folder / "README.md"
    assert filled(page, parts_of(folder)) == page.read_text()
