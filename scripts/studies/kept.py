# SPDX-License-Identifier: MIT
"""Keeps a run for good: of its folder what the pages and the readers of the raw data need, without samples and page.

What is large is kept compressed, which show and report read as it is. The numbers of the process runs stay: update-readme --check
derives every kept ratio and interval from them again.
"""

import json
from pathlib import Path

from report.data.files import RUN, dig, file_of, items, parse_csv, read_csv, read_info, read_json
from report.data.process_runs import KEPT_NAME, NAME, faults_of_ratios, read_process_runs
from report.data.run import load_summary
from report.data.schema import KEY, SUMMARY
from report.errors import ReportError
from report.output import compressed, write_all

FILES = ("answer.json", "correlations.csv")
# When what is timed changed last: loop, work, layouts, methods; and the engine's searches. Set by hand with such a change: what is
# published and not in the archive was measured later (UTC).
TIMED_SINCE = {"replay": "2026-11-28T14:30", "search": "2026-11-28T15:48"}


def faults_of_kept(folder):
    """What a kept run's summary has otherwise than its process runs give, yields lines; of a study of several runs too, whose
    tables have a column `run`."""
    if dig(read_info(folder), "inference", "interval") == "confidence-sequence":
        return
    process_runs = read_process_runs(folder)
    key = [name for name in ("run", *KEY, "contender") if name in process_runs.columns]
    yield from faults_of_ratios(read_csv(file_of(folder, "summary.csv"), SUMMARY.text, SUMMARY.numbers), process_runs, key)


def faults_of_age(info):
    """What speaks against the date and the program of a published run, or of a study of several: yields lines."""
    for record in (*(info.get("runs") or {"": info}).values(), *items(info, "parts")):
        timed = "search" if "engine" in (record.get("command") or []) else "replay"
        if (record.get("started") or "") < TIMED_SINCE[timed]:
            yield f"its run of {record.get('started')} is older than the last change of what is timed"
        if record.get("dirty", info.get("dirty")) is not False:
            yield f"its run of {record.get('started')} is of a program with changes that no commit has"


def record_of(path):
    """run.json as it is kept, bytes: of the program and the files in the command their names, not where they lay."""
    info = read_json(path)
    for record in (info, *items(info, "parts")):
        command = record.get("command") or []
        record["command"] = [Path(word).name if number == 0 or word.startswith("/") else word for number, word in enumerate(command)]
    return (json.dumps(info, indent=1, sort_keys=True) + "\n").encode()


def process_runs_of(folder):
    """A run's process_runs.csv as it is kept, DataFrame of text: with five digits of a time and five decimals of a logarithm, far below
    what process runs differ by."""
    rows = parse_csv(file_of(folder, NAME))
    rows["ns_per_query"] = rows["ns_per_query"].map(lambda text: text and f"{float(text):.5g}")
    rows["log_ratio"] = rows["log_ratio"].map(lambda text: text and f"{float(text):.5f}")
    return rows


def csv_of(rows):
    """A table as CSV, bytes."""
    return rows.to_csv(index=False, lineterminator="\n").encode()


def work(options):
    """Copies the files; returns them. ReportError: the run is incomplete, or its files do not fit each other."""
    if (options.run / KEPT_NAME).exists():
        raise ReportError(f"{options.run}: is a kept run already; name the folder that slidebench run wrote")
    if load_summary(options.run).info.get("complete") is not True:
        raise ReportError(f"{options.run}: is incomplete; finish it with slidebench run --resume {options.run}")
    for fault in faults_of_kept(options.run):
        raise ReportError(f"{options.run}: {fault}; run it again")
    paths = [options.run / name for name in FILES if (options.run / name).exists()]
    files = {path.name: path.read_bytes() for path in paths}
    large = {
        "run.json": record_of(options.run / "run.json"),
        "summary.csv": (options.run / "summary.csv").read_bytes(),
        NAME: csv_of(process_runs_of(options.run)),
    }
    written = write_all(options.out, files | {f"{name}.gz": compressed(data) for name, data in large.items()})
    for name in large:
        (options.out / name).unlink(missing_ok=True)  # of an earlier version; it would be read in the packed one's place
    return written


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("run", **RUN)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where it is kept; files of these names are replaced")
