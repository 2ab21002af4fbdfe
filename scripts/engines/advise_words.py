# SPDX-License-Identifier: MIT
"""An advice in words: its sentence, the table of a terminal, the commands to go on with, and its files."""

import csv
import io
import json
import math
import shlex

from engines.advice import more_by
from engines.prediction import DOSE_MODEL, MODEL
from report.data.words import human_bytes

FREE = "an answer for nothing"
BASES = ("dose", "replay")


def figure(value, scale=1.0):
    """A number with one decimal; what has no end is `more`."""
    return f"{scale * value:.1f}" if math.isfinite(value) else "more"


def bracketed(interval, scale=1.0):
    """The ends of an interval."""
    return f"[{figure(interval.low, scale)}, {figure(interval.high, scale)}]"


def quantity(prediction):
    """(what is told, its scale, the unit with it): nodes a second where they are known, else ns a node."""
    if prediction.more is None:
        return prediction.saved, 1.0, "ns a node"
    return prediction.more, 100.0, "%"


def bound_words(advice):
    """What an answer for nothing would bring."""
    told, scale, unit = quantity(advice.bound)
    if told.value <= 0:
        return f"by the {advice.basis} {FREE} would bring nothing"
    return f"{FREE} would {'bring' if unit == '%' else 'save'} {figure(told.value, scale)} {unit}"


def sentence(advice):
    """The advice in one sentence."""
    row = advice.named
    told, scale, unit = quantity(row.prediction)
    if advice.best:
        what = "more nodes a second than" if unit == "%" else "less than"
        said = f"{row.method}: about {figure(told.value, scale)} {unit} {what} {advice.reference} {bracketed(told, scale)}"
        return f"{said}; {bound_words(advice)}."
    guess = f"{row.method}, {figure(told.value, scale)} {unit} {'more nodes a second' if unit == '%' else 'less'}"
    which = "the best guess is" if told.value > 0 else "nor is one by the best guess; the nearest is"
    said = f"no method is shown to be faster than {advice.reference} here; {which} {guess} {bracketed(told, scale)}"
    return f"{said}; {bound_words(advice)}."


def not_ruled_out(advice):
    """The methods beside the named one that may save as much, in a sentence; "" where there is none."""
    least = advice.named.prediction.saved.low
    others = [row.method for row in advice.rows if row is not advice.named and row.prediction.saved.high >= least]
    return f"Not ruled out to be as good: {', '.join(others)}." if others else ""


def signed(interval, scale, unit=""):
    """An interval as a table has it, "" for none."""
    if interval is None:
        return ""
    value, low, high = (f"{scale * end:+.1f}" if math.isfinite(end) else "more" for end in interval)
    return f"{value}{unit} [{low}, {high}]"


def other_basis(advice):
    """What else may have predicted."""
    return "replay" if advice.basis == "dose" else "dose"


def heads(advice):
    """The heads of the table's columns."""
    return [
        "method",
        *(["more nodes a second"] if advice.ns_per_node else []),
        *([f"by the {other_basis(advice)}"] if any(other_basis(advice) in row.by for row in advice.rows) else []),
        "ns a node saved",
        "tables",
        "CPU",
    ]


def other_cell(row, advice):
    """(text, number) of the second estimate, in per cent where that is known."""
    other = row.by.get(other_basis(advice))
    more = more_by(row, advice, other_basis(advice))
    if other is None:
        return "", None
    return (signed(more, 100, " %"), 100 * more.value) if more else (signed(other, 1), other.value)


def cells(advice):
    """The table: a row per method, of (text, number to sort by or None); the reference stands where it saves nothing."""
    found = []
    for row in advice.rows:
        more, saved = row.prediction.more, row.prediction.saved
        line = [(row.method, None)]
        line += [(signed(more, 100, " %"), 100 * more.value)] if more else []
        line += [other_cell(row, advice)] if f"by the {other_basis(advice)}" in heads(advice) else []
        line += [(signed(saved, 1), saved.value), (human_bytes(row.table_bytes), row.table_bytes), (row.needs or "any", None)]
        found.append((saved.value, line))
    blank = [("0", 0.0)] * (len(heads(advice)) - 3)
    size, needs = (human_bytes(advice.reference_bytes), advice.reference_bytes), (advice.reference_needs or "any", None)
    found.append((0.0, [(f"{advice.reference} (now)", None), *blank, size, needs]))
    return [line for _, line in sorted(found, key=lambda entry: -entry[0])]


def text_table(advice):
    """The table for a terminal."""
    rows = [heads(advice), *([text for text, _ in line] for line in cells(advice))]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows)


def next_commands(advice, program, scripts):
    """What to type next: list of (what for, command)."""
    method, script = advice.named.method, f"{scripts}/slidebench.py"
    duel = [program, "duel", "old=build/old/*", "new=build/new/*", "--out", "reports/duel"]
    exchange = [script, "exchange", "RECIPE", "--out", "build/exchange", "--slidebench", program, "--method", method]
    build = "-- YOUR BUILD COMMAND"
    return [
        ("the method as one header", shlex.join([program, "export", method, "--out", f"{method}.h"])),
        ("an engine that has a recipe (scripts/engines/README.md)", shlex.join(exchange)),
        ("your engine as it is, in several placements", f"{shlex.quote(script)} placements --out build/old {build}"),
        ("and with the header in the place of its look-ups", f"{shlex.quote(script)} placements --out build/new {build}"),
        ("which of them searches more nodes a second", shlex.join(duel)),
    ]


def finite(interval):
    """An interval as an object of JSON, None for none; an end that there is not is null."""
    if interval is None:
        return None
    return {name: end if math.isfinite(end) else None for name, end in interval._asdict().items()}


def row_object(row, advice):
    """A method as JSON has it."""
    return {
        "method": row.method,
        "is_shown": row.is_shown,
        "more_nodes": finite(row.prediction.more),
        "nodes_per_second": finite(row.prediction.nodes_per_second),
        "saved_ns_per_node": finite(row.prediction.saved),
        **{f"saved_ns_per_node_by_{basis}": finite(row.by.get(basis)) for basis in BASES},
        **{f"more_nodes_by_{basis}": finite(more_by(row, advice, basis)) for basis in BASES},
        "replay_ratio": finite(row.ratio),
        "table_bytes": int(row.table_bytes),
        "needs": row.needs,
    }


def as_json(advice, following):
    """advice.json; fractions, not per cent."""
    bound = {"saved_ns_per_node": finite(advice.bound.saved), "more_nodes": finite(advice.bound.more)}
    told = {
        "schema": 1,
        "sentence": sentence(advice),
        "reference": advice.reference,
        "method": advice.best.method if advice.best else None,
        "stream": {"files": advice.stream.said, "digest": advice.stream.digest, "queries": advice.stream.queries},
        "queries_per_node": advice.queries_per_node,
        "ns_per_node": advice.ns_per_node,
        "basis": advice.basis,
        "model": vars(DOSE_MODEL if advice.basis == "dose" else MODEL),
        "answer_for_nothing": bound,
        "methods": [row_object(row, advice) for row in advice.rows],
        "notes": list(advice.notes),
        "next": [{"what": what, "command": command} for what, command in following],
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


INTERVALS = {f"{name}{by}": scale for by in ("", *(f"_by_{basis}" for basis in BASES))
             for name, scale in (("more_percent", 100), ("saved_ns_per_node", 1))}  # fmt: skip


def as_csv(advice):
    """advice.csv: a row per method; an empty cell is not known."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    ends = [f"{name}{end}" for name in INTERVALS for end in ("", "_low", "_high")]
    writer.writerow(["method", *ends, "table_bytes", "needs"])
    for row in advice.rows:
        by = [interval for basis in BASES for interval in (more_by(row, advice, basis), row.by.get(basis))]
        told = (row.prediction.more, row.prediction.saved, *by)
        numbers = [number for interval, scale in zip(told, INTERVALS.values()) for number in csv_ends(interval, scale)]
        writer.writerow([row.method, *numbers, int(row.table_bytes), row.needs])
    return text.getvalue()


def csv_ends(interval, scale):
    """The three numbers of an interval as text."""
    ends = interval or (math.nan,) * 3
    return [f"{scale * end:.4f}" if math.isfinite(end) else "" for end in ends]
