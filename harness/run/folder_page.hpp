// SPDX-License-Identifier: MIT
//
// README.md of a run's folder.
#pragma once

namespace slidebench {

inline constexpr const char* folder_page = R"(# A run of slidebench

- `index.html`: the page of the run; `answer.json`: its answer; `plots/`: figures.
- `summary.csv`: a row a contender and cell (workload, trace, pressure, ...): time, ratio to the reference, verdict.
- `process_runs.csv`: a row a contender, cell and process run. `samples.csv`: every timed sample.
- `counters.csv`: events counted or simulated. `kernel.csv`: what a query executes.
- `correlations.csv`: how alike cells rank the methods.
- `run.json`: machine, build, command, traces and checks. `finished.jsonl`: the journal, by which `run --resume` goes on.
- `engine/`: the same files of searches, where there were any.
- `scripts/slidebench.py figure` draws ratios with their intervals for a paper.

`slidebench help columns` says what each column means.

All of it in pandas: `pd.read_csv("summary.csv")`; where several runs are put together, `machine`, `commit`
and `run` say whose a row is, `trace_xxh3` and `touches` whether two rows are of the same work.

The intervals again, of a run of a fixed number of process runs against the reference that it measured:

```python
import numpy as np, pandas as pd
from scipy.stats import t
cell = ["workload", "kinds", "trace", "pressure", "pages", "corunners", "contender"]
logs = pd.read_csv("process_runs.csv").groupby(cell)["log_ratio"].agg(["mean", "sem", "count"])
half = logs["sem"] * t.ppf(0.975, np.maximum(1, 0.75 * logs["count"] - 1))
ratios = np.exp(pd.DataFrame({"ratio": logs["mean"], "low": logs["mean"] - half, "high": logs["mean"] + half}))
```
)";

}  // namespace slidebench
