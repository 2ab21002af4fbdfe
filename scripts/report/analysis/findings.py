# SPDX-License-Identifier: MIT
"""What a run says, in sentences: every name and number comes from the data; a winner is named only where there is
one."""

import numpy as np
import pandas as pd

from report.analysis.answer import leaders
from report.data.cells import COMPARED_ROLES, cell_of
from report.data.files import dig, interval_of, items, number
from report.data.words import human_interval, human_number, human_percent, human_ratio

INTERVALS = {
    "student-t": "Student's t on the launches' means",
    "confidence-sequence": "a confidence sequence, which holds however often the run looks at it",
}


def name_of(row):
    """What a sentence calls an arm: its title, and its short label where the title alone is not unique or missing."""
    return f"{row.title} ({row.label})" if row.title else row.label


def interval_words(run):
    """What the run's intervals are, in words."""
    return INTERVALS.get(dig(run.info, "inference", "interval"), "of a kind that was not recorded")


def cell_sentences(run, cell):
    """What one cell says, list of str: who leads, who equals the reference, who cannot be judged, and why."""
    reference = run.one(cell, "reference")
    if reference is None:
        return ["No reference ran in this cell: there are times and no ratios."]
    rows = run.rows(cell, "method")
    if rows.empty:
        return [
            f"Only the reference, {name_of(reference)}, ran: {human_number(reference['ns_per_query'])} ns a {cell.unit}."
        ]
    sentences = [_who_leads(run, cell)]
    equal, open_, unresolved, void = (
        list(rows[rows["verdict"] == verdict].itertuples())
        for verdict in ("equivalent", "inconclusive", "unresolved", "void")
    )
    if equal:
        margin = f"\N{PLUS-MINUS SIGN}{100 * run.margin(cell):g} %"
        sentences.append(f"Equivalent to {name_of(reference)}, within {margin}: {_listed(equal)}.")
    if open_:
        sentences.append(f"Not decided by this run: {_listed(open_)}.")
    if unresolved:
        sentences.append(f"{_capital(run.unresolved(cell) or 'unresolved')}. That holds for {_listed(unresolved)}.")
    if void:
        sentences.append("Void: the empty loop was slower than a method, so the verdicts of this cell are withheld.")
    if run.aa_bound(cell) is None:
        sentences.append("No A/A control ran: how far identical code differs was not measured.")
    return sentences


def _who_leads(run, cell):
    arms, compared, sure = leaders(run, cell)
    if not arms:
        return "No method has a ratio in this cell."
    rows = run.rows(cell, *COMPARED_ROLES).drop_duplicates("arm").set_index("arm", drop=False)
    first = next(rows.loc[arms[:1]].itertuples(index=False))
    ratio = human_interval(first.ratio, first.ratio_low, first.ratio_high, human_ratio)
    cost = f"{human_number(first.ns_per_query)} ns a {cell.unit}, {ratio} times the reference"
    if sure:
        return f"{name_of(first)} is the fastest: {cost}{_ahead(run, cell)}."
    if compared:
        listed = _listed(list(rows.loc[arms].itertuples(index=False)))
        return f"{listed} cannot be told apart; the least ratio has {name_of(first)}: {cost}."
    return f"{name_of(first)} has the least ratio, {cost}; the run did not compare the methods with each other."


def _ahead(run, cell):
    lead = interval_of(run.bests.get((cell, None), {}).get("lead"))
    return "" if None in lead else f"; it takes {human_interval(*lead, human_ratio)} times as long as the second"


def _listed(rows, most=8):
    """Names in a row: `a, b and c`; a long list is cut, and says so."""
    names = [name_of(row) for row in rows[:most]]
    if len(rows) > most:
        return f"{', '.join(names)} and {len(rows) - most} more"
    return and_list(names)


def _capital(sentence):
    return sentence[:1].upper() + sentence[1:]


def twin_sentence(run):
    """How far the A/A control, which is the reference once more, came out from 1."""
    twins = run.summary[(run.summary["role"] == "twin") & run.summary["aa_bound"].notna()]
    if twins.empty:
        return "No A/A control ran: how far identical code differs on this machine was not measured."
    worst = twins.loc[twins["aa_bound"].idxmax()]
    ratio = human_interval(*(worst[name] for name in ("ratio", "ratio_low", "ratio_high")), "{:.4f}".format)
    place = cell_of({**worst, "corunners": int(worst["corunners"])}).name
    started = "the reference engine, started" if run.is_duel else "the reference's own code, loaded"
    return (
        f"The A/A control is {started} a second time, so its true ratio is 1. Furthest from it "
        f"is {place}, with {ratio}: there identical code differed by up to {human_percent(worst['aa_bound'])}. "
        f"{_unresolved_cells(run)}"
    )


def _unresolved_cells(run):
    bad = sum(bool(run.unresolved(cell)) for cell in run.cells)
    if not bad:
        return "In every cell that is less than the margin."
    return (
        f"It is more than the margin in {bad} of {len(run.cells)} cells; there no equality is shown, and a difference "
        "only where it is larger than that of identical code."
    )


def and_list(words):
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def alarms(run):
    """What makes a run unfit to rely on: list of (heading, list of texts)."""
    found = []
    complete = dig(run.info, "complete")
    if complete is not True:
        state = "This run is incomplete" if complete is False else "Whether this run is complete was not recorded"
        words = (
            "It may have been stopped before all rounds were measured; what follows holds for the rounds there are, "
            "and verdicts may change."
        )
        found.append((f"{state}.", [words]))
    failed = [f"{row[0]}, {row[1]}: {row[3]}, expected {row[2]}" for row in check_rows(run) if row[4] == "failed"]
    if has_failed(run):
        said = "This run failed its own checks. Do not rely on its verdicts."
        found.append((said, failed or ["run.json does not say which check failed"]))
    return found


def has_failed(run):
    """Whether a check of the run failed. An imprecise one could not tell: it has neither passed nor failed."""
    results = {row[4] for row in check_rows(run)}
    return "failed" in results or (dig(run.info, "checks", "valid") is False and "imprecise" not in results)


def warnings(run):
    """What to know before trusting small differences: the run's own warnings, and what the data shows; list of str."""
    recorded = dig(run.info, "warnings")
    found = [str(warning) for warning in recorded] if isinstance(recorded, list) else []
    if dig(run.info, "counters", "status") == "none":
        found.append(counters_sentence(run))
    if run.samples.empty:
        found.append("samples.csv is not in this folder: no diagnostics by round")
    elif "steal_ticks" in run.samples.columns:
        stolen = int((pd.to_numeric(run.samples["steal_ticks"], errors="coerce") > 0).sum())
        if stolen:
            share = 100 * stolen / len(run.samples)
            found.append(f"the host took time from {stolen} of {len(run.samples)} slices ({share:.1f} %)")
    moved = _moved_by_disturbed_rounds(run)
    if moved:
        found.append(
            f"{moved} ratios move by more than the margin when rounds that something disturbed are left out; the "
            "table of methods has both"
        )
    return found


def _moved_by_disturbed_rounds(run):
    rows = run.summary[(run.summary["role"] == "method") & run.summary["ratio_unflagged"].notna()]
    return int((np.log(rows["ratio_unflagged"] / rows["ratio"]).abs() > np.log1p(rows["margin"])).sum())


def check_rows(run):
    """The A/A and positive controls, cell by cell: (check, cell, expected with its tolerance, found with its interval,
    result) each, all str. Imprecise: the interval is so wide that a fault might hide in it."""
    rows = []
    for kind, name, found in (("twin", "A/A", "ratio"), ("control", "positive control, cycles", "measured_cycles")):
        for entry in items(run.info, "checks", kind):
            values = {key: number(value) for key, value in entry.items()}
            wanted, tolerance = (
                (1, values.get("margin"))
                if kind == "twin"
                else (values.get("expected_cycles"), values.get("tolerance_cycles"))
            )
            expected = "\N{EN DASH}" if wanted is None else f"{wanted:g}"
            expected += "" if tolerance is None else f" \N{PLUS-MINUS SIGN} {tolerance:g}"
            shown = human_interval(*(values.get(key) for key in (found, "low", "high")), lambda v: human_number(v, 4))
            cell = cell_of(entry.get("cell"))
            place = cell.name if cell else str(entry.get("cell") or "not recorded")
            rows.append((name, place, expected, shown, str(entry.get("result") or "not recorded")))
    return rows


def counters_sentence(run):
    """Whether hardware counters were read, and if not, why."""
    status, reason = dig(run.info, "counters", "status"), dig(run.info, "counters", "reason")
    if status == "papi":
        return "Hardware events were counted through PAPI."
    why = reason if reason is not None else "the reason was not recorded"
    if status == "none":
        return f"No hardware counter was read: {why}"
    return f"Hardware counters: status {status if status is not None else 'not recorded'}; {why}"


def threats(run):
    """What could make this run's answer wrong for the reader, only where it applies: list of (heading, text)."""
    hypervisor, emulator = (dig(run.info, "machine", name) for name in ("hypervisor", "emulator"))
    build, emulated = dig(run.info, "build", "type"), "which carries out one processor's instructions by another's"
    entries = [
        ("Virtual machine", _guest_text(run, hypervisor), hypervisor is not None),
        ("Speed is not strength", SPEED, run.is_duel),
        ("Isolated loops do not predict an engine", _isolation_text(run), not run.is_duel),
        ("Layout of the code", _layout_text(run), not run.is_duel),
        ("One set of positions", POSITIONS, True),
        ("Emulator", f"The times are those of {emulator}, {emulated}.", emulator is not None),
        ("One launch", ONE_LAUNCH, run.summary["launches"].max() == 1),
        ("Not a release build", f"The build type was {build}.", build not in (None, "Release")),
        ("Changed sources", CHANGED, dig(run.info, "dirty") is True),
    ]
    return [(heading, text) for heading, text, applies in entries if applies] + _clock_threat(run)


POSITIONS = (
    "The intervals hold for the positions that were replayed or searched. Other games may put the methods in another "
    "order."
)
SPEED = (
    "Engines were compared by CPU time a node, as each counts its nodes. Where they search the same tree that is speed "
    "alone; where they do not, an engine may need fewer nodes for the same. Each engine is one build, at one layout of "
    "its code, which can be worth several per cent."
)
ONE_LAUNCH = (
    "All rounds ran in one process. There are no intervals: another launch, with other addresses, may shift every "
    "number."
)
CHANGED = "The working tree held changes that no commit records: the build cannot be repeated from the commit alone."


def _guest_text(run, hypervisor):
    text = (
        f"The run was made under {hypervisor}. Other guests share caches, memory and clock; rounds that compare "
        "neighbours in time reduce that, and cannot remove it."
    )
    if dig(run.info, "counters", "status") != "papi":
        text += " Without hardware counters a cause can be simulated but not observed."
    return text


def _layout_text(run):
    worth = "Where the linker puts a loop can be worth several per cent, and no number of rounds averages that out; "
    builds = run.samples.loc[run.samples["role"] == "method", "layout"].nunique()
    if builds > 1 or dig(run.info, "protocol", "vary_layout") is True:
        drawn = f"the {builds} builds" if builds > 1 else "the builds"
        return (
            f"{worth}so each launch drew its modules from builds that differ in addresses alone. The intervals hold "
            f"for {drawn} drawn from."
        )
    return f"{worth}the intervals hold for this one build."


def _isolation_text(run):
    pressures = {cell.pressure for cell in run.cells} - {"", "isolated"}
    if pressures:
        return (
            f"Besides the isolated loop this run has the pressures {', '.join(sorted(pressures))}. They stand for an "
            "engine's other work and are estimates; an engine remains the only proof."
        )
    return (
        "All cells are loops that do nothing but ask for attacks. Their tables stay in cache, where an engine's "
        "evaluation would push them out; large tables look better here than in an engine."
    )


def _clock_threat(run):
    low, high = dig(run.info, "effective_ghz", "low"), dig(run.info, "effective_ghz", "high")
    if not all(isinstance(v, (int, float)) and v > 0 for v in (low, high)) or high / low < 1.05:
        return []
    text = (
        f"The effective clock rate ran from {low:.2f} to {high:.2f} GHz. Ratios are taken within a round and hardly "
        "feel it; times in ns do."
    )
    return [("Unsteady clock", text)]
