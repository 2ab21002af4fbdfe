# SPDX-License-Identifier: MIT
"""The data of the comparison of plain and fancy magic: read and checked. Verdicts are the runs' own.

The folder holds what the programs wrote: `measured/*/` as `slidebench run` leaves it, `simulated/*/` as `slidebench
simulate` does, and `ladder.csv` of `slidebench ladder`. What is derived from them is computed here and in
plain_vs_fancy_estimate, never typed.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from report.data.cells import PRESSURE_ORDER
from report.data.files import check_schema, items, read_csv, read_info
from report.errors import ReportError


PLAIN, FANCY = "magic_plain", "magic_fancy"

# Two times count as equal if neither is more than this factor of the other: `--margin 2%` of every run.
MARGIN = 1.02

SETTING = ["workload", "kinds", "trace", "pressure", "pages", "corunners"]
SUMMARY_TEXT = ["arm", "method", "title", "role", "verdict", *SETTING]
SUMMARY_NUMBERS = (
    "table_bytes launches rounds ns_per_query net_ns_per_query ratio ratio_low ratio_high margin aa_bound".split()
)
LADDER_TEXT = ["pages"]
LADDER_NUMBERS = ["bytes", "large_page_share", "chases", "ns_per_load", "ns_per_load_q1", "ns_per_load_q3"]
PLACE = ["trace", "pressure", "cache", "pages"]
COUNT_TEXT = ["method", *PLACE, "metric", "source"]
COUNT_NUMBERS = ["draw", "queries", "value"]
CURVE_TEXT = ["method", "trace"]
CURVE_NUMBERS = ["granularity_bytes", "cache_lines", "lines_per_evaluation", "queries", "misses"]
SQUARE_TEXT = ["method", *PLACE, "kind", "square"]
SQUARE_NUMBERS = ["queries", "l1d_misses"]
TABLE_TEXT = ["method", *PLACE, "table", "level"]
TABLE_NUMBERS = ["draw", "queries", "distinct_lines", "misses", "compulsory", "capacity", "conflict"]

WORKLOAD_ORDER = ["throughput", "latency", "setwise", "perft", "engine"]
TRACE_ORDER = ["search", "game", "random"]
PAGE_ORDER = ["4k", "2m"]
CACHE_ORDER = ["core2", "nehalem-i5", "nehalem-i5-3m", "skylake", "zen5", "host"]

EQUIVALENT, DIFFERENT, UNRESOLVED, UNDECIDED = "equivalent", "different", "unresolved", "undecided"
WORDS = {"faster": DIFFERENT, "slower": DIFFERENT, "equivalent": EQUIVALENT, "unresolved": UNRESOLVED}


@dataclass(frozen=True)
class OtherRun:
    """Another run of the same machine, for settings of QUESTIONS that the study lacks; judged by its own margin.

    Attributes:
        place: its folder, relative to the study's.
        info: its run.json.
        verdicts: as `verdicts` has them.
    """

    place: str
    info: dict
    verdicts: pd.DataFrame


@dataclass
class Study:
    """The folder in memory.

    Attributes:
        summary: measured: one row an arm and setting, of all runs.
        runs: name -> run.json of each measured run.
        ladder: measured: one row a size and kind of page.
        counts: simulated: one row a method, place, draw and metric; adds `per_query`.
        curves: simulated: one row a method, trace, granularity and size, without pressure; adds `per_query`.
        squares: simulated: one row a method, place, kind and square.
        tables: simulated: one row a method, place, draw, table and level.
        simulations: name -> run.json of each simulation.
        other: OtherRun, or None.
    """

    summary: pd.DataFrame
    runs: dict
    ladder: pd.DataFrame
    counts: pd.DataFrame
    curves: pd.DataFrame
    squares: pd.DataFrame
    tables: pd.DataFrame
    simulations: dict
    other: OtherRun | None = None

    @property
    def machine(self):
        """dict: the machine that measured, as the first run describes it."""
        return next(iter(self.runs.values())).get("machine", {})

    @property
    def methods(self):
        """list of str: the methods that were measured, the pair first, then by name."""
        named = set(self.summary[self.summary["role"].isin(["method", "reference"])]["method"])
        return [FANCY, PLAIN] + sorted(named - {FANCY, PLAIN})

    def title(self, method):
        """str: a method's title."""
        rows = self.summary[self.summary["method"] == method]
        return rows["title"].iloc[0] if len(rows) else method

    def table_bytes(self, method):
        """int: the bytes of a method's tables."""
        return int(self.summary[self.summary["method"] == method]["table_bytes"].iloc[0])


def rank(order, name):
    """A sorting key: the place in a list; what is not in it comes after, by name."""
    return (order.index(name) if name in order else len(order), name)


def setting_key(row):
    """A sorting key for rows with the columns of SETTING."""
    return (
        rank(WORKLOAD_ORDER, row.workload),
        rank(TRACE_ORDER, row.trace),
        rank(PRESSURE_ORDER, row.pressure),
        rank(PAGE_ORDER, row.pages),
        row.kinds,
        row.corunners,
    )


def sorted_settings(frame):
    """A frame in the order of its settings, from the plainest on."""
    keys = [setting_key(row) for row in frame.itertuples()]
    return frame.iloc[sorted(range(len(frame)), key=keys.__getitem__)].reset_index(drop=True)


def verdicts(study):
    """Plain against fancy in every setting of the study: `judged` of its summary."""
    return judged(study.summary)


def judged(summary):
    """Plain against fancy in every setting of a summary.

    Returns:
        DataFrame: SETTING, ns_per_query of both, ratio (plain over fancy) with its interval, margin, verdict, faster
        (where they differ), and the interval of the A/A control, which compares fancy with itself, with how far
        identical code may have differed.
    """
    plain = summary[(summary["method"] == PLAIN) & (summary["role"] == "method")]
    fancy = summary[summary["role"] == "reference"].set_index(SETTING)
    twins = summary[summary["role"] == "twin"].set_index(SETTING)
    rows = []
    for row in plain[plain["ratio"].notna()].itertuples():
        key = tuple(getattr(row, name) for name in SETTING)
        verdict = WORDS.get(row.verdict, UNDECIDED)
        found = dict(zip(SETTING, key))
        found |= {"launches": int(row.launches), "rounds": int(row.rounds)}
        found |= {"plain_ns": row.ns_per_query, "fancy_ns": fancy.loc[key, "ns_per_query"]}
        found |= {"ratio": row.ratio, "ratio_low": row.ratio_low, "ratio_high": row.ratio_high}
        found |= {"margin": round(1 + row.margin, 9)}
        found |= {"verdict": verdict, "faster": ""}
        if verdict == DIFFERENT:
            found["faster"] = PLAIN if row.verdict == "faster" else FANCY
        twin = twins.loc[key] if key in twins.index else {}
        found |= {"aa_low": twin.get("ratio_low"), "aa_high": twin.get("ratio_high"), "aa_bound": row.aa_bound}
        rows.append(found)
    if not rows:
        raise ReportError(f"measured: no setting has a ratio of {PLAIN} to {FANCY}; measure both")
    return sorted_settings(pd.DataFrame(rows).astype({"aa_low": float, "aa_high": float}))


# The settings of the old question, as a chess programmer names them: (name, workload, trace, pressure). A trace of ""
# is the main one, a pressure of "" the network's traffic that was measured.
QUESTIONS = (
    ("perft", "perft", "positions", "isolated"),
    ("search without a network", "engine", "net0", "isolated"),
    ("search, network of 256", "engine", "net256", "isolated"),
    ("search, network of 1,024", "engine", "net1024", "isolated"),
    ("loop, independent look-ups, alone", "throughput", "", "isolated"),
    ("loop, independent look-ups, under pressure", "throughput", "", ""),
    ("loop, dependent look-ups, alone", "latency", "", "isolated"),
    ("loop, dependent look-ups, under pressure", "latency", "", ""),
)
# Whose traffic stands for a large network's: the preset that was fitted to one, else the first guess.
TRAFFIC = ("net1024", "nnue")


def headline(study, found):
    """The verdicts that answer the old question.

    Args:
        study: Study.
        found: of `verdicts`.

    Returns:
        DataFrame: rows of `found`, or of the other run where the study lacks a setting, in the order of QUESTIONS and
        then of pages; adds `name`, and `place`, the other run's folder or "".
    """
    traffic = next((name for name in TRAFFIC if name in set(found["pressure"])), "")
    loops = found[found["workload"].isin(["throughput", "latency"])]
    trace = min(loops["trace"], key=lambda name: rank(TRACE_ORDER, name), default="")
    sources = [("", found)] + ([(study.other.place, study.other.verdicts)] if study.other else [])
    parts = []
    for name, workload, where, pressure in QUESTIONS:
        wanted = [workload, "all", where or trace, pressure or traffic, "0"]
        for place, rows in sources:
            own = rows[(rows[["workload", "kinds", "trace", "pressure", "corunners"]] == wanted).all(axis=1)]
            if len(own):
                parts.append(own.assign(name=name, place=place))
                break
    return pd.concat(parts, ignore_index=True) if parts else found.iloc[:0].assign(name="", place="")


def misses(study, methods=(PLAIN, FANCY)):
    """Simulated misses a query.

    Returns:
        DataFrame: method, PLACE, metric, per_query; the median over draws of page placements.
    """
    rows = study.counts[study.counts["method"].isin(methods) & (study.counts["metric"] != "accesses")]
    return rows.groupby(["method", *PLACE, "metric"], sort=False)["per_query"].median().reset_index()


def causes(study):
    """Why the pair misses the L1D without pressure, simulated.

    Returns:
        DataFrame: method, trace, cache, pages, compulsory, capacity, conflict a query.
    """
    rows = study.tables[(study.tables["table"] == "all") & study.tables["method"].isin([PLAIN, FANCY])]
    rows = rows[rows["compulsory"].notna() & (rows["level"] == "L1D") & (rows["draw"] == 0)]
    rows = rows[["method", "trace", "cache", "pages", "queries", "compulsory", "capacity", "conflict"]].copy()
    for name in ("compulsory", "capacity", "conflict"):
        rows[name] /= rows["queries"]
    return rows.drop(columns="queries")


def first_touches(study):
    """The simulated first touches of a line or page: misses that no cache can spare a method.

    Returns:
        dict (method, trace, cache, pages, level as tables.csv has it) -> (touches, touches a query).
    """
    column = "cold_compulsory" if "cold_compulsory" in study.tables else "compulsory"
    rows = study.tables[(study.tables["table"] == "all") & study.tables[column].notna()]
    rows = rows[rows["draw"] == 0]
    found = {}
    for row in rows.itertuples():
        key = (row.method, row.trace, row.cache, row.pages, row.level)
        touches = getattr(row, column)
        found[key] = (touches, touches / row.queries)
    return found


def pressure_bytes(study):
    """The block that each simulated pressure touches: dict name -> bytes."""
    found = {}
    for info in study.simulations.values():
        found |= {pressure.get("name"): pressure.get("block_bytes", 0) for pressure in items(info, "pressures")}
    return found


def load(folder, also=None):
    """Reads and checks the folder.

    Args:
        folder: path.
        also: the folder of another run, see OtherRun; None for none.

    Returns:
        Study.

    Raises:
        ReportError: a file or column is missing, or the runs do not belong together.
    """
    folder = Path(folder)
    measured, simulated = _folders(folder / "measured"), _folders(folder / "simulated")
    runs = {path.name: _complete(path) for path in measured}
    for path in measured:
        check_schema(path, runs[path.name])
    summary = _together(measured, "summary.csv", SUMMARY_TEXT, SUMMARY_NUMBERS)
    _check_summary(folder, summary)
    counts = _together(simulated, "counters.csv", COUNT_TEXT, COUNT_NUMBERS)
    _check_simulated(folder, counts)
    counts = counts[counts["value"].notna()]
    counts = counts.assign(per_query=counts["value"] / counts["queries"])
    curves = _together(simulated, "mrc.csv", CURVE_TEXT, CURVE_NUMBERS, may_lack=True)
    curves = curves[curves["lines_per_evaluation"] == 0]
    return Study(
        summary=summary,
        runs=runs,
        other=None if also is None else _other(folder, Path(also), next(iter(runs.values()))),
        ladder=read_csv(folder / "ladder.csv", LADDER_TEXT, LADDER_NUMBERS).sort_values(["pages", "bytes"]),
        counts=counts,
        curves=curves.assign(per_query=curves["misses"] / curves["queries"]),
        squares=_together(simulated, "squares.csv", SQUARE_TEXT, SQUARE_NUMBERS),
        tables=_together(simulated, "tables.csv", TABLE_TEXT, TABLE_NUMBERS),
        simulations={path.name: _complete(path) for path in simulated},
    )


def _other(folder, also, own):
    """OtherRun of a folder, which must be of the same machine."""
    info = _complete(also)
    check_schema(also, info)
    names = [run.get("machine", {}).get("cpu") for run in (own, info)]
    if names[0] != names[1]:
        raise ReportError(f"{also}: was measured on another processor ({names[1]}, not {names[0]}); leave --also out")
    summary = read_csv(also / "summary.csv", SUMMARY_TEXT, SUMMARY_NUMBERS)
    if set(summary[summary["role"] == "reference"]["method"]) != {FANCY}:
        raise ReportError(f"{also}: its ratios are not to {FANCY}; leave --also out")
    return OtherRun(Path(os.path.relpath(also, folder)).as_posix(), info, judged(summary))


def _folders(folder):
    found = sorted(path for path in folder.glob("*") if (path / "run.json").is_file())
    if not found:
        raise ReportError(f"{folder}: holds no run; make it with scripts/plain_vs_fancy.sh")
    return found


def _complete(folder):
    """run.json of a run that was not interrupted."""
    info = read_info(folder)
    if info.get("complete") is False:
        raise ReportError(f"{folder}: was interrupted and is incomplete; run scripts/plain_vs_fancy.sh again")
    return info


def _together(folders, name, text, numbers, may_lack=False):
    """The same file of several folders as one frame, without rows that two of them share."""
    frames = []
    for folder in folders:
        path = folder / name
        only_head = path.is_file() and len(path.read_text().splitlines()) == 1
        if not (may_lack and only_head):
            frames.append(read_csv(path, text, numbers)[text + numbers])
    if not frames:
        raise ReportError(f"{folders[0] / name}: has no rows, nor has that of any other run; simulate with --reuse")
    return pd.concat(frames, ignore_index=True).drop_duplicates().reset_index(drop=True)


def _check_summary(folder, summary):
    references = sorted(set(summary[summary["role"] == "reference"]["method"]) - {FANCY})
    if references:
        raise ReportError(f"{folder / 'measured'}: ratios are to {references[0]}, and not to {FANCY}; run it again")
    other = summary[(summary["margin"] - (MARGIN - 1)).abs() > 1e-9]["margin"]
    if len(other):
        found = f"{100 * other.iloc[0]:g} %, and not {100 * (MARGIN - 1):g} %"
        raise ReportError(f"{folder / 'measured'}: was judged with a margin of {found}; run it again")
    twice = summary.duplicated(["arm", *SETTING])
    if twice.any():
        row = summary[twice].iloc[0]
        where = ", ".join(row[name] for name in SETTING)
        raise ReportError(f"{folder / 'measured'}: {row['arm']} was measured twice in {where}; remove one run")


def _check_simulated(folder, counts):
    foreign = sorted(set(counts["source"]) - {"simulated"})
    if foreign:
        raise ReportError(f"{folder / 'simulated'}: has counts with source '{foreign[0]}', not simulated ones")


def caches(study):
    """The simulated caches: list of (name, specification, notes), each once, oldest machine first."""
    found = {}
    for info in study.simulations.values():
        for cache in items(info, "caches"):
            found.setdefault(cache.get("name", ""), (cache.get("specification", ""), cache.get("notes") or []))
    return [(name, *found[name]) for name in sorted(found, key=lambda name: rank(CACHE_ORDER, name))]
