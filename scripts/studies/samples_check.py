# SPDX-License-Identifier: MIT
"""Whether samples.csv is what was measured: by the journal, which counts the rows of each process run and has their digest, and
by the tables that follow from it."""

import hashlib
import json

import numpy as np

from report.data.cells import cell_of
from report.data.files import read_text
from report.data.process_runs import read_process_runs
from report.data.schema import KEY
from report.errors import ReportError

JOURNALS = ("finished.jsonl", "unfinished.jsonl")
CUT = 0.25  # of the rounds at either end, as the program trims them (harness/statistics/statistics.cpp)


def faults_of_samples(run):
    """Yields a line for each way in which the samples are not those of the journal and of process_runs.csv."""
    yield from faults_by_journal(run.folder)
    yield from faults_of_rows(run.samples)
    yield from faults_of_times(run.samples, read_process_runs(run.folder))


def journal_of(folder):
    """The process runs that a run's journal has, list of dict; none where it came without."""
    for name in JOURNALS:
        if (folder / name).exists():
            try:
                lines = [json.loads(line) for line in read_text(folder / name).splitlines()[1:]]
                return [line for line in lines if "process_run" in line and "sha256" in line]
            except (ValueError, TypeError, RecursionError):
                raise ReportError(f"{folder / name}: is no journal of a run; copy it anew, or run again") from None
    return None


def faults_by_journal(folder):
    """Yields a line for each process run whose rows are others than were measured."""
    journal = journal_of(folder)
    if not journal:
        return
    header, *lines = read_text(folder / "samples.csv").splitlines(keepends=True)
    column, found = header.split(",").index("process_run"), {}
    for line in lines:
        found.setdefault(line.split(",", column + 1)[column], []).append(line)
    for record in journal:
        rows = found.pop(str(record["process_run"]), [])
        if len(rows) != record["samples"] or hashlib.sha256("".join(rows).encode()).hexdigest() != record["sha256"]:
            counts = f"{len(rows)} rows instead of {record['samples']}" if len(rows) != record["samples"] else "other rows"
            yield f"samples.csv: process run {record['process_run']} has {counts} than were measured"
    if found:
        yield f"samples.csv: rows of process run {', '.join(sorted(found))}, which the journal does not have"


def faults_of_rows(samples):
    """Yields a line for each contender that has a round twice."""
    place = [*KEY, "contender", "process_run", "round"]
    for row in samples[samples.duplicated(place)].drop_duplicates([*KEY, "contender"]).to_dict("records"):
        yield f"samples.csv: {row['contender']} in {cell_of(row).name}: a round twice"


def trimmed_mean(values):
    """The mean without the lowest and the highest quarter, of which parts of a value may be."""
    values = np.sort(values)
    cut = CUT * len(values)
    whole = int(cut)
    part = cut - whole
    middle = values[whole : len(values) - whole].sum() - part * (values[whole] + values[-1 - whole])
    return middle / (len(values) - 2 * cut)


def times_of(samples):
    """ns a query of each contender in each process run: the trimmed mean of its rounds' logarithms."""
    logs = np.log(samples["ns_per_query"]).groupby([samples[name] for name in (*KEY, "contender", "process_run")])
    return np.exp(logs.agg(trimmed_mean))


def faults_of_times(samples, process_runs):
    """Yields a line for each contender whose time in process_runs.csv is not that of its samples."""
    both = process_runs.join(times_of(samples).rename("derived"), on=[*KEY, "contender", "process_run"])
    off = both[(both["ns_per_query"] - both["derived"]).abs() > 1e-3 * both["derived"] + 1e-4]
    for row in off.drop_duplicates([*KEY, "contender"]).to_dict("records"):
        yield f"process_runs.csv: {row['contender']} in {cell_of(row).name}: another time than its samples have"
