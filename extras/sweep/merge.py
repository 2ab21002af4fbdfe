# SPDX-License-Identifier: MIT
"""Many results become one: a CSV set of all simulations, the best factors, and what the jobs cost.

The rows stand in the order of the configuration, whatever finished first: two runs of a sweep give the same bytes, on a
laptop or on a cluster, and so a result that is missing or there twice shows.
"""

import csv
import io
import json

from report.data.schema import PLACE
from report.output import write
from sweep.errors import SweepError, refuse
from sweep.folder import faults, read_record

CSVS = ("counters.csv", "tables.csv", "squares.csv", "mrc.csv")
LISTED = ("caches", "pressures", "traces", "methods", "skipped")
COSTS = ("id", "kind", "of", "wall_s", "cpu_s", "node", "entries")


def merge(plan):
    """Checks every result of a sweep and writes OUT/merged, a folder like that of one simulation. SweepError where a
    result is missing, is not what was written, or contradicts another one."""
    target = plan.out / "merged"
    target.mkdir(exist_ok=True)
    (target / "costs.csv").unlink(missing_ok=True)  # written last: without it the folder is not believed
    for job in plan.jobs.values():
        refuse(faults(job))
    if plan.cells:
        _merge_simulations(plan, target)
    for rounds in plan.searches:
        best = rounds[-1][1]
        write(target / f"{best.what['variant']}_factors.hpp", (best.folder / "factors.hpp").read_bytes())
    write(target / "costs.csv", _csv(COSTS, costs(plan)))


def rows_of(path):
    """(columns, rows as dicts) of a CSV file."""
    with open(path, newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    return reader.fieldnames or [], rows


def _csv(columns, rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _merge_simulations(plan, target):
    for name in CSVS:
        columns, rows = _merged_rows(plan, name)
        if rows:
            write(target / name, _csv(columns, rows))
        else:
            (target / name).unlink(missing_ok=True)
    write(target / "run.json", (json.dumps(_merged_info(plan), indent=2) + "\n").encode())


def _merged_rows(plan, name):
    """One file of all cells. The empty loop is in each of them, and must count the same in all."""
    columns, merged, empty = None, [], {}
    for cell in plan.cells:
        if not (cell.folder / name).exists():
            continue
        own, rows = rows_of(cell.folder / name)
        if columns is not None and own != columns:
            raise SweepError(f"{cell.folder / name}: has other columns than the same file of other cells")
        columns = own
        place = tuple(cell.what[part] for part in PLACE)
        bare = [row for row in rows if row["method"] == "empty"]
        if bare != empty.get(place, bare):
            words = "counts the empty loop otherwise than another cell; the machines differ"
            raise SweepError(f"{cell.folder / name}: {words}")
        merged += [row for row in rows if row["method"] != "empty" or place not in empty]
        empty[place] = bare
    return columns, merged


def _merged_info(plan):
    """run.json of the merged folder: that of the first cell, with the lists of all."""
    infos = [json.loads((cell.folder / "run.json").read_text()) for cell in plan.cells]
    merged = dict(infos[0])
    for name in LISTED:
        found = {json.dumps(entry, sort_keys=True): entry for info in infos for entry in info[name]}
        merged[name] = list(found.values())
    merged["started"] = min(info["started"] for info in infos)
    merged["finished"] = max(info["finished"] for info in infos)
    return merged | {"command": ["snakemake", "-s", "extras/sweep/Snakefile"], "cells": len(infos)}


def costs(plan):
    """What every job cost, in the order of the configuration: list of dict with the columns of costs.csv."""
    found = []
    for job in plan.jobs.values():
        record = read_record(job)
        of = " ".join(job.what[name] for name in ("machine", "name", "variant", *PLACE) if name in job.what)
        found.append({name: record.get(name, "") for name in COSTS} | {"id": job.id, "kind": job.kind, "of": of})
    return found
