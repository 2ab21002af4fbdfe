# SPDX-License-Identifier: MIT
"""What the time model leaves over: how much of it is one constant a cell, and which methods are off in all cells alike."""

from report.analysis.ranks import clustered_interval, spearman
from report.data.words import human_interval

CELL = ["workload", "trace", "pressure", "pages"]
FARTHEST = 12

CONSTANT_HEADS = ["comparison", "workload", ">differences", "Spearman", "with a constant a cell", ">largest constant, ns"]
METHOD_HEADS = ["comparison", "workload", "method", ">cells", ">left over, ns", ">least", ">most"]


def without_constants(rows):
    """The rows with `constant_ns`, the median residual of each comparison's cell, and what is left over beyond it."""
    constant = rows.groupby(["comparison", *CELL])["residual_ns"].transform("median")
    return rows.assign(constant_ns=constant, left_over_ns=rows["residual_ns"] - constant)


def agreement(measured, predicted, methods):
    """Spearman's rho with its interval over drawn methods, in words."""
    return human_interval(spearman(measured, predicted), *clustered_interval(measured, predicted, methods))


def constants(rows):
    """What agreement becomes when each cell's median residual is added to what was predicted; yields rows."""
    for (comparison, workload), group in without_constants(rows).groupby(["comparison", "workload"]):
        shifted = group["predicted_ns"] + group["constant_ns"]
        yield [
            comparison,
            workload,
            len(group),
            agreement(group["measured_ns"], group["predicted_ns"], group["method"]),
            agreement(group["measured_ns"], shifted, group["method"]),
            f"{group['constant_ns'].abs().max():.2f}",
        ]


def methods_off(rows):
    """The methods that are farthest off beyond the cells' constants, by their mean over cells; yields rows."""
    for (comparison, workload), group in without_constants(rows).groupby(["comparison", "workload"]):
        by_method = group.groupby("method")["left_over_ns"].agg(["count", "mean", "min", "max"])
        farthest = by_method.reindex(by_method["mean"].abs().sort_values(ascending=False).index)[:FARTHEST]
        for method, row in farthest.iterrows():
            yield [comparison, workload, method, int(row["count"]), *(f"{row[k]:+.2f}" for k in ("mean", "min", "max"))]
