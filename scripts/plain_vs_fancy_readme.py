# SPDX-License-Identifier: MIT
"""The page of the comparison of plain and fancy magic: a text in which every number is filled in from the data.

The text is plain_vs_fancy_template's; what depends on the data is worded here.
"""

import math
import posixpath

from plain_vs_fancy_answer import answer, answer_table, machine_name, margin_text, other_text
from plain_vs_fancy_data import (
    CACHE_ORDER,
    DIFFERENT,
    EQUIVALENT,
    FANCY,
    MARGIN,
    PLAIN,
    UNDECIDED,
    UNRESOLVED,
    WORKLOAD_ORDER,
    caches,
    causes,
    headline,
    misses,
    rank,
)
from plain_vs_fancy_estimate import HOST, cache_sizes, shares
from plain_vs_fancy_figures import PAGE_NAMES, main_trace, setting_name
from plain_vs_fancy_template import HISTORY, TEMPLATE
from report.analysis.findings import INTERVALS
from report.data.cells import PRESSURE_ORDER
from report.data.files import items, one_line
from report.data.words import human_bytes, human_number


def _interval(row):
    return f"{row.ratio:.3f} [{row.ratio_low:.3f}, {row.ratio_high:.3f}]"


def _table(head, aligned, rows):
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, aligned, *rows]).replace("| --", "|--")


def _count(n, word):
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def _figure(stem, title, drawn):
    return f"![{title}](plots/{stem}.svg)\n\n" if stem in drawn else ""


def large_pages_text(study):
    """Whether the tables really lay on the large pages that were asked for, as the kernel's smaps said."""
    asked = [row for run in study.runs.values() for row in items(run, "pages") if row.get("pages") == "2m"]
    if not asked:
        return "All tables lay on 4 KiB pages; larger ones were not measured."
    total = sum(row.get("bytes", 0) for row in asked)
    given = sum(row.get("large_page_bytes", 0) for row in asked)
    if given == total:
        return "Where a row says 2m, all tables lay on 2 MiB pages (`madvise`, verified in smaps)."
    return (
        f"Where a row says 2m, {100 * given / total:.0f} % of the bytes of the tables lay on 2 MiB pages (`madvise`; "
        "the rest, as smaps says, stayed on 4 KiB ones)."
    )


KINDS = (EQUIVALENT, DIFFERENT, UNRESOLVED, UNDECIDED)


def verdict_counts(verdicts):
    """How many settings of each workload got which verdict."""
    rows = []
    for workload in sorted(set(verdicts["workload"]), key=lambda name: rank(WORKLOAD_ORDER, name)):
        own = verdicts[verdicts["workload"] == workload]
        rows.append(
            [workload]
            + [str((own["verdict"] == v).sum()) for v in KINDS]
            + [f"{own['ratio'].min():.3f} to {own['ratio'].max():.3f}"]
        )
    return _table(
        ["workload", *KINDS, "ratios plain / fancy"],
        ["---", *["--:"] * len(KINDS), "---"],
        rows,
    )


def verdict_table(verdicts):
    """One row a setting."""
    rows = []
    for row in verdicts.itertuples():
        said = f"**{row.verdict}**: {row.faster} is faster" if row.faster else row.verdict
        aa = f"{row.aa_low:.3f} to {row.aa_high:.3f}" if math.isfinite(row.aa_low) else ""
        rows.append(
            [setting_name(row), row.pages, f"{row.fancy_ns:.2f}", f"{row.plain_ns:.2f}", _interval(row), said, aa]
        )
    return _table(
        ["setting", "pages", "fancy, ns", "plain, ns", "plain / fancy", "verdict", "A/A"],
        ["---", "---", "--:", "--:", "---", "---", "---"],
        rows,
    )


def aa_text(verdicts):
    """In how many settings identical code differed by less than the margin."""
    bounds = verdicts["aa_bound"].dropna()
    if bounds.empty:
        return "It was not measured here."
    bad = int((bounds > MARGIN - 1).sum())
    most = f"identical code differed by up to {100 * bounds.max():.1f} %"
    if not bad:
        return f"In every setting that is within the margin: {most}."
    return (
        f"In {bad} of {len(bounds)} settings that is more than the margin ({most}): these are unresolved. They show no "
        "equality, and a difference only where it is larger than that of identical code."
    )


def trade_off_table(study):
    """All methods on the main trace, small pages: ratios to fancy by workload and pressure."""
    trace = main_trace(study)
    rows = study.summary[
        study.summary["role"].isin(["method", "reference"])
        & (study.summary["pages"] == "4k")
        & (study.summary["kinds"] == "all")
        & (study.summary["corunners"] == "0")
        & study.summary["trace"].isin(
            [trace, *set(study.summary[study.summary["workload"].isin(["perft", "engine"])]["trace"])]
        )
    ]
    columns = sorted(
        {(r.workload, r.trace, r.pressure) for r in rows.itertuples()},
        key=lambda c: (rank(WORKLOAD_ORDER, c[0]), rank(PRESSURE_ORDER, c[2]), c[1]),
    )
    by_key = {(r.method, r.workload, r.trace, r.pressure): r for r in rows.itertuples()}
    lines = []
    for method in study.methods:
        cells = [f"`{method}`", human_bytes(study.table_bytes(method))]
        for column in columns:
            row = by_key.get((method, *column))
            cells.append("" if row is None else "1" if method == FANCY else human_number(row.ratio, 3))
        lines.append(cells)
    heads = [
        f"{workload}, {pressure}" if workload not in ("perft", "engine") else f"{workload} {name}"
        for workload, name, pressure in columns
    ]
    title = f"Times over fancy's, measured; the {trace} trace, {PAGE_NAMES['4k']}. Intervals are in `measured/`.\n\n"
    return title + _table(["method", "tables", *heads], ["---", "--:", *["--:"] * len(heads)], lines)


def explanation(estimated):
    """Which level carries the estimated difference, in words."""
    pair = estimated[(estimated["comparison"] == "plain - fancy") & (estimated["trace"] != "random")]
    if pair.empty:
        return "No setting was both measured and simulated on this machine: there is no estimate."
    lines = []
    for pages in ("4k", "2m"):
        rows = pair[(pair["pages"] == pages) & (pair["workload"] == "latency")]
        for pressure in (name for name in PRESSURE_ORDER if name in set(rows["pressure"])):
            own = rows[rows["pressure"] == pressure]
            found = shares(own)
            if not found:
                continue
            total = own["estimated_ns"].mean()
            first = max(found, key=lambda part: found[part] * math.copysign(1, total))
            named = ", ".join(f"{part} {value:+.2f}" for part, value in found.items())
            carried = f"most of it by misses of the {first}"
            lines.append(
                f"- {PAGE_NAMES[pages]}, {pressure}: plain costs {own['measured_ns'].mean():+.2f} ns a dependent query "
                "more than "
                f"fancy (measured); the estimate from simulated misses says {total:+.2f} ns, {carried} "
                f"({named} ns)."
            )
    return "\n".join(lines) or "The latency workload was not both measured and simulated: there is no estimate."


def ladder_text(steps):
    """The levels and what a miss costs."""
    levels = ", ".join(f"{level} {value:.1f} ns" for level, value in steps.levels.items())
    costs = ", ".join(f"{part} {value:.1f} ns" for part, value in steps.penalties.items())
    missing = [part for part in ("DTLB", "STLB") if part not in steps.penalties]
    text = (
        f"A dependent load takes, measured on {PAGE_NAMES[steps.pages]}: {levels}. What one miss costs more: {costs}."
    )
    return text + (
        f" The ladder cannot show what a miss of the {' and the '.join(missing)} costs here; it is left out of the "
        "estimate."
        if missing
        else ""
    )


def estimate_text(estimated):
    """How far the estimate is from what was measured."""
    if estimated.empty:
        return ""
    rows = []
    for comparison in dict.fromkeys(estimated["comparison"]):
        for workload in dict.fromkeys(estimated["workload"]):
            own = estimated[(estimated["comparison"] == comparison) & (estimated["workload"] == workload)]
            if own.empty:
                continue
            inside = (
                (own["measured_low"] <= own["estimated_ns"]) & (own["estimated_ns"] <= own["measured_high"])
            ).sum()
            has = own["measured_low"].notna().any()
            ranks = own[["measured_ns", "estimated_ns"]].rank()
            rho = ranks.corr().iloc[0, 1] if len(own) > 2 else math.nan
            rows.append(
                [
                    comparison,
                    workload,
                    str(len(own)),
                    f"{own['residual_ns'].median():+.2f}",
                    f"{own['residual_ns'].abs().max():.2f}",
                    human_number(rho),
                    f"{inside} of {len(own)}" if has else "",
                ]
            )
    return (
        "The estimate is simulated misses times these costs. What the methods compute is not in it, so only\n"
        "differences are compared, and first touches that a warm cache holds are left out; the residual is measured\n"
        "less estimated, in ns a query.\n\n"
        + _table(
            [
                "difference",
                "workload",
                "settings",
                "median residual",
                "largest residual",
                "rank correlation",
                "estimate inside the interval",
            ],
            ["---", "---", "--:", "--:", "--:", "--:", "--:"],
            rows,
        )
    )


def misses_table(study):
    """Simulated misses a query of both, on the main trace and small pages."""
    trace = main_trace(study, simulated=True)
    rows = misses(study)
    rows = rows[(rows["trace"] == trace) & (rows["pages"] == "4k")]
    metrics = list(dict.fromkeys(rows["metric"]))
    by_key = rows.set_index(["cache", "pressure", "method", "metric"])["per_query"]
    places = sorted(
        set(zip(rows["cache"], rows["pressure"])), key=lambda p: (rank(CACHE_ORDER, p[0]), rank(PRESSURE_ORDER, p[1]))
    )
    lines = []
    for place in places:
        pairs = [[by_key.get((*place, method, metric), math.nan) for method in (FANCY, PLAIN)] for metric in metrics]
        lines.append(
            [*place]
            + [
                " / ".join(human_number(value, 4) for value in pair) if not all(map(math.isnan, pair)) else ""
                for pair in pairs
            ]
        )
    names = [metric.replace("_misses", "").replace("l2d", "l2").upper() for metric in metrics]
    return f"Misses a query, fancy / plain, **simulated**; {trace} trace, {PAGE_NAMES['4k']}.\n\n" + _table(
        ["cache", "pressure", *names], ["---", "---", *["--:"] * len(names)], lines
    )


def causes_text(study):
    """Why the pair misses the host's L1D."""
    trace = main_trace(study, simulated=True)
    rows = causes(study)
    rows = rows[(rows["trace"] == trace) & (rows["pages"] == "4k") & (rows["cache"] == HOST)]
    parts = []
    for row in rows.itertuples():
        total = row.compulsory + row.capacity + row.conflict
        if total > 0:
            parts.append(
                f"of `{row.method}`'s {total:.3f} L1D misses a query, {100 * row.compulsory / total:.0f} % are "
                "compulsory, "
                f"{100 * row.capacity / total:.0f} % capacity and {100 * row.conflict / total:.0f} % conflict misses"
            )
    return f"Alone on the host, {trace} trace, simulated: {'; '.join(parts)}." if parts else ""


def caches_table(study):
    """The simulated machines, and what was assumed of them."""
    rows = [
        [f"`{name}`", f"`{text}`", one_line("; ".join(map(str, notes))).replace("|", "\\|")]
        for name, text, notes in caches(study)
    ]
    return _table(["cache", "specification", "source and assumptions"], ["---", "---", "---"], rows)


# Pressures that stand for a large network's traffic.
LARGE_NETWORKS = ("net1024", "nnue", "nnue-xl")


def predictions(verdicts, estimated):
    """What was written down before the first run, and how it turned out."""
    real = verdicts[verdicts["trace"] != "random"]
    lines = []
    own = real[(real["workload"] == "throughput") & (real["pressure"] == "isolated")]
    lines.append(_prediction("Alone and independent (throughput, isolated), the two are equivalent.", own, EQUIVALENT))
    heavy = real[real["pressure"].isin(LARGE_NETWORKS)]
    lines.append(_prediction("Under the traffic of a large network, they differ.", heavy, DIFFERENT))
    rows = estimated[(estimated["comparison"] == "plain - fancy") & (estimated["pages"] == "4k")]
    means = shares(rows) if len(rows) else {}
    total = sum(value for value in means.values() if value > 0)
    if total > 0 and {"DTLB", "STLB"} & set(means):
        tlb = sum(max(0.0, means.get(part, 0.0)) for part in ("DTLB", "STLB")) / total
        said = "held" if tlb > 0.5 else "did not hold"
        lines.append(
            f"- *The TLB, and not the L1D, carries most of the gap.* It **{said}**: {100 * tlb:.0f} % of the estimated "
            f"extra cost on {PAGE_NAMES['4k']} comes from TLB misses, "
            f"{100 * max(0.0, means.get('L1D', 0.0)) / total:.0f} % from misses of the L1D."
        )
    else:
        lines.append(
            "- *The TLB, and not the L1D, carries most of the gap.* Not tested: there is no gap, or nothing says what "
            "a TLB miss costs here."
        )
    return "\n".join(lines)


def _prediction(text, rows, expected):
    if rows.empty:
        return f"- *{text}* Not tested in this run."
    held = int((rows["verdict"] == expected).sum())
    said = "held" if held == len(rows) else "did not hold" if held == 0 else "held in part"
    parts = [(name, rows[rows["pressure"] == name]) for name in dict.fromkeys(rows["pressure"])]
    each = ", ".join(f"{(own['verdict'] == expected).sum()} of {len(own)} under `{name}`" for name, own in parts)
    return (
        f"- *{text}* It **{said}**: {held} of {_count(len(rows), 'setting')} {'is' if held == 1 else 'are'} {expected}"
        + (f" ({each})." if len(parts) > 1 else ".")
    )


def fill(study, verdicts, steps, estimated, drawn):
    """The page.

    Args:
        study: Study.
        verdicts: of plain_vs_fancy_data.verdicts.
        steps: Steps.
        estimated: of plain_vs_fancy_estimate.estimates.
        drawn: stems of the figures that there are.

    Returns:
        str, Markdown.
    """
    info = next(iter(study.runs.values()))
    machine = study.machine
    plain_bytes, fancy_bytes = study.table_bytes(PLAIN), study.table_bytes(FANCY)
    counters = info.get("counters", {})
    ghz = info.get("effective_ghz") or {}
    launches, rounds = sorted(set(verdicts["launches"])), sorted(set(verdicts["rounds"]))
    digests = {
        t.get("name"): t.get("digest", t.get("xxh3", "")) for run in study.runs.values() for t in items(run, "traces")
    }
    trace, head = main_trace(study), headline(study, verdicts)
    figures = {
        "trade_off_figures": [
            ("trade_off_throughput", f"All methods under pressure, throughput, {trace} trace"),
            ("trade_off_latency", f"All methods under pressure, latency, {trace} trace"),
        ],
        "estimate_figure": [("estimate", "Estimated against measured differences")],
        "simulated_figures": [
            ("simulated_curves", "Misses of every cache size, simulated"),
            ("simulated_misses_4k", "Misses at every level on small pages, simulated"),
            ("simulated_misses_2m", "Misses at every level on large pages, simulated"),
            ("simulated_causes", "Causes of L1D misses, simulated"),
            ("simulated_boards", "L1D misses by square, simulated"),
        ],
    }
    text = TEMPLATE.format(
        **HISTORY,
        **{
            name: "".join(_figure(stem, title, drawn) for stem, title in wanted).strip()
            + ("\n\n" if name == "estimate_figure" else "")
            for name, wanted in figures.items()
        },
        answer=answer(study, head),
        answer_table=_table(*answer_table(head)),
        other_text=other_text(study, head, verdicts),
        repeat_other=f" --also {posixpath.normpath('reports/plain_vs_fancy/' + study.other.place)}"
        if head["place"].any()
        else "",
        small_pages=PAGE_NAMES["4k"],
        plain=PLAIN,
        fancy=FANCY,
        table_factor=f"{plain_bytes / fancy_bytes:.1f}",
        plain_bytes=f"{plain_bytes:,}",
        fancy_bytes=f"{fancy_bytes:,}",
        margin=margin_text(MARGIN),
        margin_low=f"{1 / MARGIN:.4f}",
        margin_high=f"{MARGIN:.4f}",
        confidence=95,
        interval=INTERVALS.get(info.get("inference", {}).get("interval"), "of a kind that was not recorded"),
        machine=machine_name(machine),
        cache_text=", ".join(f"{level} {human_bytes(size)}" for level, size in cache_sizes(machine).items())
        or "caches unknown",
        compiler=one_line(info.get("build", {}).get("compiler", "unknown")),
        commit=one_line(info.get("commit", "unknown")),
        dirty=" with changes" if info.get("dirty") else "",
        others=", ".join(
            f"`{m}` ({human_bytes(study.table_bytes(m))})" for m in study.methods if m not in (PLAIN, FANCY)
        )
        or "none in this run",
        launches=" or ".join(map(str, launches)),
        rounds=" or ".join(map(str, rounds)),
        counters=one_line(counters.get("status", "unknown"))
        + (f" ({one_line(counters['reason'])})" if counters.get("reason") else ""),
        large_pages=large_pages_text(study),
        verdict_counts=verdict_counts(verdicts),
        verdict_table=verdict_table(verdicts),
        aa_text=aa_text(verdicts),
        trade_off_table=trade_off_table(study),
        explanation=explanation(estimated),
        ladder_text=ladder_text(steps),
        estimate_text=estimate_text(estimated),
        misses_table=misses_table(study),
        causes_text=causes_text(study),
        caches_table=caches_table(study),
        predictions=predictions(verdicts, estimated),
        virtual="and a virtual one" if machine.get("hypervisor") else "not a virtual one",
        ghz=(
            f"Its clock was {ghz['median']:.2f} GHz in the median, {ghz['low']:.2f} to {ghz['high']:.2f} between the "
            "quantiles of the clock arm."
            if {"median", "low", "high"} <= set(ghz)
            else "Its clock rate was not found out."
        ),
        tests=len(verdicts),
        traces=", ".join(
            f"{one_line(name)} `{one_line(digest)}`" if digest else one_line(name) for name, digest in digests.items()
        ),
    )
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
