# SPDX-License-Identifier: MIT
"""Stands where a compiler looks for its linker: links as it is asked, then K times more, each into another placement.

    shim.py NAME WORDS...        NAME is what the compiler looked for: ld, ld.bfd, ld.gold, ld.lld

The environment variable SLIDEBENCH_PLACEMENTS names a JSON file: folder (of the launchers), links (where the results go), count,
seed, binary (null: any name). What was linked stands in a folder of its own under `links`, with a record.json. The exit status
is the true linker's; what goes wrong afterwards stands in the record, and does not end the build. It must be done here: the
objects of a compiler that links at once, and those of link-time optimisation, are gone when the linker returns.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from builds.link_line import LinkLine  # noqa: E402
from builds.padding import KEPT, assemble, random_sizes  # noqa: E402

ELF = b"\x7fELF"


def places_of_tools(shims):
    """The folders where the compiler would have looked: its own list, its own folder, the user's PATH; without the shims."""
    folders = os.environ.get("COMPILER_PATH", "").split(os.pathsep)
    try:
        folders.append(os.path.dirname(os.readlink(f"/proc/{os.getppid()}/exe")))
    except OSError:
        pass
    folders += os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if folder and os.path.realpath(folder) != os.path.realpath(shims))


def identity(path):
    """What tells a file from the one that was there before; None: there is none, or it is no ELF file."""
    try:
        with open(path, "rb") as file:
            found = os.fstat(file.fileno())
            return (found.st_ino, found.st_mtime_ns, found.st_size) if file.read(4) == ELF else None
    except OSError:
        return None


def is_lld(linker):
    """Whether a linker is LLVM's, whatever its name is."""
    done = subprocess.run([linker, "--version"], capture_output=True, text=True, check=False)
    return "LLD" in done.stdout


def order_of(seed, number):
    """The order of a placement's objects, a function of a list. Every second one has that of the one before it, backwards: so each
    two objects stand both ways in any two builds that follow each other from an even number."""
    draw = random.Random(f"order {seed}/{number // 2}")
    return lambda run: draw.sample(run, len(run))[:: -1 if number % 2 else 1]


class Placements:
    """The further links of one link."""

    def __init__(self, settings, linker, link):
        self.settings, self.linker, self.link = settings, linker, link
        self.folder = Path(tempfile.mkdtemp(dir=settings["links"]))
        self.tools = places_of_tools(settings["folder"])
        self.shuffles_sections = is_lld(linker)

    def _assembler(self):
        for name in ("as", "cc", "gcc", "clang"):
            if found := shutil.which(name, path=self.tools):
                return found
        raise RuntimeError("there is no assembler (as, cc, gcc, clang)")

    def one(self, number):
        """Makes one placement: what stands of it in the record, or an `error`."""
        draw = random.Random(f"{self.settings['seed']}/{number}")
        work = self.folder / f"{number}.work"  # temporary files of link-time optimisation have the same names in all links
        work.mkdir()
        sizes, shuffle = random_sizes(draw), draw.randrange(1, 2**31)
        padding, output = work / "padding.o", self.folder / str(number)
        try:
            assemble(str(padding), sizes, self.link.emulation, self._assembler())
            added = [*KEPT, str(padding)]
            if self.shuffles_sections:
                added += [f"--shuffle-sections={pattern}={shuffle}" for pattern in (".text*", ".rodata*")]
            order = order_of(self.settings["seed"], number)
            words = self.link.elsewhere(str(output), str(work / "resolution"), order, added)
            done = subprocess.run([self.linker, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                  errors="replace", env=os.environ | {"TMPDIR": str(work)}, check=False)
            error = "" if done.returncode == 0 else (done.stderr.strip() or f"status {done.returncode}")
        except (OSError, RuntimeError) as reason:
            error = str(reason)
        shutil.rmtree(work, ignore_errors=True)
        return {"padding": sizes, "sections": shuffle if self.shuffles_sections else None, "error": error}

    def all(self):
        """Makes all of them, two at a time, and writes the record. With -save-temps one at a time: its names would collide."""
        together = 1 if "-save-temps" in os.environ.get("COLLECT_GCC_OPTIONS", "") else 2
        with ThreadPoolExecutor(together) as workers:
            builds = list(workers.map(self.one, range(self.settings["count"])))
        record = {"output": os.path.abspath(self.link.output), "linker": self.linker, "finished_ns": time.time_ns(),
                  "objects": sum(map(len, self.link.runs)), "builds": builds}
        part = self.folder / "record.part"
        part.write_text(json.dumps(record))
        part.rename(self.folder / "record.json")


def main(name, words):
    """Links; returns the exit status."""
    settings = json.loads(Path(os.environ["SLIDEBENCH_PLACEMENTS"]).read_text())
    linker = shutil.which(name, path=places_of_tools(settings["folder"]))
    if linker is None:
        print(f"{name}: not found next to the compiler or on PATH", file=sys.stderr)
        return 127
    link = LinkLine(words)
    before = identity(link.output)
    status = subprocess.run([linker, *words], check=False).returncode
    wanted = settings["binary"] in (None, os.path.basename(link.output))
    if status == 0 and link.makes_executable and wanted and identity(link.output) not in (None, before):
        Placements(settings, linker, link).all()
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
