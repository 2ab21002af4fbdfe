# SPDX-License-Identifier: MIT
"""Files of a result folder: read, checked, and refused with one line that says what is wrong, where, and what to do."""

import gzip
import json
import math
import re
import unicodedata
import warnings
import zlib
from pathlib import Path

import numpy as np
import pandas as pd

from report.data.schema import NOT_NEGATIVE, POSITIVE, SCHEMA
from report.errors import ReportError

RUN = {"type": Path, "metavar": "RUN", "help": "folder that `slidebench run --out RUN` wrote"}  # the argument of commands


def one_line(text):
    """Any value as text for one line of a figure, a page or a terminal: control characters become spaces."""
    clean = "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in str(text))
    return re.sub(r" {2,}", " ", clean).strip()


def slug(*parts):
    """Names as one safe piece of a file name; the last is a pressure, left out when it is empty or `isolated`."""
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
    if found is not None and found > SCHEMA:
        raise ReportError(f"{folder}: was written by a newer version; use the scripts of that version")
    if found != SCHEMA:
        raise ReportError(f"{folder}: was written by an older version; run it again")


def read_info(folder):
    """run.json of a folder, a dict; its `kind` is `simulation` for the cache simulator's. ReportError where there is
    none."""
    if not folder.is_dir():
        raise ReportError(f"{folder}: no such folder; give one that `slidebench run --out` or `simulate --out` wrote")
    return read_json(file_of(folder, "run.json"))


def file_of(folder, name):
    """The file of a run's folder, or that of this name and .gz in its place, as a run kept for good has it."""
    plain, packed = folder / name, folder / f"{name}.gz"
    return packed if packed.exists() and not plain.exists() else plain


def read_text(path):
    """Reads a file, of a name in .gz what is compressed in it; raises ReportError where it is missing or no text."""
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except FileNotFoundError:
        raise ReportError(f"{path}: missing; make the folder again with `slidebench run` or `simulate`") from None
    except UnicodeDecodeError:
        raise ReportError(f"{path}: is not UTF-8 text; run it again") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise ReportError(f"{path}: is not gzip, or cut off; make it again") from None
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
    """Reads a CSV file with the given columns, others as text. ReportError: it or a column is missing, or a number is
    none."""
    frame = parse_csv(path)
    missing = [name for name in text + numbers if name not in frame.columns]
    if missing:
        raise ReportError(f"{path}: has no column {', '.join(missing)}; another version wrote it? run it again")
    if frame.empty:
        raise ReportError(f"{path}: has no rows; nothing was recorded, run it again")
    for name in text:
        frame[name] = frame[name].map({value: one_line(value) for value in frame[name].unique()})
    for name in numbers:
        frame[name] = _numbers(path, frame[name])
    return frame


def read_optional(path, table):
    """Reads a file by its Table of report.data.schema; None where it is missing, empty or without rows."""
    if not path.exists() or not read_text(path).strip() or parse_csv(path).empty:
        return None
    return read_csv(path, table.text, table.numbers)


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
        refuse_line(path, column, bad)
    return values.astype("float64")


def refuse_line(path, column, bad):
    """Raises ReportError for the first cell of a column that is marked as bad."""
    row = int(np.flatnonzero(bad)[0])
    value = one_line(column.iloc[row])[:40]
    raise ReportError(f"{path}, line {row + 2}: {column.name} is '{value}', which it cannot be; run it again")


def matching(frame, **wanted):
    """The rows of a table that have these values in these columns."""
    return frame[(frame[list(wanted)] == list(wanted.values())).all(axis=1)]


def dig(info, *keys):
    """What lies in nested dicts and lists; None where any step is missing, of another type, or an empty string."""
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
    """The bytes, float, of this machine's data (or unified) cache of a level; None where it was not recorded."""
    for cache in items(info, "machine", "caches"):
        size, kind = number(cache.get("bytes")), str(cache.get("type", "")).lower()
        if cache.get("level") == level and not kind.startswith("instr") and size is not None and size > 0:
            return float(size)
    return None
