# SPDX-License-Identifier: MIT
"""A run beside an earlier one of the same machine: what changed by more than both runs' intervals."""

from report.analysis.compare import check_pair, check_traces
from report.data.cells import COMPARED_ROLES, Cell
from report.data.files import dig, one_line
from report.data.run import load_summary
from report.data.schema import KEY
from report.data.words import human_interval, human_ratio
from report.errors import ReportError

HEADS = ["cell", "method", "ratio now", "ratio then"]


def since(run, folder):
    """What changed since an earlier run, in a folder: dict of words, heading, heads and rows, which are empty where
    nothing changed, or the runs cannot be compared, as words says."""
    nothing = {"heads": HEADS, "rows": [], "heading": ""}
    try:
        then = load_summary(folder)
        check_pair(run, then)
        check_traces([run, then])
    except ReportError as error:
        return nothing | {"words": f"Not compared: {error}"}
    machines = [one_line(dig(r.info, "machine", "cpu") or "") for r in (run, then)]
    if machines[0] != machines[1]:
        return nothing | {"words": f"Not compared: the run before is of another machine ({machines[1]})."}
    same, ends = [*KEY, "arm"], ["ratio", "ratio_low", "ratio_high"]
    own = run.summary[run.summary["role"] == "method"].drop_duplicates(same)
    old = then.summary[then.summary["role"].isin(COMPARED_ROLES)].drop_duplicates(same)
    both = own.merge(old[[*same, *ends]], on=same, suffixes=("", "_then"))
    moved = both[(both["ratio_low"] > both["ratio_high_then"]) | (both["ratio_high"] < both["ratio_low_then"])]
    rows = []
    cells = [Cell(*(row[name] for name in KEY)) for row in moved.to_dict("records")]
    for cell, row in sorted(zip(cells, moved.to_dict("records")), key=lambda pair: pair[0].sort_key()):
        pair = ([row[end + when] for end in ends] for when in ("", "_then"))
        said = [(human_interval(*interval, human_ratio), float(interval[0])) for interval in pair]
        rows.append([cell.name, row["label"], *said])
    date = one_line(dig(then.info, "started") or "at a time not recorded")
    words = (
        f"Against the run of {date} (commit {one_line(dig(then.info, 'commit') or 'not recorded')}): in {len(rows)} of "
        f"{len(both)} cases the two intervals of a method's ratio do not overlap. Where nothing changed, chance alone "
        "gives some six in a thousand."
    )
    return {"words": words, "heading": f"{len(rows)} changed ratios", "heads": HEADS, "rows": rows}
