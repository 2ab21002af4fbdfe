# SPDX-License-Identifier: MIT
"""The answer to the old question: five sentences and a table of eight settings, worded from the data alone."""

from report.analysis.findings import and_list
from report.data.files import matching, one_line
from report.data.words import human_percent
from studies.plain_vs_fancy.data import DIFFERENT, EQUIVALENT, FANCY, HOST, ISOLATED, PLAIN, QUESTIONS, UNRESOLVED
from studies.plain_vs_fancy.data import main_trace, misses, whole_tables

# What others reported. Sizes: the Chessprogramming wiki's page on magic bitboards, after TalkChess thread 35858 of
# August 2010 (R. Purves). Percentages: a public note of 2026 that sums the thread up; second-hand, hints, no targets.
HISTORY = {
    "year": "2010",
    "old_plain": "2 MiB + 256 KiB",
    "old_fancy": "about 800 KiB + 38 KiB",
    "old_core_percent": "2.6",
    "new_core_percent": "1.6",
}
NOT_MEASURED = "not measured"
PERFT, SEARCH = "perft", "search without a network"
NETWORKS = {"search, network of 256": "one of 256", "search, network of 1,024": "one of 1,024"}
PAGE_NAMES = {"4k": "4 KiB pages", "2m": "2 MiB pages"}


def percent(ratio):
    """How much more time a ratio is, in words: `2.1 % slower`."""
    change = 100 * (ratio - 1)
    return f"{abs(change):.1f} % {'slower' if change > 0 else 'faster'}"


def margin_text(factor):
    """A margin, given as a factor, in per cent."""
    return f"{100 * (factor - 1):.2g} %"


def span(row):
    """A ratio with its interval, `4.3 % slower [3.9, 4.8]`: the brackets are per cent too, below 0 for faster."""
    low, high = (100 * (end - 1) for end in (row.ratio_low, row.ratio_high))
    return f"{percent(row.ratio)} [{low:.1f}, {high:.1f}]"


def how_sure(row):
    """What a verdict says, in words."""
    margin = margin_text(row.margin)
    if row.verdict == DIFFERENT:
        return f"surely more than the margin of {margin}"
    if row.verdict == EQUIVALENT:
        return f"surely less than the margin of {margin}"
    if row.verdict == UNRESOLVED:
        return f"no equality can be shown, because identical code differed by up to {human_percent(row.aa_bound)}"
    if row.ratio_low <= 1 <= row.ratio_high:
        return "not told apart"
    return f"apart, but not surely by more than the margin of {margin}"


def with_verdicts(rows, texts):
    """Texts about rows with what the verdicts say of each, once where all say the same."""
    said = [how_sure(row) for row in rows]
    if len(set(said)) > 1:
        return and_list([f"{text} ({verdict})" for text, verdict in zip(texts, said)])
    return f"{and_list(texts)}: {'both ' if len(said) > 1 else ''}{said[0]}"


def row_of(head, name):
    """The row of a setting: on small pages, else on whatever there is; None without any."""
    rows = head[head["name"] == name].sort_values("pages", ascending=False)
    return next(rows.itertuples(index=False), None)


def machine_name(info):
    """The machine of a run.json as a reader names it."""
    machine = info.get("machine", {})
    name = one_line(machine.get("cpu") or "a processor that does not say its name")
    return f"{name}, {machine['hypervisor']} guest" if machine.get("hypervisor") else name


def answer(study, head):
    """A sentence each on perft, a classical search, searches with networks, loops, and the cause; list of str."""
    return [_perft(study, head), _search(head), _networks(head), _loops(head), _why(study, head)]


def _perft(study, head):
    row = row_of(head, PERFT)
    if row is None:
        return f"**In perft**, the unit of {HISTORY['year']}: {NOT_MEASURED} in this run."
    relations = {}
    for name, gap in (("an i5", HISTORY["new_core_percent"]), ("a Core 2 Duo", HISTORY["old_core_percent"])):
        old = 1 + float(gap) / 100
        relation = "more than" if row.ratio_low > old else "less than" if row.ratio_high < old else "in keeping with"
        relations.setdefault(relation, []).append(f"the {gap} % on {name}")
    then = ", ".join(f"{relation} {' and '.join(gaps)}" for relation, gaps in relations.items())
    return (
        f"**In perft**, on this machine ({machine_name(study.info)}), plain magic is {span(row)} than fancy: "
        f"{how_sure(row)}, and {then} that were reported, second-hand, in {HISTORY['year']}."
    )


def _search(head):
    row = row_of(head, SEARCH)
    if row is None:
        return f"**In a classical search**, without a network: {NOT_MEASURED} in this run."
    others = head[(head["name"] == SEARCH) & (head["pages"] != row.pages) & (head["verdict"] != row.verdict)]
    else_ = "".join(f"; on {PAGE_NAMES[row.pages]}, {span(row)}, {how_sure(row)}" for row in others.itertuples())
    return f"**In a classical search**, without a network, plain is {span(row)} a node: {how_sure(row)}{else_}."


def _networks(head):
    rows = {short: row for name, short in NETWORKS.items() if (row := row_of(head, name)) is not None}
    if not rows:
        return f"**In searches with networks** of 256 and 1,024: {NOT_MEASURED} in this run."
    said = with_verdicts(rows.values(), [f"{span(row)} a node with {short}" for short, row in rows.items()])
    return f"**In a search with a network** plain is {said}."


def _loops(head):
    kinds = {"throughput": "independent look-ups", "latency": "look-ups that wait for each other"}
    parts = []
    for where in ("alone", "under pressure"):
        names = [name for name, workload, *_ in QUESTIONS if workload in kinds and name.endswith(where)]
        rows = [row for name in names if (row := row_of(head, name)) is not None]
        if rows:
            place = "alone" if where == "alone" else f"beside the memory traffic of a network (`{rows[0].pressure}`)"
            said = with_verdicts(rows, [f"{span(row)} in {kinds[row.workload]}" for row in rows])
            parts.append(f"{place}, {said}")
    if not parts:
        return f"**In a loop** of nothing but look-ups: {NOT_MEASURED} in this run."
    return f"**In a loop** of nothing but look-ups plain is, {'; '.join(parts)}."


def _why(study, head):
    """The cause, as far as table sizes, simulated misses and the measured times tell it."""
    text = f"**Why**: plain's tables are {study.table_bytes(PLAIN) / study.table_bytes(FANCY):.1f} times as large"
    tables = whole_tables(study)
    lines = tables[tables["trace"] == main_trace(tables)].groupby("method")["distinct_lines"].max()
    if {FANCY, PLAIN} <= set(lines.index):
        text += f"; the same look-ups touch {lines[PLAIN] / lines[FANCY]:.1f} times as many cache lines"
    levels = level_counts(study)
    if levels:
        counts = and_list([f"{level} {plain:.3f} instead of {fancy:.3f}" for level, (fancy, plain) in levels.items()])
        text += f" and miss more often (simulated, alone, misses a look-up: {counts})"
    extra = [row.plain_ns - row.fancy_ns for row in head.itertuples() if row.workload in ("throughput", "latency")]
    if extra:
        text += f"; in the loops that makes {min(extra):+.1f} to {max(extra):+.1f} ns a look-up"
    nodes = [row for name in (SEARCH, *NETWORKS) if (row := row_of(head, name)) is not None]
    if extra and len(nodes) > 1:
        least, most = (pick(nodes, key=lambda row: row.fancy_ns) for pick in (min, max))
        text += (
            f", and the same nanoseconds are a smaller share of a node of {most.fancy_ns:,.0f} ns ({most.name}) than "
            f"of one of {least.fancy_ns:,.0f} ns ({least.name})"
        )
    return text + "."


def level_counts(study):
    """Levels of the host that plain misses more often than fancy, alone: dict level -> (fancy, plain) a look-up."""
    rows = misses(study)
    rows = matching(rows, trace=main_trace(rows), pressure=ISOLATED, cache=HOST, pages="4k")
    wide = rows.pivot(index="level", columns="method", values="per_query").reindex(rows["level"].unique())
    return {level: (row[FANCY], row[PLAIN]) for level, row in wide.iterrows() if row[PLAIN] - row[FANCY] >= 0.01}


def answer_table(head):
    """The settings of the old question, a row each: (heads, rows) of strings."""
    rows = []
    for name, *_ in QUESTIONS:
        first = row_of(head, name)
        if first is None:
            rows.append([name, "", "", NOT_MEASURED, "", "", "", ""])
            continue
        cells = [name + (" \\*" if first.place else ""), f"{first.fancy_ns:.2f}", f"{first.plain_ns:.2f}"]
        own = head[head["name"] == name]
        for pages in PAGE_NAMES:
            found = next(own[own["pages"] == pages].itertuples(), None)
            cells += [NOT_MEASURED, ""] if found is None else [span(found), found.verdict]
        rows.append([*cells, human_percent(own["aa_bound"].max())])
    heads = ["setting", ">fancy, ns", ">plain, ns"]
    heads += [text for pages in PAGE_NAMES.values() for text in (f"plain is, {pages}", "verdict")]
    return [*heads, ">identical code, at most"], rows


def repeated(study, head):
    """What the other run has for settings that the study has too, list of str: it shows how well this one repeats."""
    key = ["workload", "kinds", "trace", "pressure", "pages", "corunners"]
    theirs = study.other.verdicts.set_index(key)
    own = [row for name, *_ in QUESTIONS if (row := row_of(head, name)) is not None and not row.place]
    places = [(tuple(getattr(row, column) for column in key), row.name) for row in own]
    return [f"{span(theirs.loc[place])} in {name}" for place, name in places if place in theirs.index]
