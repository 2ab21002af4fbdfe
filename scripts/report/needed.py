# SPDX-License-Identifier: MIT
"""What all commands share: their arguments' style, what bad input gets, and what is said of a missing package. This
module loads without any package."""

import argparse
import importlib
import sys
from pathlib import Path

from report.errors import ReportError

PACKAGES = {name: f"python3-{name.lower()}" for name in ("jinja2", "matplotlib", "numpy", "pandas", "scipy")}
# An argument that several commands have.
RUN = {"type": Path, "metavar": "RUN", "help": "folder that `slidebench run --out RUN` wrote"}


def fail(command, words):
    """Says in one line on standard error what is wrong; returns the exit status of bad input."""
    print(f"{command}:", " ".join(words.split()), file=sys.stderr)
    return 2


def start(command, module):
    """Runs main() of a command's module; a package that is missing gets one line and exit status 2."""
    try:
        main = importlib.import_module(module).main
    except ImportError as error:
        package = PACKAGES.get((error.name or "").partition(".")[0])
        if package is None:
            raise
        words = f"Python has no {error.name}; install {package} (scripts/install_deps.sh does) and use /usr/bin/python3"
        sys.exit(fail(command, words))
    sys.exit(main())


def parser_of(about, example):
    """A parser whose help begins with the first line of `about` and ends with an example."""
    return argparse.ArgumentParser(description=about.splitlines()[0], epilog=f"example: {example}")


def answered(name, work, options):
    """Does a command's work, a function of the options that returns the files written (they are printed, one a line), a
    status, or nothing: its status, or 2 with one line on standard error for bad input or output."""
    try:
        result = work(options)
    except ReportError as error:
        return fail(name, str(error))
    except OSError as error:
        words = f"cannot be read or written ({error.strerror}); check it and the free space, or choose another place"
        return fail(name, f"{error.filename}: {words}")
    if isinstance(result, list):
        print("\n".join(map(str, result)))
        return 0
    return result or 0
