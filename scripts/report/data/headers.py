# SPDX-License-Identifier: MIT
"""The headers of methods as `slidebench export` writes them, and where their sources lie."""

import re
import subprocess
import tempfile
from pathlib import Path

from report.errors import ReportError

ROOT = Path(__file__).resolve().parents[3]


def header_path(method, family):
    """Where a method's header lies in the sources, relative to their root; None for a method from elsewhere."""
    if not re.fullmatch(r"\w+", method) or not re.fullmatch(r"\w*", family):
        return None
    for path in (Path("methods") / family / f"{method}.hpp", Path("methods") / f"{method}.hpp"):
        if (ROOT / path).is_file():
            return path.as_posix()
    return None


def exported_headers(program, methods):
    """The single header of each method that the program exports: dict id -> text; none without a program. ReportError
    where it cannot be started."""
    found = {}
    if program is None:
        return found
    with tempfile.TemporaryDirectory(prefix="slidebench-headers-") as folder:
        for method in methods:
            path = Path(folder) / f"{method}.h"
            if not re.fullmatch(r"\w+", method):
                continue
            try:
                done = subprocess.run([program, "export", method, "--out", path], capture_output=True, check=False)
            except OSError as error:
                raise ReportError(
                    f"{program}: cannot be started ({error.strerror}); give --program the slidebench"
                ) from None
            if done.returncode == 0:
                found[method] = path.read_text(encoding="utf-8")
    return found
