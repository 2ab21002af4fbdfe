# SPDX-License-Identifier: MIT
"""What a run says, in sentences.

Every name and number comes from the data; a winner is named only where there is one.
"""

import math
from itertools import combinations

import numpy as np
import pandas as pd

import report_answer
import report_figures
import report_orders
from report_data import dig, human_number, human_ratio, items


def name_of(row):
    """What a sentence calls an arm: its title, and its short label where the title alone is not unique or missing."""
    return f"{row.title} ({row.label})" if row.title else row.label


def leaders(run, cell):
    """The methods that share the first place of a cell.

    The fastest of those judged faster than the reference, and every other of those whose interval reaches into the
    fastest one's, widened by the margin: this run cannot tell them apart.

    Args:
        run: Run.
        cell: Cell.

    Returns:
        list of rows (namedtuples), fastest first; empty where nothing is faster than the reference.
    """
    rows = run.ranked(cell)
    faster = list(rows[rows["verdict"] == "faster"].itertuples())
    if not faster:
        return []
    end = faster[0].ratio_high if math.isfinite(faster[0].ratio_high) else faster[0].ratio
    reach = end * (1 + (run.margin(cell) or 0))
    return [
        row
        for row in faster
        if row is faster[0] or (row.ratio_low if math.isfinite(row.ratio_low) else row.ratio) <= reach
    ]


def cell_sentences(run, cell):
    """What one cell says.

    Args:
        run: Run.
        cell: Cell.

    Returns:
        list of str: who leads, who equals the reference, who cannot be judged.
    """
    reference = run.one(cell, "reference")
    if reference is None:
        return ["No reference ran in this cell: nothing was compared."]
    rows = run.ranked(cell)
    rows = rows[rows["role"] == "method"]
    if rows.empty:
        return [f"Only the reference, {name_of(reference)}, ran: {human_number(reference['ns_per_query'])} ns a query."]
    sentences = [_who_leads(run, cell, name_of(reference))]
    equal, open_ = (list(rows[rows["verdict"] == verdict].itertuples()) for verdict in ("equivalent", "inconclusive"))
    margin = run.margin(cell)
    if margin is None:
        sentences.append("No A/A arm ran, so there is no margin and no verdict.")
    elif equal:
        sentences.append(
            f"Equivalent to {name_of(reference)}, within \N{PLUS-MINUS SIGN}{100 * margin:.1f} %: {_listed(equal)}."
        )
    if open_ and margin is not None:
        sentences.append(f"Not decided by this run: {_listed(open_)}.")
    return sentences


def _who_leads(run, cell, reference):
    first = leaders(run, cell)
    if not first:
        return f"No method was measured to be faster than the reference, {reference}."
    best = first[0]
    cost = f"{human_number(best.ns_per_query)} ns a query, {human_ratio(best.ratio)} times the reference"
    if math.isfinite(best.ratio_low) and math.isfinite(best.ratio_high):
        cost += f" (95 % interval {human_ratio(best.ratio_low)} to {human_ratio(best.ratio_high)})"
    if len(first) == 1:
        return f"{name_of(best)} is the fastest: {cost}."
    return f"{_listed(first)} lead, and this run cannot tell them apart; the first of them takes {cost}."


def _listed(rows, most=8):
    """Names in a row: `a, b and c`; a long list is cut, and says so."""
    names = [name_of(row) for row in rows[:most]]
    if len(rows) > most:
        return f"{', '.join(names)} and {len(rows) - most} more"
    return _and(names)


def overall(run):
    """The sentences over all cells: does one method lead everywhere, and do the cells agree on the order?

    Args:
        run: Run.

    Returns:
        list of str.
    """
    cells = run.plain
    count = len(cells)
    firsts = {}
    for cell in cells:
        first = leaders(run, cell)
        key = name_of(first[0]) if len(first) == 1 else "several methods" if first else None
        firsts[key] = firsts.get(key, 0) + 1
    if count == 1:
        return [f"{cells[0].name}: {cell_sentences(run, cells[0])[0]}"]
    if len(firsts) == 1:
        (key,) = firsts
        sentences = [_capital(f"{_leading(key)} in each of the {count} cells (workload, trace and pressure).")]
    else:
        shares = [f"{_leading(key)} in {n}" for key, n in sorted(firsts.items(), key=lambda kv: (-kv[1], str(kv[0])))]
        sentences = [
            f"The answer depends on what is timed. Of {count} cells (workload, trace and pressure): "
            f"{'; '.join(shares)}."
        ]
    return sentences + _agreement(run, cells)


def _capital(sentence):
    return sentence[:1].upper() + sentence[1:]


def _leading(key):
    if key is None:
        return "no method is faster than the reference"
    return "several methods share the lead" if key == "several methods" else f"{key} leads"


def _agreement(run, cells):
    pairs = [(report_figures.agreement(run, a, b), a, b) for a, b in combinations(cells, 2)]
    pairs = [pair for pair in pairs if pair[0] is not None]
    if not pairs:
        return []
    tau, a, b = min(pairs, key=lambda pair: pair[0])
    if tau >= 1:
        return ["All cells put the methods in the same order."]
    return [
        f"The orders of two cells agree with a Kendall \N{GREEK SMALL LETTER TAU} of {human_number(tau)} at the "
        f"least ({a.name}; {b.name}), where 1 is the same order and 0 no relation."
    ]


def twin_sentence(run):
    """How far the A/A arm, which is the reference once more, came out from 1.

    Args:
        run: Run.

    Returns:
        str.
    """
    twins = run.summary[(run.summary["role"] == "twin") & run.summary["ratio"].notna()]
    if twins.empty:
        return "No A/A arm ran: how far identical code differs on this machine was not measured."
    worst = twins.loc[twins["ratio"].map(lambda r: abs(math.log(r))).idxmax()]
    interval = ""
    if math.isfinite(worst["ratio_low"]) and math.isfinite(worst["ratio_high"]):
        interval = f" (95 % interval {worst['ratio_low']:.4f} to {worst['ratio_high']:.4f})"
    return (
        "The A/A arm is the reference's own code, loaded a second time. It differed by nothing and came out furthest"
        f" from 1 at {worst['ratio']:.4f} times the reference{interval}, in {worst['workload']} on {worst['trace']}."
    )


def headline(run, answers):
    """The answer in a sentence or two: the best for each use in the situation nearest to an engine.

    Args:
        run: Run.
        answers: what `report_answer.answers` gave.

    Returns:
        list of str.
    """
    sentences = []
    for pressure, title in reversed(report_answer.SITUATIONS):
        uses = {}
        for use in report_answer.USES:
            found = dict(answers.get((use, pressure), [])).get(None, [])
            names = _best_names([answer for answer in found if answer.margin is not None])
            if names:
                uses.setdefault(names, []).append(use.name.lower())
        if uses:
            parts = "; ".join(f"{_and(asked)}: {names}" for names, asked in uses.items())
            sentences.append(f"{title} \N{EN DASH} {parts}.")
    if not sentences:
        return overall(run)[:1]
    where = (
        f"On {dig(run.info, 'machine', 'cpu') or 'this CPU'}, trace {report_answer.trace_of(run)}, tables of any size."
    )
    return [f"{where} {sentences[0]}", *sentences[1:][-1:]]


def _best_names(found):
    """The best of a use and what is level with it; where its workloads disagree, which is for what."""
    if len({answer.best.arm for answer in found}) < 2:
        return _choice(found) if found else ""
    when = report_answer.WHEN
    return ", ".join(f"{_choice([a])} {when.get(a.cell.workload, a.cell.workload)}" for a in found)


def _choice(group):
    """One choice in words, of answers with the same best method."""
    if any(answer.undecided for answer in group):
        return choice_of_many(group)
    level = len({row.arm for answer in group for row in answer.ties})
    best = group[0].best
    return f"{best.title} (level with {level} more)" if level and best.title else name_of(best)


def choice_of_many(group):
    """What to say of answers that chose no method.

    Args:
        group: list of Answer with the same best method, one of them undecided at least.

    Returns:
        str.
    """
    level = len({row.arm for answer in group for row in (answer.best, *answer.ties)})
    return f"nothing to choose between {level} of {max(answer.compared for answer in group)} methods"


def _and(words):
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def alarms(run):
    """What makes a run unfit to rely on.

    Args:
        run: Run.

    Returns:
        list of (heading, list of texts).
    """
    found = []
    complete = dig(run.info, "complete")
    if complete is not True:
        state = "This run is incomplete" if complete is False else "Whether this run is complete was not recorded"
        found.append(
            (
                f"{state}.",
                [
                    "It may have been stopped before all rounds were measured; what follows holds for the rounds there "
                    "are, and verdicts may change."
                ],
            )
        )
    failed = [f"{row[0]}, {row[1]}: {row[4]}, expected {row[2]:g}" for row in check_rows(run) if row[5] == "failed"]
    if has_failed(run):
        said = "This run failed its own checks. Do not rely on its verdicts."
        found.append((said, failed or ["run.json does not say which check failed"]))
    return found


def has_failed(run):
    """Whether a check of the run failed. An imprecise one has not: its cell's wide margin guards the verdicts."""
    results = {row[5] for row in check_rows(run)}
    return "failed" in results or (dig(run.info, "checks", "valid") is False and "imprecise" not in results)


def warnings(run):
    """What a reader should know before trusting small differences: the run's own warnings, and what the data shows.

    Args:
        run: Run.

    Returns:
        list of str.
    """
    recorded = dig(run.info, "warnings")
    found = [str(warning) for warning in recorded] if isinstance(recorded, list) else []
    if dig(run.info, "counters", "status") == "none":
        found.append(counters_sentence(run))
    if run.samples.empty:
        found.append("samples.csv is not in this folder: no diagnostics by round, and crossings without intervals")
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
    """The checks of the run: the A/A arm and the positive control, cell by cell.

    Args:
        run: Run.

    Returns:
        list of (check, cell, expected, found, interval, result); numbers are float, the rest str. Results are "passed",
        "imprecise" (as expected, in an interval so wide that a fault might hide in it), "failed" or "not recorded".
    """
    rows = []
    for kind, name, expected, found in (
        ("twin", "A/A", None, "ratio"),
        ("control", "positive control, cycles", "expected_cycles", "measured_cycles"),
    ):
        for entry in items(run.info, "checks", kind):
            place = entry.get("cell")
            cell = report_orders.cell_of(place).name if isinstance(place, dict) else str(place or "not recorded")
            numbers = [report_orders.number(entry.get(key)) for key in (found, "low", "high")]
            middle, low, high = (math.nan if value is None else float(value) for value in numbers)
            wanted = 1.0 if expected is None else report_orders.number(entry.get(expected))
            # Older runs know two results only.
            older = {True: "passed", False: "failed"}.get(entry.get("ok"), "not recorded")
            result = str(entry.get("result") or older)
            interval = f"{middle:.4g} [{low:.4g}, {high:.4g}]"
            rows.append((name, cell, math.nan if wanted is None else float(wanted), middle, interval, result))
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
    """What could make this run's answer wrong for the reader. Only what applies is said.

    Args:
        run: Run.

    Returns:
        list of (heading, text).
    """
    found = []
    hypervisor = dig(run.info, "machine", "hypervisor")
    if hypervisor is not None:
        counted = (
            ""
            if dig(run.info, "counters", "status") == "papi"
            else " Without hardware counters a cause can be simulated but not observed."
        )
        found.append(
            (
                "Virtual machine",
                (
                    f"The run was made under {hypervisor}. Other guests share caches, memory and "
                    f"clock; rounds that compare neighbours in time reduce that, and cannot remove it.{counted}"
                ),
            )
        )
    found.append(("Isolated loops do not predict an engine", _isolation_text(run)))
    found.append(
        (
            "One binary layout",
            (
                "Every method was measured in one build. Where the linker puts a loop can be "
                "worth several per cent, and no number of rounds averages that out; the interval does not hold it."
            ),
        )
    )
    launches = run.summary["launches"].max()
    if launches == 1:
        found.append(
            (
                "One launch",
                (
                    "All rounds ran in one process. The intervals hold only within that launch: another "
                    "address layout may shift every number."
                ),
            )
        )
    if dig(run.info, "build", "type") not in (None, "Release"):
        found.append(("Not a release build", f"The build type was {dig(run.info, 'build', 'type')}."))
    if dig(run.info, "dirty") is True:
        found.append(
            (
                "Changed sources",
                (
                    "The working tree held changes that no commit records: the build cannot be "
                    "repeated from the commit alone."
                ),
            )
        )
    found.extend(_clock_threat(run))
    return found


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
    return [
        (
            "Unsteady clock",
            (
                f"The effective clock rate ran from {low:.2f} to {high:.2f} GHz. Ratios are taken within "
                "a round and hardly feel it; times in ns do."
            ),
        )
    ]


def skipped(run):
    """What did not run.

    Args:
        run: Run.

    Returns:
        list of (id, why), str.
    """
    return [
        (str(entry.get("id", "not recorded")), str(entry.get("why", "not recorded")))
        for entry in items(run.info, "skipped")
    ]
