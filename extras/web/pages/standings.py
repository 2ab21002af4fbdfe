# SPDX-License-Identifier: MIT
"""A method's place in every situation on each machine of reports/machines."""

from report.data.cells import COMPARED_ROLES
from report.data.files import dig, one_line
from report.data.words import human_interval, human_ratio
from report.figures.style import VERDICT_SIGNS
from studies.machines import CELLS, MACHINES, collected


def standings():
    """All situations on all machines, the latest run first: list of dict of `machine`, `cell` (its name) and `places`, dict
    method -> dict of `place` (1 is the quickest), `of` (how many methods), `ratio`, `text` (with interval and sign)."""
    found = []
    for run in sorted(collected(MACHINES), key=lambda run: str(run.info.get("started")), reverse=True):
        machine = one_line(" ".join(str(dig(run.info, "machine", key) or "") for key in ("cpu", "hypervisor")))
        for cell in CELLS:
            rows = run.rows(cell, *COMPARED_ROLES).sort_values("ratio").drop_duplicates("method")
            if not rows.empty:
                found.append({"machine": f"{machine} ({run.folder.name})", "cell": cell.name, "places": _places(rows)})
    return found


def _places(rows):
    """Rows of a cell, quickest first, one a method: dict method -> its place."""
    return {
        row.method: {"place": number, "of": len(rows), "ratio": round(row.ratio, 4), "text": _text(row)}
        for number, row in enumerate(rows.itertuples(), 1)
    }


def _text(row):
    shown = human_interval(row.ratio, row.ratio_low, row.ratio_high, human_ratio)
    return f"{shown} {VERDICT_SIGNS.get(row.verdict, '')}".strip()
