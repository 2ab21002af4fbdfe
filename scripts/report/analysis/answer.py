# SPDX-License-Identifier: MIT
"""The answer of a run as the program wrote it (answer.json), and which of it is drawn. None of it is computed here."""

from dataclasses import dataclass, field

from report.data.cells import NODE_WORKLOADS, Cell, cell_of
from report.data.files import dig, items, number, one_line, read_json
from report.data.run import Run

# A trace of a search is nearest to an engine; random boards are the usual benchmark, and no engine's.
TRACES = ("search", "game")
LOOPS = ("throughput", "latency")
# A reader without the file is told what makes it.
COMMAND = "slidebench show DIR --json > DIR/answer.json"
TEXTS = ("id", "title", "verdict", "text", "method")  # of a situation


@dataclass(frozen=True)
class Situation:
    """What a method is chosen for: an entry of answer.json."""

    id: str  # as answer.json has it
    title: str
    run: Run = field(repr=False, compare=False)  # in which it was measured
    cell: Cell
    verdict: str = ""  # sure, unsure or withheld
    text: str = ""  # the answer in words
    method: str = ""  # the best; empty where there is none to choose
    gain: str = ""  # its time against the reference's, such as `+2.4 %`, or why there is no answer, in a few words


@dataclass(frozen=True)
class Answer:
    """answer.json of a run, and of the run inside an engine beside it."""

    cpu: str  # with its generation; empty where it is not said
    trace: str  # that the run is about
    situations: list  # list of Situation
    drawn: list  # those of the table of well-known methods, in its order
    rows: list  # (method, table bytes or None, ratios, whether each is sure) each; a ratio is None where not measured


def read_answer(run):
    """The Answer of a run; None for a folder without answer.json, ReportError for a broken one."""
    own, inside = (None if r is None else _read_one(r) for r in (run, run.engine))
    if own is None or inside is None:
        return own or inside
    # Its replays the run beside it has of more methods.
    kept = [i for i, situation in enumerate(inside.drawn) if situation.cell.workload in NODE_WORKLOADS]
    added = [situation for situation in inside.situations if situation.cell.workload in NODE_WORKLOADS]
    known = {row[0]: row for row in inside.rows}
    rows = []
    for method, size, ratios, sure in own.rows:
        *_, more, decided = known.get(method, ([None] * len(inside.drawn), [False] * len(inside.drawn)))
        rows.append((method, size, ratios + [more[i] for i in kept], sure + [decided[i] for i in kept]))
    return Answer(own.cpu, own.trace, own.situations + added, own.drawn + [inside.drawn[i] for i in kept], rows)


def _read_one(run):
    """answer.json of one folder; None where it has none."""
    if not (run.folder / "answer.json").exists():
        return None
    info = read_json(run.folder / "answer.json")
    found = {}
    for entry in items(info, "situations"):
        cell, words = cell_of(entry.get("cell")), {name: one_line(entry.get(name) or "") for name in TEXTS}
        if cell is not None:
            words["title"] = words["title"] or words["id"]
            found[words["id"]] = Situation(run=run, cell=cell, gain=gain_of(entry, info.get("reference")), **words)
    columns = list(enumerate(_list(dig(info, "table", "situations"))))
    known = [(i, found[name]) for i, name in columns if isinstance(name, str) and name in found]
    rows = []
    for row in items(info, "table", "rows"):
        ratios, sure = (dict(enumerate(_list(row.get(name)))) for name in ("ratios", "sure"))
        values = [number(ratios.get(i)) for i, _ in known]
        decided = [sure.get(i) is True for i, _ in known]
        rows.append((one_line(row.get("method", "")), number(row.get("table_bytes")), values, decided))
    cpu, trace = (one_line(info.get(name) or "") for name in ("cpu", "trace"))
    return Answer(cpu, trace, list(found.values()), [situation for _, situation in known], rows)


def _list(value):
    return value if isinstance(value, list) else []


def gain_of(entry, reference):
    """The time of a situation's method against the reference's, or why answer.json names none, in a few words."""
    method, ratio = entry.get("method"), number(entry.get("ratio"))
    if not method:
        return "no answer" if entry.get("verdict") == "withheld" else "nothing to choose"
    if ratio is None or method == reference:
        return ""
    if reference in _list(entry.get("tied_with")):
        return "level"
    percent = 100 * (ratio - 1)
    return f"{percent:+.{int(abs(percent) < 9.95)}f} %".replace("-", "\N{MINUS SIGN}")


def picture_of(run):
    """What the first picture shows: lists of Situation and of methods, empty for a run without an answer."""
    answer = read_answer(run)
    return (answer.drawn, [method for method, *_ in answer.rows]) if answer else ([], [])


def trace_of(run):
    """The trace that a run is about, as its answer says; None for a run without one."""
    answer = read_answer(run)
    return answer.trace if answer else None


def leaders(run, cell):
    """The contenders that may be the fastest of a cell, as `bests` of run.json says; else all judged ones by ratio: (contenders,
    the likeliest first; whether they were compared; whether one is sure to be the fastest)."""
    rows = run.ranked(cell)
    judged = list(rows[rows["ratio"].notna()]["contender"])
    entry = run.bests.get((cell, None), {})
    contenders = [contender for contender in _list(entry.get("contenders")) if contender in judged]
    return (contenders, True, entry.get("sure") is True and len(contenders) == 1) if contenders else (judged, False, False)
