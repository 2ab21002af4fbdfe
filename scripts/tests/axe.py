# SPDX-License-Identifier: MIT
"""Finds axe-core, which checks pages for accessibility; it is a package of npm and no part of the tree."""

import contextlib
import functools
import os
import subprocess
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "axe-core@4.10.3"
CACHES = (Path.home() / ".cache/slidebench", Path("/usr/share/nodejs"), Path("/usr/lib"))

# What axe finds in the page: list of "impact rule: elements", of what hinders a reader.
SERIOUS = """
axe.run(document, {preload: false, resultTypes: ["violations"]}).then(({violations}) =>
    violations.filter(({impact}) => ["serious", "critical"].includes(impact)).map(({id, impact, nodes}) =>
        `${impact} ${id}: ${nodes.slice(0, 3).map(({html}) => html.slice(0, 120)).join(" | ")}`))
"""


@functools.cache
def source():
    """axe.min.js as text: the file that SLIDEBENCH_AXE names, an installed one, or what npm can fetch; None without."""
    named = os.environ.get("SLIDEBENCH_AXE")
    installed = [folder / "node_modules/axe-core/axe.min.js" for folder in CACHES] + [CACHES[1] / "axe-core/axe.min.js"]
    for path in [Path(named)] if named else installed:
        if path.is_file():
            return path.read_text(encoding="utf-8")
    if named:
        return None
    failures = contextlib.suppress(subprocess.SubprocessError, OSError)  # no npm, or no network
    with failures, tempfile.TemporaryDirectory(prefix="slidebench-axe-") as folder:
        command = ["npm", "pack", PACKAGE, "--silent", "--pack-destination", folder]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as package:
            return package.extractfile("package/axe.min.js").read().decode()
    return None
