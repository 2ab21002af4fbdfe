# SPDX-License-Identifier: MIT
"""Checks that a run's folder is what a report needs: complete, consistent, correctly labelled. Judges no time.

What the report's own readers refuse, such as a number that is none or a sample without time, is refused here as well.
"""

import itertools
import sys

from report.data.cells import WORKLOAD_ORDER, Cell, cell_of
from report.data.files import RUN, read_optional
from report.data.kinds import faults_of_rows
from report.data.process_runs import faults_of_ratios, read_process_runs
from report.data.run import load
from report.data.schema import COUNTERS, KEY, OF_THE_PROGRAM
from report.errors import ReportError
from report.analysis.answer import read_answer
from studies.samples_check import faults_of_samples

JUDGED = ["faster", "slower", "equivalent", "inconclusive", "unresolved", "void", ""]
BEST = ["fastest", "among", "behind", ""]
VERDICTS = {role: role for role in ("reference", "twin", "second_twin", "control", "twice")}
VERDICTS |= {"empty": "baseline", "clock": "baseline"}
# What is wrong with rows, and which they are; `wanted` is of VERDICTS, times with a role those of the same cell.
SUMMARY_FAULTS = {
    "no time": "ns_per_query.isna()",
    "ns_per_query outside its interval": "ns_low > ns_per_query or ns_high < ns_per_query",
    "net_ns_per_query outside its interval": "net_low > net_ns_per_query or net_high < net_ns_per_query",
    "ratio outside its interval": "ratio_low > ratio or ratio_high < ratio",
    "ns_per_query is not the reference's times the ratio":
        "abs(ns_per_query - reference_ns * ratio) > 1e-3 * ns_per_query",
    "net_ns_per_query is not the time less the empty loop's":
        "abs(net_ns_per_query - ns_per_query + empty_ns) > 3e-4",
    "Holm's interval is narrower than the plain one":
        "role == 'method' and (holm_low > ratio_low + 1e-4 or holm_high < ratio_high - 1e-4)",
    "a baseline was judged": "wanted == 'baseline' and ratio.notna()",
    "verdict '{0.verdict}' of a {0.role}": "wanted.notna() and verdict != wanted",
    "verdict '{0.verdict}', best '{0.best}'":
        "role == 'method' and (verdict not in @JUDGED or best not in @BEST or (verdict == '') == ratio.notna())",
    "equivalent, where identical code differed by up to {0.aa_bound}":
        "role == 'method' and verdict == 'equivalent' and aa_bound > margin",
    "unresolved, though identical code differed by no more than {0.aa_bound}":
        "role == 'method' and verdict == 'unresolved' and not aa_bound > margin",
}  # fmt: skip
COUNTERS_FAULTS = {
    "simulated in workload '{0.workload}' instead of replay": "source == 'simulated' and workload != 'replay'",
    "source '{0.source}' without a PMU": "source != 'simulated' and not has_pmu",
}
# Where methods are split into several rounds, these are in all of them.
IN_EVERY_ROUND = {"magic_fancy", "magic_fancy.twin"}


PLAYED = ("engine", "perft", "perft_cold")


def contenders_of(cell, methods, controls):
    """The contenders that a cell must have, given the methods that can run here, and whether the run has its controls; without
    those that it may have."""
    compared = methods
    if cell.workload == "update":  # who keeps nothing is there as the reference; other methods may keep something
        compared = {"magic_fancy"}
    contenders = compared | {"magic_fancy.twin", "clock"}
    contenders |= {"magic_fancy.second_twin", "magic_fancy.twice"} if controls else set()
    single = cell.workload in ("throughput", "latency")
    if controls and (cell.workload == "engine" or single and cell.pressure != "lukewarm"):
        contenders |= {"magic_fancy.control"}
    left_out = {"empty"} if cell.workload in ("update", *PLAYED) else set()
    return contenders - left_out - ({"magic_fancy.twice"} if cell.workload == "latency" else set())


def faults_in(rows, name, faults):
    """Yields a line for each row and fault; `name` and the faults' words are formats of a row."""
    for words, condition in faults.items():
        for row in rows.query(condition, engine="python").itertuples():
            yield f"{name}: {words}".format(row)


def check_samples(run):
    """Every cell has its contenders in every process run, and the reference in every round: yields faults."""
    expected = {cell_of(cell) for cell in run.info["cells"]}
    found = {Cell(*key[:5], int(key[5])) for key in run.samples[KEY].drop_duplicates().itertuples(index=False)}
    if found != expected:
        names = [", ".join(sorted(cell.name for cell in cells)) for cells in (found, expected)]
        yield f"samples.csv: cells {names[0]} instead of {names[1]}"
    for cell in found:
        if cell.workload in WORKLOAD_ORDER:  # an extra knows its own
            yield from check_contenders(run, cell)


def check_contenders(run, cell):
    """One cell's process runs: methods leave a run that stops when it knows, and a race. Yields faults."""
    methods, protocol = {method["id"] for method in run.info["methods"]}, run.info["protocol"]
    needed = contenders_of(cell, methods, protocol.get("controls", True))
    race = run.info.get("race") or {"process_runs": 0, "left": []}
    left = {name for entry in race["left"] if cell_of(entry["cell"]) == cell for name in entry["contenders"]}
    process_runs = run.samples["process_run"].nunique()
    allowed = needed | (methods - {"empty"}) if cell.workload == "update" else needed
    stays = (needed - methods) | (needed & {"magic_fancy", "empty"})
    for number, (_, samples) in enumerate(run.samples_of(cell).groupby("process_run", sort=False)):
        times = samples.groupby("contender")["round"].nunique()
        always, contenders = times.index.isin(IN_EVERY_ROUND), set(times.index)
        if (times[always] != samples["round"].nunique()).any():
            yield f"samples.csv: {cell.name}: a round without the reference and its twin"
        final = race["process_runs"] and number >= process_runs - race["process_runs"]
        if (times[~always] != protocol["race_rounds" if final else "rounds"]).any():
            yield f"samples.csv: {cell.name}: a contender was not timed in as many rounds as the others"
        least = stays if protocol["until_decided"] and number > 0 else needed - left if final else needed
        if not least <= contenders <= (allowed - left if final else allowed):
            yield f"samples.csv: {cell.name}: contenders {sorted(contenders ^ needed)} are missing or too many"


def check_columns(run):
    """The first rows of every CSV file keep to its columns: yields faults."""
    for name in OF_THE_PROGRAM:
        if (run.folder / name).exists():
            yield from faults_of_rows(run.folder / name, most=2000)


def check_summary(run):
    """Intervals hold their values, times, net times and ratios agree, verdicts fit their roles and are none that the
    A/A control withholds, and what was not measured is empty: yields faults."""
    rows = run.summary.assign(wanted=run.summary["role"].map(VERDICTS))
    for role in ("reference", "empty"):
        times = rows[rows["role"] == role].drop_duplicates(KEY).set_index(KEY)["ns_per_query"]
        rows = rows.join(times.rename(f"{role}_ns"), on=KEY)
    return faults_in(rows, "summary.csv: {0.contender} in {0.workload} on {0.trace}, {0.pressure}", SUMMARY_FAULTS)


def check_process_runs(run):
    """The ratios of summary.csv and their intervals follow from process_runs.csv: yields faults."""
    if run.info["inference"]["interval"] == "student-t":
        yield from faults_of_ratios(run.summary, read_process_runs(run.folder))


def check_answer(run):
    """answer.json is the answer of this run: each situation's method has the ratio of summary.csv. Yields faults."""
    answer = read_answer(run)
    if answer is None or not answer.situations:
        yield "answer.json: missing, or no answer of this version"
        return
    ratios = run.summary.set_index([*KEY, "contender"])["ratio"]
    for situation in answer.situations:
        if not situation.method or situation.ratio[0] is None:
            continue
        known = ratios.get((*(getattr(situation.cell, name) for name in KEY), situation.method))
        if known is None or abs(known - situation.ratio[0]) > 1e-3 * known:
            yield f"answer.json: {situation.method} in {situation.cell.name}: another ratio than in summary.csv"


def check_results(run):
    """What run.json says of the best and of correlations holds together, and with summary.csv."""
    info, rows = run.info, run.summary
    leading = rows[rows["best"].isin(["fastest", "among"])]
    named = {(cell_of(b["cell"]), contender) for b in info["bests"] if b["limit_bytes"] is None for contender in b["contenders"]}
    if named != {(cell_of(row), row["contender"]) for row in leading.to_dict("records")}:
        yield "run.json: bests and the column best of summary.csv name different methods"
    for best in info["bests"]:
        count = len(best["contenders"])
        if not 1 <= count <= best["compared"] or best["sure"] != (count == 1):
            yield f"run.json: bests {best['cell']}: {count} contenders of {best['compared']}, sure {best['sure']}"
    estimates = [best["lead"] for best in info["bests"] if best["lead"]]
    estimates += [entry | {"value": entry["spearman"]} for entry in info["correlations"]]
    for estimate in estimates:
        known = [estimate[key] for key in ("low", "value", "high") if estimate[key] is not None]
        if known != sorted(known):
            yield f"run.json: not in its interval: {estimate}"


def check_record(run):
    """run.json says what ran and why counters are missing; the page and the figures are there."""
    record = run.info
    faults = {
        "incomplete": not record["complete"],
        "no counters and no reason": record["counters"]["status"] == "none" and not record["counters"]["reason"],
        f"versions {record['versions']}": not all(record["versions"].values()),
        "the A/A control was not checked": not record["checks"]["twin"],
    }
    yield from (f"run.json: {words}" for words, found in faults.items() if found)
    figures = list((run.folder / "plots").glob("*.svg"))
    if not figures:
        yield "plots: no figure"
    for path in [run.folder / "index.html", *figures]:
        if not path.is_file() or path.stat().st_size < 1000:
            yield f"{path.relative_to(run.folder)}: missing or empty"


def check_simulated(run):
    """Every method has simulated L1D misses on every trace, or run.json says why not. Nothing in a run without a PMU
    may claim to have been counted by the hardware."""
    status, counts = run.info["counters"], read_optional(run.folder / "counters.csv", COUNTERS)
    there = set()
    if counts is not None:
        counts = counts.assign(has_pmu=status["status"] != "none")
        yield from faults_in(counts, "counters.csv: {0.method} {0.trace} {0.metric}", COUNTERS_FAULTS)
        misses = counts.query("source == 'simulated' and metric == 'l1d_misses' and per_query >= 0")
        there = set(zip(misses["method"], misses["trace"]))
    if status.get("not_simulated_reason"):
        return
    excused = {entry["id"] for entry in status.get("not_simulated", []) if entry.get("why")}
    methods = {method["id"] for method in run.info["methods"]} - excused
    expected = set(itertools.product(methods, (trace["name"] for trace in run.info["traces"])))
    for method, trace in sorted(expected - there):
        yield f"counters.csv: no simulated l1d_misses of {method} on {trace}, and run.json does not say why"


def work(options):
    """Prints the faults, a line each on standard error, and how much was checked; returns 1 where there are any."""
    run = load(options.folder)
    for path in (options.folder / "samples.csv", options.folder / "counters.csv"):
        if not path.exists():
            raise ReportError(f"{path}: missing; run it again, into a new folder")
    checks = (check_columns, check_samples, faults_of_samples, check_summary, check_process_runs, check_record, check_results)
    checks += (check_answer, check_simulated)
    try:
        faults = [fault for check in checks for fault in check(run)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ReportError(f"{options.folder}: is no run of this version ({error}); run it again") from None
    for fault in faults:
        print(f"slidebench.py check-run: {' '.join(fault.split())}", file=sys.stderr)
    print(f"{len(run.samples)} samples, {len(run.summary)} summary rows checked, {len(faults)} faults")
    return 1 if faults else 0


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("folder", **RUN)
