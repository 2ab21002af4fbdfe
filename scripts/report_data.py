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

SCHEMA = 3  # of the run folders that this version reads
KEY = ["workload", "trace", "pressure", "kinds", "pages", "corunners"]
ROUND = ["launch", "round"]
SAMPLE_TEXT = ["arm", "method", "level", "role", *KEY[:5]]
SAMPLE_NUMBERS = ["corunners", "layout", *ROUND, "queries", "time_ns"]
SUMMARY_TEXT = ["arm", "method", "title", "family", "level", "role", *KEY[:5], "verdict", "best"]
SUMMARY_NUMBERS = (
    "corunners table_bytes launches rounds ns_per_query ns_low ns_high net_ns_per_query net_low net_high ratio "
    "ratio_low ratio_high margin aa_bound holm_low holm_high ratio_unflagged ratio_unflagged_low ratio_unflagged_high "
    "flagged_rounds ns_per_node"
).split()
COUNTER_TEXT = ["arm", "method", "level", "workload", "trace", "pressure", "metric", "source", "event"]
COUNTER_NUMBERS = ["per_query"]

# Columns whose zero or minus would make a logarithm, and so a figure, meaningless.
POSITIVE = set("queries time_ns ns_per_query ns_high ratio ratio_high granularity_bytes cache_lines".split())
NOT_NEGATIVE = set(
    "table_bytes margin aa_bound launches rounds accesses misses distinct_lines l1d_misses lines_per_evaluation "
    "corunners ns_low ratio_low".split()
)

COMPARED_ROLES = ("method", "reference")
# What marks a slice as disturbed, as Sample::flagged() of harness/statistics/sample.hpp has it.
DISTURBANCES = ("involuntary_switches", "minor_faults", "major_faults", "steal_ticks")

# The order in which readers meet the workloads; names that are not here follow in alphabetical order.
WORKLOAD_ORDER = ["throughput", "latency", "setwise", "update", "perft", "engine", "duel"]
NODE_WORKLOADS = ("perft", "engine", "duel")  # times are divided by nodes
PRESSURE_ORDER = ["", "isolated", "net0", "net256", "net1024", "lukewarm", "light", "nnue", "nnue-xl"]
KIND_ORDER = ["all", "bishop", "rook", "queen", "both"]

# The presets that touch lines, as harness/pressure/pressure.hpp has them; for runs whose run.json does not say.
PRESETS = {"light": "64@256K/node/random", "nnue": "768@8M/eval/rows", "nnue-xl": "1536@96M/eval/rows"}


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
    """What is compared within: one workload on one trace under one pressure, and what else was chosen.

    Attributes:
        kinds: which queries of the trace: all, bishop, rook, queen or both.
        pages: of the large tables: 4k or 2m.
        corunners: processes that kept the shared cache busy.
    """

    workload: str
    trace: str
    pressure: str
    kinds: str = "all"
    pages: str = "4k"
    corunners: int = 0

    @property
    def name(self):
        """str: the cell as a heading has it; what is usual is not spelt out."""
        of = f" of {self.kinds}" if self.kinds != "all" else ""
        under = f", {self.pressure}" if self.pressure else ""
        pages = f", {self.pages} pages" if self.pages != "4k" else ""
        with_ = f", {self.corunners} co-runner{'s' if self.corunners > 1 else ''}" if self.corunners else ""
        return f"{self.workload}{of} on {self.trace}{under}{pages}{with_}"

    @property
    def unit(self):
        """str: what times are divided by."""
        return "node" if self.workload in NODE_WORKLOADS else "query"

    @property
    def slug(self):
        """str: the cell as a file name has it; what is usual, `isolated` among it, is not spelt out."""
        kinds = [self.kinds] if self.kinds != "all" else []
        pages = [self.pages] if self.pages != "4k" else []
        others = [f"corunners{self.corunners}"] if self.corunners else []
        return slug(self.workload, *kinds, self.trace, *pages, *others, self.pressure)

    @property
    def is_plain(self):
        """bool: all kinds of queries, usual pages, no co-runners, and a pressure with a name of its own."""
        named = self.pressure in PRESSURE_ORDER or touched(self.pressure) is None
        return (self.kinds, self.pages, self.corunners) == ("all", "4k", 0) and named

    def sort_key(self):
        """tuple: traces together, then what else was chosen, each in the order that readers expect."""
        return (
            self.trace,
            _place(KIND_ORDER, self.kinds),
            self.pages,
            self.corunners,
            pressure_key(self.pressure),
            _place(WORKLOAD_ORDER, self.workload),
        )


@dataclass(frozen=True)
class Touched:
    """What a pressure touches.

    Attributes:
        lines: cache lines at each event.
        block: of what, as written, such as `8M`.
        when: `node`, `make`, `probe` or `eval`.
        pattern: `random` or `rows`.
    """

    lines: int
    block: str
    when: str
    pattern: str

    @property
    def sweep(self):
        """str: all but the lines; the pressures of a sweep share it."""
        return f"{self.block}/{self.when}/{self.pattern}"


def touched(pressure):
    """What the name of a pressure says that it touches.

    Args:
        pressure: a preset's name, or `K@W/node|make|probe|eval[/random|rows]`.

    Returns:
        Touched; None where it touches nothing, or the name says nothing.
    """
    text = PRESETS.get(pressure, pressure)
    found = re.fullmatch(r"(\d{1,9})@(\d+[KMG]?)/(node|make|probe|eval)(?:/(random|rows))?", text)
    return Touched(int(found[1]), found[2], found[3], found[4] or "random") if found else None


def pressure_key(pressure):
    """What to sort pressures by: presets as readers expect them, then sweeps by their lines, then other names."""
    if pressure in PRESSURE_ORDER:
        return (PRESSURE_ORDER.index(pressure), "", 0, "")
    found = touched(pressure)
    if found is None:
        return (len(PRESSURE_ORDER) + 1, pressure, 0, "")
    return (len(PRESSURE_ORDER), found.sweep, found.lines, pressure)


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
        samples: one row a timed slice; adds `ns_per_query`, float64, ns; no rows where the folder came without them.
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
    _parts: dict = field(default_factory=dict)

    def rows(self, cell, *roles):
        """The summary of one cell.

        Args:
            cell: Cell.
            *roles: roles to keep; none keeps all.

        Returns:
            DataFrame in the order of the file.
        """
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
        """Methods and reference of a cell, fastest first.

        By ratio, which is what was judged; by time where there is no reference. The name breaks ties, so the order
        does not depend on the order of the file.

        Args:
            cell: Cell.

        Returns:
            DataFrame.
        """
        rows = self.rows(cell, *COMPARED_ROLES)
        return rows.sort_values([_cost_column(rows), "arm"], na_position="last")

    @property
    def is_duel(self):
        """bool: engines were compared, not methods."""
        return all(cell.workload == "duel" for cell in self.cells)

    @property
    def plain(self):
        """list of Cell: those that have figures and a place in the side-by-side of their own.

        These are the usual ones, with all queries, small pages and no co-runners, under pressures that are not part of
        a sweep; all cells where none is like that.
        """
        if "plain" not in self._parts:
            usual = [c for c in self.cells if (c.kinds, c.pages, c.corunners) == ("all", "4k", 0)]
            swept = {}
            for cell in usual:
                found = None if cell.is_plain else touched(cell.pressure)
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
    """Reads and checks a run folder.

    Args:
        folder: path of the folder.

    Returns:
        Run.

    Raises:
        ReportError: a file (other than samples.csv and counters.csv) or column is missing, or holds what it must not;
            or another version wrote the folder.
    """
    run = load_summary(folder)
    run.samples = _read_samples(run.folder / "samples.csv")
    run.counters = _read_counters(run.folder / "counters.csv")
    return run


def load_summary(folder):
    """Reads a run folder as `load` does, without its samples and counters."""
    folder = Path(folder)
    info = read_info(folder)
    check_schema(folder, info)
    summary = read_csv(folder / "summary.csv", SUMMARY_TEXT, SUMMARY_NUMBERS)
    summary["label"] = _labels(summary)
    summary["corunners"] = summary["corunners"].fillna(0).astype(int)
    keys = summary[KEY].drop_duplicates().itertuples(index=False)
    cells = sorted((Cell(*key[:5], int(key[5])) for key in keys), key=Cell.sort_key)
    return Run(folder, _no_samples(), summary, None, info, cells)


def check_schema(folder, info):
    """Raises ReportError for a run folder whose format is not this version's."""
    found = number(info.get("schema"))
    if found != SCHEMA:
        newer = found is not None and found > SCHEMA
        raise ReportError(
            f"{folder}: was written by a newer version; use the scripts of that version"
            if newer
            else f"{folder}: was written by an older version; run it again"
        )


def _no_samples():
    return pd.DataFrame(columns=[*SAMPLE_TEXT, *SAMPLE_NUMBERS, "ns_per_query"])


def _read_samples(path):
    """Reads samples.csv. A folder that was passed on may come without it: then there are no rows."""
    if not path.exists():
        return _no_samples()
    samples = read_csv(path, SAMPLE_TEXT, SAMPLE_NUMBERS)
    samples["ns_per_query"] = samples["time_ns"] / samples["queries"]
    return samples


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
        # Nothing is guessed: a method may well be called what pandas takes for a missing value.
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


def number(value):
    """A finite number, or None for anything else."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and math.isfinite(value) else None


def interval_of(entry):
    """(value, low, high) of an object of run.json that holds them; an end that it does not give is None."""
    return tuple(number(dig(entry, name)) for name in ("value", "low", "high"))


def cell_of(entry):
    """The cell whose coordinates an object of run.json has, None for no object; what it does not say is the usual."""
    if not isinstance(entry, dict):
        return None
    usual = {"workload": "", "trace": "", "pressure": "isolated", "kinds": "all", "pages": "4k"}
    texts = {name: one_line(entry.get(name) or value) for name, value in usual.items()}
    return Cell(**texts, corunners=int(number(entry.get("corunners")) or 0))


def cache_bytes(info, level):
    """The size of this machine's data (or unified) cache of a level.

    Args:
        info: `run.json`.
        level: 1, 2 or 3.

    Returns:
        float, bytes; None where it was not recorded.
    """
    for cache in items(info, "machine", "caches"):
        size, kind = number(cache.get("bytes")), str(cache.get("type", "")).lower()
        if cache.get("level") == level and not kind.startswith("instr") and size is not None and size > 0:
            return float(size)
    return None


def round_ratios(run, cell):
    """The A/A control against the reference, round by round.

    Args:
        run: Run.
        cell: Cell.

    Returns:
        DataFrame with launch, round, log_ratio (float64, natural log, 0 = equal) and disturbed (bool: the kernel
        switched the process out, faulted or lost time to the host in one of the two slices); None without an A/A
        control.
    """
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
    """The effective clock rate, from the chain of dependent one-cycle additions.

    Args:
        run: Run.
        cell: Cell.

    Returns:
        DataFrame with launch, round, ghz (float64); None without a clock arm.
    """
    clock = run.slices(cell, "clock")
    clock = clock[clock["ns_per_query"].notna()].sort_values(ROUND)
    if clock.empty:
        return None
    return clock[ROUND].assign(ghz=1 / clock["ns_per_query"]).reset_index(drop=True)


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


def human_percent(fraction):
    """A fraction in per cent, or an en dash where it was not measured."""
    return f"{human_number(100 * fraction, 1)} %" if math.isfinite(fraction) else "\N{EN DASH}"


def human_interval(value, low, high, show=human_number):
    """A number with its interval, `1.02 [1.01, 1.03]`; without the brackets where an end is not known."""
    known = all(end is not None and math.isfinite(end) for end in (low, high))
    return f"{show(value)} [{show(low)}, {show(high)}]" if known else show(value)


def human_ratio(ratio):
    """A ratio with three figures after the point, two from 10 on; an en dash where it was not measured."""
    return human_number(ratio, 3 if ratio is None or not ratio >= 10 else 2)
