# SPDX-License-Identifier: MIT
"""The data of one benchmark run: read, checked, and named. A broken folder is refused here, with one line that says
what is wrong, where, and what to do."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from report.data.cells import COMPARED_ROLES, Cell, cell_of, sweep_of
from report.data.files import check_schema, file_of, items, number, read_csv, read_info, read_optional
from report.data.schema import COUNTERS, KEY, ROUND, SAMPLES, SUMMARY
from report.data.words import human_percent

# What marks a sample as disturbed, as Sample::flagged() of harness/statistics/sample.hpp has it.
DISTURBANCES = ("involuntary_switches", "minor_faults", "major_faults", "steal_ticks")


@dataclass
class Run:
    """One run folder in memory."""

    folder: Path  # where it was read from
    samples: pd.DataFrame  # a row a timed sample; adds `ns_per_query`; no rows where the folder came without them
    summary: pd.DataFrame  # a row per contender and cell; adds `label`, the short name that figures print
    counters: pd.DataFrame | None  # a row per event and contender; None where nothing was counted
    info: dict  # run.json; every key is optional
    cells: list = field(default_factory=list)  # list of Cell, in reading order

    # Tables are cut up by cells once: a publication's samples have a million rows.
    @cached_property
    def _summary_parts(self):
        return _by_cell(self.summary)

    @cached_property
    def _sample_parts(self):
        return _by_cell(self.samples)

    def rows(self, cell, *roles):
        """The summary of one cell, in the order of the file; of some roles alone where any are named."""
        return _of_roles(self._summary_parts.get(cell, self.summary.iloc[:0]), roles)

    def samples_of(self, cell, *roles):
        """The samples of one cell, like `rows`."""
        return _of_roles(self._sample_parts.get(cell, self.samples.iloc[:0]), roles)

    def ranked(self, cell):
        """Methods and reference of a cell, fastest first: by ratio, which was judged; by time without a reference; then
        by name."""
        rows = self.rows(cell, *COMPARED_ROLES)
        cost = "ratio" if rows["ratio"].notna().any() else "ns_per_query"
        return rows.sort_values([cost, "contender"], na_position="last")

    @property
    def is_duel(self):
        """bool: engines were compared, not methods."""
        return all(cell.workload == "duel" for cell in self.cells)

    @cached_property
    def plain(self):
        """The cells, list, with figures and a place in the side-by-side: those with all queries, small pages, no
        co-runners and a pressure that is part of no sweep; all cells where none is like that."""
        usual = [c for c in self.cells if (c.kinds, c.pages, c.corunners) == ("all", "4k", 0)]
        part_of = {cell: (cell.workload, cell.trace, sweep_of(cell.pressure)) for cell in usual}
        count = Counter(part_of.values())
        return [cell for cell in usual if sweep_of(cell.pressure) is None or count[part_of[cell]] < 3] or self.cells

    def one(self, cell, role):
        """The first row of a role in a cell, or None."""
        rows = self.rows(cell, role)
        return None if rows.empty else rows.iloc[0]

    def margin(self, cell):
        """The margin as a fraction: fixed before the run, within which times count as equal; None without ratios."""
        return _largest(self.rows(cell)["margin"])

    def aa_bound(self, cell):
        """How far identical code may have differed in a cell, as a fraction; None without an A/A control."""
        return _largest(self.rows(cell)["aa_bound"])

    def unresolved(self, cell):
        """Why a cell cannot show equality, in words; "" where identical code differed by less than the margin."""
        margin, bound = self.margin(cell), self.aa_bound(cell)
        if margin is None or bound is None or bound <= margin:
            return ""
        return f"identical code differed by up to {human_percent(bound)}"

    @cached_property
    def bests(self):
        """dict (Cell, most bytes of tables or None) -> entry of run.json: which methods may be the fastest."""
        return {(cell_of(e.get("cell")), number(e.get("limit_bytes"))): e for e in items(self.info, "bests")}


def _by_cell(table):
    groups = table.groupby(KEY, sort=False) if not table.empty else []
    return {Cell(*key[:5], int(key[5])): rows for key, rows in groups}


def _of_roles(rows, roles):
    return rows[rows["role"].isin(roles)] if roles else rows


def _largest(column):
    values = column.dropna()
    return None if values.empty else float(values.max())


def load(folder):
    """Reads and checks a run folder: Run. ReportError where a file (other than samples.csv and counters.csv) or column
    is missing or holds what it must not, or another version wrote it."""
    run = load_summary(folder)
    run.samples = _read_samples(run.folder / "samples.csv")
    counters = read_optional(run.folder / "counters.csv", COUNTERS)
    if counters is not None and counters["per_query"].notna().any():
        usual = {"pressure": {"": "isolated"}, "pages": {"": "4k"}}
        run.counters = counters[counters["per_query"].notna()].replace(usual)
    return run


def load_summary(folder):
    """Reads a run folder as `load` does, without its samples and counters."""
    folder = Path(folder)
    info = read_info(folder)
    check_schema(folder, info)
    summary = read_csv(file_of(folder, "summary.csv"), SUMMARY.text, SUMMARY.numbers)
    summary["label"] = _labels(summary)
    summary["corunners"] = summary["corunners"].fillna(0).astype(int)
    cells = sorted({Cell(*key) for key in summary[KEY].itertuples(index=False)}, key=Cell.sort_key)
    return Run(folder, _no_samples(), summary, None, info, cells)


def _no_samples():
    return pd.DataFrame(columns=[*SAMPLES.text, *SAMPLES.numbers, "ns_per_query"])


def _read_samples(path):
    """Reads samples.csv. A folder that was passed on may come without it: then there are no rows."""
    if not path.exists():
        return _no_samples()
    samples = read_csv(path, SAMPLES.text, SAMPLES.numbers)
    samples["ns_per_query"] = samples["time_ns"] / samples["queries"]
    return samples


def _labels(summary):
    """The short names: the method's id, with its level where a run has the same method at several levels."""
    compared = summary[summary["role"].isin(COMPARED_ROLES)]
    levels = compared.groupby("method")["contender"].nunique()
    several = set(levels[levels > 1].index)
    short = summary["method"].where(summary["method"] != "", summary["contender"])
    return short.where(~summary["method"].isin(several), summary["contender"])


def round_ratios(run, cell):
    """The A/A control against the reference: process run, round, log_ratio (natural, 0 = equal) and disturbed (the kernel
    switched the process out, faulted or lost time to the host in one of the two samples, never by the time itself); None
    without an A/A control."""
    marked = []
    for role in ("twin", "reference"):
        samples = run.samples_of(cell, role)
        signals = samples.reindex(columns=DISTURBANCES).apply(pd.to_numeric, errors="coerce")
        marked.append(samples[[*ROUND, "ns_per_query"]].assign(disturbed=(signals > 0).any(axis=1)))
    met = marked[0].merge(marked[1], on=ROUND, suffixes=("", "_of")).sort_values(ROUND)
    met["log_ratio"] = np.log(met["ns_per_query"] / met["ns_per_query_of"])
    met["disturbed"] |= met["disturbed_of"]
    met = met.dropna(subset=["log_ratio"])
    return None if met.empty else met[[*ROUND, "log_ratio", "disturbed"]].reset_index(drop=True)


def clock_ghz(run, cell):
    """The clock rate, from the chain of dependent one-cycle additions: process run, round, ghz; None without a clock contender."""
    clock = run.samples_of(cell, "clock").dropna(subset=["ns_per_query"]).sort_values(ROUND)
    return None if clock.empty else clock[ROUND].assign(ghz=1 / clock["ns_per_query"]).reset_index(drop=True)
