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
    """What a method is chosen for: an entry of answer.json.

    Attributes:
        id, title: as answer.json has them.
        run, cell: Run and Cell in which it was measured.
        verdict: sure, unsure or withheld.
        text: the answer in words.
    """

    id: str
    title: str
    run: Run = field(repr=False, compare=False)
    cell: Cell
    verdict: str = ""
    text: str = ""


@dataclass(frozen=True)
class Answer:
    """answer.json of a run, and of the run inside an engine beside it.

    Attributes:
        cpu: with its generation; empty where it is not said.
        situations: list of Situation.
        drawn: those of the table of well-known methods, in its order.
        rows: list of (method, table bytes or None, ratios, whether each is sure); a ratio is None where not measured.
    """

    cpu: str
    situations: list
    drawn: list
    rows: list


def read_answer(run):
    """The answer of a run.

    Args:
        run: Run.

    Returns:
        Answer; None for a folder without answer.json.

    Raises:
        ReportError: the file is broken.
    """
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
        cell, words = cell_of(entry.get("cell")), [
            one_line(entry.get(k) or "") for k in ("id", "title", "verdict", "text")
        ]
        if cell is not None:
            found.append(Situation(words[0], words[1] or words[0], run, cell, *words[2:]))
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


def picture_of(run):
    """What the first picture shows: those of the answer, else what a run without one has.

    Args:
        run: Run.

    Returns:
        (list of Situation, list of arms), both may be empty.
    """
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
    """The arms that may be the fastest of a cell, as `bests` of run.json says; else all judged ones by ratio.

    Args:
        run: Run.
        cell: Cell.

    Returns:
        (list of arms, the likeliest first; whether they were compared; whether one is sure to be the fastest).
    """
    rows = run.ranked(cell)
    judged = list(rows[rows["ratio"].notna()]["arm"])
    entry = run.bests.get((cell, None), {})
    arms = [arm for arm in (dig(entry, "arms") or []) if arm in judged] if isinstance(dig(entry, "arms"), list) else []
    if not arms:
        return judged, False, False
    return arms, True, entry.get("sure") is True and len(arms) == 1
