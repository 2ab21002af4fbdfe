# SPDX-License-Identifier: MIT
"""The page of the comparison of plain and fancy magic: page.md.j2, in which every number is filled in from the data."""

import math
import posixpath
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from report.analysis.findings import INTERVALS
from report.analysis.ranks import spearman
from report.data.cells import NODE_WORKLOADS
from report.data.files import cache_bytes, dig, items, matching, one_line
from report.data.simulation import LEVELS
from report.data.words import human_bytes, human_interval, human_number, human_percent
from report.page.markdown import table
from studies.plain_vs_fancy.data import DIFFERENT, EQUIVALENT, FANCY, HOST, ISOLATED, MARGIN, PLAIN, UNDECIDED
from studies.plain_vs_fancy.data import UNRESOLVED, caches, in_order, main_trace, misses, whole_tables
from studies.plain_vs_fancy.figures import setting_name
from studies.plain_vs_fancy.words import HISTORY, PAGE_NAMES, answer, answer_table, machine_name, margin_text, repeated

TEMPLATE = Path(__file__).parent / "page.md.j2"
KINDS = (EQUIVALENT, DIFFERENT, UNRESOLVED, UNDECIDED)
# Pressures that stand for a large network's traffic.
LARGE_NETWORKS = ("net1024", "nnue", "nnue-xl")
LOOPS = ["throughput", "latency"]


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
    """What is known of the residuals under pressure: `small` and `large`, the median residual on 4 KiB and 2 MiB pages,
    ns; `pressure`, the heaviest simulated one, and `levels`, level -> misses a query of the host there, plain less
    fancy."""
    pressed = study.predicted[study.predicted["pressure"] != ISOLATED]
    medians = pressed.groupby("pages")["residual_ns"].median()
    rows = misses(study)
    rows = matching(rows, trace=main_trace(rows), cache=HOST, pages="4k")
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
    """What was written down before the first run, and how it turned out: `held` has a bool for each row of `found`, and
    its name ends the sentence."""
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
    rows = matching(misses(study), trace=trace, pages="4k")
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


def page(study, verdicts, head, drawn):
    """The page, Markdown; `drawn` are the stems of the figures that there are."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATE.parent), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"ns": "{:.2f}".format, "signed": "{:+.2f}".format, "line": one_line, "margin": margin_text}
    trace, simulated = main_trace(verdicts), main_trace(study.simulation.counts)
    loops = study.predicted.groupby("workload").filter(lambda own: len(own) > 2).groupby("workload")
    text = environment.get_template(TEMPLATE.name).render(
        HISTORY,
        study=study,
        info=study.info,
        drawn=drawn,
        verdicts=verdicts,
        bytes={method: study.table_bytes(method) for method in study.methods},
        machine=machine_name(study.info),
        caches=[(f"L{level}", size) for level in (1, 2, 3) if (size := cache_bytes(study.info, level))],
        traces={t.get("name"): t.get("xxh3", "") for run in study.runs.values() for t in items(run, "traces")},
        interval=INTERVALS.get(dig(study.info, "inference", "interval"), "of a kind that was not recorded"),
        ghz=dig(study.info, "effective_ghz"),
        counters="; ".join(filter(None, (dig(study.info, "counters", key) for key in ("status", "reason")))),
        large_pages=large_pages(study),
        margin=MARGIN,
        answer=answer(study, head),
        answer_table=table(*answer_table(head)),
        other_rows=head[head["place"] != ""].to_dict("records"),
        repeated=repeated(study, head) if study.other else [],
        also=f" --also {posixpath.normpath(f'reports/plain_vs_fancy/{study.other.place}')}" if study.other else "",
        setting_name=setting_name,
        human_bytes=human_bytes,
        human_interval=human_interval,
        verdict_counts=verdict_counts(verdicts),
        aa_text=aa_text(verdicts),
        trace=trace,
        trade_off_table=trade_off_table(study, trace),
        predicted_groups=predicted_groups(study),
        rho={workload: spearman(own["measured_ns"], own["predicted_ns"]) for workload, own in loops},
        left_over=left_over(study),
        expectations=expectations(verdicts),
        simulated=simulated,
        misses_table=misses_table(study, simulated),
        causes_table=causes_table(study),
        machines=caches(study),
        page_names=PAGE_NAMES,
    )
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
