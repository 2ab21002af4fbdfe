# SPDX-License-Identifier: MIT
"""The jobs: each runs slidebench once, looks at what it wrote, and puts it in its place whole."""

import json
import os
import re
import resource
import shutil
import subprocess
import time

from sweep.errors import SweepError, refuse
from sweep.folder import faults, part_of, publish, read_record


def cpu_seconds():
    """User and system time of the programs that this process ran."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def call(plan, log, *arguments):
    """Runs the program, and writes what it prints into the file `log`; SweepError with its last line where it fails."""
    with open(log, "w") as file:
        done = subprocess.run([plan.program, *map(str, arguments)], stdout=file, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        last = (log.read_text(errors="replace").strip().splitlines() or ["no word"])[-1]
        raise SweepError(f"slidebench {arguments[0]} ended with status {done.returncode}: {last}")


def make(plan, job):
    """Makes a job's result, unless it is there."""
    if job.record.exists() and not faults(job):
        os.utime(job.record)  # younger than what it was made of
        return
    began, spent = time.monotonic(), cpu_seconds()
    part = part_of(job)
    try:
        more = MAKERS[job.kind](plan, job, part) or {}
        cost = {"wall_s": round(time.monotonic() - began, 3), "cpu_s": round(cpu_seconds() - spent, 3)}
        publish(job, part, plan, **more, **cost, node=os.environ.get("SLURMD_NODENAME", ""))
    finally:
        if part.exists() and job.kind != "measure":
            shutil.rmtree(part, ignore_errors=True)


def _move(source, target):
    """Puts all that is in a folder into another, and removes it."""
    for path in source.iterdir():
        path.rename(target / path.name)
    source.rmdir()


def _trace(plan, job, part):
    path = part / job.trace.name
    if job.what["recipe"] is None:
        shutil.copyfile(job.what["sources"][0], path)
    else:
        built = ["trace", "build", "--kind", job.what["recipe"], *job.what["arguments"], "--out", path]
        call(plan, part / "log.txt", *built, *job.what["sources"])
    plan.ask("trace", "info", path)  # or what was copied is none


def _simulate(plan, job, part):
    what = job.what
    chosen = [word for method in what["methods"] for word in ("--method", method)]
    options = [word for name in ("cache", "pressure", "pages", "draws", "segment_queries")
               for word in (f"--{name.replace('_', '-')}", what[name])]
    options += ["--jobs", 1, "--trace", job.reads[0].trace, *(["--reuse"] if what["reuse"] else [])]
    call(plan, part / "log.txt", "simulate", *chosen, *options, "--squares", "--out", part / "simulated")
    _move(part / "simulated", part)


def _find(plan, job, part):
    what, path = job.what, part / "factors.hpp"
    if job.start:
        shutil.copyfile(job.start, path)
    options = ["--variant", what["variant"], "--seed", what["seed"], "--shard", f"{what['shard']}/{what['shards']}"]
    call(plan, part / "log.txt", "magics", "find", *options, "--seconds", what["seconds"], "--jobs", 1, "--out", path)
    return {"entries": _entries(plan, path)}


def _best(plan, job, part):
    for shard in job.reads:
        refuse(faults(shard))
    path = part / "factors.hpp"
    call(plan, part / "log.txt", "magics", "merge", *(shard.folder / path.name for shard in job.reads), "--out", path)
    spent = sum(read_record(shard)["cpu_s"] for shard in job.reads)
    return {"entries": _entries(plan, path), "shards_cpu_s": round(spent, 3)}


def _entries(plan, path):
    """Table entries of a file of factors, which this proves as well."""
    return int(re.search(r"([\d,]+) entries", plan.ask("magics", "check", path))[1].replace(",", ""))


def _measure(plan, job, part):
    """A measurement that was cut off goes on: its folder stays."""
    begun = job.folder.with_name(job.folder.name + ".begun")
    if (begun / "run.json").exists():
        call(plan, part / "log.txt", "run", "--resume", begun)
    else:
        shutil.rmtree(begun, ignore_errors=True)
        traces = [word for trace in job.reads for word in ("--trace", trace.trace)]
        call(plan, part / "log.txt", "run", *traces, *job.what["arguments"], "--out", begun)
    if not json.loads((begun / "run.json").read_text()).get("complete"):
        raise SweepError(f"{begun}: is incomplete; start the sweep again, and it goes on")
    _move(begun, part)


MAKERS = {"trace": _trace, "simulate": _simulate, "find": _find, "best": _best, "measure": _measure}
