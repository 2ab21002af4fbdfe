# SPDX-License-Identifier: MIT
"""The data of one simulation: read, checked, and named. Nothing in its folder was measured. Only counters.csv must be
there: a folder without reuse distances has an empty mrc.csv."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from report.data.cells import pressure_key
from report.data.files import cache_bytes, dig, items, matching, one_line, read_csv, read_info, read_optional
from report.data.files import refuse_line, slug
from report.data.schema import COUNTERS, MRC, PLACE, SQUARES, TABLES
from report.errors import ReportError

# metric of counters.csv -> the level's name
LEVELS = {"l1d_misses": "L1D", "l2d_misses": "L2", "l3_misses": "L3", "dtlb_misses": "DTLB", "stlb_misses": "STLB"}

# Table bytes and misses of the empty loop are those of the bare loop: it has no table, so it is never drawn.
NOT_A_METHOD = "empty"
REFERENCE = "magic_fancy"

LINE, PAGE = 64, 4096
SQUARE_NAMES = [file + rank for rank in "12345678" for file in "abcdefgh"]
PIECES = {"bishop": ("bishop", "queen", "both"), "rook": ("rook", "queen", "both")}


@dataclass(frozen=True, order=True)
class Place:
    """What a simulation's counts belong to: a trace, what the engine touches in between, a cache, the pages."""

    trace: str
    pressure: str
    cache: str
    pages: str

    @property
    def name(self):
        """str: the place as a heading has it; the usual pages, 4 KiB, are not spelt out."""
        pages = "" if self.pages in ("", "4k") else f", {self.pages} pages"
        return f"{self.trace}, {self.pressure}, cache {self.cache}{pages}"

    def rows(self, table):
        """The rows of a table that belong to the place."""
        return matching(table, **vars(self))

    @property
    def slug(self):
        """str: the place as a file name has it."""
        pages = [] if self.pages in ("", "4k") else [self.pages]
        return slug(self.trace, self.cache, *pages, self.pressure)


@dataclass(frozen=True)
class Mark:
    """A size at which one or more simulated caches have a level."""

    level: str  # L1D, L2, DTLB or STLB
    size: int  # bytes; entries for TLBs
    caches: tuple  # names, in the order of run.json

    @property
    def name(self):
        """str: the mark as a figure has it."""
        return f"{self.level} {', '.join(self.caches)}"


@dataclass
class Simulation:
    """One simulation's folder in memory."""

    folder: Path  # where it was read from
    info: dict  # run.json; every key is optional
    counts: pd.DataFrame  # a row per method, place, draw and metric; adds `per_query`
    mrc: pd.DataFrame | None  # a row per method, trace, granularity, size and load; adds `per_query`
    squares: pd.DataFrame | None  # a row per method, place, kind of query and square
    tables: pd.DataFrame | None  # a row per method, place, draw, table and level; causes not told apart are NaN

    @property
    def places(self):
        """list of Place: traces and caches in the order of the file, pressures from none to most."""
        seen = dict.fromkeys(Place(*key) for key in self.counts[PLACE].itertuples(index=False))
        traces, caches = (list(self.counts[name].unique()) for name in ("trace", "cache"))
        key = lambda p: (traces.index(p.trace), pressure_key(p.pressure), caches.index(p.cache), p.pages)  # noqa: E731
        return sorted(seen, key=key)

    def misses(self, place):
        """Misses per query in a place, by method, fewest first: below each level that the cache has the columns median,
        low and high over the draws."""
        rows = self.counts[self.counts["metric"].isin(LEVELS) & (self.counts["method"] != NOT_A_METHOD)]
        grouped = place.rows(rows).groupby(["method", "metric"])["per_query"]
        spread = grouped.agg(["median", "min", "max"]).set_axis(["median", "low", "high"], axis=1).unstack("metric")
        spread = spread.swaplevel(axis=1)
        there = [metric for metric in LEVELS if metric in spread.columns.get_level_values(0)]
        wide = pd.concat({LEVELS[metric]: spread[metric] for metric in there}, axis=1)
        by = [(LEVELS[metric], "median") for metric in there]
        return wide.sort_index().sort_values(by, kind="stable")

    def curves(self, trace, granularity, lines=0):
        """Misses per query by size, in units of LINE or PAGE, of rows with so many lines per evaluation, without methods
        that never missed, which read no table."""
        if self.mrc is None:
            return pd.DataFrame(columns=[*MRC.text, *MRC.numbers, "per_query"])
        rows = matching(self.mrc, trace=trace, granularity_bytes=granularity, lines_per_evaluation=lines)
        missed = rows.groupby("method")["misses"].transform("max") > 0
        return rows[missed & (rows["method"] != NOT_A_METHOD)]

    def family(self, method):
        """The family of a method, an empty string where run.json does not say."""
        found = (entry.get("family") for entry in items(self.info, "methods") if entry.get("id") == method)
        return one_line(next(found, "") or "")

    def marks(self, *levels):
        """The sizes of the simulated caches' levels, smallest first: list of Mark; caches that share a size share a
        mark."""
        found = {}
        for cache in items(self.info, "caches"):
            for level, size in sizes_of(str(cache.get("specification", ""))).items():
                if level in levels:
                    found.setdefault((size, level), []).append(one_line(cache.get("name", "")))
        return [Mark(level, size, tuple(dict.fromkeys(names))) for (size, level), names in sorted(found.items())]

    def highlighted(self, trace, most=8):
        """The methods that a line figure names, most misses first: all of a few, else the reference and the best of
        each family, which misses least in the smallest simulated L1D."""
        rows = self.curves(trace, LINE)
        marks = self.marks("L1D")
        distance = np.log(rows["cache_lines"] * LINE / (marks[0].size if marks else 32768)).abs()
        at = rows[distance == distance.min()].groupby("method")["per_query"].first()
        order = list(at.sort_values(ascending=False, kind="stable").index)
        best = {self.family(method): method for method in order}
        return [m for m in order if len(order) <= most or m == REFERENCE or m in best.values()]


def sizes_of(specification):
    """The sizes in a specification such as `L1=32K/8/64:lru,L2=1M/8/64,L3=none,DTLB=72/72`: dict, L1D and L2 in bytes,
    DTLB and STLB in entries; what is missing or `none` is left out."""
    found = re.findall(r"\b(L1|L2|DTLB|STLB)=(\d+)([KMG]?)\b", specification)
    units = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    return {"L1D" if level == "L1" else level: int(n) * units[unit] for level, n, unit in found if int(n) > 0}


def is_simulation(folder):
    """Whether a folder is a simulation's; ReportError where it says nothing of itself."""
    return read_info(Path(folder)).get("kind") == "simulation"


def load_simulation(folder):
    """Reads and checks a simulation's folder: Simulation. ReportError where a file or column is missing or holds what
    it must not."""
    folder = Path(folder)
    info = read_info(folder)
    counts = read_csv(folder / "counters.csv", COUNTERS.text, COUNTERS.numbers)
    foreign = sorted(set(counts["source"]) - {"simulated"})
    if foreign:
        raise ReportError(
            f"{folder / 'counters.csv'}: has rows with source '{foreign[0]}'; a simulation holds nothing but simulated "
            "counts, make the folder again"
        )
    counts = counts[counts["value"].notna()]
    counts = counts.assign(per_query=counts["value"] / counts["queries"])
    if counts[counts["metric"].isin(LEVELS) & (counts["method"] != NOT_A_METHOD)].empty:
        raise ReportError(f"{folder / 'counters.csv'}: has no misses of any method; simulate at least one method")
    tables = read_optional(folder / "tables.csv", TABLES)
    return Simulation(folder, info, counts, read_curves(folder), read_squares(folder / "squares.csv"), tables)


def of_run(run):
    """The simulated part of a run's folder: Simulation; None where it has no miss-ratio curves. ReportError as of
    `load`."""
    mrc = read_curves(run.folder)
    if mrc is None:
        return None
    counts = pd.DataFrame(columns=[*COUNTERS.text, *COUNTERS.numbers]) if run.counters is None else run.counters
    counts = counts[counts["source"] == "simulated"]
    sizes = [(name, cache_bytes(run.info, level)) for name, level in (("L1", 1), ("L2", 2))]
    host = ",".join(f"{name}={size:.0f}" for name, size in sizes if size is not None)
    info = {"caches": [{"name": "host", "specification": host}]} | run.info
    return Simulation(run.folder, info, counts, mrc, read_squares(run.folder / "squares.csv"), None)


def read_curves(folder):
    """Reads mrc.csv of a folder, with `per_query`; None where it is missing or without rows."""
    mrc = read_optional(folder / "mrc.csv", MRC)
    return None if mrc is None else mrc.assign(per_query=mrc["misses"] / mrc["queries"])


def read_squares(path):
    """Reads squares.csv; None where it is missing or without rows, ReportError where it names no square."""
    squares = read_optional(path, SQUARES)
    if squares is not None:
        bad = ~squares["square"].isin(SQUARE_NAMES)
        if bad.any():
            refuse_line(path, squares["square"], bad)
    return squares


def pressure_words(info, name):
    """What a pressure does, in words; an empty string where run.json does not say."""
    for entry in items(info, "pressures"):
        if entry.get("name") == name and dig(entry, "lines"):
            return f"{entry['lines']} lines touched at each {entry.get('when', 'event')}"
    return ""


def notes(info):
    """The caches as run.json describes them: list of (name, specification, list of notes), str."""
    found = []
    for cache in items(info, "caches"):
        said = cache.get("notes")
        lines = [one_line(note) for note in said] if isinstance(said, list) else []
        found.append((one_line(cache.get("name", "")), one_line(cache.get("specification", "")), lines))
    return found


def board_of(squares, method, piece, column):
    """One quantity of one method, from the rows of a place: array (8, 8), rank 1 first, a file first; NaN where nothing
    was asked. `l1d_misses` is over queries of every kind that asks for the piece (bishop or rook), `distinct_lines` of
    the piece's own alone, because a queen's query reads what belongs to both."""
    own = column == "distinct_lines"
    rows = squares[(squares["method"] == method) & squares["kind"].isin((piece,) if own else PIECES[piece])]
    sums = rows.groupby("square")[[column, "queries"]].sum()
    values = sums[column] if own else sums[column] / sums["queries"]
    return values.reindex(SQUARE_NAMES).to_numpy(dtype="float64").reshape(8, 8)
