// SPDX-License-Identifier: MIT
#include "harness/run/tables.hpp"

#include <cmath>
#include <map>
#include <tuple>

#include "harness/base/version.hpp"
#include "harness/platform/machine.hpp"
#include "harness/run/event_rates.hpp"
#include "harness/run/kernel_counts.hpp"
#include "harness/run/simulation_tables.hpp"
#include "harness/statistics/cell_columns.hpp"
#include "harness/statistics/process_run_table.hpp"
#include "harness/statistics/summary_table.hpp"

namespace slidebench {
namespace {

using enum CellKind;
using enum Need;

constexpr CsvTable counted{
    "counters.csv", "an event of a contender in a process run or a draw, counted or simulated",
    columns_of(
        std::to_array<Column<EventRate>>({
            {"process_run", any, optional, "the process run",
             [](auto& r) { return std::to_string(r.count.process_run); }},
            {"contender", text, needed,
             "what was timed: a method's id (`method@level` at several levels), its `.twin`, `empty`, `clock`",
             [](auto& r) { return r.count.contender; }},
            {"method", text, needed, "the method's id; empty for the clock", [](auto& r) { return r.count.method; }},
            {"level", text, needed, "the instruction set that its module was compiled for",
             [](auto& r) { return r.count.level; }},
            {"workload", text, needed,
             "as in summary.csv; `replay` for simulated counts, which belong to every workload on the trace",
             [](auto& r) { return r.count.cell.workload; }},
            {"kinds", text, needed, "of queries: all, or as in summary.csv",
             [](auto& r) { return r.count.cell.kinds; }},
            {"trace", text, needed, "which queries", [](auto& r) { return r.count.cell.trace; }},
            {"pressure", text, needed, "what is done between two queries",
             [](auto& r) { return r.count.cell.pressure; }},
            {"corunners", count, needed, "processes that keep the shared cache busy",
             [](auto& r) { return std::to_string(r.count.cell.corunners); }},
            {"metric", text, needed, "what was counted, such as l1d_misses",
             [](auto& r) { return r.count.reading.metric; }},
            {"source", text, needed, "measured (counted by the processor in the timed samples) or simulated",
             [](auto& r) { return r.count.reading.source; }},
            {"event", text, needed, "the source's own name of it", [](auto& r) { return r.count.reading.event; }},
            {"value", any, needed, "the count", [](auto& r) { return whole_or_empty(r.count.reading.value); }},
            {"value_empty", any, optional, "that of the empty loop in as many queries, which is taken off",
             [](auto& r) { return decimals(r.empty, 0); }},
            {"queries", positive, needed, "in which it was counted",
             [](auto& r) { return std::to_string(r.count.queries); }},
            {"per_query", any, needed, "(value - value_empty) / queries; in perft and engines value / nodes",
             [](auto& r) { return decimals(r.per_query, 5); }},
            {"nodes", any, optional, "in which it was counted; empty where they are not known",
             [](auto& r) { return r.count.nodes > 0 ? std::to_string(r.count.nodes) : ""; }},
            {"cache", text, needed, "whose caches were simulated", [](auto& r) { return r.count.cache; }},
            {"pages", text, needed, "under the tables", [](auto& r) { return r.count.cell.pages; }},
            {"draw", any, needed, "which draw of physical pages", [](auto& r) { return whole_or_empty(r.count.draw); }},
        }),
        run_columns<EventRate>())};

/// Two cells, or one with itself.
struct CorrelationRow {
  Cell a, b;
  std::size_t methods;
  const char* statistic;
  Estimate value;
  int digits;  ///< of the value
  std::optional<double> bound;
  RunTag tag;
};

constexpr CellNames names_a{"workload_a", "kinds_a", "trace_a", "pressure_a", "pages_a", "corunners_a"};
constexpr CellNames names_b{"workload_b", "kinds_b", "trace_b", "pressure_b", "pages_b", "corunners_b"};

constexpr CsvTable correlated{
    "correlations.csv", "a rank correlation between the orders of two cells",
    columns_of(
        cell_columns<CorrelationRow, &CorrelationRow::a>(optional, names_a),
        cell_columns<CorrelationRow, &CorrelationRow::b>(optional, names_b),
        std::to_array<Column<CorrelationRow>>({
            {"methods", count, optional, "that both have", [](auto& r) { return std::to_string(r.methods); }},
            {"statistic", text, optional, "spearman, or split_half for the halves of one cell's process runs",
             [](auto& r) { return std::string(r.statistic); }},
            {"value", any, optional, "from -1 to 1", [](auto& r) { return decimals(r.value.value, r.digits); }},
            {"low", any, optional, "end of the 95 % interval",
             [](auto& r) { return has_interval(r.value) ? decimals(r.value.low, 5) : ""; }},
            {"high", any, optional, "end of the 95 % interval",
             [](auto& r) { return has_interval(r.value) ? decimals(r.value.high, 5) : ""; }},
            {"bound", any, optional, "what noise lets any order reach", [](auto& r) { return decimals(r.bound, 4); }},
        }),
        run_columns<CorrelationRow>())};

/// README.md of a run's folder.
constexpr const char* folder_page = R"(# A run of slidebench

- `index.html`: the page of the run; `answer.json`: its answer; `plots/`: figures.
- `summary.csv`: a row a contender and cell (workload, trace, pressure, ...): time, ratio to the reference, verdict.
- `process_runs.csv`: a row a contender, cell and process run. `samples.csv`: every timed sample, by process run.
- `counters.csv`: events counted or simulated. `kernel.csv`: what a query executes. `correlations.csv`: how alike cells
  rank the methods.
- `run.json`: machine, build, command, traces and checks; `parts`: the same of runs that were added, such as searches.
- `finished.jsonl`: the journal, by which `run --resume` goes on.
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

std::string correlations_csv(const RunResults& results, const RunTag& tag) {
  std::vector<CorrelationRow> rows;
  for (const Reliability& r : results.reliabilities) {
    const Estimate without_ends{r.split_half, -INFINITY, INFINITY};
    rows.push_back({r.cell, r.cell, r.methods, "split_half", without_ends, 4, std::nullopt, tag});
  }
  for (const RankCorrelation& c : results.correlations)
    rows.push_back({c.a, c.b, c.methods, "spearman", c.spearman, 5, c.bound, tag});
  return correlated.lines(rows);
}

std::string text_of(const RunFacts& facts, const std::string& id, const char* key) {
  const auto found = facts.method_by_id.find(id);
  return found == facts.method_by_id.end() ? "" : found->second.at(key).get<std::string>();
}

RunTag tag_of(const std::string& started) {
  const nlohmann::json machine = describe_machine();
  std::string cpu;
  for (const char* key : {"vendor", "family", "model"}) {
    const nlohmann::json& part = machine.at(key);
    if (!part.is_null()) cpu += (cpu.empty() ? "" : "-") + (part.is_string() ? part.get<std::string>() : part.dump());
  }
  return {cpu, git_commit(), started};
}

/// The run's tag for a row of this cell.
RunTag tag_of(const Cell& cell, const RunFacts& facts, RunTag tag) {
  const CellText names = names_of(cell);
  tag.touches = definition_of(names.pressure);
  for (const RunTrace& trace : facts.traces) {
    if (trace.named.name == names.trace) tag.trace_xxh3 = trace.description.at("xxh3");
  }
  return tag;
}

}  // namespace

std::string counters_csv(const std::vector<EventCount>& counts, const std::string& started) {
  std::vector<EventRate> rates = event_rates(counts);
  const RunTag tag = started.empty() ? RunTag{} : tag_of(started);
  for (EventRate& rate : rates) rate.tag = tag;
  return counted.lines(rates);
}

void write_tables(const std::filesystem::path& out, const RunResults& results, const RunFacts& facts) {
  const RunTag tag = tag_of(facts.started);
  std::vector<SummaryLine> lines;
  for (const SummaryRow& row : results.summary) {
    lines.push_back({row, text_of(facts, row.method, "title"), text_of(facts, row.method, "family"),
                     table_bytes_of(facts, row.method), facts.settings.margin, tag_of(row.cell, facts, tag)});
  }
  std::vector<ProcessRunRow> process_runs = results.process_runs;
  for (ProcessRunRow& row : process_runs) row.tag = tag_of(row.cell, facts, tag);
  write_file(out / "README.md", folder_page);
  write_file(out / "summary.csv", summary_csv(lines));
  write_file(out / "process_runs.csv", process_runs_csv(process_runs));
  write_file(out / "correlations.csv", correlations_csv(results, tag));
}

std::vector<TableText> file_columns() {
  std::vector<TableText> files{sample_columns(),   summary_columns(),     process_run_columns(),
                               counted.describe(), correlated.describe(), kernel_columns()};
  for (TableText& file : simulation_columns()) files.push_back(std::move(file));
  return files;
}

}  // namespace slidebench
