# SPDX-License-Identifier: MIT
"""What the tests share: imports of the pages and of the scripts, the modules, the site that `slidebench.py site` wrote, one browser,
and what they do with a page and with node."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

WEB = Path(__file__).resolve().parents[1]
ROOT = WEB.parents[1]
sys.dont_write_bytecode = True
sys.path[:0] = [str(WEB), *(str(ROOT / folder) for folder in ("scripts", "scripts/tests"))]
os.environ["SLIDEBENCH_TRACEBACK"] = "1"  # a mistake of the scripts is no refusal of bad input

import browser as browser_  # noqa: E402

PROGRAM = Path(os.environ.get("SLIDEBENCH", ROOT / "build/dev/slidebench"))
SITE = Path(os.environ.get("SLIDEBENCH_SITE", ROOT / "build/site"))


def node(program, scripts=(), given=None):
    """What a program prints as JSON, joined behind scripts of script/ without their imports; `given` is its variable of that name."""
    if not shutil.which("node"):
        pytest.skip("node is not installed (Debian's package nodejs)")
    text = "\n".join((WEB / f"script/{name}.mjs").read_text() for name in scripts)
    text = re.sub(r"^import .*\n|^export (?!default)", "", text, flags=re.M)
    text = f"const given = {json.dumps(given)};\nglobalThis.postMessage = () => {{}};\n{text}\n{program}"
    done = subprocess.run(["node", "--input-type=module", "-"], input=text, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def until(page, condition):
    """Waits until a condition holds in the page. One that is just left may say nothing but errors."""
    deadline, said = time.monotonic() + 120, None
    while time.monotonic() < deadline:
        try:
            if page.run(condition):
                return
        except RuntimeError as error:
            said = error
        time.sleep(0.02)
    raise AssertionError(f"never: {condition}: {said}")


def visit(page, path, behind=""):
    """Opens a page, with what stands behind its name, as if for the first time, and waits until it has started."""
    page.open("about:blank")
    page.call("Page.navigate", {"url": (path if isinstance(path, str) else path.resolve().as_uri()) + behind})
    until(page, "typeof started !== 'undefined' && started.then(() => true)")


def press(page, *keys):
    """Presses keys."""
    codes = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
    for key in keys:
        event = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        for kind in ("rawKeyDown", "keyUp"):
            page.call("Input.dispatchKeyEvent", {"type": kind, **event})


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
