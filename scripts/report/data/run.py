# SPDX-License-Identifier: MIT
"""The data of one benchmark run: read, checked, and named. A broken folder is refused here, with one line that says
what is wrong, where, and what to do."""

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from report.data.cells import COMPARED_ROLES, PRESSURE_ORDER, Cell, cell_of, touched
from report.data.files import check_schema, items, number, read_csv, read_info, read_optional
from report.data.schema import COUNTERS, KEY, ROUND, SAMPLES, SUMMARY
from report.data.words import human_percent

# What marks a slice as disturbed, as Sample::flagged() of harness/statistics/sample.hpp has it.
DISTURBANCES = ("involuntary_switches", "minor_faults", "major_faults", "steal_ticks")


@dataclass
class Run:
    """One run folder in memory."""

    folder: Path  # where it was read from
    samples: pd.DataFrame  # a row a timed slice; adds `ns_per_query`; no rows where the folder came without them
    summary: pd.DataFrame  # a row an arm and cell; adds `label`, the short name that figures print
    counters: pd.DataFrame | None  # a row an event and arm; None where nothing was counted
    info: dict  # run.json; every key is optional
    cells: list = field(default_factory=list)  # list of Cell, in reading order
    engine: "Run | None" = None  # of some methods inside an engine, in this one's folder `engine`
    _parts: dict = field(default_factory=dict)

    def rows(self, cell, *roles):
        """The summary of one cell, in the order of the file; of some roles alone where any are named."""
        return self._of_cell("summary", cell, roles)

    def slices(self, cell, *roles):
        """The samples of one cell, like `rows`."""
        return self._of_cell("samples", cell, roles)

    def _of_cell(self, name, cell, roles):
        """Cuts a table up by cells the first time: a publication's samples have a million rows."""
        whole = getattr(self, name)
        if name not in self._parts:
            groups = whole.groupby(KEY, sort=False) if not whole.empty else []
            self._parts[name] = {Cell(*key[:5], int(key[5])): rows for key, rows in groups}
        chosen = self._parts[name].get(cell, whole.iloc[:0])
        return chosen[chosen["role"].isin(roles)] if roles else chosen

    def ranked(self, cell):
        """Methods and reference of a cell, fastest first: by ratio, which was judged; by time without a reference; then
        by name."""
        rows = self.rows(cell, *COMPARED_ROLES)
        return rows.sort_values([_cost_column(rows), "arm"], na_position="last")

    @property
    def is_duel(self):
        """bool: engines were compared, not methods."""
        return all(cell.workload == "duel" for cell in self.cells)

    @property
    def plain(self):
        """The cells, list, with figures and a place in the side-by-side: those with all queries, small pages, no
        co-runners and a pressure that is part of no sweep; all cells where none is like that."""
        if "plain" not in self._parts:
            usual = [c for c in self.cells if (c.kinds, c.pages, c.corunners) == ("all", "4k", 0)]
            swept = {}
            for cell in usual:
                found = None if cell.pressure in PRESSURE_ORDER else touched(cell.pressure)
                if found is not None:
                    swept.setdefault((cell.workload, cell.trace, found.sweep), []).append(cell)
            left_out = {cell for cells in swept.values() if len(cells) > 2 for cell in cells}
            self._parts["plain"] = [cell for cell in usual if cell not in left_out] or self.cells
        return self._parts["plain"]

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
        return f"unresolved: identical code differed by up to {human_percent(bound)}"

    @property
    def bests(self):
        """dict (Cell, most bytes of tables or None) -> entry of run.json: which methods may be the fastest."""
        if "bests" not in self._parts:
            entries = [(cell_of(e.get("cell")), number(e.get("limit_bytes")), e) for e in items(self.info, "bests")]
            self._parts["bests"] = {(cell, limit): entry for cell, limit, entry in entries if cell}
        return self._parts["bests"]

    def empty_ratio(self, cell):
        """Time of the empty replay loop over that of the reference, or None."""
        empty, reference = self.one(cell, "empty"), self.one(cell, "reference")
        if empty is None or reference is None:
            return None
        ratio = empty["ns_per_query"] / reference["ns_per_query"]
        return float(ratio) if math.isfinite(ratio) else None


def _largest(column):
    values = column.dropna()
    return None if values.empty else float(values.max())


def _cost_column(rows):
    return "ratio" if rows["ratio"].notna().any() else "ns_per_query"


def load(folder):
    """Reads and checks a run folder: Run. ReportError where a file (other than samples.csv and counters.csv) or column
    is missing or holds what it must not, or another version wrote it."""
    run = load_summary(folder)
    run.samples = _read_samples(run.folder / "samples.csv")
    counters = read_optional(run.folder / "counters.csv", COUNTERS)
    if counters is not None and counters["per_query"].notna().any():
        usual = {"pressure": {"": "isolated"}, "pages": {"": "4k"}}
        run.counters = counters[counters["per_query"].notna()].replace(usual)
    inside = run.folder / "engine"
    run.engine = load_summary(inside) if (inside / "summary.csv").exists() else None
    return run


def load_summary(folder):
    """Reads a run folder as `load` does, without its samples and counters."""
    folder = Path(folder)
    info = read_info(folder)
    check_schema(folder, info)
    summary = read_csv(folder / "summary.csv", SUMMARY.text, SUMMARY.numbers)
    summary["label"] = _labels(summary)
    summary["corunners"] = summary["corunners"].fillna(0).astype(int)
    keys = summary[KEY].drop_duplicates().itertuples(index=False)
    cells = sorted((Cell(*key[:5], int(key[5])) for key in keys), key=Cell.sort_key)
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
    levels = compared.groupby("method")["arm"].nunique()
    several = set(levels[levels > 1].index)
    short = summary["method"].where(summary["method"] != "", summary["arm"])
    return short.where(~summary["method"].isin(several), summary["arm"])


def round_ratios(run, cell):
    """The A/A control against the reference: launch, round, log_ratio (natural, 0 = equal) and disturbed (the kernel
    switched the process out, faulted or lost time to the host in one of the two slices); None without an A/A
    control."""
    twin, reference = run.slices(cell, "twin"), run.slices(cell, "reference")
    if twin.empty or reference.empty:
        return None
    met = _marked(twin).merge(_marked(reference), on=ROUND, suffixes=("", "_of_reference"))
    met["log_ratio"] = np.log(met["ns_per_query"] / met["ns_per_query_of_reference"])
    met["disturbed"] = met["disturbed"] | met["disturbed_of_reference"]
    met = met[met["log_ratio"].notna()].sort_values(ROUND)
    return None if met.empty else met[[*ROUND, "log_ratio", "disturbed"]].reset_index(drop=True)


def _marked(slices):
    """One row a launch and round, with the flag that independent signals raise; never by the time itself."""
    marked = slices[[*ROUND, "ns_per_query"]].copy()
    marked["disturbed"] = False
    for name in DISTURBANCES:
        if name in slices.columns:
            marked["disturbed"] |= pd.to_numeric(slices[name], errors="coerce").fillna(0) > 0
    return marked


def clock_ghz(run, cell):
    """The clock rate, from the chain of dependent one-cycle additions: launch, round, ghz; None without a clock arm."""
    clock = run.slices(cell, "clock")
    clock = clock[clock["ns_per_query"].notna()].sort_values(ROUND)
    if clock.empty:
        return None
    return clock[ROUND].assign(ghz=1 / clock["ns_per_query"]).reset_index(drop=True)
