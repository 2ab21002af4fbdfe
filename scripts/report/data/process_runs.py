# SPDX-License-Identifier: MIT
"""process_runs.csv: what each process run says of each contender. A run that is kept for good has it as process_runs.csv.gz."""

import numpy as np
import pandas as pd
from scipy.stats import t as student

from report.data.cells import cell_of
from report.data.files import file_of, read_csv
from report.data.schema import KEY, PROCESS_RUNS

NAME = "process_runs.csv"
KEPT_NAME = NAME + ".gz"


def read_process_runs(folder):
    """The table of a run's folder, DataFrame. ReportError where there is none, or it is broken."""
    return read_csv(file_of(folder, NAME), PROCESS_RUNS.text, PROCESS_RUNS.numbers)


def t_quantile(count, sharing=1):
    """Half of a 95 % interval over so many process runs, in standard errors: Student's t with 3/4 n - 1 degrees of freedom. Where
    several intervals are to hold at once, `sharing` of them share the error."""
    return student.ppf(1 - 0.025 / sharing, np.maximum(1, 0.75 * count - 1))


def derived_ratios(process_runs, key):
    """The ratios that the table gives and their 95 % intervals, DataFrame by the columns `key`: the mean of the logarithms
    over process runs, and Student's t interval with 3/4 n - 1 degrees of freedom."""
    logs = process_runs.groupby(key)["log_ratio"].agg(["mean", "sem", "count"])
    half = t_quantile(logs["count"]) * logs["sem"]
    ends = {"ratio": logs["mean"], "ratio_low": logs["mean"] - half, "ratio_high": logs["mean"] + half}
    return np.exp(pd.DataFrame(ends))


def faults_of_ratios(summary, process_runs, key=(*KEY, "contender")):
    """Where a summary's ratios or their intervals are others than its process runs give: yields lines."""
    asked = summary[summary["role"] == "reference"][list(key)]  # another than was measured, of a run with --reference
    own = process_runs[process_runs["role"] == "method"].merge(asked, on=list(key))
    own = own.set_index([*key[:-1], "process_run"])["log_ratio"].rename("of")
    process_runs = process_runs.join(own, on=own.index.names)
    methods = process_runs["role"].isin(["method", "reference", "twice"])  # controls stay beside the code that they repeat
    process_runs["log_ratio"] -= process_runs["of"].where(methods, 0).fillna(0)
    derived = derived_ratios(process_runs, list(key))
    both = summary[summary["role"] != "reference"].join(derived, on=list(key), rsuffix="_derived")
    for column in derived:
        off = both[(both[column] - both[f"{column}_derived"]).abs() > 1e-4 * both[column]]
        for row in off.itertuples():
            yield f"{NAME}: {row.contender} in {cell_of(row._asdict()).name}: another {column} than in summary.csv"
