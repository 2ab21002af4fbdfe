# SPDX-License-Identifier: MIT
"""Measures the methods in WebAssembly (harness/wasm), in node or in a headless Chromium; natively beside it where wanted.

A process run is a fresh engine. The samples are samples.csv of a run, and the program's own statistics judge them. With --native
the program measures the same methods, trace and protocol when half of the engine's process runs are done, so that what drifts
drifts for both.
"""

import csv
import hashlib
import io
import json
import platform
import re
import sys
import time
from pathlib import Path

import pandas as pd

from engines.program import asked, asked_json, program_at
from report.data.schema import SAMPLES, SCHEMA
from report.errors import ReportError
from report.output import write_all
from studies.wasm_engines import ENGINES
from studies.wasm_table import overview


COLUMNS = [column.name for column in SAMPLES.columns]
# What a page or node cannot tell of a sample is 0, as it is where nothing was noticed.
USUAL = dict.fromkeys(COLUMNS, "") | {"level": "simd128", "kinds": "all", "pages": "4k"}
USUAL |= dict.fromkeys(("placement", "corunners", "nodes", "involuntary_switches", "minor_faults", "major_faults"), 0)
WORKLOADS = ("throughput", "latency", "setwise", "batch")
PRESSURES = ("isolated", "net0", "net256", "net1024")
MARGIN = 0.01
LEAST = 2  # process runs: of fewer the program says nothing


def cells_of(workloads, pressures):
    """The cells, a list of (workload, pressure): beside a network there is throughput alone."""
    return [[w, p] for w in workloads for p in pressures if p == "isolated" or w == "throughput"]


def plan_of(options, number):
    """What a process run measures, a dict as process_run.mjs takes it."""
    return {"methods": options.method, "reference": options.reference, "cells": cells_of(options.workload, options.pressure),
            "rounds": options.rounds, "sampleMs": options.sample_ms, "warmUpMs": options.warm_up_ms,
            "compileMs": max(options.warm_up_ms, ENGINES[options.engine].COMPILE_MS), "seed": options.seed + number,
            "verify": number == 0}  # fmt: skip


def rows_of(samples, number, trace):
    """The rows of samples.csv of a process run's samples, a list of dict."""
    return [USUAL | sample | {"process_run": number, "trace": trace} for sample in samples]


def csv_of(rows):
    """samples.csv, bytes."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(row | {name: f"{row[name]:.1f}" for name in ("time_ns", "wall_ns")})
    return text.getvalue().encode()


def cpu_name():
    """What the system calls the processor."""
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()


def described(path):
    """A file by its name, size and SHA-256."""
    data = path.read_bytes()
    return {"file": path.name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def record_of(options, engine, results, started):
    """run.json, a dict: what was measured, where, and by what."""
    methods = [{"id": m["id"], "title": m["title"], "family": m["family"], "table_bytes": m["tableBytes"], "level": "simd128"}
               for m in results[0]["methods"]]  # fmt: skip
    protocol = {"process_runs": options.process_runs, "rounds": options.rounds, "sample_ms": options.sample_ms,
                "warm_up_ms": options.warm_up_ms, "segment_queries": 16384, "sittings": 1}  # fmt: skip
    return {
        "schema": SCHEMA, "complete": True, "kind": "wasm", "seed": options.seed, "started": started, "finished": now(),
        "machine": {"cpu": cpu_name(), "engine": engine.describe(), "clock_step_ms": results[0]["clock_step_ms"]},
        "protocol": protocol, "inference": {"interval": "student-t", "confidence": 0.95, "margin": MARGIN},
        "module": described(options.module), "traces": [{"name": options.trace.stem, **described(options.trace)}],
        "methods": methods, "reference": options.reference,
    }  # fmt: skip


def now():
    """The time in UTC, as run.json has it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def native_methods(options, results):
    """The methods that the program has too, a list of ids."""
    listed = asked_json(options.slidebench, "list", "--method", "all", "--json")
    here = {method["id"] for method in listed} - {"empty"}
    return [method["id"] for method in results[0]["methods"] if method["id"] in here]


def native_runs(workloads, pressures):
    """The program's runs of the same cells: workloads and pressures of each."""
    single, others = [w for w in workloads if w == "throughput"], [w for w in workloads if w != "throughput"]
    runs = [(single, pressures), (others, [p for p in pressures if p == "isolated"])]
    return [run for run in runs if all(run)]


def native_rows(options, methods):
    """Rows of samples.csv of as many process runs of the program, a list of dict."""
    rows = []
    for number, (workloads, pressures) in enumerate(native_runs(options.workload, options.pressure)):
        folder = options.out / "native" / f"run{number}"
        chosen = {"workload": workloads, "pressure": pressures, "method": methods}
        words = [word for name, values in chosen.items() for value in values for word in (f"--{name}", value)]
        numbers = {"process-runs": options.process_runs, "rounds": options.rounds, "sample-ms": options.sample_ms,
                   "warm-up-ms": options.warm_up_ms, "seed": options.seed, "sittings": 1}  # fmt: skip
        words += [word for name, value in numbers.items() for word in (f"--{name}", str(value))]
        asked(options.slidebench, "run", "--no-random", "--trace", str(options.trace), *words, "--out", str(folder))
        with open(folder / "samples.csv", newline="", encoding="utf-8") as file:
            rows += csv.DictReader(file)
    return [row | {"trace": options.trace.stem} for row in rows]


def measured(options, engine):
    """Measures; returns the results of the engine's process runs, and the rows of the native ones."""
    results, native = [], []
    for number in range(options.process_runs):
        print(f"process run {number + 1} of {options.process_runs}", file=sys.stderr, flush=True)
        results.append(engine.process_run(plan_of(options, number)))
        if options.native and number + 1 == options.process_runs // 2:
            native = native_rows(options, native_methods(options, results))
    return results, native


def work(options):
    """Measures, writes the folder and prints its tables. ReportError: something is not there, or an answer was wrong."""
    check(options)
    options.workload, options.pressure = options.workload or WORKLOADS, options.pressure or PRESSURES
    options.slidebench = Path(program_at(options.slidebench))
    lab = options.slidebench.with_name("slidebench-lab")
    engine, started = ENGINES[options.engine](options.module, options.trace, options.v8_flag), now()
    results, native = measured(options, engine)
    record = (json.dumps(record_of(options, engine, results, started), indent=1) + "\n").encode()
    rows = [row for number, result in enumerate(results) for row in rows_of(result["samples"], number, options.trace.stem)]
    write_all(options.out, {"samples.csv": csv_of(rows), "run.json": record})
    asked(lab, "judge", str(options.out))
    if native:
        text = pd.DataFrame(native, columns=COLUMNS).to_csv(index=False, lineterminator="\n")
        folder = options.out / "native"
        write_all(folder, {"samples.csv": text.encode(), "run.json": (folder / "run0" / "run.json").read_bytes()})
        asked(lab, "judge", str(folder))
    print(overview(options.out))


def check(options):
    """ReportError: files that are not there, or a number of process runs that does not fit."""
    for path in (options.trace, options.module):
        if not path.is_file():
            raise ReportError(f"{path}: no such file; harness/wasm/README.md says how it is made")
    if options.process_runs < LEAST:
        raise ReportError(f"--process-runs {options.process_runs}: at least {LEAST}, or nothing can be said of their spread")
    if (options.out / "samples.csv").exists():
        raise ReportError(f"{options.out}: holds a run already; give another --out")


def count(text):
    """A whole number from 1 on, of the command line."""
    if not re.fullmatch(r"[1-9]\d{0,5}", text):
        raise ValueError(text)
    return int(text)


def milliseconds(text):
    """A time from 0.1 to 10,000 ms, of the command line."""
    value = float(text)
    if not 0.1 <= value <= 10_000:
        raise ValueError(text)
    return value


def add_arguments(parser):
    """The options."""
    root = Path(__file__).resolve().parents[2]

    def add(name, **how):
        parser.add_argument(f"--{name}", **how)

    add("engine", choices=list(ENGINES), default="node", help="what runs the module (default: node)")
    add("v8-flag", action="append", default=[], metavar="FLAG", help="--v8-flag=--no-wasm-inlining; may be repeated")
    add("module", type=Path, default=root / "build/wasm/slidebench.wasm", help="default: build/wasm/slidebench.wasm")
    add("trace", type=Path, required=True, help="a file that slidebench trace build wrote, not as .zst")
    add("method", action="append", default=[], metavar="ID", help="may be repeated (default: all of the module)")
    add("reference", default="magic_fancy", metavar="ID", help="what ratios are to (default: magic_fancy)")
    add("workload", action="append", choices=WORKLOADS, help="may be repeated (default: all)")
    add("pressure", action="append", choices=PRESSURES, help="may be repeated (default: all); beside a network: throughput")
    add("process-runs", type=count, default=8, metavar="N", help="fresh engines, 2 at least (default: 8)")
    add("rounds", type=count, default=6, metavar="N", help="in each (default: 6)")
    add("sample-ms", type=milliseconds, default=1.0, metavar="MS", help="timed part of a sample (default: 1)")
    add("warm-up-ms", type=milliseconds, default=1.0, metavar="MS", help="untimed part before it (default: 1)")
    add("seed", type=count, default=1, metavar="N", help="of orders and pressures (default: 1)")
    add("slidebench", type=Path, default=root / "build/bench/slidebench", metavar="PROGRAM",
        help="the native program, whose statistics judge (default: build/bench/slidebench)")  # fmt: skip
    add("native", action="store_true", help="measure natively beside it")
    add("out", type=Path, required=True, metavar="DIR", help="folder for samples.csv and what follows from it")
