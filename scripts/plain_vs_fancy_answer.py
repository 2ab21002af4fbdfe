# SPDX-License-Identifier: MIT
"""The answer to the old question: five sentences and a table of eight settings, worded from the data alone."""

import math

from plain_vs_fancy_data import DIFFERENT, EQUIVALENT, FANCY, PLACE, PLAIN, QUESTIONS, UNRESOLVED, misses
from plain_vs_fancy_estimate import HOST, PARTS
from plain_vs_fancy_figures import PAGE_NAMES, main_trace
from plain_vs_fancy_template import HISTORY
from report.analysis.findings import and_list
from report.data.files import one_line
from report.data.words import human_percent

NOT_MEASURED = "not measured"
PERFT, SEARCH = "perft", "search without a network"
NETWORKS = {"search, network of 256": "one of 256", "search, network of 1,024": "one of 1,024"}


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


def with_verdicts(rows, texts):
    """Texts about rows with what the verdicts say of each, once where all say the same."""
    said = [how_sure(row) for row in rows]
    if len(set(said)) > 1:
        return and_list([f"{text} ({verdict})" for text, verdict in zip(texts, said)])
    return f"{and_list(texts)}: {'both ' if len(said) > 1 else ''}{said[0]}"


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


def _row(head, name):
    """The row of a setting: on small pages, else on whatever there is; None without any."""
    rows = head[head["name"] == name].sort_values("pages", ascending=False)
    return next(rows.itertuples(index=False), None)


def answer(study, head):
    """A sentence each on perft, a classical search, searches with networks, loops, and the cause; a line each.

    Args:
        study: Study.
        head: of plain_vs_fancy_data.headline.

    Returns:
        str, Markdown.
    """
    sentences = (_perft(study, head), _search(head), _networks(head), _loops(head), why(study, head))
    return "\n".join(f"- {sentence}" for sentence in sentences)


def _perft(study, head):
    row = _row(head, PERFT)
    if row is None:
        return f"**In perft**, the unit of {HISTORY['year']}: {NOT_MEASURED} in this run."
    relations = {}
    for name, gap in (("an i5", HISTORY["new_core_percent"]), ("a Core 2 Duo", HISTORY["old_core_percent"])):
        old = 1 + float(gap) / 100
        relation = "more than" if row.ratio_low > old else "less than" if row.ratio_high < old else "in keeping with"
        relations.setdefault(relation, []).append(f"the {gap} % on {name}")
    then = ", ".join(f"{relation} {' and '.join(gaps)}" for relation, gaps in relations.items())
    return (
        f"**In perft**, on this machine ({machine_name(study.machine)}), plain magic is {span(row)} than fancy: "
        f"{how_sure(row)}, and {then} that were reported, second-hand, in {HISTORY['year']}."
    )


def _search(head):
    row = _row(head, SEARCH)
    if row is None:
        return f"**In a classical search**, without a network: {NOT_MEASURED} in this run."
    others = head[(head["name"] == SEARCH) & (head["pages"] != row.pages) & (head["verdict"] != row.verdict)]
    else_ = "".join(f"; on {PAGE_NAMES[other.pages]}, {span(other)}, {how_sure(other)}" for other in others.itertuples())
    return f"**In a classical search**, without a network, plain is {span(row)} a node: {how_sure(row)}{else_}."


def _networks(head):
    rows = {short: row for name, short in NETWORKS.items() if (row := _row(head, name)) is not None}
    if not rows:
        return f"**In searches with networks** of 256 and 1,024: {NOT_MEASURED} in this run."
    said = with_verdicts(rows.values(), [f"{span(row)} a node with {short}" for short, row in rows.items()])
    return f"**In a search with a network** plain is {said}."


def _loops(head):
    kinds = {"throughput": "independent look-ups", "latency": "look-ups that wait for each other"}
    parts = []
    for when in ("alone", "under pressure"):
        rows = [_row(head, name) for name, *_ in QUESTIONS if name.startswith("loop") and name.endswith(when)]
        rows = [row for row in rows if row is not None]
        if rows:
            where = "alone" if when == "alone" else f"beside the memory traffic of a network (`{rows[0].pressure}`)"
            said = with_verdicts(rows, [f"{span(row)} in {kinds[row.workload]}" for row in rows])
            parts.append(f"{where}, {said}")
    if not parts:
        return f"**In a loop** of nothing but look-ups: {NOT_MEASURED} in this run."
    return f"**In a loop** of nothing but look-ups plain is, {'; '.join(parts)}."


def why(study, head):
    """The cause, as far as table sizes, simulated misses and the measured times tell it."""
    factor = study.table_bytes(PLAIN) / study.table_bytes(FANCY)
    text = f"**Why**: plain's tables are {factor:.1f} times as large"
    lines, levels = touched_lines(study), level_counts(study)
    if lines:
        text += f"; the same look-ups touch {lines[1] / lines[0]:.1f} times as many cache lines"
    if levels:
        counts = and_list([f"{level} {plain:.3f} instead of {fancy:.3f}" for level, (fancy, plain) in levels])
        text += f" and miss more often (simulated, alone, misses a look-up: {counts})"
    extra = [row.plain_ns - row.fancy_ns for row in head.itertuples() if row.workload in ("throughput", "latency")]
    if extra:
        text += f"; in the loops that makes {min(extra):+.1f} to {max(extra):+.1f} ns a look-up"
    nodes = [row for name in (SEARCH, *NETWORKS) if (row := _row(head, name)) is not None]
    if extra and len(nodes) > 1:
        least, most = (pick(nodes, key=lambda row: row.fancy_ns) for pick in (min, max))
        text += (
            f", and the same nanoseconds are a smaller share of a node of {most.fancy_ns:,.0f} ns ({most.name}) than "
            f"of one of {least.fancy_ns:,.0f} ns ({least.name})"
        )
    return text + "."


def touched_lines(study):
    """Different cache lines that fancy and plain touch on the main trace, simulated; None where not known."""
    rows = study.tables[study.tables["table"] == "all"]
    rows = rows[rows["trace"] == main_trace(study, simulated=True)]
    lines = rows.groupby("method")["distinct_lines"].max()
    return (lines[FANCY], lines[PLAIN]) if {FANCY, PLAIN} <= set(lines.index) else None


def level_counts(study):
    """Levels of the host that plain misses more often than fancy, alone: list of (level, (fancy, plain) a look-up)."""
    rows = misses(study)
    place = [main_trace(study, simulated=True), "isolated", HOST, "4k"]
    rows = rows[(rows[PLACE] == place).all(axis=1)].set_index(["metric", "method"])["per_query"]
    pairs = [(level, tuple(rows.get((m, method), math.nan) for method in (FANCY, PLAIN))) for m, level in PARTS.items()]
    return [(level, pair) for level, pair in pairs if pair[1] - pair[0] >= 0.01]


def answer_table(head):
    """The settings of the old question, a row each: (heads, alignment, rows) of strings."""
    rows = []
    for name, *_ in QUESTIONS:
        first = _row(head, name)
        if first is None:
            rows.append([name, "", "", NOT_MEASURED, "", "", "", ""])
            continue
        cells = [name + (" \\*" if first.place else ""), f"{first.fancy_ns:.2f}", f"{first.plain_ns:.2f}"]
        own = head[head["name"] == name]
        for pages in PAGE_NAMES:
            found = next(own[own["pages"] == pages].itertuples(), None)
            cells += [NOT_MEASURED, ""] if found is None else [span(found), found.verdict]
        rows.append([*cells, human_percent(own["aa_bound"].max())])
    heads = ["setting", "fancy, ns", "plain, ns"]
    heads += [text for pages in PAGE_NAMES.values() for text in (f"plain is, {pages}", "verdict")]
    return [*heads, "identical code, at most"], ["---", "--:", "--:", *["---"] * 4, "--:"], rows


def other_text(study, head, found):
    """Where rows of another run come from, and what it has for the same settings; empty where there are none."""
    if not head["place"].any():
        return ""
    row, info = head[head["place"] != ""].iloc[0], study.other.info
    text = (
        f"\\* From another run on this machine, [`{row.place}`]({row.place}): commit "
        f"`{one_line(info.get('commit', 'unknown'))}`, {row.launches} launches and {row.rounds} rounds, judged with a "
        f"margin of {margin_text(row.margin)}."
    )
    # Where both runs have a setting, the other's figure shows how well this one repeats.
    theirs = study.other.verdicts.set_index(["workload", "kinds", "trace", "pressure", "pages", "corunners"])
    again = []
    for own in (_row(head, name) for name, *_ in QUESTIONS):
        key = own and (own.workload, own.kinds, own.trace, own.pressure, own.pages, own.corunners)
        if own and not own.place and key in theirs.index:
            again.append(f"{span(theirs.loc[key])} in {own.name}")
    return text + (f" What both measured, it has so: {'; '.join(again)}." if again else "") + "\n\n"


def machine_name(machine):
    """A machine as a reader names it."""
    name = one_line(machine.get("cpu") or "a processor that does not say its name")
    return f"{name}, {machine['hypervisor']} guest" if machine.get("hypervisor") else name
