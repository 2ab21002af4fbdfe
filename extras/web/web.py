#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The atlas of the methods, and the page that measures in a visitor's browser: static files that anyone can host."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "scripts")]

import slidebench  # noqa: E402

COMMANDS = (
    ("atlas", "pages.atlas_site", "Writes a site in which each method explains itself with its own compiled code.",
     "--out build/atlas/site"),
    ("browser-page", "pages.browser_page", "Writes the page that measures in a visitor's browser.",
     "--trace build/page.trace --out build/browser.html"),
)  # fmt: skip


def main(arguments):
    """Runs a command; returns its exit status."""
    return slidebench.main(arguments, COMMANDS, "web.py", __doc__)


if __name__ == "__main__":
    sys.stdout = slidebench.StandardOutput(sys.stdout)
    sys.exit(main(sys.argv[1:]))
