# SPDX-License-Identifier: MIT
"""Files of a result folder: read, checked, and refused with one line that says what is wrong, where, and what to do."""

import json
import math
import re
import unicodedata
import warnings

import numpy as np
import pandas as pd

from report.data.schema import NOT_NEGATIVE, POSITIVE, SCHEMA
from report.errors import ReportError


def one_line(text):
    """Makes any value fit for one line of a figure, a page or a terminal.

    Args:
        text: any value; control characters, which neither XML nor a terminal wants, become spaces.

    Returns:
        str without line ends and control characters.
    """
    clean = "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in str(text))
    return re.sub(r" {2,}", " ", clean).strip()


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


def unused_stem(stem, used):
    """Two names may differ only in what a file name cannot hold; the second gets a number."""
    free, number = stem, 2
    while free.lower() in used:
        free, number = f"{stem}-{number}", number + 1
    used.add(free.lower())
    return free


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


def read_info(folder):
    """Reads what a folder says of itself.

    Args:
        folder: Path.

    Returns:
        dict, `run.json`; its `kind` is `simulation` for the cache simulator's folders.

    Raises:
        ReportError: there is no such folder, or no readable `run.json` in it.
    """
    if not folder.is_dir():
        raise ReportError(
            f"{folder}: no such folder; give the one that `slidebench run --out` or `slidebench simulate --out` wrote"
        )
    return read_json(folder / "run.json")


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
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # rows of too many cells, which would be cut
            # Nothing is guessed: a method may well be called what pandas takes for a missing value.
            return pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[], index_col=False)
    except (ValueError, pd.errors.ParserError, pd.errors.ParserWarning) as error:
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
