# SPDX-License-Identifier: MIT
"""A run beside an earlier one of the same machine: the ratios that changed by more than both runs' intervals."""

from report.analysis.compare import check_names, check_pair
from report.data.cells import Cell
from report.data.files import dig, one_line
from report.data.run import load_summary
from report.data.schema import KEY
from report.data.words import human_interval, human_ratio
from report.errors import ReportError

ENDS = ["ratio", "ratio_low", "ratio_high"]


def since(run, folder):
    """What changed since the run in `folder`: (sentence, rows of cell, method, ratio now, ratio then). No rows where
    nothing changed, or where the runs cannot be compared, as the sentence says."""
    try:
        then = load_summary(folder)
        check_pair(run, then)
        check_names([run, then])
    except ReportError as error:
        return f"Not compared: {error}", []
    machines = [one_line(dig(found.info, "machine", "cpu") or "") for found in (run, then)]
    if machines[0] != machines[1]:
        return f"Not compared: the run before is of another machine ({machines[1]}).", []
    place = [*KEY, "contender"]
    now, old = (found.summary[found.summary["role"] == "method"].drop_duplicates(place) for found in (run, then))
    both = now.merge(old[[*place, *ENDS]], on=place, suffixes=("", "_then"))
    moved = both[(both["ratio_low"] > both["ratio_high_then"]) | (both["ratio_high"] < both["ratio_low_then"])]
    date, commit = (one_line(dig(then.info, name) or "not recorded") for name in ("started", "commit"))
    words = (
        f"Against the run of {date} (commit {commit}): in {len(moved)} of {len(both)} cases the two intervals of a "
        "method's ratio do not overlap. Where nothing changed, chance alone gives some six in a thousand."
    )
    return words, [_row(row) for row in moved.to_dict("records")]


def _row(row):
    """A row of the table: texts, and what to sort the ratios by."""
    ratios = [[row[end + when] for end in ENDS] for when in ("", "_then")]
    cell = Cell(*(row[name] for name in KEY))
    return [cell.name, row["label"], *((human_interval(*ratio, human_ratio), ratio[0]) for ratio in ratios)]
