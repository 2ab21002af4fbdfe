# SPDX-License-Identifier: MIT
"""The page of the comparison of plain and fancy magic: page.md.j2, in which every number is filled in from the data."""

import math
import posixpath
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from report.analysis.findings import INTERVALS
from report.analysis.ranks import spearman
from report.data.cells import NODE_WORKLOADS
from report.data.files import cache_bytes, items, one_line
from report.data.simulation import LEVELS
from report.data.words import human_bytes, human_interval, human_number, human_percent
from report.page.markdown import table
from studies.plain_vs_fancy.data import (
    DIFFERENT,
    EQUIVALENT,
    FANCY,
    HOST,
    ISOLATED,
    MARGIN,
    PLAIN,
    UNDECIDED,
    UNRESOLVED,
    caches,
    in_order,
    main_trace,
    misses,
    whole_tables,
)
from studies.plain_vs_fancy.figures import setting_name
from studies.plain_vs_fancy.words import (
    HISTORY,
    PAGE_NAMES,
    answer,
    answer_table,
    machine_name,
    margin_text,
    repeated,
)

TEMPLATE = Path(__file__).parent / "page.md.j2"
KINDS = (EQUIVALENT, DIFFERENT, UNRESOLVED, UNDECIDED)
# Pressures that stand for a large network's traffic.
LARGE_NETWORKS = ("net1024", "nnue", "nnue-xl")
LOOPS = ["throughput", "latency"]


def ends(row, name):
    """A measured or predicted figure with its interval."""
    return human_interval(*(getattr(row, f"{name}_{end}") for end in ("ns", "low", "high")))


def large_pages(study):
    """The share of the tables' bytes that lay on the large pages that were asked for; None where none were."""
    asked = [row for info in study.runs.values() for row in items(info, "pages") if row.get("pages") == "2m"]
    total = sum(row.get("bytes", 0) for row in asked)
    return sum(row.get("large_page_bytes", 0) for row in asked) / total if total else None


def verdict_counts(verdicts):
    """How many settings of each workload got which verdict."""
    rows = []
    for workload, own in in_order(verdicts, "workload").groupby("workload", sort=False):
        counts = [str((own["verdict"] == verdict).sum()) for verdict in KINDS]
        rows.append([workload, *counts, f"{own['ratio'].min():.3f} to {own['ratio'].max():.3f}"])
    return table(["workload", *(f">{kind}" for kind in KINDS), "ratios plain / fancy"], rows)


def verdict_table(verdicts):
    """One row a setting."""
    rows = []
    for row in verdicts.itertuples():
        said = f"**{row.verdict}**: {row.faster} is faster" if row.faster else row.verdict
        aa = f"{row.aa_low:.3f} to {row.aa_high:.3f}" if math.isfinite(row.aa_low) else ""
        ratio = f"{row.ratio:.3f} [{row.ratio_low:.3f}, {row.ratio_high:.3f}]"
        rows.append([setting_name(row), row.pages, f"{row.fancy_ns:.2f}", f"{row.plain_ns:.2f}", ratio, said, aa])
    return table(["setting", "pages", ">fancy, ns", ">plain, ns", "plain / fancy", "verdict", "A/A"], rows)


def aa_text(verdicts):
    """In how many settings identical code differed by less than the margin."""
    bounds = verdicts["aa_bound"].dropna()
    if bounds.empty:
        return "It was not measured here."
    bad = int((bounds > MARGIN - 1).sum())
    most = f"identical code differed by up to {human_percent(bounds.max())}"
    if not bad:
        return f"In every setting that is within the margin: {most}."
    return (
        f"In {bad} of {len(bounds)} settings that is more than the margin ({most}): these are unresolved. They show no "
        "equality, and a difference only where it is larger than that of identical code."
    )


def trade_off_table(study, trace):
    """All methods on the main trace, small pages: ratios to fancy by workload and pressure."""
    rows = study.usual()
    rows = rows[(rows["pages"] == "4k") & ((rows["trace"] == trace) | rows["workload"].isin(NODE_WORKLOADS))]
    rows = in_order(rows, "workload", "pressure", "trace")
    names = rows["workload"].where(rows["workload"].isin(NODE_WORKLOADS), rows["workload"] + ", " + rows["pressure"])
    of_nodes = rows["workload"].isin(NODE_WORKLOADS)
    rows = rows.assign(shown=names + (" " + rows["trace"]).where(of_nodes, ""))
    wide = rows.pivot(index="method", columns="shown", values="ratio").reindex(columns=rows["shown"].unique())
    lines = []
    for method in study.methods:
        cells = ["" if math.isnan(value) else human_number(value, 3) for value in wide.loc[method]]
        lines.append([f"`{method}`", human_bytes(study.table_bytes(method)), *cells])
    return table(["method", ">tables", *(f">{name}" for name in wide.columns)], lines)


def predicted_table(study):
    """Predicted against measured, plain less fancy: one row a setting."""
    rows = []
    for row in study.predicted.itertuples():
        where = ", ".join([row.workload, row.trace, row.pressure])
        computed = [f"{row.computed_ns:+.2f}", f"{row.predicted_ns - row.computed_ns:+.2f}"]
        said = [f"{row.residual_ns:+.2f}", "**inside**" if row.inside else "outside"]
        rows.append([where, row.pages, ends(row, "measured"), ends(row, "predicted"), *computed, *said])
    heads = ["setting", "pages", "measured, ns", "predicted, ns", ">of it computed", ">of it reads", ">residual, ns"]
    return table([*heads, "in the measured interval"], rows)


def predicted_groups(study):
    """How well the predictions hold, a row a workload and pressure."""
    rows = []
    for (workload, pressure), own in study.predicted.groupby(["workload", "pressure"], sort=False):
        measured, predicted = own["measured_ns"].median(), own["predicted_ns"].median()
        half = ((own["measured_high"] - own["measured_low"]) / 2).median()
        cells = [f"{measured:+.2f}", f"{half:.2f}", f"{predicted:+.2f}", f"{own['residual_ns'].median():+.2f}"]
        rows.append([workload, pressure, *cells, f"{own['inside'].sum()} of {len(own)}"])
    heads = ["workload", "pressure", ">measured, ns", ">half of its interval", ">predicted, ns", ">residual, ns"]
    return table([*heads, "in the measured interval"], rows)


def left_over(study):
    """What is known of the residuals under pressure: numbers for the template.

    Returns:
        dict: `small` and `large`, the median residual on 4 KiB and 2 MiB pages, ns; `pressure`, the heaviest simulated
        one, and `levels`, dict level -> misses a query of the host there, plain less fancy; NaN where not known.
    """
    pressed = study.predicted[study.predicted["pressure"] != ISOLATED]
    medians = pressed.groupby("pages")["residual_ns"].median()
    rows = misses(study)
    rows = rows[(rows["trace"] == main_trace(rows)) & (rows["cache"] == HOST) & (rows["pages"] == "4k")]
    pressure = rows["pressure"].iloc[-1] if len(rows) else ""
    wide = rows[rows["pressure"] == pressure].pivot(index="level", columns="method", values="per_query")
    levels = wide[PLAIN] - wide[FANCY] if len(wide) else {}
    return {
        "small": medians.get("4k", math.nan),
        "large": medians.get("2m", math.nan),
        "pressure": pressure,
        "levels": {level: levels[level] for level in ("L1D", "L2", "L3") if level in levels},
    }


def expectation(text, found, held):
    """What was written down before the first run, and how it turned out.

    Args:
        text: what was expected.
        found: rows of verdicts or of differences, with a column `pressure`.
        held: bool for each row; a word that ends the sentence is in its name.
    """
    if found.empty:
        return f"*{text}* Not tested in this run."
    count = int(held.sum())
    said = "held" if count == len(found) else "did not hold" if count == 0 else "held in part"
    groups = found.groupby("pressure", sort=False)
    parts = [f"{held[own.index].sum()} of {len(own)} under `{name}`" for name, own in groups]
    each = f" ({', '.join(parts)})" if len(parts) > 1 else ""
    noun, verb = ("setting" if len(found) == 1 else "settings"), ("is" if count == 1 else "are")
    return f"*{text}* It **{said}**: {count} of {len(found)} {noun} {verb} {held.name}{each}."


def expectations(verdicts):
    """All of them; list of str."""
    real = verdicts[verdicts["trace"] != "random"]
    alone = real[(real["workload"] == "throughput") & (real["pressure"] == ISOLATED)]
    heavy = real[real["pressure"].isin(LARGE_NETWORKS)]
    gaps = real[real["workload"].isin(LOOPS)].assign(gap=real["plain_ns"] - real["fancy_ns"])
    small = gaps[(gaps["pages"] == "4k") & (gaps["verdict"] == DIFFERENT) & (gaps["gap"] > 0)]
    place = ["workload", "trace", "pressure", "kinds", "corunners"]
    both = small.merge(gaps[gaps["pages"] == "2m"], on=place, suffixes=("", "_large"))
    removed = (both["gap_large"] < both["gap"] / 2).rename("so: with large pages less than half of the gap is left")
    equal = (alone["verdict"] == EQUIVALENT).rename(EQUIVALENT)
    apart = (heavy["verdict"] == DIFFERENT).rename(DIFFERENT)
    return [
        expectation("Alone and independent (throughput, isolated), the two are equivalent.", alone, equal),
        expectation("Under the traffic of a large network, they differ.", heavy, apart),
        expectation("The TLB, and not the L1D, carries most of the gap.", both, removed),
    ]


def misses_table(study, trace):
    """Simulated misses a query of both on a trace, small pages."""
    rows = misses(study)
    rows = rows[(rows["trace"] == trace) & (rows["pages"] == "4k")]
    wide = rows.pivot(index=["cache", "pressure"], columns=["level", "method"], values="per_query")
    levels = [level for level in LEVELS.values() if level in set(rows["level"])]
    lines = []
    for place in dict.fromkeys(zip(rows["cache"], rows["pressure"])):
        pairs = [[wide.loc[place].get((level, method), math.nan) for method in (FANCY, PLAIN)] for level in levels]
        cells = ["" if all(map(math.isnan, p)) else " / ".join(human_number(v, 4) for v in p) for p in pairs]
        lines.append([*place, *cells])
    return table(["cache", "pressure", *(f">{level}" for level in levels)], lines)


def causes_table(study):
    """Why the pair misses the L1D alone, simulated, by machine; "" where causes were not told apart."""
    rows = whole_tables(study)
    rows = rows[rows["compulsory"].notna() & (rows["pages"] == "4k")]
    rows = in_order(rows[rows["trace"] == main_trace(rows)], "cache", "method")
    lines = []
    for row in rows.itertuples():
        parts = [part / row.queries for part in (row.compulsory, row.capacity, row.conflict)]
        if sum(parts) > 0:
            shares = [f"{100 * part / sum(parts):.0f} %" for part in parts]
            lines.append([row.cache, f"`{row.method}`", f"{sum(parts):.3f}", *shares])
    heads = ["cache", "method", ">L1D misses", ">compulsory", ">capacity", ">conflict"]
    return table(heads, lines) if lines else ""


def fact_sheet(study, verdicts):
    """What the template's sentences need of numbers."""
    info, ghz = study.info, study.info.get("effective_ghz") or {}
    sizes = [(level, cache_bytes(info, level)) for level in (1, 2, 3)]
    digests = {t.get("name"): t.get("xxh3", "") for i in study.runs.values() for t in items(i, "traces")}
    predicted = study.predicted
    loops = predicted.groupby("workload").filter(lambda own: len(own) > 2).groupby("workload")
    return {
        **HISTORY,
        "machine": machine_name(info),
        "virtual": bool(info.get("machine", {}).get("hypervisor")),
        "caches": ", ".join(f"L{level} {human_bytes(size)}" for level, size in sizes if size) or "caches unknown",
        "compiler": one_line(info.get("build", {}).get("compiler", "unknown")),
        "commit": one_line(info.get("commit", "unknown")) + ("` with changes `" if info.get("dirty") else ""),
        "interval": INTERVALS.get(info.get("inference", {}).get("interval"), "of a kind that was not recorded"),
        "ghz": {name: f"{ghz[name]:.2f}" for name in ("median", "low", "high")} if len(ghz) >= 3 else None,
        "counters": one_line("; ".join(filter(None, (info.get("counters", {}).get(k) for k in ("status", "reason"))))),
        "plain_bytes": f"{study.table_bytes(PLAIN):,}",
        "fancy_bytes": f"{study.table_bytes(FANCY):,}",
        "table_factor": f"{study.table_bytes(PLAIN) / study.table_bytes(FANCY):.1f}",
        "others": ", ".join(f"`{m}` ({human_bytes(study.table_bytes(m))})" for m in study.methods[2:]),
        "launches": " or ".join(map(str, sorted(set(verdicts["launches"])))),
        "rounds": " or ".join(map(str, sorted(set(verdicts["rounds"])))),
        "margin": margin_text(MARGIN),
        "margin_low": f"{1 / MARGIN:.4f}",
        "margin_high": f"{MARGIN:.4f}",
        "large_pages": large_pages(study),
        "tests": len(verdicts),
        "traces": ", ".join(f"{one_line(name)} `{one_line(digest)}`" for name, digest in digests.items()),
        "inside": int(predicted["inside"].sum()),
        "settings": len(predicted),
        "rho": {w: spearman(own["measured_ns"], own["predicted_ns"]) for w, own in loops},
        "measured_at": one_line(min(run.get("started", "") for run in study.runs.values())),
        "computed_at": one_line(study.computed.get("started", "")),
        "computed_commit": one_line(study.computed.get("commit", "unknown")),
    }


def page(study, verdicts, head, drawn):
    """The page.

    Args:
        study: Study.
        verdicts: of data.judged.
        head: of data.headline.
        drawn: stems of the figures that there are.

    Returns:
        str, Markdown.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATE.parent), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    simulated = main_trace(study.simulation.counts)
    text = environment.get_template(TEMPLATE.name).render(
        fact=fact_sheet(study, verdicts),
        study=study,
        drawn=drawn,
        answer=answer(study, head),
        answer_table=table(*answer_table(head)),
        other_rows=head[head["place"] != ""].to_dict("records"),
        repeated=repeated(study, head) if study.other else [],
        also=f" --also {posixpath.normpath(f'reports/plain_vs_fancy/{study.other.place}')}" if study.other else "",
        verdict_counts=verdict_counts(verdicts),
        verdict_table=verdict_table(verdicts),
        aa_text=aa_text(verdicts),
        trace=main_trace(verdicts),
        trade_off_table=trade_off_table(study, main_trace(verdicts)),
        predicted_groups=predicted_groups(study),
        predicted_table=predicted_table(study),
        left_over=left_over(study),
        expectations=expectations(verdicts),
        simulated=simulated,
        misses_table=misses_table(study, simulated),
        causes_table=causes_table(study),
        caches=caches(study),
        page_names=PAGE_NAMES,
        margin_text=margin_text,
        one_line=one_line,
    )
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
