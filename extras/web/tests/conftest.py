# SPDX-License-Identifier: MIT
"""What the tests are given: the modules, the site that `slidebench.py site` wrote, one browser."""

import pytest
from sharing import ROOT, SITE

import browser as browser_


@pytest.fixture(scope="session")
def modules():
    """The folder build/, in which both modules are; skips where they are not."""
    if not (ROOT / "build/atlas/atlas.wasm").exists() or not (ROOT / "build/wasm/slidebench.wasm").exists():
        pytest.skip("no build/atlas/atlas.wasm or build/wasm/slidebench.wasm: scripts/slidebench.py site makes them")
    return ROOT / "build"


@pytest.fixture(scope="session")
def site():
    """The folder of the site; skips where there is none."""
    if not (SITE / "index.html").exists():
        pytest.skip(f"no {SITE}: scripts/slidebench.py site --out {SITE} makes it")
    return SITE


@pytest.fixture(scope="session")
def chrome():
    if not browser_.find():
        pytest.skip("no Chromium is installed (Debian's package chromium)")
    with browser_.Browser() as started:
        yield started


@pytest.fixture
def page(chrome):
    """The browser; afterwards no page has had an error or has asked the network for anything."""
    chrome.errors.clear()
    chrome.look(1400)
    yield chrome
    assert chrome.errors == []
