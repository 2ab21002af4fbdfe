# SPDX-License-Identifier: MIT
"""The stream of an engine's queries: logs that it wrote, imported, or a trace; and how many queries a node has."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from engines.program import asked, asked_json
from report.data.files import dig, items, number
from report.errors import ReportError

NAME = "stream.trace"
TRACE_MAGIC = b"SLTRACE\n"


@dataclass(frozen=True)
class Stream:
    """A trace of one engine's queries."""

    path: Path  # of the trace
    said: str  # the files it comes from, in words
    digest: str
    sources: tuple  # SHA-256 of the logs, none for a trace
    queries: int
    queries_per_node: float  # as a replay asks them: a bishop's and a rook's of one square may be one
    recorded_per_node: float  # as the engine asked them
    cut_off: bool  # whether a log ends within a record

    def is_trace(self, entry):
        """Whether an entry of run.json's traces is of the same queries."""
        logs = tuple(source.get("sha256") for source in items(entry, "provenance", "sources"))
        same = bool(logs) and logs == self.sources and entry.get("queries") == self.queries
        return same or entry.get("xxh3") == self.digest


def is_trace_file(path):
    """Whether a file is a trace, by its first bytes or, compressed, by its name."""
    if path.name.endswith((".trace", ".trace.zst")):
        return True
    with path.open("rb") as file:
        return file.read(len(TRACE_MAGIC)) == TRACE_MAGIC


def digest_of(path):
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_files(paths):
    """ReportError where there is no stream at all, or more than one trace."""
    if not paths:
        raise ReportError("no stream; give the log that your engine recorded (harness/record/README.md)")
    for path in paths:
        if not path.is_file():
            raise ReportError(f"{path}: no such file; record a stream (harness/record/README.md)")
    if len(paths) > 1 and any(map(is_trace_file, paths)):
        raise ReportError("give one trace, or logs alone")


def moves_of(info):
    """The moves made in a trace, null moves too."""
    return sum(number(dig(info, "nodes_by_event", event)) or 0 for event in ("make", "null_move"))


def nodes_of(info, said):
    """The nodes of a search, as engines count them. ReportError where the trace cannot tell."""
    search = dig(info, "provenance", "search") or {}
    if dig(info, "provenance", "kind") == "import":
        if not moves_of(info):
            raise ReportError(f"{said}: holds queries, but no make: queries a node cannot be told; record sb_record_make too")
        return search["visits"]
    if not number(search.get("nodes")):
        raise ReportError(f"{said}: is no search's: queries a node cannot be told; give the log of an engine that searches")
    return search["nodes"]


def described(program, path, said):
    """The Stream of a trace."""
    info = asked_json(program, "trace", "info", str(path), "--format", "json")
    sources, queries = items(info, "provenance", "sources"), info["queries"]
    if not queries:
        raise ReportError(f"{said}: holds no queries; record sb_record_bishop, _rook and _queen (harness/record/README.md)")
    nodes = nodes_of(info, said)
    recorded = sum(source.get("queries", 0) for source in sources) if sources else queries
    digests = tuple(source.get("sha256") for source in sources)
    cut_off = any(source.get("cut_off") for source in sources)
    return Stream(path, said, info["digest"], digests, queries, queries / nodes, recorded / nodes, cut_off)


def imported(program, paths, out):
    """The trace of logs, in a folder where it may lie already; taken away again where it is of no use."""
    trace, said = out.absolute() / NAME, ", ".join(map(str, paths))
    if trace.exists():
        stream = described(program, trace, said)
        if stream.sources != tuple(map(digest_of, paths)):
            raise ReportError(f"{out}: holds the advice on another stream; give --out a new folder")
        return stream
    try:
        asked(program, "trace", "import", "--merge-both", "0", *map(str, paths), "--out", str(trace))
        return described(program, trace, said)
    except BaseException:
        trace.unlink(missing_ok=True)
        raise


def stream_of(program, paths, out):
    """The Stream of the files that were given."""
    if is_trace_file(paths[0]):
        return described(program, paths[0].absolute(), str(paths[0]))
    return imported(program, paths, out)
