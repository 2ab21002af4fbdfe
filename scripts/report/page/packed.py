# SPDX-License-Identifier: MIT
"""What travels packed in the page of a run, and is unpacked when it opens: the data that its scripts draw, the methods' code, the static figures and small files."""

import base64
import gzip
import json

from report.data.files import file_of
from report.page.html import FILES, inline

# Bytes of a file, compressed: larger ones stay in the run's folder.
SMALL, ALL_SMALL = 24_000, 72_000


def packed(parts):
    """A dict as it travels in a page: gzip of JSON, in base 64; the same parts give the same text."""
    text = json.dumps(parts, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def parts_of(run, data, figures, headers):
    """What is to be packed: dict. `data` is the payload, `figures` what `write_figures` returned, `headers` method -> text."""
    return {
        "data": data,
        "headers": headers,
        "figures": [
            {"kind": kind, "stem": stem, "about": about, "svg": inline(svg.decode(), number)}
            for number, (kind, stem, about, svg) in enumerate(figures)
        ],
        "files": _small_files(run.folder),
    }


def _small_files(folder):
    """The files of a folder that the page can hand out: dict name -> text."""
    found, left = {}, ALL_SMALL
    for name in FILES.split():
        path = file_of(folder, name)
        if path.is_file() and path.stat().st_size < 40 * SMALL:
            data = path.read_bytes()
            data = gzip.decompress(data) if path.name != name else data
            size = len(gzip.compress(data, 6))
            if size <= min(SMALL, left):
                found[name] = data.decode(errors="replace")
                left -= size
    return found
