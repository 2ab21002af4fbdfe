# SPDX-License-Identifier: MIT
"""slidebench, the program, asked from here."""

import json
import shutil
import signal
import subprocess
import sys

from report.errors import ReportError

PATIENCE_S = (5, 120)  # for an interrupted run to write what it has; asked to end after the first


def program_at(path):
    """The absolute path of the program: a file, or a name on PATH. ReportError where there is neither."""
    found = shutil.which(str(path.absolute())) or shutil.which(str(path))
    if not found:
        raise ReportError(f"{path}: no such program; give --slidebench the built slidebench")
    return found


def complaint(text):
    """What the program said last, without its name."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("slidebench: ") if lines else "it said nothing"


def asked(program, *words, folder=None):
    """What the program prints, started in a folder. ReportError, with its own line, where it refuses."""
    try:
        done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise ReportError(f"{program}: cannot be started ({error.strerror})") from None
    if done.returncode != 0:
        raise ReportError(complaint(done.stderr))
    return done.stdout


def asked_json(program, *words):
    """The same, read as JSON."""
    try:
        return json.loads(asked(program, *words))
    except ValueError:
        raise ReportError(f"{program}: is no slidebench of this version; give --slidebench another") from None


def end(child):
    """Lets an interrupted child write what it has; from a terminal it was interrupted too."""
    try:
        child.wait(PATIENCE_S[0])
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGINT)
        child.wait(PATIENCE_S[1])


def run_long(program, words, folder):
    """Runs the program for minutes in a folder; what it shows of its progress goes to a terminal. ReportError where it fails.
    Interrupted, it may write what it has."""
    shown = None if sys.stderr.isatty() else subprocess.PIPE
    with subprocess.Popen([program, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=shown,
                          text=True, errors="replace") as child:  # fmt: skip
        try:
            said = child.communicate()[1]
        except KeyboardInterrupt:
            end(child)
            raise
    if child.returncode != 0:
        raise ReportError(complaint(said) if said else f"the replay ended with status {child.returncode}; it says why above")
