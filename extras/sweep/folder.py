# SPDX-License-Identifier: MIT
"""Result folders: there and whole, or not there.

A job writes into a folder beside its own, records what it wrote with a digest of every file, and renames it. A killed
job leaves a folder of another name, which nothing reads and the next job of that id removes. What a crash of the whole
machine takes away after the rename, the digests tell.
"""

import json
import os
import shutil
from pathlib import Path

from sweep.errors import SweepError
from sweep.plan import file_digest

SCHEMA = 1  # of result.json


def part_of(job):
    """A fresh folder to write a job's result into, beside where it will stand."""
    job.folder.parent.mkdir(parents=True, exist_ok=True)
    for left in job.folder.parent.glob(f"{job.folder.name}.part-*"):
        if not _is_alive(left):
            shutil.rmtree(left, ignore_errors=True)
    part = job.folder.parent / f"{job.folder.name}.part-{os.uname().nodename}-{os.getpid()}"
    part.mkdir()
    return part


def _is_alive(part):
    """Whether the process that writes into a part may be at work: it is on another machine, or it runs."""
    node, _, process = part.name.partition(".part-")[2].rpartition("-")
    return node != os.uname().nodename or Path(f"/proc/{process}").exists()


def publish(job, part, plan, **more):
    """Records a result, which is in the folder `part`, and puts it in its place at once; `more` is for result.json."""
    files = sorted(path for path in part.rglob("*") if path.is_file())
    record = {"schema": SCHEMA, "kind": job.kind, "id": job.id, "what": job.what, "commit": plan.commit}
    record |= {"dirty": plan.dirty, "files": {str(path.relative_to(part)): file_digest(path) for path in files}} | more
    (part / "result.json").write_text(json.dumps(record, indent=2, sort_keys=True) + "\n")
    for _ in range(2):
        try:
            part.rename(job.folder)  # takes the place of nothing, or of an empty folder
            break
        except OSError:
            if not faults(job):  # another job of this id was quicker; its result is as good
                shutil.rmtree(part)
                return
            shutil.rmtree(job.folder, ignore_errors=True)
    else:
        raise SweepError(f"{job.folder}: cannot be put in its place; remove what stands there")


def read_record(job):
    """What a job's result says of itself; SweepError where it is none."""
    try:
        record = json.loads(job.record.read_text())
    except (OSError, ValueError) as error:
        raise SweepError(f"{job.record}: cannot be read ({error}); remove {job.folder} to make it again") from None
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        raise SweepError(f"{job.record}: is of another version; remove {job.folder} to make it again")
    return record


def faults(job):
    """What is wrong with a result: list of str, empty for a whole one. Every file's digest is computed."""
    try:
        record = read_record(job)
    except SweepError as error:
        return [str(error)]
    if (record.get("kind"), record.get("id"), record.get("what")) != (job.kind, job.id, job.what):
        return [f"{job.record}: is the result of another job; remove {job.folder} to make it again"]
    found = []
    for name, digest in record.get("files", {}).items():
        path = job.folder / name
        if not path.is_file() or file_digest(path) != digest:
            found.append(f"{path}: is not what was written; remove {job.folder} to make it again")
    return found
