# SPDX-License-Identifier: MIT
"""Exchanges an engine's attack code for that of other methods, and builds each in several placements.

What comes out differs in the attack code alone, which is checked: all builds must search the same tree.
"""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from engines.attack_header import NAME, header_of
from engines.mnemonics import compare
from engines.network import network_from
from engines.placements import add_nodes, check_count, clear, glob_of, run_folder
from engines.recipe import load, substitute
from engines.relinked import beside, check_empty, check_output, make_builds, run_build
from engines.same_tree import SameTree
from engines.source import NotHere, fetch
from report.errors import ReportError

OWN = "own"
# In a program the recorder's thread-local variable has a constant place. Without the second flag, GCC 12 with -march=native may
# load the place in a way that GNU ld refuses ("TLS transition").
MODES = {"record": "-DSLIDEBENCH_RECORD -ftls-model=local-exec", "dose": "-DSLIDEBENCH_DOSE"}
RECORDER = Path(__file__).resolve().parents[2] / "harness" / "record" / "slidebench_record.h"


def source_of(recipe, options):
    """The folder of the engine's source: the user's, or fetched into DIR/source. ReportError where it cannot be had."""
    if options.source:
        if not (options.source / recipe.folder).is_dir():
            raise ReportError(f"{options.source}: has no folder {recipe.folder}, where recipe {recipe.name} builds")
        return options.source
    if not recipe.package:
        raise ReportError(f"recipe {recipe.name}: names no source package; give --source FOLDER")
    work = options.out.absolute() / "source"
    work.mkdir(parents=True, exist_ok=True)
    try:
        return fetch(work, recipe.package)
    except NotHere as reason:
        raise ReportError(f"recipe {recipe.name}: {reason}; or give --source FOLDER") from None


def copy_source(source, tree, out):
    """Copies the source, without its history, and without the output folder, which may lie in it."""
    def left_out(folder, names):
        return [name for name in names if name == ".git" or (Path(folder) / name).absolute() == out.absolute()]

    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(source.absolute(), tree, symlinks=True, ignore=left_out)


def copied(recipe, source, tree, method, header, is_recorded=False):
    """Makes a copy of the source with a method's attack code and perhaps the recorder; returns the folder where it is built."""
    copy_source(source, tree, tree.parent)
    folder = tree / recipe.folder
    substitute(recipe, "prepare", folder)
    if recipe.network:
        network = network_from(recipe.network["from"], recipe.network["bytes"], recipe.network["sha256"])
        (folder / recipe.network["file"]).write_bytes(network)
    if method != OWN:
        (folder / NAME).write_text(header)
        substitute(recipe, "exchange", folder)
    if is_recorded:
        shutil.copy(RECORDER, folder)
        substitute(recipe, "record", folder)
    return folder


def command_of(recipe, compiler, flags=""):
    """The build's command, with the compiler and further flags."""
    family = "clang" if "clang" in Path(compiler).name else "gcc"
    words = {"{cxx}": compiler, "{family}": family, "{flags}": flags, "{jobs}": str(os.cpu_count() or 1)}
    text = recipe.build
    for name, value in words.items():
        text = text.replace(name, value)
    return ["sh", "-c", text]


def build_recorded(recipe, source, header, method, options):
    """Builds the engine with the recorder; prints where it is."""
    group = "record" if options.record else "dose"
    place = options.out.absolute() / (group if method == OWN else f"{group}-{method}")
    check_output(place)
    try:
        folder = copied(recipe, source, place, method, header, is_recorded=True)
        run_build(command_of(recipe, options.compiler, MODES[group]), beside(place, ".log"), folder)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    if not (folder / recipe.binary).is_file():
        raise ReportError(f"{folder / recipe.binary}: the build of recipe {recipe.name} made no such program")
    print(folder / recipe.binary)


def build_method(recipe, source, header, method, options, trees):
    """Builds the engine with a method, in all placements, and checks them. All methods are built in one folder, DIR/tree, so
    that no path inside them differs."""
    place, tree = options.out.absolute() / method, options.out.absolute() / "tree"
    try:
        folder = copied(recipe, source, tree, method, header)
        builds = make_builds(command_of(recipe, options.compiler), place, options.builds, options.seed, recipe.binary, folder)
        words = compare(builds.files)
        for path in builds.files:
            trees.take(path, run_folder(builds))
    finally:
        shutil.rmtree(tree, ignore_errors=True)
    print(f"{method}: {len(builds.files)} builds in {options.out / method}. {words}", flush=True)


def build_all(recipe, methods, headers, options):
    """Builds all methods. ReportError; then nothing of this run stays."""
    places = [options.out.absolute() / method for method in methods]
    for place in places:
        check_empty(place)
    try:
        for place in places:
            check_output(place)
        source, trees = source_of(recipe, options), SameTree(options.nodes)
        for method in methods:
            build_method(recipe, source, headers.get(method, ""), method, options, trees)
    except BaseException:
        for place in places:
            clear(place)
        raise
    print(trees.words())


def program_of(options):
    """The path of slidebench: a file, or the name of a program on PATH; None: there is neither."""
    return shutil.which(str(options.slidebench.absolute())) or shutil.which(str(options.slidebench))


def duel_of(methods, options):
    """The command that duels all builds, as a list of words."""
    contenders = [f"{method}={options.out / method}/*" for method in methods]
    words = [program_of(options), "duel", *contenders, "--out", str(options.out / "duel")]
    return words + (["--until-decided", "--max-time", f"{options.duel}m"] if options.duel else [])


def check(options):
    """ReportError for options that do not fit together."""
    check_count(options.builds)
    if not shutil.which(options.compiler):
        raise ReportError(f"{options.compiler}: no such compiler; give --compiler")
    if not program_of(options) and options.method:
        raise ReportError(f"{options.slidebench}: no such program; give --slidebench the built slidebench")
    if (options.record or options.dose) and len(options.method) > 1:
        raise ReportError("--record and --dose build one method")
    if not (options.record or options.dose or options.method):
        raise ReportError("--method is needed, or --record or --dose")


def work(options):
    """Builds what is asked for."""
    recipe = load(options.recipe)
    check(options)
    methods = list(dict.fromkeys([OWN, *options.method]))
    headers = {method: header_of(program_of(options), method) for method in methods if method != OWN}
    if options.record or options.dose:
        method = methods[-1]
        build_recorded(recipe, source_of(recipe, options), headers.get(method, ""), method, options)
        return None
    build_all(recipe, methods, headers, options)
    words = duel_of(methods, options)
    print(shlex.join(words), flush=True)
    return subprocess.run(words, check=False).returncode if options.duel else None


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("recipe", metavar="RECIPE", help="a recipe of scripts/engines/recipes, by its name, or the path of one")
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="where the builds go: DIR/own, DIR/METHOD")
    parser.add_argument("--slidebench", type=Path, metavar="PROGRAM", default=Path("slidebench"), help="the program that exports")
    parser.add_argument("--method", action="append", metavar="ID", default=[], help="a method; 'own' is always built")
    parser.add_argument("--source", type=Path, metavar="FOLDER", help="the engine's source (default: the distribution's, fetched)")
    parser.add_argument("--builds", type=int, default=4, metavar="K", help="placements of each (default: 4)")
    parser.add_argument("--compiler", default="g++", metavar="PROGRAM", help="C++ compiler (default: g++)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of all random draws (default: 1)")
    add_nodes(parser)
    parser.add_argument("--duel", type=int, metavar="MINUTES", help="duel the builds for so long at most")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--record", action="store_true", help="build the engine with the recorder of its queries instead")
    mode.add_argument("--dose", action="store_true", help="build it with a dose of work at each query instead")
