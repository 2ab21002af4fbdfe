# SPDX-License-Identifier: MIT
"""What the commands need beside Python. This module loads without any of it, so that it can say what is missing."""

import importlib
import sys

PACKAGES = {name: f"python3-{name.lower()}" for name in ("PIL", "jinja2", "matplotlib", "numpy", "pandas", "scipy")}


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
