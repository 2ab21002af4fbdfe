# SPDX-License-Identifier: MIT
"""The data of one benchmark run: read, checked, and named.

A run folder holds tidy CSV files and `run.json`. Everything that a figure or the page shows is read from here, so a
broken folder is refused in one place, with one line that says what is wrong, where, and what to do.
"""

import json
import math
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from report_errors import ReportError

SAMPLE_TEXT = ["arm", "method", "level", "role", "workload", "trace", "pressure"]
SAMPLE_NUMBERS = ["launch", "round", "queries", "time_ns"]
SUMMARY_TEXT = ["arm", "method", "title", "family", "level", "role", "workload", "trace", "pressure", "verdict"]
SUMMARY_NUMBERS = [
    "table_bytes",
    "launches",
    "rounds",
    "ns_per_query",
    "net_ns_per_query",
    "ratio",
    "ratio_low",
    "ratio_high",
    "margin",
]
COUNTER_TEXT = ["arm", "method", "level", "workload", "trace", "pressure", "metric", "source", "event"]
COUNTER_NUMBERS = ["per_query"]

# Columns whose zero or minus would make a logarithm, and so a figure, meaningless.
POSITIVE = {
    "queries",
    "time_ns",
    "ns_per_query",
    "ratio",
    "ratio_low",
    "ratio_high",
    "granularity_bytes",
    "cache_lines",
}
NOT_NEGATIVE = {
    "table_bytes",
    "margin",
    "launches",
    "rounds",
    "accesses",
    "misses",
    "distinct_lines",
    "l1d_misses",
    "lines_per_evaluation",
}

COMPARED_ROLES = ("method", "reference")
KEY = ["workload", "trace", "pressure"]

# The order in which readers meet the workloads; names that are not here follow in alphabetical order.
WORKLOAD_ORDER = ["throughput", "latency", "setwise", "update", "batch", "engine"]
PRESSURE_ORDER = ["", "isolated", "lukewarm", "light", "nnue", "nnue-xl"]


def one_line(text):
    """Makes any value fit for one line of a figure, a page or a terminal.

    Args:
        text: any value; control characters, which neither XML nor a terminal wants, become spaces.

    Returns:
        str without line ends and control characters.
    """
    clean = "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in str(text))
    return re.sub(r" {2,}", " ", clean).strip()


@dataclass(frozen=True)
class Cell:
    """What is compared within: one workload on one trace under one pressure."""

    workload: str
    trace: str
    pressure: str

    @property
    def name(self):
        """str: the cell as a heading has it."""
        under = f", {self.pressure}" if self.pressure else ""
        return f"{self.workload} on {self.trace}{under}"

    @property
    def slug(self):
        """str: the cell as a file name has it; the usual pressure, `isolated`, is not spelt out."""
        return slug(self.workload, self.trace, self.pressure)

    def sort_key(self):
        """tuple: traces together, workloads and pressures in the order that readers expect."""
        return (self.trace, _place(PRESSURE_ORDER, self.pressure), _place(WORKLOAD_ORDER, self.workload))


def _place(order, name):
    return (order.index(name) if name in order else len(order), name)


def slug(*parts):
    """Joins names into one safe piece of a file name.

    Args:
        *parts: names; the last is a pressure and is left out when it is empty or `isolated`.

    Returns:
        str of letters, digits, `.`, `-`, `_`, `+` only.
    """
    *names, pressure = parts
    kept = names + ([pressure] if pressure not in ("", "isolated") else [])
    return "_".join(re.sub(r"[^A-Za-z0-9.+-]+", "-", name).strip(".-") or "unnamed" for name in kept)


@dataclass
class Run:
    """One run folder in memory.

    Attributes:
        folder: where it was read from.
        samples: one row a timed slice; adds `ns_per_query`, float64, ns.
        summary: one row an arm and cell; adds `label`, str, the short name that figures print.
        counters: one row an event and arm, or None where no counter was recorded.
        info: `run.json` as a dict; every key is optional.
        cells: list of Cell, in reading order.
    """

    folder: Path
    samples: pd.DataFrame
    summary: pd.DataFrame
    counters: pd.DataFrame | None
    info: dict
    cells: list = field(default_factory=list)

    def rows(self, cell, *roles):
        """The summary of one cell.

        Args:
            cell: Cell.
            *roles: roles to keep; none keeps all.

        Returns:
            DataFrame in the order of the file.
        """
        return _of_cell(self.summary, cell, roles)

    def slices(self, cell, *roles):
        """The samples of one cell, like `rows`."""
        return _of_cell(self.samples, cell, roles)

    def ranked(self, cell):
        """Methods and reference of a cell, fastest first.

        By ratio, which is what was judged; by time where there is no reference. The name breaks ties, so the order
        does not depend on the order of the file.

        Args:
            cell: Cell.

        Returns:
            DataFrame.
        """
        rows = self.rows(cell, *COMPARED_ROLES)
        cost = "ratio" if rows["ratio"].notna().any() else "ns_per_query"
        return rows.sort_values([cost, "arm"], na_position="last")

    def one(self, cell, role):
        """The first row of a role in a cell, or None."""
        rows = self.rows(cell, role)
        return None if rows.empty else rows.iloc[0]

    def margin(self, cell):
        """The cell's equivalence margin as a fraction, or None where no A/A arm set one."""
        margins = self.rows(cell)["margin"].dropna()
        return None if margins.empty else float(margins.max())

    def null_ratio(self, cell):
        """Time of the bare replay loop over that of the reference, or None."""
        null, reference = self.one(cell, "null"), self.one(cell, "reference")
        if null is None or reference is None:
            return None
        ratio = null["ns_per_query"] / reference["ns_per_query"]
        return float(ratio) if math.isfinite(ratio) else None


def _of_cell(frame, cell, roles):
    chosen = (
        (frame["workload"] == cell.workload) & (frame["trace"] == cell.trace) & (frame["pressure"] == cell.pressure)
    )
    if roles:
        chosen &= frame["role"].isin(roles)
    return frame[chosen]


def load(folder):
    """Reads and checks a run folder.

    Args:
        folder: path of the folder.

    Returns:
        Run.

    Raises:
        ReportError: a file or column is missing, empty or holds what it must not.
    """
    folder = Path(folder)
    info = read_info(folder)
    summary = read_csv(folder / "summary.csv", SUMMARY_TEXT, SUMMARY_NUMBERS)
    samples = read_csv(folder / "samples.csv", SAMPLE_TEXT, SAMPLE_NUMBERS)
    samples["ns_per_query"] = samples["time_ns"] / samples["queries"]
    cells = sorted({Cell(*key) for key in summary[KEY].itertuples(index=False)}, key=Cell.sort_key)
    run = Run(folder, samples, summary, _read_counters(folder / "counters.csv"), info, cells)
    summary["label"] = _labels(summary)
    return run


def read_info(folder):
    """Reads what a folder says of itself.

    Args:
        folder: Path.

    Returns:
        dict, `run.json`; its `kind` is `simulation` for the cache laboratory's folders.

    Raises:
        ReportError: there is no such folder, or no readable `run.json` in it.
    """
    if not folder.is_dir():
        raise ReportError(
            f"{folder}: no such folder; give the one that `slidebench run --out` or `slidebench simulate --out` wrote"
        )
    return read_json(folder / "run.json")


def _labels(summary):
    """The short names: the method's id, with its level where a run has the same method at several levels."""
    compared = summary[summary["role"].isin(COMPARED_ROLES)]
    levels = compared.groupby("method")["arm"].nunique()
    several = set(levels[levels > 1].index)
    short = summary["method"].where(summary["method"] != "", summary["arm"])
    return short.where(~summary["method"].isin(several), summary["arm"])


def read_text(path):
    """Reads a file; raises ReportError where it is missing or no text."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ReportError(
            f"{path}: missing; run `slidebench run` or `slidebench simulate` again, into a new folder"
        ) from None
    except UnicodeDecodeError:
        raise ReportError(f"{path}: is not UTF-8 text; run it again") from None
    except OSError as error:
        raise ReportError(f"{path}: cannot be read ({error.strerror}); check the file") from None


def read_json(path):
    """Reads a JSON object; raises ReportError where there is none."""
    try:
        info = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise ReportError(f"{path}: is not JSON ({one_line(error)}); run it again") from None
    if not isinstance(info, dict):
        raise ReportError(f"{path}: is not a JSON object; run it again")
    return info


def read_csv(path, text, numbers):
    """Reads a CSV file with the given columns; others are kept as text.

    Raises:
        ReportError: missing file, no rows, missing column, or a cell that is no number.
    """
    frame = parse_csv(path)
    missing = [name for name in text + numbers if name not in frame.columns]
    if missing:
        raise ReportError(
            f"{path}: has no column {', '.join(missing)}; was it written by another version? run it again"
        )
    if frame.empty:
        raise ReportError(f"{path}: has no rows; nothing was recorded, run it again")
    for name in text:
        frame[name] = frame[name].map({value: one_line(value) for value in frame[name].unique()})
    for name in numbers:
        frame[name] = _numbers(path, frame[name])
    return frame


def parse_csv(path):
    """Reads a CSV file, every cell as text; raises ReportError where it is empty or broken."""
    if not read_text(path).strip():
        raise ReportError(f"{path}: is empty; nothing was recorded, run it again")
    try:
        # Nothing is guessed: `null` is the id of a method, and pandas would take it for a missing value.
        return pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[], index_col=False)
    except (ValueError, pd.errors.ParserError) as error:
        raise ReportError(f"{path}: is not CSV ({one_line(error)}); run it again") from None


def _numbers(path, column):
    """Turns a column into float64; an empty cell, which means "not measured", becomes NaN."""
    measured = column != ""
    values = pd.to_numeric(column.where(measured), errors="coerce")
    bad = measured & ~np.isfinite(values)
    if column.name in POSITIVE:
        bad |= values <= 0
    if column.name in NOT_NEGATIVE:
        bad |= values < 0
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise ReportError(
            f"{path}, line {row + 2}: {column.name} is '{one_line(column.iloc[row])[:40]}', "
            "which it cannot be; run it again"
        )
    return values.astype("float64")


def _read_counters(path):
    """Reads counters.csv; absent, empty and header-only all mean that nothing was counted."""
    if not path.exists() or not read_text(path).strip() or parse_csv(path).empty:
        return None
    counters = read_csv(path, COUNTER_TEXT, COUNTER_NUMBERS)
    counters = counters[counters["per_query"].notna()]
    return None if counters.empty else counters


def dig(info, *keys):
    """Looks into nested dicts and lists.

    Args:
        info: what `json.loads` returned.
        *keys: dict keys or list indices, outermost first.

    Returns:
        The value, or None where any step is missing, of another type, or an empty string.
    """
    for key in keys:
        if isinstance(info, dict):
            info = info.get(key)
        elif isinstance(info, list) and isinstance(key, int) and key < len(info):
            info = info[key]
        else:
            return None
    return None if info == "" else info


def items(info, *keys):
    """A list of dicts inside `info`, without whatever else stands in it; empty where it is missing."""
    found = dig(info, *keys)
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def cache_bytes(info, level):
    """The size of this machine's data (or unified) cache of a level.

    Args:
        info: `run.json`.
        level: 1, 2 or 3.

    Returns:
        float, bytes; None where it was not recorded.
    """
    for cache in items(info, "machine", "caches"):
        size, kind = cache.get("bytes"), str(cache.get("type", "")).lower()
        is_number = isinstance(size, (int, float)) and not isinstance(size, bool)
        if cache.get("level") == level and not kind.startswith("instr") and is_number and size > 0:
            return float(size)
    return None


def round_ratios(run, cell):
    """The A/A arm against the reference, round by round.

    Args:
        run: Run.
        cell: Cell.

    Returns:
        DataFrame with launch, round, log_ratio (float64, natural log, 0 = equal) and disturbed (bool: the kernel
        switched the process out, faulted or lost time to the host in one of the two slices); None without an A/A arm.
    """
    twin, reference = run.slices(cell, "twin"), run.slices(cell, "reference")
    if twin.empty or reference.empty:
        return None
    met = _marked(twin).merge(_marked(reference), on=["launch", "round"], suffixes=("", "_of_reference"))
    met["log_ratio"] = np.log(met["ns_per_query"] / met["ns_per_query_of_reference"])
    met["disturbed"] = met["disturbed"] | met["disturbed_of_reference"]
    met = met[met["log_ratio"].notna()].sort_values(["launch", "round"])
    return None if met.empty else met[["launch", "round", "log_ratio", "disturbed"]].reset_index(drop=True)


def _marked(slices):
    """One row a launch and round, with the flag that independent signals raise; never by the time itself."""
    marked = slices[["launch", "round", "ns_per_query"]].copy()
    marked["disturbed"] = False
    for name in ("involuntary_switches", "major_faults", "steal_ticks"):
        if name in slices.columns:
            marked["disturbed"] |= pd.to_numeric(slices[name], errors="coerce").fillna(0) > 0
    return marked


def clock_ghz(run, cell):
    """The effective clock rate, from the chain of dependent one-cycle additions.

    Args:
        run: Run.
        cell: Cell.

    Returns:
        DataFrame with launch, round, ghz (float64); None without a clock arm.
    """
    clock = run.slices(cell, "clock")
    clock = clock[clock["ns_per_query"].notna()].sort_values(["launch", "round"])
    if clock.empty:
        return None
    return clock[["launch", "round"]].assign(ghz=1 / clock["ns_per_query"]).reset_index(drop=True)


def human_bytes(size):
    """A size as people read it: `0 B`, `2.0 KiB`, `845 KiB`, `2.25 MiB`; `not recorded` for NaN."""
    if not math.isfinite(size):
        return "not recorded"
    if size < 1024:
        return f"{size:.0f} B"
    unit = min(int(math.log2(size) // 10), 4)
    value = size / 1024**unit
    digits = 0 if value >= 100 or value == int(value) else 1 if value >= 10 else 2
    return f"{value:.{digits}f} {['B', 'KiB', 'MiB', 'GiB', 'TiB'][unit]}"


def human_number(value, digits=2):
    """A number with fixed decimals, or an en dash where it was not measured."""
    return "\N{EN DASH}" if value is None or not math.isfinite(value) else f"{value:.{digits}f}"


def human_ratio(ratio):
    """A ratio with three figures after the point, two from 10 on; an en dash where it was not measured."""
    return human_number(ratio, 3 if ratio is None or not ratio >= 10 else 2)
