# SPDX-License-Identifier: MIT
"""The data of the comparison of plain and fancy magic. Verdicts are the runs' own.

The folder is what scripts/plain_vs_fancy.sh leaves in build/plain_vs_fancy: `measured/*/` of `slidebench run`,
`simulated/pair/` of `slidebench simulate`, `predicted/` of `slidebench predict`, `computed/`, the run that it started
from, and the ladders: `ladder.csv`, a chase, and `touches.csv`, which priced the predictions. `note.txt`, if there is
one, says on the page what of it came about otherwise.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from report.data.cells import COMPARED_ROLES, PRESSURE_ORDER, WORKLOAD_ORDER
from report.data.files import matching, one_line, read_csv, read_info, read_text
from report.data.run import load_summary
from report.data.schema import KEY, LADDER, PLACE
from report.data.simulation import LEVELS, Simulation, load_simulation, notes
from report.errors import ReportError
from studies.times import TO_REFERENCE, residuals

PLAIN, FANCY = "magic_plain", "magic_fancy"
HOST, ISOLATED = "host", "isolated"

# Two times count as equal if neither is more than this factor of the other: `--margin 2%` of every run.
MARGIN = 1.02

ORDERS = {
    "workload": WORKLOAD_ORDER,
    "trace": ["search", "game", "random"],
    "pressure": PRESSURE_ORDER,
    "pages": ["4k", "2m"],
    "cache": ["core2", "nehalem-i5", "nehalem-i5-3m", "skylake", "zen5", HOST],
}

EQUIVALENT, DIFFERENT, UNRESOLVED, UNDECIDED = "equivalent", "different", "unresolved", "undecided"
WORDS = {"faster": DIFFERENT, "slower": DIFFERENT, "equivalent": EQUIVALENT, "unresolved": UNRESOLVED}


@dataclass(frozen=True)
class OtherRun:
    """Another run of the same machine, for settings of QUESTIONS that the study lacks; judged by its own margin."""

    place: str  # its folder, relative to where the report goes
    info: dict  # its run.json
    verdicts: pd.DataFrame  # as `judged` has them


@dataclass
class Study:
    """The folder in memory."""

    summary: pd.DataFrame  # measured: one row an arm and setting, of all runs
    runs: dict  # name -> run.json of each measured run
    ladders: dict  # measured: name -> one row a size and kind of page; `touches` may be missing
    simulation: Simulation  # of the pair
    predicted: pd.DataFrame  # plain less fancy: rows of studies.times.residuals, with `inside`
    computed: dict  # run.json of the run that the predictions started from
    note: str  # of who made the folder, for the page; "" for none
    other: OtherRun | None = None

    @property
    def info(self):
        """dict: run.json of the first run."""
        return min(self.runs.values(), key=lambda info: info["started"])

    @property
    def methods(self):
        """list of str: the methods that were measured, the pair first, then by name."""
        named = set(self.summary[self.summary["role"].isin(COMPARED_ROLES)]["method"])
        return [FANCY, PLAIN] + sorted(named - {FANCY, PLAIN})

    def table_bytes(self, method):
        """int: the bytes of a method's tables."""
        return int(self.summary[self.summary["method"] == method]["table_bytes"].iloc[0])

    def usual(self):
        """DataFrame: the summary of methods and reference, all kinds of query, without co-runners."""
        rows = self.summary[self.summary["role"].isin(COMPARED_ROLES)]
        return matching(rows, kinds="all", corunners=0)


def in_order(frame, *columns):
    """A frame sorted by columns, each in the order that readers expect; names that have none come after, by name."""

    def keys(column):
        order = ORDERS.get(column.name, [])
        return column.map(lambda name: f"{order.index(name) if name in order else len(order):02}{name}")

    return frame.sort_values(list(columns), key=keys, kind="stable").reset_index(drop=True)


def judged(summary):
    """Plain against fancy in every setting of a summary: KEY, launches, rounds, ns of both, ratio (plain over fancy)
    with its interval, margin as a factor, verdict, faster (where they differ), the interval of the A/A control, which
    compares fancy with itself, and how far identical code may have differed."""
    roles = summary["role"]
    plain = summary[(summary["method"] == PLAIN) & (roles == "method") & summary["ratio"].notna()]
    if plain.empty:
        raise ReportError(f"measured: no setting has a ratio of {PLAIN} to {FANCY}; measure both")
    fancy = summary.loc[roles == "reference", [*KEY, "ns_per_query"]]
    twins = summary.loc[roles == "twin", [*KEY, "ratio_low", "ratio_high"]]
    rows = plain.merge(fancy, on=KEY, suffixes=("", "_fancy")).merge(twins, on=KEY, how="left", suffixes=("", "_aa"))
    names = {"ns_per_query": "plain_ns", "ns_per_query_fancy": "fancy_ns"}
    rows = rows.rename(columns=names | {"ratio_low_aa": "aa_low", "ratio_high_aa": "aa_high"})
    rows["faster"] = rows["verdict"].map({"faster": PLAIN, "slower": FANCY}).fillna("")
    rows["verdict"] = rows["verdict"].map(WORDS).fillna(UNDECIDED)
    rows["margin"] = (1 + rows["margin"]).round(9)
    rows = rows.astype({"launches": int, "rounds": int})
    columns = "launches rounds fancy_ns plain_ns ratio ratio_low ratio_high margin verdict faster".split()
    rows = rows[[*KEY, *columns, "aa_low", "aa_high", "aa_bound"]]
    return in_order(rows, "workload", "trace", "pressure", "pages", "kinds", "corunners")


# The settings of the old question, as a chess programmer names them: (name, workload, trace, pressure). A trace of ""
# is the main one, a pressure of "" the network's traffic that was measured.
QUESTIONS = (
    ("perft", "perft", "positions", ISOLATED),
    ("search without a network", "engine", "net0", ISOLATED),
    ("search, network of 256", "engine", "net256", ISOLATED),
    ("search, network of 1,024", "engine", "net1024", ISOLATED),
    ("loop, independent look-ups, alone", "throughput", "", ISOLATED),
    ("loop, independent look-ups, under pressure", "throughput", "", ""),
    ("loop, dependent look-ups, alone", "latency", "", ISOLATED),
    ("loop, dependent look-ups, under pressure", "latency", "", ""),
)
# Whose traffic stands for a large network's: the preset that was fitted to one, else the first guess.
TRAFFIC = ("net1024", "nnue")


def headline(study, found):
    """The verdicts, of `judged`, that answer the old question, in the order of QUESTIONS and then of pages; of the
    other run where the study lacks a setting: `place` is its folder, or ""."""
    traffic = next((name for name in TRAFFIC if name in set(found["pressure"])), "")
    trace = main_trace(found[found["workload"].isin(["throughput", "latency"])])
    sources = [("", found)] + ([(study.other.place, study.other.verdicts)] if study.other else [])
    parts = []
    for name, workload, where, pressure in QUESTIONS:
        wanted = {"workload": workload, "trace": where or trace, "pressure": pressure or traffic}
        for place, rows in sources:
            own = matching(rows, **wanted, kinds="all", corunners=0)
            if len(own):
                parts.append(own.assign(name=name, place=place))
                break
    return pd.concat(parts, ignore_index=True) if parts else found.iloc[:0].assign(name="", place="")


def main_trace(rows):
    """The trace that stands for all where one is shown: the most lifelike; "" without any."""
    return in_order(rows, "trace")["trace"].iloc[0] if len(rows) else ""


def misses(study):
    """Simulated misses a query of the pair: DataFrame with method, PLACE, level, per_query (median over draws)."""
    rows = study.simulation.counts
    rows = rows[rows["method"].isin([PLAIN, FANCY]) & rows["metric"].isin(LEVELS)]
    found = rows.groupby(["method", *PLACE, "metric"], sort=False)["per_query"].median().reset_index()
    return in_order(found.assign(level=found["metric"].map(LEVELS)), "trace", "cache", "pressure", "pages")


def whole_tables(study, level="L1D"):
    """Rows of tables.csv about all of a method's tables at a level, the pair's, one draw; no rows without the file."""
    rows = study.simulation.tables
    if rows is None:
        return pd.DataFrame(columns=["method", *PLACE, "queries", "distinct_lines", "compulsory"])
    rows = matching(rows, table="all", level=level, draw=0)
    return rows[rows["method"].isin([PLAIN, FANCY])]


def load(folder, also=None, out=None):
    """Reads and checks the folder, and that of another run, see OtherRun, whose place is named relative to `out`:
    Study. ReportError where a file or column is missing, or the runs do not belong together."""
    folder = Path(folder)
    paths = sorted(path.parent for path in folder.glob("measured/*/run.json"))
    if not paths:
        raise ReportError(f"{folder / 'measured'}: holds no run; make it with scripts/plain_vs_fancy.sh")
    runs = {path.name: _complete(path) for path in paths}
    summary = pd.concat([run.summary for run in runs.values()], ignore_index=True)
    _check_summary(folder / "measured", summary)
    ladders = {name: folder / f"{name}.csv" for name in ("ladder", "touches")}
    if not ladders["touches"].exists():
        del ladders["touches"]
    predicted = residuals([path for path in paths if path.name == "replay"] or paths, [folder / "predicted"])
    predicted = predicted[(predicted["comparison"] == TO_REFERENCE) & (predicted["method"] == PLAIN)]
    inside = predicted["predicted_ns"].between(predicted["measured_low"], predicted["measured_high"])
    return Study(
        summary=summary,
        runs={name: run.info for name, run in runs.items()},
        ladders={name: read_csv(path, LADDER.text, LADDER.numbers) for name, path in ladders.items()},
        simulation=load_simulation(folder / "simulated" / "pair"),
        predicted=in_order(predicted.assign(inside=inside), "workload", "trace", "pressure", "pages"),
        computed=read_info(folder / "computed"),
        note=one_line(read_text(folder / "note.txt")) if (folder / "note.txt").exists() else "",
        other=None if also is None else _other(Path(out or folder), Path(also), next(iter(runs.values())).info),
    )


def _complete(path):
    """A run that was not interrupted."""
    run = load_summary(path)
    if run.info.get("complete") is False:
        raise ReportError(f"{path}: was interrupted and is incomplete; run scripts/plain_vs_fancy.sh again")
    return run


def _other(out, also, own):
    """OtherRun of a folder, which must be of the same machine."""
    run = _complete(also)
    names = [info.get("machine", {}).get("cpu") for info in (own, run.info)]
    if names[0] != names[1]:
        raise ReportError(f"{also}: was measured on another processor ({names[1]}, not {names[0]}); leave --also out")
    if set(run.summary[run.summary["role"] == "reference"]["method"]) != {FANCY}:
        raise ReportError(f"{also}: its ratios are not to {FANCY}; leave --also out")
    return OtherRun(Path(os.path.relpath(also, out)).as_posix(), run.info, judged(run.summary))


def _check_summary(place, summary):
    """The runs must have one reference and one margin, and no setting twice."""
    references = sorted(set(summary[summary["role"] == "reference"]["method"]) - {FANCY})
    if references:
        raise ReportError(f"{place}: ratios are to {references[0]}, and not to {FANCY}; run it again")
    other = summary[(summary["margin"] - (MARGIN - 1)).abs() > 1e-9]["margin"]
    if len(other):
        found = f"{100 * other.iloc[0]:g} %, and not {100 * (MARGIN - 1):g} %"
        raise ReportError(f"{place}: was judged with a margin of {found}; run it again")
    twice = summary[summary.duplicated(["arm", *KEY])]
    if len(twice):
        where = ", ".join(str(twice.iloc[0][name]) for name in KEY)
        raise ReportError(f"{place}: {twice.iloc[0]['arm']} was measured twice in {where}; remove one run")


def caches(study):
    """The simulated caches: list of (name, specification, notes), oldest machine first."""
    order = ORDERS["cache"]
    return sorted(notes(study.simulation.info), key=lambda cache: order.index(cache[0]) if cache[0] in order else 99)
