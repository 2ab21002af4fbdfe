# SPDX-License-Identifier: MIT
"""What the studies' commands share: their arguments' style, and what bad input gets."""

import argparse
from pathlib import Path

from report.errors import ReportError
from report.needed import fail

RUN = {"type": Path, "metavar": "RUN", "help": "folder that `slidebench run --out RUN` wrote"}


def parser_of(about, example):
    """A parser whose help begins with the first line of `about` and ends with an example."""
    return argparse.ArgumentParser(description=about.splitlines()[0], epilog=f"example: {example}")


def answered(name, work, options):
    """Does a command's work, a function of the options that may return a status: its status, or 2 with one line on
    standard error for bad input or output."""
    try:
        return work(options) or 0
    except ReportError as error:
        return fail(name, str(error))
    except OSError as error:
        return fail(name, f"{error.filename}: cannot be read or written ({error.strerror}); choose another place")
