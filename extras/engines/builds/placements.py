# SPDX-License-Identifier: MIT
"""Makes builds of any engine that differ in placement alone: where the linker puts code and data.

The build is done once, by the engine's own command; its link is done K times more, with the engine's objects in another order
and behind an object of random size. So a comparison of two versions can be one of versions, and not of two draws of addresses.
"""

import os
import shlex
import shutil
from pathlib import Path

from builds.mnemonics import compare
from builds.relinked import beside, check_output, make_builds
from builds.same_tree import SameTree
from report.errors import ReportError

FEWEST, MOST = 2, 64


def check_count(count):
    """ReportError where it is not a sensible number of builds."""
    if not FEWEST <= count <= MOST:
        raise ReportError(f"--builds {count}: must be {FEWEST} to {MOST}")


def run_folder(builds):
    """Where the builds are started: where the link's output was, beside which an engine may have files; else here."""
    return builds.folder if builds.folder.is_dir() else Path.cwd()


def table(builds):
    """The builds, each with the bytes that lie in front of it."""
    rows = [("build", *next(iter(builds.record["builds"]))["padding"], "bytes of the file")]
    for path, build in zip(builds.files, builds.record["builds"]):
        rows.append((str(path), *(f"{size:,}" for size in build["padding"].values()), f"{path.stat().st_size:,}"))
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = [[row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in rows]
    return "\n".join("  ".join(words) for words in lines)


def glob_of(name, folder):
    """A contender of a duel: a name and all builds of a folder, as a word of a shell's command line."""
    return shlex.quote(f"{name}={folder}/*")


def made(options):
    """Makes the builds and checks them; returns Builds and what to say. ReportError; then nothing stays in --out."""
    builds = make_builds(options.command, options.out, options.builds, options.seed, options.binary)
    said = [compare(builds.files)]
    if not options.no_search:
        trees = SameTree(options.nodes)
        for path in builds.files:
            trees.take(path, run_folder(builds))
        said.append(trees.words())
    return builds, said


def clear(out):
    """Takes away what a command that failed has left."""
    shutil.rmtree(out, ignore_errors=True)
    beside(out, ".json").unlink(missing_ok=True)


def work(options):
    """Makes the builds, checks them, and prints what they are."""
    check_count(options.builds)
    if options.nodes < 1:
        raise ReportError(f"--nodes {options.nodes}: must be 1 or more")
    if not shutil.which(options.command[0]):
        raise ReportError(f"{options.command[0]}: no such command")
    check_output(options.out)
    try:
        builds, said = made(options)
    except BaseException:
        clear(options.out)
        raise
    print(table(builds), *said, sep="\n")
    where = os.path.relpath(builds.folder)
    print(f"{builds.name}: {len(builds.files)} builds of {builds.record['objects']} objects, linked in {where}")
    print(f"slidebench duel {glob_of('old', options.out)} 'new=...' --out reports/duel")


def add_nodes(parser):
    """How long the searches are that compare builds."""
    parser.add_argument("--nodes", type=int, default=20_000, metavar="N", help="of each search that compares (default: 20000)")


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="a new folder for the builds")
    parser.add_argument("--builds", type=int, default=8, metavar="K", help="how many (default: 8)")
    parser.add_argument("--binary", metavar="NAME", help="file name of the program (default: the executable that is linked last)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of all random draws (default: 1)")
    add_nodes(parser)
    parser.add_argument("--no-search", action="store_true", help="the program is no UCI engine: compare no searches")
    parser.add_argument("command", nargs="+", metavar="BUILD COMMAND", help="after --: what builds the engine, from clean")
