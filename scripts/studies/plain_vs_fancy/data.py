# SPDX-License-Identifier: MIT
"""The data of the comparison of plain and fancy magic: what scripts/plain_vs_fancy.sh leaves in build/plain_vs_fancy.

`measured/*/` are of `slidebench run` (one is called replay), `simulated/pair/` is of `slidebench simulate`. What `note.txt`
says, if it is there, is on the page.
"""

from dataclasses import dataclass

import pandas as pd

from report.data.cells import PRESSURE_ORDER, WORKLOAD_ORDER
from report.data.files import dig, matching, one_line, read_text
from report.data.process_runs import read_process_runs
from report.data.run import load_summary
from report.data.schema import CAUSES, KEY
from report.data.simulation import Place, Simulation, load_simulation
from report.data.words import human_percent
from report.errors import ReportError

PLAIN, FANCY = "magic_plain", "magic_fancy"
SEARCH, ISOLATED = "search", "isolated"
# What stands for all where one is shown: the most lifelike trace, on this machine.
HERE = Place(SEARCH, ISOLATED, "host", "4k")
LARGE_NETWORKS = ("net1024", "nnue", "nnue-xl")  # pressures that stand for their traffic
ORDER = [*WORKLOAD_ORDER, SEARCH, "game", "random", *PRESSURE_ORDER, "4k", "2m"]

# The settings of the old question, as a chess programmer names them.
QUESTIONS = pd.DataFrame(
    [
        ("perft", "perft", "positions", ISOLATED),
        ("search without a network", "engine", "net0", ISOLATED),
        ("search, network of 256", "engine", "net256", ISOLATED),
        ("search, network of 1,024", "engine", "net1024", ISOLATED),
        ("loop, independent look-ups", "throughput", SEARCH, ISOLATED),
        ("loop, independent look-ups, under pressure", "throughput", SEARCH, "nnue"),
        ("loop, dependent look-ups", "latency", SEARCH, ISOLATED),
        ("loop, dependent look-ups, under pressure", "latency", SEARCH, "nnue"),
    ],
    columns=["name", "workload", "trace", "pressure"],
)


@dataclass
class Study:
    """The folder in memory."""

    runs: dict  # name -> run.json of each measured run
    summary: pd.DataFrame  # a row per contender and setting of the run whose name is in the column `run`
    process_runs: pd.DataFrame  # what each process run says of each of these rows
    simulation: Simulation  # of the pair
    note: str  # of who made the folder; "" for none

    @property
    def info(self):
        """dict: run.json of the run of the loops."""
        return self.runs["replay"]

    def table_bytes(self, method):
        """int: the bytes of a method's tables."""
        return int(matching(self.summary, method=method)["table_bytes"].iloc[0])


def load(folder):
    """Reads and checks the folder: Study. ReportError where something is missing, or does not belong to the rest."""
    if not folder.is_dir():
        raise ReportError(f"{folder}: no such folder; scripts/plain_vs_fancy.sh makes one")
    names = sorted({"replay"} | {path.parent.name for path in folder.glob("measured/*/run.json")})
    runs = {name: load_summary(folder / "measured" / name) for name in names}
    for run in runs.values():
        _check(run, runs["replay"])
    simulation = load_simulation(folder / "simulated" / "pair")
    parts = (simulation.mrc, simulation.squares, simulation.tables)
    if any(part is None for part in parts) or HERE not in simulation.places:
        raise ReportError(f"{simulation.folder}: has no reuse distances, squares or tables, or not of {HERE.name}")
    return Study(
        runs={name: run.info for name, run in runs.items()},
        summary=pd.concat([run.summary.assign(run=name) for name, run in runs.items()], ignore_index=True),
        process_runs=pd.concat(
            [read_process_runs(run.folder).assign(run=name) for name, run in runs.items()], ignore_index=True
        ),
        simulation=simulation,
        note=one_line(read_text(folder / "note.txt")) if (folder / "note.txt").exists() else "",
    )


def _check(run, first):
    """A run must be whole, of the same processor as the first, and its ratios to fancy."""
    if run.info.get("complete") is False:
        raise ReportError(f"{run.folder}: was interrupted and is incomplete; run it again")
    names = [dig(each.info, "machine", "cpu") for each in (run, first)]
    if names[0] != names[1]:
        raise ReportError(f"{run.folder}: was measured on another processor ({names[0]}, not {names[1]}); remove it")
    if set(matching(run.summary, role="reference")["method"]) != {FANCY}:
        raise ReportError(f"{run.folder}: its ratios are not to {FANCY}; run it again")


def in_order(frame):
    """Settings in the order that readers expect; names that have no place in it come last."""
    place = {name: number for number, name in enumerate(ORDER)}
    by = ["workload", "trace", "pressure", "pages"]
    in_place = frame.sort_values(by, key=lambda column: column.map(place).fillna(len(ORDER)), kind="stable")
    return in_place.reset_index(drop=True)


def judged(summary):
    """Plain against fancy in every setting, `name`, of every run, as the run judged it: ns of both, ratio (plain over
    fancy) with its interval, margin, verdict on plain, and how far identical code may have differed."""
    where = ["run", *KEY]
    plain = matching(summary, method=PLAIN, role="method").rename(columns={"ns_per_query": "plain_ns"})
    if plain["ratio"].isna().all():
        raise ReportError(f"measured: no setting has a ratio of {PLAIN} to {FANCY}; measure both")
    fancy = matching(summary, role="reference").rename(columns={"ns_per_query": "fancy_ns"})
    rows = plain.merge(fancy[[*where, "fancy_ns"]], on=where)
    rows["name"] = rows["workload"] + ", " + rows["trace"] + ", " + rows["pressure"]
    columns = "process_runs rounds fancy_ns plain_ns ratio ratio_low ratio_high margin verdict aa_bound"
    return in_order(rows[["name", *where, *columns.split()]].astype({"process_runs": int, "rounds": int}))


def answers(verdicts):
    """The verdicts, of `judged`, that answer QUESTIONS, in their order; a row without numbers where there are none."""
    return QUESTIONS.merge(verdicts.drop(columns="name"), how="left", on=["workload", "trace", "pressure"])


def expectations(verdicts):
    """What was written down before the first run: dict text -> which settings, a Series of bool, turned out so."""
    real = verdicts[verdicts["trace"] != "random"]
    alone = matching(real, workload="throughput", pressure=ISOLATED)
    heavy = real[real["pressure"].isin(LARGE_NETWORKS)]
    loops = real[real["workload"].isin(["throughput", "latency"])]
    gaps = loops.assign(gap=loops["plain_ns"] - loops["fancy_ns"])
    same = ["run", *(name for name in KEY if name != "pages")]
    small = matching(gaps, pages="4k", verdict="slower")
    both = small.merge(matching(gaps, pages="2m"), on=same, suffixes=("", "_large"))
    return {
        "Alone and independent (throughput, isolated), the two are equivalent": alone["verdict"] == "equivalent",
        "Under the traffic of a large network, they differ": heavy["verdict"].isin(["faster", "slower"]),
        "The TLB, and not the L1D, carries most of the gap: large pages take more than half of it away": (
            both["gap_large"] < both["gap"] / 2
        ),
    }


def misses(simulation):
    """Simulated misses per query, `fancy / plain`, on the main trace and small pages, by cache and pressure."""
    rows = []
    for place in simulation.places:
        if (place.trace, place.pages) == (SEARCH, "4k"):
            medians = simulation.misses(place).xs("median", axis=1, level=1).loc[[FANCY, PLAIN]]
            pairs = {level: " / ".join(medians[level].map("{:.4f}".format)) for level in medians}
            rows.append({"cache": place.cache, "pressure": place.pressure} | pairs)
    return pd.DataFrame(rows).fillna("")


def causes(simulation):
    """Why both miss the first level when nothing else touches it, simulated: a row a cache and method of tables.csv."""
    rows = matching(simulation.tables, trace=SEARCH, pressure=ISOLATED, pages="4k", table="all", level="L1D", draw=0)
    rows = rows[rows["method"].isin([FANCY, PLAIN])].sort_values("cache", kind="stable")
    found = rows[["cache", "method", "distinct_lines"]].assign(misses=rows["misses"] / rows["queries"])
    for cause in CAUSES:
        found[cause] = (rows[cause] / rows["misses"]).map(human_percent)
    return found
