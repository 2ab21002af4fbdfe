# SPDX-License-Identifier: MIT
"""The atlas: a site of static files in which each method explains itself with its own compiled code (extras/web/atlas/README.md)."""

from pathlib import Path

from pages.described import places_in
from pages.module import catalogue
from pages.site import Site, parts_of
from pages.standings import standings
from pages.program import asked_json, program_at
from report.errors import ReportError
from report.output import write_all

ROOT = Path(__file__).resolve().parents[3]


def module_in(path):
    """The module, bytes. ReportError: it is none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReportError(f"{path}: cannot be read ({error.strerror}); build it with extras/web/atlas/build.sh") from None
    if not data.startswith(b"\0asm"):
        raise ReportError(f"{path}: is no WebAssembly module; build it with extras/web/atlas/build.sh")
    return data


def work(options):
    """Writes the site; returns the pages to open."""
    module, places = module_in(options.module), places_in(options.places)
    program = program_at(options.program)
    known = [method["id"] for method in asked_json(program, "list", "--method", "known", "--json")]
    methods = catalogue(options.module, options.places)
    files = Site(methods, standings()).files(module, places, known)
    write_all(options.out, files)
    print("\n".join(f"{size:9,} bytes of {kind}" for kind, size in parts_of(files).items()))
    return [options.out / "index.html"]


def add_arguments(parser):
    """What the command takes."""
    build = ROOT / "build"
    parser.add_argument("--module", type=Path, metavar="FILE", default=build / "atlas/atlas.wasm",
                        help="atlas.wasm of extras/web/atlas/build.sh (default: that of build/atlas)")  # fmt: skip
    parser.add_argument("--places", type=Path, metavar="FILE", default=build / "atlas/places.json",
                        help="places.json next to it (default: that of build/atlas)")  # fmt: skip
    parser.add_argument("--program", type=Path, metavar="FILE", default=build / "dev/slidebench",
                        help="slidebench, which knows the methods (default: that of build/dev)")  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="the folder to write the site into")
