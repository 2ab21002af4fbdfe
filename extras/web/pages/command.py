# SPDX-License-Identifier: MIT
"""`slidebench.py site`: builds the two WebAssembly modules and writes the whole site, static files that anyone can host."""

import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pages.machines import machines
from pages.module import catalogue
from pages.site import Site
from pages.sources import ROOT
from pages.steps import places_in
from report.errors import ReportError
from report.output import write_all

INSTALL = "scripts/install_deps.sh --web installs what a site needs"
BUILDS = ("bench", "dev")  # of run_bench.sh and of run_tests.sh
# As short as a visitor's browser needs. Committed results of browsers are of the same trace.
TRACE = "trace build --kind search --positions 4 --nodes 500".split()


def missing():
    """What the modules and pages need and this machine lacks: list of names."""
    found = [tool for tool in ("cmake", "ninja", "clang++", "wasm-ld", "node") if not shutil.which(tool)]
    if not Path("/usr/include/wasm32-wasi/c++").is_dir():
        found.append("libc++ for wasm32-wasi")
    return found + ([] if importlib.util.find_spec("clang") else ["clang for Python"])


def say(words):
    """What is done now, on standard error."""
    print(f"site: {words}", file=sys.stderr, flush=True)


def done(command, what):
    """What a command prints. ReportError, with a line of it that says why, where it fails."""
    found = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    if found.returncode != 0:
        lines = [line.strip() for line in (found.stdout + found.stderr).splitlines() if line.strip()]
        why = next((line for line in lines if "error:" in line), lines[-1] if lines else "it said nothing")
        raise ReportError(f"{what} failed: {why}")
    return found.stdout


def program_at(named):
    """The program: the one that is named, or of the usual builds. ReportError: there is none."""
    places = [named] if named else [ROOT / "build" / build / "slidebench" for build in BUILDS]
    found = next((path for path in places if path.is_file()), None)
    if found is None:
        raise ReportError(f"{places[0]}: no such program; scripts/run_bench.sh builds it, or give --program")
    return found.absolute()


def built(preset, file):
    """A module's bytes, built as far as it is not there already. ReportError: it cannot be built."""
    say(f"building build/{preset}/{file}, the first time some minutes")
    done(["cmake", "--preset", preset], f"cmake --preset {preset}")
    done(["cmake", "--build", "--preset", preset], f"cmake --build --preset {preset}")
    return (ROOT / "build" / preset / file).read_bytes()


def work(options):
    """Writes the site; returns the page to open."""
    program, lacking = program_at(options.program), missing()
    if lacking:
        raise ReportError(f"no {', '.join(lacking)}; {INSTALL}")
    wasm, module = built("wasm", "slidebench.wasm"), built("atlas", "atlas.wasm")
    say("asking the methods")
    known = [method["id"] for method in json.loads(done([program, "list", "--method", "known", "--json"], program))]
    places = ROOT / "build/atlas/places.json"
    methods = catalogue(ROOT / "build/atlas/atlas.wasm", places)
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "page.trace"
        done([program, *TRACE, "--out", trace, ROOT / "datasets/sample.pgn"], "slidebench trace build")
        trace = trace.read_bytes()
    say(f"writing {len(methods)} pages of methods and the others")
    files = Site(methods, machines(), known).files(module, places_in(places), wasm, trace)
    write_all(options.out, files)
    for path in [path for part in ("methods", "machines") for path in (options.out / part).glob("*.html")]:
        if path.relative_to(options.out).as_posix() not in files:
            path.unlink()  # of a site that was written here before
    say(f"{len(files)} files, {sum(map(len, files.values())):,} bytes")
    return [options.out / "index.html"]


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("--program", type=Path, metavar="FILE", help="slidebench (default: that of build/bench, else of build/dev)")
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="the folder to write the site into")
