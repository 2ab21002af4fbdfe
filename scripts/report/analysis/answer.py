# SPDX-License-Identifier: MIT
"""The answer of a run as the program wrote it (answer.json), and which of it is drawn. None of it
is computed here."""

from dataclasses import dataclass

from report.data.cells import Cell, cell_of
from report.data.files import dig, items, number, one_line, read_json
from report.data.words import true_minus

LOOPS = ("throughput", "latency")
# A reader without the file is told what makes it.
COMMAND = "slidebench show DIR --json > DIR/answer.json"
TEXTS = ("id", "title", "verdict", "text", "method")  # of a situation
SURENESS = ("sure", "unsure", "withheld")


@dataclass(frozen=True)
class Situation:
    """What a method is chosen for: an entry of answer.json."""

    id: str  # as answer.json has it
    title: str
    cell: Cell
    verdict: str = ""  # sure, unsure or withheld
    text: str = ""  # the answer in a sentence
    method: str = ""  # the best; empty where there is none to choose
    what: str = ""  # the answer's line: the method, or why none is named
    change: str = ""  # its time against the reference's, with the interval
    shown: bool | None = None  # whether a difference to the reference is shown; None where it is not said
    rest: str = ""  # what else is tied, or the detection limit
    ratio: tuple = (None, None, None)  # of the method, with its interval
    second_answer: float | None = None  # what asking every query twice adds to the reference's time


@dataclass(frozen=True)
class Answer:
    """The answer against one reference."""

    cpu: str  # with its generation; empty where it is not said
    trace: str  # that the run is about
    reference: str  # a method
    deciding: str  # id of the situation that decides
    verdict: list  # (title, text) of each kind of engine that was measured; empty where an older program wrote the answer
    situations: list  # list of Situation
    drawn: list  # those of the table of methods, in its order
    rows: list  # (method, table bytes or None, ratios, whether each is sure) each; a ratio is None where not measured
    next: tuple  # (command that would decide more, why), or empty


def read_answer(run):
    """The Answer of a run; None for a folder without answer.json, ReportError for a broken one."""
    if not (run.folder / "answer.json").exists():
        return None
    info = read_json(run.folder / "answer.json")
    reference = one_line(info.get("reference") or "")
    found = {entry.id: entry for entry in (_situation(e) for e in items(info, "situations")) if entry}
    columns = list(enumerate(_list(dig(info, "table", "situations"))))
    known = [(i, found[name]) for i, name in columns if isinstance(name, str) and name in found]
    rows = []
    for row in items(info, "table", "rows"):
        ratios, sure = (dict(enumerate(_list(row.get(name)))) for name in ("ratios", "sure"))
        values = [number(ratios.get(i)) for i, _ in known]
        decided = [sure.get(i) is True for i, _ in known]
        rows.append((one_line(row.get("method", "")), number(row.get("table_bytes")), values, decided))
    words = {name: one_line(info.get(name) or "") for name in ("cpu", "trace", "deciding")}
    more = [one_line(dig(info, "next", name) or "") for name in ("command", "why")]
    minutes = number(dig(info, "next", "minutes"))
    situations, drawn = list(found.values()), [situation for _, situation in known]
    return Answer(
        **words,
        reference=reference,
        verdict=[tuple(true_minus(one_line(line.get(name) or "")) for name in ("title", "text")) for line in items(info, "verdict")],
        situations=situations,
        drawn=drawn,
        rows=rows,
        next=(more[0], f"{minutes:g} min: {more[1]}" if minutes else more[1]) if more[0] else (),
    )


def _situation(entry):
    """An entry of the situations; None where it does not say which cell it is about."""
    cell, words = cell_of(entry.get("cell")), {name: one_line(entry.get(name) or "") for name in TEXTS}
    if cell is None:
        return None
    words["verdict"] = words["verdict"] if words["verdict"] in SURENESS else "unsure"
    words |= {"title": words["title"] or words["id"], "text": true_minus(words["text"])}
    lines = {name: one_line(dig(entry, "line", name) or "") for name in ("what", "change", "rest")}
    lines |= {name: true_minus(lines[name]) for name in ("change", "rest")}  # a name keeps its hyphens
    shown = entry.get("shown") if isinstance(entry.get("shown"), bool) else None
    facts = {"ratio": tuple(number(entry.get(name)) for name in ("ratio", "ratio_low", "ratio_high")), "shown": shown}
    facts["second_answer"] = number(entry.get("second_answer"))
    return Situation(cell=cell, **facts, **words, **lines)


def _list(value):
    return value if isinstance(value, list) else []


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
