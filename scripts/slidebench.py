#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports, checks, comparisons and studies of the folders that slidebench writes.

A command is a module with add_arguments(parser) and work(options). This file loads without any package.
"""

import argparse
import importlib
import os
import shutil
import sys
import traceback
from pathlib import Path

from report.errors import ReportError

# Name, module, what it does, an example of its arguments.
COMMANDS = (
    ("report", "report.command", "Turns a run or a simulation into figures and a page: plots/, index.html.",
     "reports/run1"),
    ("check-run", "studies.run_check", "Checks that a run is complete, consistent and rightly labelled; judges no time.",
     "reports/run1"),
    ("figure", "studies.figure", "Draws ratios with their intervals for a paper.",
     "reports/run1 --cell 'throughput on search, isolated' --method pext hyperbola magic_fancy --out ratios.pdf --width 3.3in"),
    ("add-machine", "studies.machines", "Adds a run to reports/machines/ and makes its matrix anew.",
     "reports/20261122-101500 --name ryzen-9-7950x"),
    ("keep-run", "studies.kept", "Keeps what the pages need of a run, with the means of its process runs, for good.",
     "reports/20261122-101500 --out reports/example"),
    ("plain-vs-fancy", "studies.plain_vs_fancy.command", "Turns what scripts/plain_vs_fancy.sh left into its page.",
     "build/plain_vs_fancy/run1 --out reports/plain_vs_fancy"),
    ("site", "pages.command", "Writes all results and methods as a site of static files, which opens from a disk too.",
     "--out build/site"),
    ("update-readme", "studies.readme", "Writes the parts of the pages that are made by programs, or checks them.",
     "build/dev/slidebench"),
)  # fmt: skip
PACKAGES = {name: f"python3-{name.lower()}" for name in ("jinja2", "matplotlib", "numpy", "pandas", "scipy")}


LONGEST = 4000  # characters of a refusal


def fail(command, words):
    """Says in one line on standard error what is wrong; returns the exit status of bad input."""
    shown = "".join(c if c.isprintable() else "?" for c in " ".join(words.split()))  # whatever names it quotes
    try:
        print(f"{command}:", shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}...", file=sys.stderr, flush=True)
    except OSError:
        give_up(sys.stderr)  # the status says it alone
    return 2


def answered(name, work):
    """Does some work: its status; or, with one line on standard error, 2 for bad input or output and for a mistake in these
    scripts (SLIDEBENCH_TRACEBACK=1 shows where), and 130 where it was interrupted."""
    try:
        status = ended(work)
        sys.stdout.flush()
        return status
    except ReportError as error:
        return fail(name, str(error))
    except KeyboardInterrupt:
        fail(name, "interrupted; no file is half written")
        return 130
    except OSError as error:
        if error.filename == StandardOutput.NAME:
            give_up(sys.stdout)
        return fail(name, "{}: cannot be read or written ({}); {}".format(*what_and_why(error), CHECK_IT))
    except Exception as error:  # noqa: BLE001 - no reader of a report is helped by a traceback
        if os.environ.get("SLIDEBENCH_TRACEBACK"):
            raise
        return fail(name, f"a mistake of slidebench in {place(error)}, please report it: {type(error).__name__}: {error}"[:500])


def ended(work):
    """Does some work: its status, or that with which argparse ends the program."""
    try:
        return work()
    except SystemExit as end:
        return end.code


CHECK_IT = "check it and the free space, or choose another place"
SCRIPTS = Path(__file__).resolve().parent
sys.path.append(str(SCRIPTS.parent / "extras" / "web"))  # whose pages the command `site` writes


def place(error):
    """Where in these scripts a mistake showed."""
    frames = [(Path(frame.filename).resolve(), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    ours = [(path.relative_to(SCRIPTS), line) for path, line in frames if path.is_relative_to(SCRIPTS)]
    return f"{ours[-1][0]}, line {ours[-1][1]}"


def give_up(stream):
    """Stops Python from writing to a stream once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def what_and_why(error):
    """(what could not be read or written, the system's word for why) of an OSError."""
    if isinstance(error, shutil.Error):  # of a whole folder: a list of (from, to, why)
        _, to, why = error.args[0][0]
        return to, why
    return error.filename or "a file", error.strerror


class StandardOutput:
    """Standard output, whose errors have its name; one that was closed takes everything."""

    NAME = "standard output"

    def __init__(self, stream):
        self.stream = stream

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def write(self, text):
        """As the stream's."""
        return self.named(self.stream.write, text) if self.stream else len(text)

    def flush(self):
        """As the stream's."""
        return self.named(self.stream.flush) if self.stream else None

    def named(self, work, *arguments):
        """Does some work of the stream."""
        try:
            return work(*arguments)
        except OSError as error:
            error.filename = self.NAME
            raise


def done(work, options):
    """Does a command's work, a function of the options that returns the files written (they are printed, one a line), a
    status, or nothing: its status."""
    result = work(options)
    if not isinstance(result, list):
        return result or 0
    print("\n".join(map(str, result)))
    return 0


DISTRIBUTION = "/usr/bin/python3"  # whose packages scripts/install_deps.sh installs


def change_python():
    """Starts the program again with the distribution's Python, where another one stands first on PATH."""
    if os.path.exists(DISTRIBUTION) and not os.path.samefile(DISTRIBUTION, sys.executable):
        os.execv(DISTRIBUTION, [DISTRIBUTION, *sys.argv])


def run(arguments, known, program, about_program):
    """Runs a command of `known`; returns its exit status, 2 with one line on standard error where a package is missing."""
    parser = argparse.ArgumentParser(prog=program, description=about_program)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, module, about, example in known:
        example = f"example: {program} {name} {example}"
        own = commands.add_parser(name, help=about, description=about, epilog=example)
        if arguments[:1] != [name]:
            continue
        try:
            command = importlib.import_module(module)
        except ImportError as error:
            package = PACKAGES.get((error.name or "").partition(".")[0])
            if package is None:
                raise
            change_python()
            words = f"install {package} (scripts/install_deps.sh does) and use /usr/bin/python3"
            return fail(own.prog, f"Python has no {error.name}; {words}")
        command.add_arguments(own)
        options = own.parse_args(arguments[1:])
        return done(command.work, options)
    parser.parse_args(arguments)
    return 0


def main(arguments, known=COMMANDS, program="slidebench.py", about=__doc__.splitlines()[0]):
    """Runs a command; returns its exit status. An extra's own commands are `known` to its program, `about` which it says a line."""
    named = arguments[:1] if arguments[:1] and arguments[0] in [name for name, *_ in known] else []
    return answered(" ".join([program, *named]), lambda: run(arguments, known, program, about))


if __name__ == "__main__":
    sys.stdout = StandardOutput(sys.stdout)
    sys.exit(main(sys.argv[1:]))
