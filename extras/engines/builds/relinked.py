# SPDX-License-Identifier: MIT
"""Runs a build command with a linker in front that makes several placements, and collects those of the program wanted."""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from report.errors import ReportError
from report.output import write

LINKERS = ("ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold")
SHIM = Path(__file__).resolve().parent / "shim.py"
# What tells of an error that another program has told of before.
DRIVERS = ("make", "collect2", "clang")
NOTHING = ("no executable was linked through the compiler's own search for its linker: if all was up to date, clean it first; "
           "if the build names its linker by a path, or starts it itself, let the compiler find it")  # fmt: skip


@dataclass
class Builds:
    """What was made: the program's name, the folder where the build put it, the new files, and the record of the link."""

    name: str
    folder: Path
    files: list
    record: dict


def beside(out, ending):
    """The path of a file that belongs to an output folder and does not lie in it."""
    return Path(f"{out.absolute()}{ending}")


def check_empty(out):
    """ReportError where a folder, which need not be there, holds something."""
    held = next(out.iterdir(), None) if out.is_dir() else None
    if held is not None:
        raise ReportError(f"{out}: holds {held.name} already; give --out an empty folder")


def check_output(out):
    """Makes the folder of the output, if it is not there. ReportError where it holds something or cannot be written."""
    try:
        check_empty(out)
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReportError(f"{out}: cannot be a folder for the builds ({error.strerror})") from None
    if not os.access(out, os.W_OK | os.X_OK) or not os.access(out.parent, os.W_OK | os.X_OK):
        raise ReportError(f"{out}: it or the folder above it cannot be written")


def first_fault(text):
    """What a program that failed says of it, for an error of one line: its first line with an error, else its last one."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.search("error|failed|undefined", line, re.I) and not line.startswith(DRIVERS)]
    return (errors[0] if errors else (lines or ["it said nothing"])[-1])[:300]


def run_build(command, log, folder=None, environment=None):
    """Runs a build command; all that it says goes into a file, which goes again if all is well. ReportError if it fails."""
    with open(log, "wb") as file:
        try:
            status = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=file,
                                    stderr=subprocess.STDOUT, check=False).returncode
        except OSError as error:
            log.unlink()
            raise ReportError(f"{command[0]}: cannot be started ({error.strerror})") from None
    if status != 0:
        words = first_fault(log.read_text(errors="replace"))
        raise ReportError(f"{shlex.join(command)[:200]}: ended with status {status}: {words} (all of it: {log})")
    log.unlink()


def make_launchers(folder):
    """The programs that stand in front of the linkers, one for each name that a compiler may look for."""
    folder.mkdir()
    for name in LINKERS:
        launcher = folder / name
        launcher.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -B {shlex.quote(str(SHIM))} {name} "$@"\n')
        launcher.chmod(0o755)


def records_of(links):
    """The records of all links that were done again, the last one at the end; each knows its folder."""
    records = [json.loads(path.read_text()) | {"folder": path.parent} for path in links.glob("*/record.json")]
    return sorted(records, key=lambda record: record["finished_ns"])


def chosen(records, binary):
    """The record of the link that counts: the last one. ReportError where there is none, or a placement failed."""
    if not records:
        raise ReportError(NOTHING if binary is None else f"{binary}: no executable of this name was linked; {NOTHING}")
    record = records[-1]
    for number, build in enumerate(record["builds"]):
        if build["error"]:
            raise ReportError(f"{record['output']}: its placement {number} cannot be linked: {first_fault(build['error'])}")
    return record


def collect(record, out):
    """Moves the placements into the output folder; returns what was made. ReportError where one is none, or as another."""
    name, count = os.path.basename(record["output"]), len(record["builds"])
    files, seen = [], {}
    for number, build in enumerate(record["builds"]):
        path = out / f"{name}.{number:0{len(str(count - 1))}}"
        shutil.move(record["folder"] / str(number), path)
        files.append(path)
        if not os.access(path, os.X_OK):
            raise ReportError(f"{path}: cannot be executed")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest in seen:
            raise ReportError(f"{path}: is the same file as {seen[digest].name}: this program's placement cannot be changed")
        seen[digest] = path
        build |= {"file": path.name, "sha256": digest}
    return Builds(name, Path(record["output"]).parent, files, record)


def write_record(out, builds, command, seed):
    """Writes beside the output folder how the builds were made, OUT.json."""
    kept = {key: builds.record[key] for key in ("output", "linker", "objects", "builds")}
    data = {"command": command, "seed": seed} | kept
    write(beside(out, ".json"), (json.dumps(data, indent=1) + "\n").encode())


def make_builds(command, out, count, seed, binary=None, folder=None):
    """Runs a build command (a list) in a folder, and puts `count` placements of the program that it links into `out`, which
    check_output() has seen; returns Builds. ReportError where that cannot be done."""
    if os.pathsep in str(out.resolve()):
        raise ReportError(f"{out}: a path with '{os.pathsep}' in it cannot be given to a compiler")
    with tempfile.TemporaryDirectory(prefix=".slidebench-", dir=out.resolve().parent) as scratch:
        shims, links, settings = (Path(scratch) / name for name in ("linkers", "links", "settings.json"))
        make_launchers(shims)
        links.mkdir()
        settings.write_text(json.dumps({"folder": str(shims), "links": str(links), "count": count, "seed": seed, "binary": binary}))
        searched = [str(shims), *filter(None, [os.environ.get("COMPILER_PATH")])]
        environment = os.environ | {"COMPILER_PATH": os.pathsep.join(searched), "SLIDEBENCH_PLACEMENTS": str(settings)}
        run_build(command, beside(out, ".log"), folder, environment)
        builds = collect(chosen(records_of(links), binary), out)
    write_record(out, builds, command, seed)
    return builds
