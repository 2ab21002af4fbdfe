# SPDX-License-Identifier: MIT
"""What the page "Measure in this browser" carries: the WebAssembly module, a short trace, and what measures in a worker."""

import base64
import gzip
import hashlib
import json
import re

from markupsafe import Markup

from pages.machines import measured_here
from pages.sources import ROOT, SCRIPT, read

WORKER = ("module", "worker")


def joined(names):
    """Scripts as one, in their order: a page of a disk may load no modules, and its workers none either."""
    text = "\n".join(read(SCRIPT / f"{name}.mjs") for name in names)
    text = re.sub(r"^import .*\n", "", text, flags=re.M)
    return re.sub(r"^export (?=const|class|function|async function)", "", text, flags=re.M)


def packed(text):
    """Text or bytes as they travel in a page: gzip, in base64; the same give the same."""
    data = text.encode() if isinstance(text, str) else text
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def as_json(value):
    """JSON as it can stand in an element of a page."""
    return Markup(json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"))


def methods_in(module):
    """The methods of the tree whose names the module has: as C strings, or as ends of some, which linkers share."""
    known = re.findall(r"^add_method\((?:\w+/)?(\w+) ", read(ROOT / "methods/CMakeLists.txt"), re.M)
    return [name for name in known if f"{name}\0".encode() in module]


def measure_script(module, trace, machines):
    """measure.js as text. `module` and `trace` are the files' bytes; `machines` of pages.machines."""
    carried = {"module": packed(module), "trace": packed(trace), "worker": joined(WORKER)}
    said = measured_here(machines, methods_in(module))
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in (("module", module), ("trace", trace))}
    return f"const measured = {as_json(carried)};\nconst data = {as_json(said | digests)};\n"
