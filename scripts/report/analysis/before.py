# SPDX-License-Identifier: MIT
"""A run beside an earlier one of the same machine: what changed by more than both runs' intervals."""

from report.analysis.compare import check_pair, check_traces
from report.data.cells import COMPARED_ROLES
from report.data.files import dig, one_line
from report.data.run import load_summary
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
    cells = [cell for cell in run.cells if cell in then.cells]
    rows, compared = [], 0
    for cell in cells:
        old = then.rows(cell, *COMPARED_ROLES).drop_duplicates("arm").set_index("arm")
        for row in run.rows(cell, "method").drop_duplicates("arm").itertuples():
            if row.arm not in old.index:
                continue
            other = old.loc[row.arm]
            compared += 1
            if row.ratio_low > other["ratio_high"] or row.ratio_high < other["ratio_low"]:
                pair = ((row.ratio, row.ratio_low, row.ratio_high), other[["ratio", "ratio_low", "ratio_high"]])
                rows.append(
                    [
                        cell.name,
                        row.label,
                        *((human_interval(*ends, human_ratio), float(ends[0])) for ends in map(tuple, pair)),
                    ]
                )
    date = one_line(dig(then.info, "started") or "at a time not recorded")
    words = (
        f"Against the run of {date} (commit {one_line(dig(then.info, 'commit') or 'not recorded')}): in {len(rows)} "
        f"of {compared} cases the two intervals of a method's ratio do not overlap. Where nothing changed, chance "
        f"alone gives "
        "some six in a thousand."
    )
    return {"words": words, "heading": f"{len(rows)} changed ratios", "heads": HEADS, "rows": rows}
