# SPDX-License-Identifier: MIT
"""The replay of a stream beside a network: begun, gone on with, or one that exists."""

import json
import math
import shlex
import shutil

from engines.prediction import Interval, Measured, saved_of
from engines.advise_amounts import MAGIC
from engines.program import asked, asked_json, run_long
from report.data.cells import Cell
from report.data.files import dig, items, one_line, read_info
from report.data.references import rebased
from report.data.run import load_summary
from report.errors import ReportError
from report.output import write

PRESSURE = "net1024"
WIDE = ("ray_masks_avx2", "ray_masks_avx512", "hyperbola_avx2", "hyperbola_gfni")  # beside the well-known ones
BASELINE = "empty"
ROUNDS = 6  # a process run
LEAST = 8  # process runs
SAMPLE_S, ALWAYS = 0.004, 10  # about what a sample takes with all around it; samples of a round that are of no further method


def methods_of(program, wanted, reference):
    """The methods to replay, list with the reference. ReportError for one that is not known, or cannot run here."""
    known = {entry["id"]: entry["status"] for entry in asked_json(program, "list", "--method", "all", "--json")}
    for option, name in (("--reference", reference), *(("--method", name) for name in wanted)):
        if name not in known or name == BASELINE:
            raise ReportError(f"{option} {name}: no such method; {program} list --method all shows them")
        if known[name] != "ready":
            raise ReportError(f"{option} {name}: cannot run on this CPU ({known[name]})")
    if not wanted:
        usual = [entry["id"] for entry in asked_json(program, "list", "--method", "known", "--json")]
        wanted = [name for name in (*usual, *WIDE) if known.get(name) == "ready"]
    found = list(dict.fromkeys([reference, *wanted]))
    if len(found) == 1:
        raise ReportError(f"--method {reference}: is the reference; name another method")
    return found


def process_runs_in(minutes, methods):
    """About how many process runs of so many methods take so long."""
    seconds = SAMPLE_S * (methods + ALWAYS) * (ROUNDS + 0.5)
    return max(LEAST, round(60 * minutes / seconds))


def named(stream, out):
    """A stream's trace, as a program that is started in the folder of the advice is told of it."""
    return stream.path.name if stream.path.parent == out.absolute() else str(stream.path)


def chosen_words(methods):
    """Methods as options."""
    return [word for method in methods for word in ("--method", method)]


def command_of(stream, out, methods, options):
    """The words of the run, started in the folder of the advice. A dose wants to know how long a dependent query takes as well."""
    cells = ["--workload", "throughput", "--pressure", PRESSURE]
    cells += ["--workload", "latency", "--pressure", "isolated"] if options.dose else []
    words = ["run", "--no-random", "--trace", named(stream, out), *cells, "--reference", options.reference, *chosen_words(methods)]
    runs = process_runs_in(options.minutes / (4 if options.dose else 1), len(methods))
    return [*words, "--process-runs", str(runs), "--rounds", str(ROUNDS), "--out", "replay"]


def check_unfinished(folder, stream):
    """ReportError where a replay that was interrupted is of other queries."""
    try:
        begun = json.loads((folder / "unfinished.jsonl").read_text().partition("\n")[0])
    except ValueError:
        raise ReportError(f"{folder}: is damaged, and cannot be gone on with; give --out a new folder") from None
    if stream.digest not in (dig(begun, "traces") or {}).values():
        raise ReportError(f"{folder}: was begun on other queries; give --out a new folder")


def words_of(folder, stream, out, methods, options):
    """The words that begin the replay in a folder, or go on with it; none where it is finished."""
    if (folder / "unfinished.jsonl").exists():
        check_unfinished(folder, stream)
        return ["run", "--resume", folder.name]
    return [] if (folder / "run.json").exists() else command_of(stream, out, methods, options)


def replay(program, stream, out, methods, options):
    """Makes the replay in a folder's `replay`, or goes on with it, or leaves what is finished, and with a dose counts what was
    not counted yet; returns its folder."""
    folder = out / "replay"
    words = words_of(folder, stream, out, methods, options)
    if words:
        print(f"{shlex.join([program, *words])}\n({len(methods)} methods, about {options.minutes:g} minutes)\n", flush=True)
        run_long(program, words, out)
    if options.dose:
        opened(folder, stream, options.reference)  # refused before anything is counted
        count(program, stream, out)
    return folder


def is_whole(simulation):
    """Whether a folder holds a simulation that came to its end."""
    try:
        return dig(read_info(simulation), "complete") is True and (simulation / "tables.csv").exists()
    except ReportError:
        return False


def count(program, stream, out):
    """Writes how many instructions the replay's methods execute and which lines they read into its folder, unless they are there;
    `advise_amounts` says what it misses where that cannot be counted."""
    folder = out / "replay"
    methods = [one_line(entry.get("id")) for entry in items(read_info(folder), "methods") if entry.get("id") != BASELINE]
    trace = ("--trace", named(stream, out), *chosen_words(dict.fromkeys([*methods, MAGIC])))
    if not is_whole(folder / "simulation"):
        shutil.rmtree(folder / "simulation", ignore_errors=True)
        once = ("--no-random", "--pressure", "isolated", "--draws", "1")
        run_long(program, ["simulate", *once, *trace, "--out", "replay/simulation"], out)
    if (folder / "kernel.csv").exists():
        return
    try:
        counted = asked(program, "kernel", "--format", "csv", *trace, folder=out)
    except ReportError:
        return  # where no process may trace another
    write(folder / "kernel.csv", counted.encode())


def opened(folder, stream, reference):
    """(Run against the reference, name of the stream's trace in it). ReportError where a folder is no finished run of it."""
    run = load_summary(folder)
    if dig(run.info, "complete") is not True:
        raise ReportError(f"{folder}: is not finished; slidebench run --resume {folder} goes on")
    names = [one_line(entry.get("name")) for entry in items(run.info, "traces") if stream.is_trace(entry)]
    if not names:
        there = ", ".join(one_line(entry.get("name")) for entry in items(run.info, "traces")) or "none"
        raise ReportError(f"{folder}: did not replay this stream (its traces: {there})")
    return rebased(run, reference), names[0]


def chosen(rows, wanted, folder):
    """The rows of the methods that were asked for, and of the reference; all without a wish."""
    for name in wanted:
        if name not in set(rows["method"]):
            raise ReportError(f"--method {name}: was not replayed in {folder}; another --out replays it")
    return rows[rows["method"].isin(wanted) | (rows["role"] == "reference")] if wanted else rows


def measured(run, trace, wanted):
    """What the replay says: (list of Measured without the reference, Interval of the reference's ns a query net of the loop, the
    rows, DataFrame by method). ReportError where it did not measure that."""
    cell = Cell("throughput", trace, PRESSURE)
    rows = chosen(run.ranked(cell).drop_duplicates("method"), wanted, run.folder)
    reference = rows[rows["role"] == "reference"]
    if reference.empty:
        how = f"--workload throughput --pressure {PRESSURE}"
        raise ReportError(f"{run.folder}: has no cell {cell.name}; replay the stream with {how}")
    others = rows[rows["role"] == "method"]
    if others.empty:
        raise ReportError(f"{run.folder}: replayed no method but the reference; name one with --method")
    ns = float(reference["ns_per_query"].iloc[0])
    found = [Measured(r.method, saved_of(ns, Interval(r.ratio, r.ratio_low, r.ratio_high))) for r in others.itertuples()]
    net = Interval(*(float(reference[name].iloc[0]) for name in ("net_ns_per_query", "net_low", "net_high")))
    if not all(math.isfinite(end) for figure in [net, *(row.saved for row in found)] for end in figure):
        raise ReportError(f"{run.folder}: has too few process runs for intervals; replay the stream for longer")
    return found, net, rows.set_index("method")
