# SPDX-License-Identifier: MIT
"""Runs of several machines, compilers or commits side by side: what may be compared, and what differs. Ratios and
verdicts travel between machines, nanoseconds do not."""

import collections
import hashlib
import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from report.analysis.answer import TRACES
from report.data.cells import COMPARED_ROLES, Cell, opening_cell
from report.data.files import dig, file_of, items, one_line, read_info
from report.data.run import load_summary
from report.data.schema import KEY
from report.errors import ReportError


# The traces of datasets/sample.pgn in format 1, which did not tell the pieces -> in format 2. The queries are the same: the files of
# format 2 without their boards, moves and "moved" flags have these digests of format 1.
SAME_QUERIES = {
    "9983dac6ad20b51f": "9ffa3ad27edfed0c",
    "269d12d01f64ae70": "2143a1ccd7d2e29e",
    "1bd2183975b2a325": "a69d9dd7f86954f7",
}


@dataclass(frozen=True)
class Compared:
    """Runs that may stand side by side."""

    runs: list  # list of Run, without samples
    letters: list  # a letter a run, which tables call it by
    cells: list  # those that at least two of the runs have


def letter(i):
    """The letter of run `i`: A to Z, then A2 and so on."""
    return chr(ord("A") + i % 26) + ("" if i < 26 else str(1 + i // 26))


def load_runs(folders):
    """Reads two or more runs; ReportError where one is no run, comes twice, or its schema, traces or reference do not
    fit."""
    if len(folders) < 2:
        raise ReportError("nothing to compare: give the folders of two runs or more")
    runs, seen = [], {}
    for folder in map(Path, folders):
        if read_info(folder).get("kind") == "simulation":
            raise ReportError(f"{folder}: is a simulation and no run; simulations are not compared")
        run = load_summary(folder)
        runs.append(run)
        content = hashlib.sha256(file_of(folder, "summary.csv").read_bytes()).hexdigest()
        if content in seen:
            raise ReportError(f"{folder}: is the same run as {seen[content]}; give each run once")
        seen[content] = folder
    for other in runs[1:]:
        check_pair(runs[0], other)
    check_traces(runs)
    count = collections.Counter(cell for run in runs for cell in run.cells)
    cells = sorted((cell for cell, n in count.items() if n > 1), key=Cell.sort_key)
    if not cells:
        raise ReportError(
            f"{runs[0].folder} and the others have no workload, trace and pressure in common; measure the same ones"
        )
    return Compared(runs, [letter(i) for i in range(len(runs))], cells)


def check_pair(first, other):
    """Two runs must have one and the same reference, else their ratios cannot be compared."""
    a, b = (set(run.summary[run.summary["role"] == "reference"]["method"]) for run in (first, other))
    if a != b or len(a) != 1:
        names = [one_line(", ".join(sorted(found)) or "missing") for found in (b, a)]
        said = f"{other.folder}: its reference is {names[0]}, that of {first.folder} {names[1]}"
        raise ReportError(f"{said}; ratios to different references cannot be compared")


def check_traces(runs):
    """The same name must be the same trace in every run that used it."""
    first = {}
    for run in runs:
        used = {cell.trace for cell in run.cells if cell.workload not in ("engine", "perft")}
        digests = {str(entry.get("name")): dig(entry, "xxh3") for entry in items(run.info, "traces")}
        for name in sorted(used):
            digest = digests.get(name)
            if digest is None:
                raise ReportError(f"{run.folder}: run.json has no digest of the trace {name}; it cannot be compared")
            known, folder = first.setdefault(name, (digest, run.folder))
            if SAME_QUERIES.get(digest, digest) != SAME_QUERIES.get(known, known):
                raise ReportError(
                    f"{run.folder}: its trace {name} (xxh3 {one_line(digest)}) is not that of {folder} "
                    f"({one_line(known)}); replay the same trace on every machine"
                )


def describe(run):
    """What tells a run from others, in a few words."""
    machine = dig(run.info, "machine", "cpu") or "unknown CPU"
    compiler, commit = dig(run.info, "build", "compiler"), dig(run.info, "commit")
    changed = "+" if dig(run.info, "dirty") is True else ""
    parts = [machine, compiler, f"{commit}{changed}" if commit else None]
    return ", ".join(one_line(part) for part in parts if part)


def verdicts(compared):
    """Every verdict, tidy: one row per contender, cell and run, for cells of at least two runs; run (letter), run_name, the
    cell's coordinates and what the summary says of the contender."""
    columns = ["contender", "method", "title", "family", "level", "role", "table_bytes"]
    columns += ["ratio", "ratio_low", "ratio_high", "margin", "aa_bound", "verdict", "best"]
    pairs = itertools.product(zip(compared.letters, compared.runs), compared.cells)
    parts = [run.rows(cell, *COMPARED_ROLES).assign(run=name, run_name=describe(run)) for (name, run), cell in pairs]
    return pd.concat(parts).drop_duplicates(["run", *KEY, "contender"])[["run", "run_name", *KEY, *columns]]


def side_by_side(runs, cell):
    """(what each run says of the methods of a cell, list of DataFrame by contender; all contenders, by the mean logarithm of their
    ratios)."""
    rows = [run.rows(cell, *COMPARED_ROLES).drop_duplicates("contender").set_index("contender") for run in runs]
    means = np.log(pd.concat([part["ratio"] for part in rows], axis=1)).mean(axis=1)
    return rows, list(means.sort_index().sort_values(kind="stable").index)


def changes(compared, cell):
    """The methods that several runs have in a cell: (opposed, other, agreed), lists of (contender, dict letter -> verdict).
    Opposed are faster in one run and slower in another; agreed have one verdict in all."""
    rows = [run.rows(cell, "method").drop_duplicates("contender").set_index("contender")["verdict"] for run in compared.runs]
    table = pd.concat(rows, axis=1, keys=compared.letters).sort_index()
    opposed, other, agreed = [], [], []
    for contender, verdicts_ in table[table.notna().sum(axis=1) > 1].iterrows():
        seen = verdicts_.dropna().to_dict()
        values = set(seen.values())
        kind = agreed if len(values) == 1 else opposed if {"faster", "slower"} <= values else other
        kind.append((contender, seen))
    return opposed, other, agreed


def start_cell(compared):
    """The cell that the page opens with: latency, isolated, on the trace nearest to an engine, if there is one."""
    return opening_cell(compared.cells, TRACES, ("latency", "throughput"))


def verdicts_sentences(compared, cell):
    """What a cell says about the runs, in sentences."""
    opposed, other, agreed = changes(compared, cell)
    count = len(opposed + other + agreed)
    found = [f"{cell.name}: {len(agreed)} of {count} methods have the same verdict in every run."]
    if opposed:
        said = [f"{contender} ({', '.join(f'{name} {v}' for name, v in seen.items())})" for contender, seen in opposed]
        found.append(f"Faster than the reference in one and slower in another: {', '.join(said)}.")
    return found
