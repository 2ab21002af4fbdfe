# SPDX-License-Identifier: MIT
"""What runs the WebAssembly module: node, or a headless Chromium with a page. Each process run is a fresh process."""

import http.server
import json
import re
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

from report.errors import ReportError

CODE = Path(__file__).resolve().parents[2] / "harness" / "wasm"
PATIENCE = 600  # seconds for a process run
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
INSTALL = "scripts/install_deps.sh --wasm installs it"


def found(*names):
    """The path of the first of these programs that is installed. ReportError: none is."""
    path = next((path for path in map(shutil.which, names) if path), None)
    if path is None:
        raise ReportError(f"there is no {names[0]} on this machine; {INSTALL}")
    return path


def asked(*command):
    """What a program says of itself, one line."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


class Node:
    """node, with all functions compiled by V8's optimising compiler before they run; more flags of V8 may be given."""

    FLAGS = ["--no-liftoff"]
    COMPILE_MS = 0  # all is compiled beforehand

    def __init__(self, module, trace, v8_flags=()):
        self.program, self.module, self.trace = found("node"), module, trace
        self.flags = [*self.FLAGS, *v8_flags]

    def describe(self):
        """dict: name, version, that of V8, and flags."""
        version, v8 = asked(self.program, "-p", "process.version + ' ' + process.versions.v8").split()
        return {"name": "node", "version": version.lstrip("v"), "v8": v8, "flags": self.flags}

    def process_run(self, plan):
        """Measures in a process of its own; returns what process_run.mjs does. ReportError: it failed."""
        command = [self.program, *self.flags, str(CODE / "node.mjs"), str(self.module), str(self.trace)]
        done = subprocess.run(command, input=json.dumps(plan), capture_output=True, text=True, timeout=PATIENCE, check=False)
        if done.returncode != 0:
            raise ReportError(f"node: {(done.stderr.strip() or 'ended without a word').splitlines()[-1]}")
        return json.loads(done.stdout)


class Server(http.server.ThreadingHTTPServer):
    """Serves one process run to a page, and waits for its result. The page is isolated, so that its clock is finer."""

    def __init__(self, module, trace, plan):
        super().__init__(("127.0.0.1", 0), Handler)
        scripts = {f"/{name}": ((CODE / name).read_bytes(), "text/javascript")
                   for name in ("process_run.mjs", "rounds.mjs", "suite.mjs")}  # fmt: skip
        binary = "application/octet-stream"
        self.files = {**scripts, "/": ((CODE / "process_run.html").read_bytes(), "text/html"),
                      "/module": (module.read_bytes(), binary), "/trace": (trace.read_bytes(), binary),
                      "/plan": (json.dumps(plan).encode(), "application/json")}  # fmt: skip
        self.result, self.arrived = None, threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers the page."""

    def do_GET(self):
        """A file."""
        body, kind = self.server.files.get(self.path, (b"", "text/plain"))
        self.answer(200 if body else 404, body, kind)

    def do_POST(self):
        """The result."""
        self.server.result = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(200, b"", "text/plain")
        self.server.arrived.set()

    def answer(self, status, body, kind):
        """Sends a body, and the headers that isolate the page."""
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": len(body), "Cross-Origin-Opener-Policy": "same-origin",
                            "Cross-Origin-Embedder-Policy": "require-corp"}.items():  # fmt: skip
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Says nothing."""


class Chromium:
    """A headless Chromium as a visitor has it: no flags for its compiler but those that are asked for, a new profile for each
    process run."""

    FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking"]  # fmt: skip
    COMPILE_MS = 20  # of each kernel, until V8's optimising compiler has made its code

    def __init__(self, module, trace, v8_flags=()):
        self.program, self.module, self.trace = found(*BROWSERS), module, trace
        self.flags = [*self.FLAGS, *([f"--js-flags={' '.join(v8_flags)}"] if v8_flags else [])]

    def describe(self):
        """dict: name, version and flags."""
        said = asked(self.program, "--version")
        version = re.search(r"[\d.]{3,}", said)
        return {"name": "chromium", "version": version[0] if version else said, "flags": self.flags}

    def process_run(self, plan):
        """As Node's."""
        server = Server(self.module, self.trace, plan)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with tempfile.TemporaryDirectory(prefix="slidebench-browser-", ignore_cleanup_errors=True) as home:
            address = f"http://127.0.0.1:{server.server_address[1]}/"
            process = subprocess.Popen([self.program, *self.flags, f"--user-data-dir={home}", address],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
            try:
                self.wait(server, process)
            finally:
                process.terminate()
                process.wait()
                server.shutdown()
                server.server_close()
        if "error" in server.result:
            raise ReportError(f"chromium: {server.result['error']}")
        return server.result

    @staticmethod
    def wait(server, process):
        """Until the result is there. ReportError: the browser ended before, or takes too long."""
        for _ in range(PATIENCE):
            if server.arrived.wait(1):
                return
            if process.poll() is not None:
                raise ReportError("chromium: ended before it gave a result; start it by hand to see why")
        raise ReportError(f"chromium: no result after {PATIENCE} seconds; give fewer rounds or methods")


ENGINES = {"node": Node, "chromium": Chromium}
