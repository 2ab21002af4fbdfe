# SPDX-License-Identifier: MIT
"""The answer of a run as the program wrote it (answer.json), and which of it is drawn. None of it is computed here."""

from dataclasses import dataclass, field

from report.data.cells import COMPARED_ROLES, NODE_WORKLOADS, WORKLOAD_ORDER, Cell, cell_of
from report.data.files import dig, items, number, one_line, read_json
from report.data.run import Run

# A trace of a search is nearest to an engine; random boards are the usual benchmark, and no engine's.
TRACES = ("search", "game")
LOOPS = ("throughput", "latency")
MOST_METHODS, MOST_SITUATIONS = 8, 8
# What is drawn of a run without answer.json, as far as it was measured.
WELL_KNOWN = ("pext", "magic_fancy", "magic_plain", "magic_black", "hyperbola", "hyperbola_avx2")
WELL_KNOWN += ("obstruction_difference", "kogge_stone")
# A reader without the file is told what makes it.
COMMAND = "slidebench show DIR --json > DIR/answer.json"


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
    situations: list  # list of Situation
    drawn: list  # those of the table of well-known methods, in its order
    rows: list  # (method, table bytes or None, ratios, whether each is sure) each; a ratio is None where not measured


def read_answer(run):
    """The Answer of a run; None for a folder without answer.json, ReportError for a broken one."""
    own, inside = (None if r is None else _read_one(r) for r in (run, run.engine))
    if inside is not None and own is not None:
        inside = _inside_alone(inside)
        others = {method: (ratios, sure) for method, _, ratios, sure in inside.rows}
        none = ([None] * len(inside.drawn), [False] * len(inside.drawn))
        rows = [
            (method, size, ratios + others.get(method, none)[0], sure + others.get(method, none)[1])
            for method, size, ratios, sure in own.rows
        ]
        return Answer(own.cpu, own.situations + inside.situations, own.drawn + inside.drawn, rows)
    return own or inside


def _inside_alone(answer):
    """An answer without its replays, which the run beside it has of more methods."""
    kept = [i for i, situation in enumerate(answer.drawn) if situation.cell.workload in NODE_WORKLOADS]
    rows = [(method, size, [r[i] for i in kept], [s[i] for i in kept]) for method, size, r, s in answer.rows]
    found = [s for s in answer.situations if s.cell.workload in NODE_WORKLOADS]
    return Answer(answer.cpu, found, [answer.drawn[i] for i in kept], rows)


def _read_one(run):
    """answer.json of one folder; None where it has none."""
    if not (run.folder / "answer.json").exists():
        return None
    info, found = read_json(run.folder / "answer.json"), []
    for entry in items(info, "situations"):
        cell, words = cell_of(entry.get("cell")), [one_line(entry.get(k) or "") for k in ("id", "title", "verdict", "text")]
        if cell is not None:
            short = (one_line(entry.get("method") or ""), gain_of(entry, info.get("reference")))
            found.append(Situation(words[0], words[1] or words[0], run, cell, *words[2:], *short))
    by_id = {situation.id: situation for situation in found}
    ids = dig(info, "table", "situations")
    columns = [by_id.get(str(name)) for name in ids] if isinstance(ids, list) else []
    rows = []
    for row in items(info, "table", "rows"):
        ratios, sure = ((row.get(name) if isinstance(row.get(name), list) else []) for name in ("ratios", "sure"))
        known = [i for i, situation in enumerate(columns) if situation is not None]
        values = [number(ratios[i]) if i < len(ratios) else None for i in known]
        decided = [i < len(sure) and sure[i] is True for i in known]
        rows.append((one_line(row.get("method", "")), number(row.get("table_bytes")), values, decided))
    return Answer(one_line(info.get("cpu") or ""), found, [s for s in columns if s is not None], rows)


def gain_of(entry, reference):
    """The time of a situation's method against the reference's, or why answer.json names none, in a few words."""
    method, ratio, level = entry.get("method"), number(entry.get("ratio")), entry.get("level_with")
    if not method:
        return "no answer" if entry.get("verdict") == "withheld" else "nothing to choose"
    if ratio is None or method == reference:
        return ""
    if isinstance(level, list) and reference in level:
        return "level"
    percent = 100 * (ratio - 1)
    return f"{percent:+.{int(abs(percent) < 9.95)}f} %".replace("-", "\N{MINUS SIGN}")


def picture_of(run):
    """What the first picture shows, those of the answer, else what a run without one has: lists of Situation and of
    arms."""
    answer = read_answer(run)
    if answer is not None and answer.drawn and answer.rows:
        return answer.drawn, [method for method, *_ in answer.rows]
    judged = [c for c in run.plain if run.rows(c, *COMPARED_ROLES)["ratio"].notna().any()]
    about, loops = trace_of(run), [c.workload for c in judged if c.workload in LOOPS]
    first = min(loops, key=LOOPS.index, default=None)
    kept = [c for c in judged if c.workload in NODE_WORKLOADS or (c.workload, c.trace) == (first, about)] or judged
    if not kept:
        return [], []
    ranked = list(run.ranked(kept[0])["arm"])
    references = [arm for arm in ranked if arm in set(run.rows(kept[0], "reference")["arm"])]
    known = [arm for arm in WELL_KNOWN if arm in ranked]
    arms = known if len(known) > 2 else ranked[: MOST_METHODS - 1]
    pairs = [(run, c) for c in kept if c.workload not in NODE_WORKLOADS]
    inside = [(r, c) for r in (run, run.engine) if r for c in r.plain if c.workload in NODE_WORKLOADS]
    pairs += sorted(
        inside, key=lambda pair: (WORKLOAD_ORDER.index(pair[1].workload), len(pair[1].trace), pair[1].trace)
    )
    found = [Situation(c.name, _title_of(c), r, c) for r, c in pairs]
    return found[:MOST_SITUATIONS], list(dict.fromkeys([*arms, *references]))


def _title_of(cell):
    """A short title for a situation that no answer names."""
    if cell.workload in ("throughput", "latency"):
        return "in a loop" if cell.pressure in ("", "isolated") else cell.pressure
    return {"perft": "perft", "engine": f"search, {cell.trace}"}.get(cell.workload, cell.name)


def trace_of(run):
    """The trace that a run is about: one of the user's own engine, else the one nearest to an engine; None for a run
    without ratios."""
    names = [c.trace for c in run.cells if c.workload in (*LOOPS, "setwise") and run.rows(c)["ratio"].notna().any()]
    own = [trace.get("name") for trace in items(run.info, "traces") if dig(trace, "provenance", "kind") == "import"]
    for name in (*own, *TRACES, *sorted(set(names) - {"random"}), "random"):
        if name in names:
            return name
    return None


def leaders(run, cell):
    """The arms that may be the fastest of a cell, as `bests` of run.json says; else all judged ones by ratio: (arms,
    the likeliest first; whether they were compared; whether one is sure to be the fastest)."""
    rows = run.ranked(cell)
    judged = list(rows[rows["ratio"].notna()]["arm"])
    entry = run.bests.get((cell, None), {})
    arms = [arm for arm in (dig(entry, "arms") or []) if arm in judged] if isinstance(dig(entry, "arms"), list) else []
    if not arms:
        return judged, False, False
    return arms, True, entry.get("sure") is True and len(arms) == 1
