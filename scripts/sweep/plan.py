# SPDX-License-Identifier: MIT
"""What a sweep consists of: from its configuration to jobs, each with an id that is a digest of all that it depends on.

A job's id covers the program's commit, its arguments and the digest of what it reads. So a result that is there already
is a result of exactly this job, and one of another commit, recipe or seed is never taken for it.
"""

import functools
import hashlib
import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sweep.errors import SweepError

SIMULATE = {"methods_a_job": 8, "pressures": ["isolated"], "caches": ["zen4"], "pages": ["4k"]}
SIMULATE |= {"draws": 4, "window": 65536, "reuse": False}
SEARCH = {"rounds": 1, "seed": 1}


def with_defaults(config):
    """A configuration that schema.yaml has accepted, with what it leaves out."""
    full = {"program": "build/bench/slidebench", "allow_dirty": False} | config
    if "simulate" in full:
        full["simulate"] = SIMULATE | full["simulate"]
    full["magics"] = [SEARCH | asked for asked in full.get("magics", [])]
    return full


def digest_of(value):
    """A short digest of anything that JSON can hold."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def file_digest(path):
    """The SHA-256 of a file's content; SweepError where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise SweepError(f"{path}: cannot be read ({error.strerror})") from None


@dataclass(frozen=True)
class Job:
    """One result folder, and what makes it.

    Attributes:
        kind: `trace`, `simulate`, `find`, `best` or `measure`.
        what: all that the result depends on, for JSON; the id is its digest.
        home: Path of the folder in which the result's own stands.
        name: of the result's own folder; empty for the id.
    """

    kind: str
    what: dict
    home: Path
    name: str = ""

    @functools.cached_property
    def id(self):
        """str: a digest of what the result depends on."""
        return digest_of([self.kind, self.what])

    @property
    def folder(self):
        """Path: where the result goes."""
        return self.home / (self.name or self.id)

    @property
    def record(self):
        """Path: the file that says that the result is there and whole."""
        return self.folder / "result.json"


class Plan:
    """A sweep's jobs.

    Attributes:
        config: dict, the configuration with its defaults.
        program: Path of slidebench.
        commit: that the program was built from.
        dirty: whether with uncommitted changes.
        out: Path of the sweep's folder.
        starts: dict of a search job's id to the Path of the factors that it goes on from, or None.
    """

    def __init__(self, config):
        """Raises SweepError for a configuration that cannot be run.

        Args:
            config: from `with_defaults`.
        """
        self.config = config
        self.program = Path(config["program"]).resolve()
        self.out = Path(config["out"]).resolve()
        self.starts = {}
        self.commit, self.dirty = self._version()
        wanted = config.get("commit")
        if wanted and not self.commit.startswith(wanted[: len(self.commit)]):
            raise SweepError(f"{self.program}: was built from commit {self.commit}, not from {wanted}; build that one")
        if self.dirty and not config["allow_dirty"]:
            raise SweepError(
                f"{self.program}: was built with uncommitted changes, so nobody could tell what ran; commit them and "
                "build again, or say allow_dirty: true"
            )

    def ask(self, *arguments):
        """What the program prints; SweepError with its own line where it fails."""
        try:
            done = subprocess.run([self.program, *arguments], capture_output=True, text=True, check=False)
        except OSError as error:
            raise SweepError(f"{self.program}: cannot be run ({error.strerror}); build it, or set program:") from None
        if done.returncode != 0:
            raise SweepError(f"{self.program.name} {' '.join(map(str, arguments))}: {done.stderr.strip()}")
        return done.stdout

    def _version(self):
        found = re.search(r"\(([0-9a-f]+)(\+?)\)", self.ask("--version"))
        if not found:
            raise SweepError(f"{self.program}: does not know its commit; build it in a git checkout")
        return found[1], found[2] == "+"

    def home(self, kind):
        """Path of the folder of all results of a kind."""
        names = {"simulate": "cells", "find": "shards", "best": "magics", "measure": "machines"}
        if kind == "trace":
            return Path(self.config.get("shared") or self.out / "traces").resolve()
        return self.out / names[kind]

    def _job(self, kind, name="", /, **what):
        return Job(kind, {"commit": self.commit, **what}, self.home(kind), name)

    @functools.cached_property
    def traces(self):
        """dict of str to Job: the traces by their names."""
        return {name: self._trace(name, entry) for name, entry in self.config.get("traces", {}).items()}

    def _trace(self, name, entry):
        sources = list(map(str, entry.get("games") or [entry["file"]]))
        what = {"name": name, "recipe": entry.get("kind"), "arguments": entry.get("arguments", [])}
        return self._job(
            "trace", **what, sources=sources, sha256=list(map(file_digest, sources)), xxh3=entry.get("xxh3")
        )

    def trace(self, name):
        """The job of a trace; SweepError where the configuration does not describe it."""
        if name not in self.traces:
            raise SweepError(f"trace '{name}' is not described under traces:")
        return self.traces[name]

    def trace_file(self, name):
        """Path of a trace, once it is built."""
        return self.trace(name).folder / f"{name}.trace"

    @functools.cached_property
    def methods(self):
        """list of str: ids of the methods to simulate, groups spelt out; the empty loop comes by itself."""
        chosen = [word for name in self.config["simulate"]["methods"] for word in ("--method", name)]
        listed = json.loads(self.ask("list", "--format", "json", *chosen))
        return [method["id"] for method in listed if method["id"] != "empty"]

    @functools.cached_property
    def cells(self):
        """list of Job: the simulations, in the order of the configuration."""
        if "simulate" not in self.config:
            return []
        asked = self.config["simulate"]
        size = asked["methods_a_job"]
        groups = [self.methods[i : i + size] for i in range(0, len(self.methods), size)]
        first = (asked["pressures"][0], asked["caches"][0], asked["pages"][0])
        return [
            self._job(
                "simulate",
                trace=trace,
                trace_id=self.trace(trace).id,
                methods=methods,
                pressure=pressure,
                cache=cache,
                pages=pages,
                draws=asked["draws"],
                window=asked["window"],
                reuse=asked["reuse"] and (pressure, cache, pages) == first,
            )
            for trace in asked["traces"]
            for pressure in asked["pressures"]
            for cache in asked["caches"]
            for pages in asked["pages"]
            for methods in groups
        ]

    @functools.cached_property
    def searches(self):
        """list of the searches, each a list of its rounds: (list of Job, Job that takes the best of them)."""
        return [self._search(asked) for asked in self.config["magics"]]

    def _search(self, asked):
        what = {name: asked[name] for name in ("variant", "shards", "seconds", "seed")}
        path = Path(asked["start"]).resolve() if asked.get("start") else None
        start, rounds = path and file_digest(path), []
        for number in range(1, asked["rounds"] + 1):
            shards = [
                self._job("find", **what, round=number, shard=i, start=start) for i in range(1, asked["shards"] + 1)
            ]
            self.starts |= {job.id: path for job in shards}
            best = self._job("best", **what, round=number, shard_ids=[job.id for job in shards])
            rounds.append((shards, best))
            path, start = best.folder / "factors.hpp", best.id
        return rounds

    @functools.cached_property
    def machines(self):
        """dict of str to (node, Job): the measurements, one folder a machine."""
        asked = self.config.get("measure", {"machines": {}, "traces": []})
        what = {"traces": [self.trace(name).id for name in asked["traces"]], "arguments": asked.get("arguments", [])}
        return {
            name: (node, self._job("measure", name, machine=name, **what)) for name, node in asked["machines"].items()
        }

    @functools.cached_property
    def jobs(self):
        """dict of str to Job: every job by its id, in the order of the configuration."""
        every = [*self.traces.values(), *self.cells]
        for shards, best in (entry for rounds in self.searches for entry in rounds):
            every += [*shards, best]
        return {job.id: job for job in [*every, *(job for _, job in self.machines.values())]}

    @functools.cached_property
    def _names(self):
        return {(job.kind, job.folder.name): job for job in self.jobs.values()}

    def named(self, kind, name):
        """The job of a kind whose result's folder has this name."""
        return self._names[kind, name]

    def inputs(self, job):
        """list of Path: the records of the results that a job reads."""
        if job.kind == "simulate":
            return [self.trace(job.what["trace"]).record]
        if job.kind == "measure":
            return [self.trace(name).record for name in self.config["measure"]["traces"]]
        if job.kind == "find":
            return [self.starts[job.id].parent / "result.json"] if job.what["round"] > 1 else []
        return [self.jobs[name].record for name in job.what.get("shard_ids", [])]
