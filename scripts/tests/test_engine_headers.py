# SPDX-License-Identifier: MIT
"""The headers that an exchange puts into engines, as the program writes them: which fill tables, which cannot be used."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from engines.attack_header import NO_INIT, has_init, header_of
from report.errors import ReportError

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("SLIDEBENCH", ROOT / "build" / "dev" / "slidebench"))
README = (ROOT / "scripts" / "engines" / "README.md").read_text()
WELL_KNOWN = ("hyperbola", "magic_fancy", "magic_plain", "pext")


def all_methods():
    """The ids of all methods of the program."""
    listed = subprocess.run([PROGRAM, "list"], capture_output=True, text=True, check=True).stdout
    known = {path.stem for path in (ROOT / "methods").rglob("*.hpp")}
    return sorted(set(re.findall(r"^\W*(\w+)", listed, re.MULTILINE)) & known - {"empty"})


@pytest.fixture(name="headers", scope="module")
def _headers():
    """id -> header, or the reason why there is none."""
    found = {}
    for method in all_methods():
        try:
            found[method] = header_of(PROGRAM, method)
        except ReportError as error:
            found[method] = error
    return found


def test_only_methods_with_a_board_cannot_be_exchanged(headers):
    assert set(WELL_KNOWN) <= set(headers)
    refused = {method for method, header in headers.items() if isinstance(header, ReportError)}
    assert refused == {"hyperbola_pair", *(method for method in headers if method.startswith("rotated_"))}
    assert all("an engine without its board needs" in str(headers[method]) for method in refused)


def test_the_page_says_which_headers_fill_tables(headers):
    usable = {method: header for method, header in headers.items() if isinstance(header, str)}
    filling = {method for method, header in usable.items() if not header.endswith(NO_INIT)}
    assert all(has_init(header) for header in usable.values())
    said = re.search(r"(?s)fill tables when\s.*?called: (.*?)\.\n", README)[1]
    assert set(re.findall(r"`(\w+)`", said)) >= filling and filling
