# SPDX-License-Identifier: MIT
"""What a sweep consists of: from its configuration to jobs, each with an id that is a digest of all that it depends on.

A job's id covers the program's commit, its arguments and the digest of what it reads. So a result that is there already
is a result of exactly this job, and one of another commit, recipe or seed is never taken for it.
"""

import hashlib
import itertools
import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sweep.errors import SweepError

SIMULATE = {"methods_a_job": 8, "pressures": ["isolated"], "caches": ["zen4"], "pages": ["4k"]}
SIMULATE |= {"draws": 4, "segment_queries": 65536, "reuse": False}
SEARCH = {"rounds": 1, "seed": 1}
# kind of job -> the folder of all its results
HOMES = {"trace": "traces", "simulate": "cells", "find": "shards", "best": "magics", "measure": "machines"}


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
    """One result folder, and what makes it."""

    kind: str  # one of HOMES
    what: dict  # all that the result depends on, for JSON
    home: Path  # the folder in which the result's own stands
    name: str = ""  # of the result's own folder; empty for the id
    reads: tuple = ()  # of Job: those whose results this one reads
    start: Path | None = None  # the factors that a search goes on from

    @property
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

    @property
    def trace(self):
        """Path: the file of a trace, once it is built."""
        return self.folder / f"{self.what['name']}.trace"


class Plan:
    """A sweep's jobs, in the order of the configuration."""

    def __init__(self, config):
        """`config` is of `with_defaults`; SweepError where it cannot be run."""
        self.config = config
        self.program = Path(config["program"]).resolve()
        self.out = Path(config["out"]).resolve()
        self.commit, self.dirty = self._version()
        self.traces = {name: self._trace(name, entry) for name, entry in config.get("traces", {}).items()}
        self.cells = self._simulations(config["simulate"]) if "simulate" in config else []
        # A search is a list of rounds: (list of Job, Job that takes the best of them).
        self.searches = [self._search(asked) for asked in config["magics"]]
        self.machines = self._measurements(config["measure"]) if "measure" in config else []
        searched = [job for search in self.searches for shards, best in search for job in (*shards, best)]
        self.jobs = {job.id: job for job in [*self.traces.values(), *self.cells, *searched, *self.machines]}
        self.named = {(job.kind, job.folder.name): job for job in self.jobs.values()}

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
        """The commit that the program was built from, which must be the wanted one, and whether with changes."""
        found = re.search(r"\(([0-9a-f]+)(\+?)\)", self.ask("--version"))
        if not found:
            raise SweepError(f"{self.program}: does not know its commit; build it in a git checkout")
        commit, dirty, wanted = found[1], found[2] == "+", self.config.get("commit")
        if wanted and not commit.startswith(wanted[: len(commit)]):
            raise SweepError(f"{self.program}: was built from commit {commit}, not from {wanted}; build that one")
        if dirty and not self.config["allow_dirty"]:
            raise SweepError(
                f"{self.program}: was built with uncommitted changes, so nobody could tell what ran; commit them and "
                "build again, or say allow_dirty: true"
            )
        return commit, dirty

    def home(self, kind):
        """Path of the folder of all results of a kind."""
        shared = self.config.get("shared") if kind == "trace" else None
        return Path(shared).resolve() if shared else self.out / HOMES[kind]

    def _job(self, kind, what, **more):
        return Job(kind, {"commit": self.commit} | what, self.home(kind), **more)

    def _trace(self, name, entry):
        sources = list(map(str, entry.get("games") or [entry["file"]]))
        what = {"name": name, "recipe": entry.get("kind"), "arguments": entry.get("arguments", []), "sources": sources}
        return self._job("trace", what | {"sha256": list(map(file_digest, sources))})

    def _described(self, names):
        """The traces of these names; SweepError where the configuration does not describe one."""
        for name in names:
            if name not in self.traces:
                raise SweepError(f"trace '{name}' is not described under traces:")
        return [self.traces[name] for name in names]

    def _simulations(self, asked):
        """The simulations, with groups of methods spelt out; the empty loop comes by itself."""
        chosen = [word for name in asked["methods"] for word in ("--method", name)]
        listed = json.loads(self.ask("list", "--format", "json", *chosen))
        methods = [method["id"] for method in listed if method["id"] != "empty"]
        size, found = asked["methods_a_job"], []
        groups = [methods[i : i + size] for i in range(0, len(methods), size)]
        first = [asked["pressures"][0], asked["caches"][0], asked["pages"][0]]
        traces = self._described(asked["traces"])
        for trace, *place in itertools.product(traces, asked["pressures"], asked["caches"], asked["pages"]):
            what = {"trace": trace.what["name"], "trace_id": trace.id, "reuse": asked["reuse"] and place == first}
            what |= {"draws": asked["draws"], "segment_queries": asked["segment_queries"]}
            what |= dict(zip(("pressure", "cache", "pages"), place))
            found += [self._job("simulate", what | {"methods": group}, reads=(trace,)) for group in groups]
        return found

    def _search(self, asked):
        what = {name: asked[name] for name in ("variant", "shards", "seconds", "seed")}
        path = Path(asked["start"]).resolve() if asked.get("start") else None
        start, before, rounds = path and file_digest(path), (), []
        for number in range(1, asked["rounds"] + 1):
            own = what | {"round": number}
            shards = [
                self._job("find", own | {"shard": i, "start": start}, reads=before, start=path)
                for i in range(1, asked["shards"] + 1)
            ]
            best = self._job("best", own | {"shard_ids": [job.id for job in shards]}, reads=tuple(shards))
            rounds.append((shards, best))
            path, start, before = best.folder / "factors.hpp", best.id, (best,)
        return rounds

    def _measurements(self, asked):
        """The measurements, one folder per machine."""
        traces = tuple(self._described(asked["traces"]))
        what = {"traces": [trace.id for trace in traces], "arguments": asked.get("arguments", [])}
        return [self._job("measure", what | {"machine": name}, name=name, reads=traces) for name in asked["machines"]]
