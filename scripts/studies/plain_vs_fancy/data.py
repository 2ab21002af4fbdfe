# SPDX-License-Identifier: MIT
"""The data of the comparison of plain and fancy magic: what scripts/plain_vs_fancy.sh leaves in build/plain_vs_fancy.

`measured/*/` are of `slidebench run` (one is called replay), `simulated/pair/` is of `slidebench simulate`.
"""

from dataclasses import dataclass

import pandas as pd

from report.data.cells import PRESSURE_ORDER, WORKLOAD_ORDER, touched
from report.data.files import cache_bytes, dig, matching
from report.data.process_runs import read_process_runs
from report.data.run import load_summary
from report.data.schema import KEY
from report.data.simulation import Place, Simulation, load_simulation
from report.errors import ReportError

PLAIN, ARRAYS, FANCY = "magic_plain", "magic_plain_arrays", "magic_fancy"  # plain in records, in parallel arrays; fancy
SEARCH, ISOLATED = "search", "isolated"
# What stands for all where one is shown: the most lifelike trace, on this machine.
HERE = Place(SEARCH, ISOLATED, "host", "4k")
ORDER = [*WORKLOAD_ORDER, SEARCH, "game", "random", *PRESSURE_ORDER, "4k", "2m"]

PERFT, NETWORK, LOOP = "perft", "search, network of 1,024", "loop, independent look-ups"
CURVE = "curve"  # the run of loops whose look-ups share the caches with blocks of several sizes
# The settings of the old question, as a chess programmer names them.
QUESTIONS = pd.DataFrame(
    [
        (PERFT, "perft", "positions", ISOLATED, 0),
        ("perft, cold tables", "perft_cold", "positions", ISOLATED, 0),
        ("perft, the other core busy", "perft", "positions", ISOLATED, 1),
        ("search without a network", "engine", "net0", ISOLATED, 0),
        ("search, network of 256", "engine", "net256", ISOLATED, 0),
        (NETWORK, "engine", "net1024", ISOLATED, 0),
        (LOOP, "throughput", SEARCH, ISOLATED, 0),
        ("loop, independent look-ups, the other core busy", "throughput", SEARCH, ISOLATED, 1),
        ("loop, independent look-ups, cool tables", "throughput", SEARCH, "lukewarm", 0),
        ("loop, independent look-ups, under pressure", "throughput", SEARCH, "nnue", 0),
        ("loop, dependent look-ups", "latency", SEARCH, ISOLATED, 0),
        ("loop, dependent look-ups, under pressure", "latency", SEARCH, "nnue", 0),
    ],
    columns=["name", "workload", "trace", "pressure", "corunners"],
)


@dataclass
class Study:
    """The folder in memory."""

    runs: dict  # name -> run.json of each measured run
    summary: pd.DataFrame  # a row per contender and setting of the run whose name is in the column `run`
    process_runs: pd.DataFrame  # what each process run says of each of these rows
    simulation: Simulation  # of the pair

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
    fancy) with its interval, margin, verdict on plain, and how far identical code may have differed; ratio, interval and
    verdict of plain in arrays as `arrays_...`, NaN where it was not measured."""
    where = ["run", *KEY]
    plain = matching(summary, method=PLAIN, role="method").rename(columns={"ns_per_query": "plain_ns"})
    if plain["ratio"].isna().all():
        raise ReportError(f"measured: no setting has a ratio of {PLAIN} to {FANCY}; measure both")
    fancy = matching(summary, role="reference").rename(columns={"ns_per_query": "fancy_ns"})
    rows = plain.merge(fancy[[*where, "fancy_ns"]], on=where)
    said = ["ratio", "ratio_low", "ratio_high", "verdict"]
    arrays = matching(summary, method=ARRAYS, role="method")[[*where, *said]]
    rows = rows.merge(arrays.rename(columns={name: f"arrays_{name}" for name in said}), on=where, how="left")
    rows["name"] = rows["workload"] + ", " + rows["trace"] + ", " + rows["pressure"]
    rows["name"] += rows["corunners"].map({0: ""}).fillna(", other core busy")
    columns = f"process_runs rounds fancy_ns plain_ns margin aa_bound {' '.join(said)} arrays_{' arrays_'.join(said)}"
    return in_order(rows[["name", *where, *columns.split()]].astype({"process_runs": int, "rounds": int}))


def answers(verdicts):
    """The verdicts, of `judged`, that answer QUESTIONS, in their order; a row without numbers where there are none."""
    own = verdicts[verdicts["run"] != CURVE].drop(columns="name")
    return QUESTIONS.merge(own, how="left", on=["workload", "trace", "pressure", "corunners"])


def curve(study, verdicts):
    """The rows of `judged` of the run CURVE with `share`: the bytes of plain's tables and of the block that the loop also
    touches, over those of the L2; None where there is no such run, or no L2 is known."""
    rows, l2 = matching(verdicts, run=CURVE), cache_bytes(study.info, 2)
    if rows.empty or not l2:
        return None
    blocks = rows["pressure"].map(lambda pressure: block.bytes if (block := touched(pressure)) else 0)
    said = rows["workload"].map({"throughput": "independent", "latency": "dependent"})
    return rows.assign(share=(study.table_bytes(PLAIN) + blocks) / l2, workload=said).sort_values(["share", "pages"])


def misses(simulation):
    """Simulated misses per query, `fancy / plain`, on the main trace and small pages, by cache and pressure."""
    rows = []
    for place in simulation.places:
        if (place.trace, place.pages) == (SEARCH, "4k"):
            medians = simulation.misses(place).xs("median", axis=1, level=1).loc[[FANCY, PLAIN]]
            pairs = {level: " / ".join(medians[level].map("{:.4f}".format)) for level in medians}
            rows.append({"cache": place.cache, "pressure": place.pressure} | pairs)
    return pd.DataFrame(rows).fillna("")


def more_lines(simulation):
    """How many times as many different cache lines plain reads as fancy."""
    rows = matching(simulation.tables, trace=SEARCH, pressure=ISOLATED, pages="4k", table="all", level="L1D", draw=0)
    lines = rows.groupby("method")["distinct_lines"].max()
    return lines[PLAIN] / lines[FANCY]
