# SPDX-License-Identifier: MIT
"""What a run says of itself and of a cell, in sentences: every name and number comes from the data; a winner is named
only where there is one."""

import numpy as np

from report.analysis.answer import leaders
from report.data.cells import COMPARED_ROLES, cell_of
from report.data.files import dig, interval_of, items, number
from report.data.words import human_interval, human_number, human_percent, human_ratio

MOST_NAMES = 8
INTERVALS = {
    "student-t": "Student's t on the process runs' means",
    "confidence-sequence": "a confidence sequence, which holds however often the run looks at it",
}
# What could make an answer wrong for its reader.
OF_METHODS = (
    "Isolated loops do not predict an engine",
    "In a loop the tables stay in the cache; in an engine the evaluation pushes them out. "
    "A pressure stands for that work and is an estimate. Only a search in an engine is proof.",
)
OF_ENGINES = (
    "Speed is not strength",
    "Engines were compared by CPU time per node, as each counts its nodes. An engine that searches another tree may play "
    "better or worse with the same time.",
)
OF_ALL = (
    "One set of positions, one compiler",
    "Other positions or another compiler may change the order of the methods. The intervals include the layouts that "
    "process runs drew. A method or an engine with one build may be several per cent faster or slower in another.",
)


def threats(run):
    """What could make this run's answer wrong for the reader: list of (heading, text)."""
    return [OF_ENGINES if run.is_duel else OF_METHODS, OF_ALL]


def name_of(row):
    """What a sentence calls per contender: its title, and its short label where the title alone is not unique or missing."""
    return f"{row.title} ({row.label})" if row.title else row.label


def interval_words(run):
    """What the run's intervals are, in words."""
    return INTERVALS.get(dig(run.info, "inference", "interval"), "of a kind that was not recorded")


def cell_sentences(run, cell):
    """What one cell says, list of str: who leads, and what withholds judgement."""
    if run.one(cell, "reference") is None:
        return ["No reference ran in this cell: there are times and no ratios."]
    sentences = [_who_leads(run, cell)]
    if run.unresolved(cell):
        sentences.append(f"{run.unresolved(cell).capitalize()}.")
    if (run.rows(cell, "method")["verdict"] == "void").any():
        sentences.append("Void: the empty loop was slower than a method, so nothing is said of this cell.")
    if run.aa_bound(cell) is None:
        sentences.append("No A/A control ran: how far identical code differs was not measured.")
    return sentences


def _who_leads(run, cell):
    contenders, compared, sure = leaders(run, cell)
    if not contenders:
        return "No method has a ratio in this cell."
    rows = run.rows(cell, *COMPARED_ROLES).drop_duplicates("contender").set_index("contender", drop=False)
    names = [name_of(row) for row in rows.loc[contenders].itertuples()]
    first = rows.loc[contenders[0]]
    ratio = human_interval(first["ratio"], first["ratio_low"], first["ratio_high"], human_ratio)
    cost = f"{human_number(first['ns_per_query'])} ns per {cell.unit}, {ratio} times the reference"
    if sure:
        lead = interval_of(run.bests[cell, None].get("lead"))
        ahead = "" if None in lead else f"; it takes {human_interval(*lead, human_ratio)} times as long as the second"
        return f"{names[0]} is the fastest: {cost}{ahead}."
    if compared:
        more = [f"{len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else []
        return f"{and_list(names[:MOST_NAMES] + more)} are tied; the least ratio has {names[0]}: {cost}."
    return f"{names[0]} has the least ratio, {cost}; the run did not compare the methods with each other."


def and_list(words):
    """Words in a row: `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def twin_sentence(run):
    """How far the A/A control, which is the reference once more, came out from 1."""
    bound = run.summary["aa_bound"].max()
    if not np.isfinite(bound):
        return "No A/A control ran: how far identical code differs on this machine was not measured."
    bad = sum(bool(run.unresolved(cell)) for cell in run.cells)
    return (
        "The A/A control is the reference's own code, loaded or started a second time, so its true ratio is 1. "
        f"Identical code differed by up to {human_percent(bound)}, and by more than the margin in {bad} of "
        f"{len(run.cells)} cells; there no method is called equivalent, and smaller differences are not significant."
    )


def alarms(run):
    """What makes a run unfit to rely on: list of (heading, list of texts)."""
    found = []
    complete = dig(run.info, "complete")
    if complete is not True:
        state = "This run is incomplete" if complete is False else "Whether this run is complete was not recorded"
        found.append((f"{state}.", ["It may have been stopped before all rounds were measured: verdicts may change."]))
    if has_failed(run):
        failed = [f"{row[0]}, {row[1]}: {row[3]}, expected {row[2]}" for row in check_rows(run) if row[4] == "failed"]
        found.append(("This run failed its own checks. Do not rely on its verdicts.", failed))
    return found


def has_failed(run):
    """Whether a check of the run failed. An imprecise one could not tell: it has neither passed nor failed."""
    results = {row[4] for row in check_rows(run)}
    return "failed" in results or (dig(run.info, "checks", "valid") is False and "imprecise" not in results)


def warnings(run):
    """What to know before trusting small differences, each with what helps: the run's own warnings, and what it lacks; list
    of str."""
    recorded = dig(run.info, "warnings")
    found = [str(warning) for warning in recorded] if isinstance(recorded, list) else []
    if dig(run.info, "counters", "status") == "none":
        found.append(f"{counters_sentence(run)}; simulated misses and kernel.csv need none")
    if run.samples.empty:
        found.append("samples.csv is not in this folder: no diagnostics by round; the folder in which the run was made has it")
    rows = run.summary[run.summary["role"] == "method"]
    moved = int((np.log(rows["ratio_unflagged"] / rows["ratio"]).abs() > np.log1p(rows["margin"])).sum())
    if moved:
        found.append(
            f"{moved} ratios move by more than the margin when disturbed rounds are left out: all methods have a column of "
            "them; repeat the run on a quiet machine"
        )
    return found


def check_rows(run):
    """The A/A and positive controls, cell by cell: (check, cell, expected with its tolerance, found with its interval,
    result) each, all str. Imprecise: the interval is so wide that a fault might hide in it."""
    names = {"twin": ("A/A", "", "margin", "ratio")}
    names["control"] = ("positive control", "expected_ratio", "tolerance_ratio", "measured_ratio")
    rows = []
    for kind, (name, wanted, tolerance, found) in names.items():
        for entry in items(run.info, "checks", kind):
            expected = number(entry.get(wanted)) if wanted else 1
            around, *shown = (number(entry.get(key)) for key in (tolerance, found, "low", "high"))
            said = " \N{PLUS-MINUS SIGN} ".join(f"{value:g}" for value in (expected, around) if value is not None)
            cell = cell_of(entry.get("cell"))
            place = cell.name if cell else "not recorded"
            value = human_interval(*shown, lambda v: human_number(v, 4))
            rows.append((name, place, said, value, str(entry.get("result") or "not recorded")))
    return rows


def counters_sentence(run):
    """Whether hardware counters were read, and if not, why."""
    status, reason = (dig(run.info, "counters", name) for name in ("status", "reason"))
    if status == "measured":
        return "Hardware events were counted in the timed samples."
    return f"No hardware counter was read: {reason or 'the reason was not recorded'}"
