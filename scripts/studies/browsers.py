# SPDX-License-Identifier: MIT
"""What the page "Measure in this browser" saves: read, checked and judged as the page judges it. A start of a worker stands for a
process run."""

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from report.data.files import dig, items, number, one_line, read_json
from report.data.process_runs import derived_ratios, t_quantile
from report.errors import ReportError

KIND = "slidebench browser result"
SCHEMA = 1
FOLDER = "browsers"  # in the collection of machines
REFERENCE, MARGIN = "magic_fancy", 0.01
ROLES = ("reference", "twin", "method", "empty")
PRESSURES = {"isolated": "In a loop", "net1024": "Replayed with a network of 1,024"}
LEAST_STARTS, MOST_STARTS = 3, 8
STEPS_IN_A_SAMPLE = 20  # of the clock, at least
MOST_BYTES = 60_000


@dataclass(frozen=True)
class BrowserResult:
    """One file of the page.

    Attributes:
        info: what it says, dict, without the cells.
        starts: a row per start, contender and cell, DataFrame: pressure, contender, role, log_ratio, ns_per_query.
    """

    path: Path
    info: dict
    starts: pd.DataFrame

    @property
    def browser(self):
        """str: name and version, one line."""
        return one_line(" ".join(str(dig(self.info, "browser", name) or "") for name in ("name", "version")))

    @property
    def name(self):
        """str: what a column is called."""
        return one_line(f"{self.info['cpu']}, {self.browser}")


def read_result(path):
    """A result: BrowserResult. ReportError: it is none, of another version, cut off, or not to be believed."""
    info = read_json(path)
    if info.get("kind") != KIND:
        raise ReportError(f"{path}: is not what the page saves; give the folder of a run, or the page's file")
    faults = {
        "is of another version of the page; measure again with the page of this version": info.get("schema") != SCHEMA,
        "does not name the processor; type it into the page before you save": not one_line(dig(info, "cpu") or ""),
        "does not say which browser it was; measure again": not all(dig(info, "browser", name) for name in ("name", "engine")),
        "is of another reference or margin; measure again": (info.get("reference"), info.get("margin")) != (REFERENCE, MARGIN),
        "has no digests of module and trace; measure again":
            not all(re.fullmatch("[0-9a-f]{64}", str(info.get(name))) for name in ("module", "trace")),
        "was measured with too coarse a clock; measure again in another browser": is_coarse(info),
    }  # fmt: skip
    for words, found in faults.items():
        if found:
            raise ReportError(f"{path}: {words}")
    cells = items(info, "cells")
    if [(cell.get("workload"), cell.get("pressure")) for cell in cells] != [("throughput", pressure) for pressure in PRESSURES]:
        raise ReportError(f"{path}: has not the two cells that the page measures; measure again")
    rows = pd.DataFrame(row for cell in cells for row in rows_of(path, cell))
    for pressure, twin in rows[rows["role"] == "twin"].groupby("pressure"):
        if verdict(*interval(twin["log_ratio"].to_numpy()), MARGIN, 0) in ("faster", "slower"):
            raise ReportError(f"{path}: told identical code apart in {pressure}; measure again, with nothing else running")
    return BrowserResult(path, {name: value for name, value in info.items() if name != "cells"}, rows)


def is_coarse(info):
    """Whether a sample has too few steps of the clock, or nothing is said of it."""
    step, sample = (number(dig(info, "clock", name)) for name in ("step_ms", "sample_ms"))
    return not (step and sample and 0 < 0.999 * STEPS_IN_A_SAMPLE * step <= sample)


def rows_of(path, cell):
    """The rows of a cell: yields dicts. ReportError: a contender lacks starts, or a number is none."""
    pressure, roles, counts = cell["pressure"], {}, set()
    for entry in items(cell, "contenders"):
        contender, role = one_line(entry.get("contender") or ""), entry.get("role")
        columns = [entry.get(name) for name in ("log_ratios", "ns_per_query")]
        logs, times = ([number(value) for value in column] if isinstance(column, list) else [] for column in columns)
        is_right = len(logs) == len(times) and all(map(is_log_ratio, logs)) and all(map(is_time, times))
        if not re.fullmatch(r"\w+(\.twin)?", contender) or role not in ROLES or contender in roles or not is_right:
            raise ReportError(f"{path}: {contender or 'a contender'} in {pressure} has broken numbers; measure again")
        roles[contender] = role
        counts.add(len(logs))
        for log, time in zip(logs, times):
            yield {"pressure": pressure, "contender": contender, "role": role, "log_ratio": log, "ns_per_query": time}
    if len(counts) != 1 or not LEAST_STARTS <= counts.pop() <= MOST_STARTS:
        words = f"has not {LEAST_STARTS} to {MOST_STARTS} starts of every contender in {pressure}; measure again"
        raise ReportError(f"{path}: {words}")
    there = list(roles.values())
    if there.count("reference") != 1 or there.count("twin") != 1 or "method" not in there:
        raise ReportError(f"{path}: has no reference, twin or method in {pressure}; measure again")


def is_log_ratio(value):
    """Whether this can be the logarithm of a ratio of two methods' times."""
    return value is not None and abs(value) < 10


def is_time(value):
    """Whether this can be a time per query, ns."""
    return value is not None and 0 < value < 1e9


def judged(result, pressure):
    """What a result says in one cell: DataFrame by contender of role, ratio, ratio_low, ratio_high, verdict and ns_per_query,
    and by how much identical code may have differed, a fraction."""
    own = result.starts[result.starts["pressure"] == pressure]
    rows = derived_ratios(own, ["contender"]).join(own.groupby("contender").agg({"role": "first", "ns_per_query": "mean"}))
    twin = rows[rows["role"] == "twin"].iloc[0]
    bound = math.expm1(max(abs(math.log(twin["ratio_low"])), abs(math.log(twin["ratio_high"]))))
    logs = {name: group["log_ratio"].to_numpy() for name, group in own.groupby("contender")}
    methods = {name: logs[name] for name in rows.index[rows["role"] == "method"]}
    verdicts = judged_together(methods, MARGIN, bound)
    if is_void(rows, logs):
        verdicts = dict.fromkeys(verdicts, "void")
    rows["verdict"] = [verdicts.get(name, "reference" if rows.loc[name, "role"] == "reference" else "") for name in rows.index]
    return rows.sort_values("ratio"), bound


def is_void(rows, logs):
    """Whether some method is shown to be quicker than the loop without a method."""
    empty = [logs[name] for name in rows.index[rows["role"] == "empty"]]
    return bool(empty) and any(interval(logs[name] - empty[0])[1] < 0 for name in rows.index[rows["role"] == "method"])


def interval(values, sharing=1):
    """The ends of a mean's 95 % interval, of which `sharing` are to hold at once."""
    half = t_quantile(len(values), sharing) * values.std(ddof=1) / math.sqrt(len(values))
    return values.mean() - half, values.mean() + half


def judged_together(methods, margin, bound):
    """Verdicts that hold for all at once, dict by method, by Holm's rule, as harness/statistics has it. `methods`: dict name ->
    log ratios, float64, one a start."""
    verdicts, sharing, somebody_left = {}, len(methods), True
    while somebody_left and sharing:
        share, somebody_left = sharing, False
        for name, values in methods.items():
            if verdicts.get(name) in ("faster", "slower", "equivalent"):
                continue
            verdicts[name] = verdict(*interval(values, share), margin, bound)
            if verdicts[name] in ("faster", "slower", "equivalent"):
                sharing, somebody_left = sharing - 1, True
    return verdicts


def verdict(low, high, margin, bound):
    """The verdict of an interval of log ratios."""
    equal, different = np.log1p(margin), np.log1p(max(margin, bound))
    if high < -different:
        return "faster"
    if low > different:
        return "slower"
    if bound > margin:
        return "unresolved"
    return "equivalent" if -equal <= low and high <= equal else "inconclusive"


def results_in(home):
    """The browsers of a collection: list of BrowserResult, by name. ReportError: one is not to be believed, too large, or of
    another trace."""
    results = [read_result(path) for path in sorted((home / FOLDER).glob("*.json"))]
    for result in results:
        if result.path.stat().st_size > MOST_BYTES:
            raise ReportError(f"{result.path}: has more than {MOST_BYTES} bytes; add it with slidebench.py add-machine")
        if result.info["trace"] != results[0].info["trace"]:
            raise ReportError(f"{result.path}: replayed another trace than {results[0].path}; measure with the same page")
    return results


def file_name(result):
    """A file's name for a result: processor and browser."""
    words = f"{result.info['cpu']} {dig(result.info, 'browser', 'name')}"
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")[:64] or "unnamed"


def kept(path):
    """A result as the collection keeps it, bytes."""
    return (json.dumps(read_json(path), separators=(",", ":"), sort_keys=True) + "\n").encode()
