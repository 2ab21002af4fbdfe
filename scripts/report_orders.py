# SPDX-License-Identifier: MIT
"""The rankings of a run side by side: how far the order in one cell says anything about another."""

import math

import numpy as np
import pandas as pd

from report_data import COMPARED_ROLES, Cell, dig, items


def shown_cells(run):
    """The cells whose rankings stand side by side: the plain ones that have ratios.

    Args:
        run: Run.

    Returns:
        list of Cell.
    """
    return [c for c in run.plain if run.rows(c, *COMPARED_ROLES)["ratio"].notna().any()]


def spearman(run, cells):
    """Spearman's rank correlation between the rankings of cells.

    Args:
        run: Run.
        cells: list of Cell.

    Returns:
        array (cells, cells), float64; NaN for fewer than three common arms or where all are tied.
    """
    columns = [run.costs(cell).rename(i) for i, cell in enumerate(cells)]
    if not columns:
        return np.empty((0, 0))
    return pd.concat(columns, axis=1).corr(method="spearman", min_periods=3).to_numpy()


def recorded(run):
    """The correlations that the program itself computed, which have intervals.

    Args:
        run: Run.

    Returns:
        dict (Cell, Cell) -> (rho, low, high), both ways round; ends are None where they were not recorded.
    """
    by_name = {cell.name: cell for cell in run.cells}
    found = {}
    for entry in items(run.info, "correlations"):
        a, b = (_cell_of(entry.get(side), by_name) for side in ("a", "b"))
        rho, low, high = (number(entry.get(name)) for name in ("spearman", "low", "high"))
        if a is not None and b is not None and rho is not None:
            found[a, b] = found[b, a] = (rho, low, high)
    return found


def _cell_of(value, by_name):
    """A cell as run.json names it: an object with its coordinates, or its name."""
    if isinstance(value, str):
        return by_name.get(value)
    return cell_of(value) if isinstance(value, dict) else None


def cell_of(entry):
    """The cell whose coordinates an object of run.json has; what it does not say is the usual."""
    named = {name: dig(entry, name) for name in ("workload", "trace", "pressure", "kinds", "pages")}
    usual = {"workload": "", "trace": "", "pressure": "isolated", "kinds": "all", "pages": "4k"}
    corunners = number(entry.get("corunners"))
    texts = {name: usual[name] if value is None else str(value) for name, value in named.items()}
    return Cell(**texts, corunners=int(corunners or 0))


def number(value):
    """A finite number, or None for anything else."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and math.isfinite(value) else None


def sentence(run):
    """How far the isolated loops foretell the rest, in one sentence; None without two such cells.

    Args:
        run: Run.

    Returns:
        str or None.
    """
    cells = shown_cells(run)
    if len(cells) < 2:
        return None
    rho = spearman(run, cells)
    first = [
        i for i, c in enumerate(cells) if c.pressure in ("", "isolated") and c.workload in ("throughput", "latency")
    ]
    pairs = [
        (rho[i, j], cells[i], cells[j])
        for i in first
        for j, other in enumerate(cells)
        if j not in first and other.trace != "random" and cells[i].trace != "random" and math.isfinite(rho[i, j])
    ]
    if not pairs:
        return None
    lowest, a, b = min(pairs, key=lambda pair: pair[0])
    return (
        f"How much an isolated loop says about the rest: the ranking of {a.name} and that of {b.name} correlate with a "
        f"Spearman \N{GREEK SMALL LETTER RHO} of {lowest:.2f}, the least of {len(pairs)} pairs; 1 is the same order, "
        "0 no relation."
    )
