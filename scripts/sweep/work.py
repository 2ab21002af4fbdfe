# SPDX-License-Identifier: MIT
"""The jobs: each runs slidebench once, looks at what it wrote, and puts it in its place whole."""

import json
import os
import re
import resource
import shutil
import subprocess
import time

from sweep.check import simulation_faults
from sweep.errors import SweepError
from sweep.folder import faults, part_of, publish, read_record


class Cost:
    """Wall time, and user and system time of the programs that a job ran."""

    def __init__(self):
        self._wall, self._cpu = time.monotonic(), self._spent()

    @staticmethod
    def _spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def record(self):
        """dict for result.json: seconds, and the cluster's name of the node."""
        spent = {"wall_s": time.monotonic() - self._wall, "cpu_s": self._spent() - self._cpu}
        return {name: round(value, 3) for name, value in spent.items()} | {
            "node": os.environ.get("SLURMD_NODENAME", "")
        }


def call(plan, log, *arguments):
    """Runs the program; SweepError with its last line where it fails.

    Args:
        plan: Plan.
        log: Path of a file for what it prints.
        *arguments: of the program.
    """
    with open(log, "w") as file:
        done = subprocess.run([plan.program, *map(str, arguments)], stdout=file, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        lines = log.read_text(errors="replace").strip().splitlines()
        raise SweepError(
            f"slidebench {arguments[0]} ended with status {done.returncode}: {lines[-1] if lines else 'no word'}"
        )


def make(plan, job):
    """Makes a job's result, unless it is there.

    Args:
        plan: Plan.
        job: Job.
    """
    if job.record.exists() and not faults(job):
        os.utime(job.record)  # younger than what it was made of
        return
    cost = Cost()
    part = part_of(job)
    try:
        more = MAKERS[job.kind](plan, job, part)
        publish(job, part, plan, **more, **cost.record())
    finally:
        if part.exists() and job.kind != "measure":
            shutil.rmtree(part, ignore_errors=True)


def _trace(plan, job, part):
    path = part / f"{job.what['name']}.trace"
    if job.what["recipe"] is None:
        shutil.copyfile(job.what["sources"][0], path)
    else:
        built = ["trace", "build", "--kind", job.what["recipe"], *job.what["arguments"], "--out", path]
        call(plan, part / "log.txt", *built, *job.what["sources"])
    digest = json.loads(plan.ask("trace", "info", path, "--format", "json"))["digest"]
    if job.what["xxh3"] and job.what["xxh3"] != digest:
        raise SweepError(
            f"trace {job.what['name']}: its digest is {digest}, not {job.what['xxh3']}; other games or another program"
        )
    return {"xxh3": digest}


def _simulate(plan, job, part):
    what = job.what
    chosen = [word for method in what["methods"] for word in ("--method", method)]
    options = [
        "--cache",
        what["cache"],
        "--pressure",
        what["pressure"],
        "--pages",
        what["pages"],
        "--draws",
        what["draws"],
    ]
    options += ["--window", what["window"], "--jobs", 1, "--no-random", "--trace", plan.trace_file(what["trace"])]
    options += ["--reuse"] if what["reuse"] else []
    call(plan, part / "log.txt", "simulate", *chosen, *options, "--out", part / "simulated")
    for path in (part / "simulated").iterdir():
        path.rename(part / path.name)
    (part / "simulated").rmdir()
    wrong = simulation_faults(part, job, plan)
    if wrong:
        raise SweepError(wrong[0])
    return {}


def _find(plan, job, part):
    what, path = job.what, part / "factors.hpp"
    if plan.starts[job.id]:
        shutil.copyfile(plan.starts[job.id], path)
    call(plan, part / "log.txt", "magics", "find", "--variant", what["variant"], "--seed", what["seed"], "--shard",
         f"{what['shard']}/{what['shards']}", "--seconds", what["seconds"], "--jobs", 1, "--out", path)  # fmt: skip
    return {"entries": _entries(plan, path)}


def _best(plan, job, part):
    shards = [plan.jobs[name] for name in job.what["shard_ids"]]
    wrong = [fault for shard in shards for fault in faults(shard)]
    if wrong:
        raise SweepError(wrong[0])
    path = part / "factors.hpp"
    call(plan, part / "log.txt", "magics", "merge", *(shard.folder / "factors.hpp" for shard in shards), "--out", path)
    spent = sum(read_record(shard)["cpu_s"] for shard in shards)
    return {"entries": _entries(plan, path), "shards_cpu_s": round(spent, 3)}


def _entries(plan, path):
    """Table entries of a file of factors, which this proves as well."""
    return int(re.search(r"([\d,]+) entries", plan.ask("magics", "check", path))[1].replace(",", ""))


def _measure(plan, job, part):
    """A measurement that was cut off goes on: its folder stays."""
    asked = plan.config["measure"]
    begun = job.folder.with_name(job.folder.name + ".begun")
    if (begun / "run.json").exists():
        call(plan, part / "log.txt", "run", "--resume", begun)
    else:
        shutil.rmtree(begun, ignore_errors=True)
        traces = [word for name in asked["traces"] for word in ("--trace", plan.trace_file(name))]
        call(plan, part / "log.txt", "run", "--no-random", *traces, *asked.get("arguments", []), "--out", begun)
    run = json.loads((begun / "run.json").read_text())
    if not run.get("complete"):
        raise SweepError(f"{begun}: is incomplete; start the sweep again, and it goes on")
    for path in begun.iterdir():
        path.rename(part / path.name)
    begun.rmdir()
    return {}


MAKERS = {"trace": _trace, "simulate": _simulate, "find": _find, "best": _best, "measure": _measure}
