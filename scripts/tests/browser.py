# SPDX-License-Identifier: MIT
"""Drives a headless Chromium over its debugging pipe, with the standard library alone, and finds axe-core; for tests of pages."""

import contextlib
import functools
import itertools
import json
import os
import select
import shutil
import subprocess
import tarfile
import tempfile
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 60.0
# axe-core checks pages for accessibility; it is a package of npm and no part of the tree.
AXE = "axe-core@4.10.3"
CACHES = (Path.home() / ".cache/slidebench", Path("/usr/share/nodejs"), Path("/usr/lib"))

# For each visible element with text of its own: the contrast of its colour with what is painted behind it, as the
# page's filter shows both. Elements of figures lie on the page's own background.
LOW_CONTRAST = """
(() => {
  const probe = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const known = new Map();
  const paint = colours => {
    const key = colours.join();
    if (!known.has(key)) known.set(key, painted(colours));
    return known.get(key);
  };
  const painted = colours => {
    probe.filter = "none";
    for (const colour of ["white", ...colours]) {
      probe.fillStyle = colour;
      probe.fillRect(0, 0, 1, 1);
    }
    probe.filter = getComputedStyle(document.documentElement).filter;
    probe.drawImage(probe.canvas, 0, 0, 1, 1, 0, 0, 1, 1);
    const linear = v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const [red, green, blue] = [...probe.getImageData(0, 0, 1, 1).data].map(v => linear(v / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const grounds = new Map([[null, []]]);
  const layers = at => {
    if (!grounds.has(at)) grounds.set(at, [...layers(at.parentElement), getComputedStyle(at).backgroundColor]);
    return grounds.get(at);
  };
  const low = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join("");
    if (!own || !element.checkVisibility() || element.closest("script, style, title")) continue;
    const style = getComputedStyle(element), inFigure = element instanceof SVGElement;
    const ground = layers(inFigure ? element.ownerSVGElement : element);
    const a = paint([...ground, inFigure ? style.fill : style.color]), b = paint(ground);
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) low.push(`${contrast.toFixed(2)} ${element.tagName} ${own.slice(0, 40)}`);
  }
  return low;
})()
"""

# What sticks out of the window: the page itself, and elements that no scrolling box holds.
OVERFLOW = """
(() => {
  const width = document.documentElement.clientWidth, out = [];
  if (document.documentElement.scrollWidth > width) out.push(`page ${document.documentElement.scrollWidth} > ${width}`);
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest(".scroll, pre, nav") && !element.matches(".scroll")) continue;
    if (!element.checkVisibility()) continue;
    const box = element.getBoundingClientRect();
    if (box.width && box.height && (box.right > width + 1 || box.left < -1)) {
      const ends = `${box.left.toFixed(0)}..${box.right.toFixed(0)}`;
      out.push(`${element.tagName}.${element.getAttribute("class")} ${ends} ${element.textContent.slice(0, 30)}`);
    }
  }
  return out;
})()
"""

# What axe-core finds in the page: list of "impact rule: elements", of what hinders a reader.
SERIOUS = """
axe.run(document, {preload: false, resultTypes: ["violations"]}).then(({violations}) =>
    violations.filter(({impact}) => ["serious", "critical"].includes(impact)).map(({id, impact, nodes}) =>
        `${impact} ${id}: ${nodes.slice(0, 3).map(({html}) => html.slice(0, 120)).join(" | ")}`))
"""


def find():
    """The path of a Chromium, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


@functools.cache
def axe_source():
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
        command = ["npm", "pack", AXE, "--silent", "--pack-destination", folder]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as package:
            return package.extractfile("package/axe.min.js").read().decode()
    return None


class Browser:
    """One headless browser with one page. Use as a context manager.

    Attributes:
        errors: what went wrong in the page: exceptions, console errors, refused loads; list of str.
    """

    def __enter__(self):
        self.errors, self._events = [], []
        self._numbers, self._rest = itertools.count(1), b""
        self._home = tempfile.TemporaryDirectory(prefix="slidebench-browser-", ignore_cleanup_errors=True)
        commands, self._to = os.pipe()
        self._from, answers = os.pipe()
        # The browser reads commands from descriptor 3 and answers on 4.
        shuffle = 'exec 5<&"$1" 6>&"$2"; exec 3<&5 4>&6 5<&- 6>&-; shift 2; exec "$@"'
        arguments = ["bash", "-c", shuffle, "browser", str(commands), str(answers), find(), "--headless", "--no-sandbox"]
        arguments += ["--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        arguments += ["--disable-background-networking", f"--user-data-dir={self._home.name}", "about:blank"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(arguments, pass_fds=(commands, answers), **quiet)
        os.close(commands)
        os.close(answers)
        target = self.call("Target.createTarget", {"url": "about:blank"})
        self._session = self.call("Target.attachToTarget", target | {"flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        os.close(self._to)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
        self._process.kill()  # where it has not ended
        self._process.wait()
        os.close(self._from)
        self._home.cleanup()

    def call(self, method, parameters=None):
        """Sends a command to the page, one of `Target` to the browser; returns its result, a dict. RuntimeError: it is refused."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters or {}}
        message |= {} if method.startswith("Target.") else {"sessionId": self._session}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != number:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    @contextlib.contextmanager
    def covered(self):
        """Meanwhile another tab is in front, and the page in the background."""
        other = self.call("Target.createTarget", {"url": "about:blank"})
        self.call("Target.activateTarget", other)
        yield
        self.call("Target.closeTarget", other)

    def _read(self):
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            if not select.select([self._from], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self._from, 1 << 20)
            if not more:
                raise RuntimeError("the browser ended")
            self._rest += more
        text, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(text)
        self._note(message)
        return message

    def _note(self, message):
        method, found = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = found["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and found["type"] in ("error", "warning", "assert"):
            self.errors.append(str([argument.get("value") for argument in found["args"]]))
        elif method == "Log.entryAdded" and found["entry"]["level"] in ("error", "warning"):
            self.errors.append(found["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            if not found["request"]["url"].startswith(("file:", "data:", "about:", "blob:")):
                self.errors.append(f"asked the network for {found['request']['url']}")
        elif method:
            self._events.append(method)

    def look(self, width, height=900, dark=False, print_=False):
        """Sets the window, light or dark, screen or paper."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", {"media": "print" if print_ else "screen", "features": features})

    def open(self, path):
        """Loads a file and waits until it is drawn."""
        self._events.clear()
        url = path if path == "about:blank" else Path(path).resolve().as_uri()
        self.call("Page.navigate", {"url": url})
        deadline = time.monotonic() + PATIENCE
        while "Page.loadEventFired" not in self._events:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{path} does not load")
            self._read()

    def run(self, expression):
        """The value of a JavaScript expression, as JSON has it."""
        answer = self.call("Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True})
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")
