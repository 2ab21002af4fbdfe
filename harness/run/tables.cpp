// SPDX-License-Identifier: MIT
#include "harness/run/tables.hpp"

#include <cmath>
#include <map>
#include <tuple>

#include "harness/base/version.hpp"
#include "harness/platform/machine.hpp"
#include "harness/run/event_rates.hpp"
#include "harness/run/folder_page.hpp"
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
    std::to_array<Column<EventRate>>({
        {"process_run", any, optional, "the process run",
         [](const EventRate& r) { return std::to_string(r.count.process_run); }},
        {"contender", text, needed,
         "what was timed: a method's id (`method@level` at several levels), its `.twin`, `empty`, `clock`",
         [](const EventRate& r) { return r.count.contender; }},
        {"method", text, needed, "the method's id; empty for the clock",
         [](const EventRate& r) { return r.count.method; }},
        {"level", text, needed, "the instruction set that its module was compiled for",
         [](const EventRate& r) { return r.count.level; }},
        {"workload", text, needed,
         "as in summary.csv; `replay` for simulated counts, which belong to every workload on the trace",
         [](const EventRate& r) { return r.count.cell.workload; }},
        {"kinds", text, needed, "of queries: all, or as in summary.csv",
         [](const EventRate& r) { return r.count.cell.kinds; }},
        {"trace", text, needed, "which queries", [](const EventRate& r) { return r.count.cell.trace; }},
        {"pressure", text, needed, "what is done between two queries",
         [](const EventRate& r) { return r.count.cell.pressure; }},
        {"corunners", count, needed, "processes that keep the shared cache busy",
         [](const EventRate& r) { return std::to_string(r.count.cell.corunners); }},
        {"metric", text, needed, "what was counted, such as l1d_misses",
         [](const EventRate& r) { return r.count.reading.metric; }},
        {"source", text, needed, "measured (counted by the processor in the timed samples) or simulated",
         [](const EventRate& r) { return r.count.reading.source; }},
        {"event", text, needed, "the source's own name of it",
         [](const EventRate& r) { return r.count.reading.event; }},
        {"value", any, needed, "the count", [](const EventRate& r) { return whole_or_empty(r.count.reading.value); }},
        {"value_empty", any, optional, "that of the empty loop in as many queries, which is taken off",
         [](const EventRate& r) { return decimals(r.empty, 0); }},
        {"queries", positive, needed, "in which it was counted",
         [](const EventRate& r) { return std::to_string(r.count.queries); }},
        {"per_query", any, needed, "(value - value_empty) / queries; in perft and engines value / nodes",
         [](const EventRate& r) { return decimals(r.per_query, 5); }},
        {"nodes", any, optional, "in which it was counted; empty where they are not known",
         [](const EventRate& r) { return r.count.nodes > 0 ? std::to_string(r.count.nodes) : ""; }},
        {"cache", text, needed, "whose caches were simulated", [](const EventRate& r) { return r.count.cache; }},
        {"pages", text, needed, "under the tables", [](const EventRate& r) { return r.count.cell.pages; }},
        {"draw", any, needed, "which draw of physical pages",
         [](const EventRate& r) { return whole_or_empty(r.count.draw); }},
    })};

/// Two cells, or one with itself.
struct CorrelationRow {
  Cell a, b;
  std::size_t methods;
  const char* statistic;
  Estimate value;
  int digits;  ///< of the value
  std::optional<double> bound;
};

constexpr CellNames names_a{"workload_a", "kinds_a", "trace_a", "pressure_a", "pages_a", "corunners_a"};
constexpr CellNames names_b{"workload_b", "kinds_b", "trace_b", "pressure_b", "pages_b", "corunners_b"};

constexpr CsvTable correlated{
    "correlations.csv", "a rank correlation between the orders of two cells",
    columns_of(cell_columns<CorrelationRow, &CorrelationRow::a>(optional, names_a),
               cell_columns<CorrelationRow, &CorrelationRow::b>(optional, names_b),
               std::to_array<Column<CorrelationRow>>({
                   {"methods", count, optional, "that both have",
                    [](const CorrelationRow& r) { return std::to_string(r.methods); }},
                   {"statistic", text, optional, "spearman, or split_half for the halves of one cell's process runs",
                    [](const CorrelationRow& r) { return std::string(r.statistic); }},
                   {"value", any, optional, "from -1 to 1",
                    [](const CorrelationRow& r) { return decimals(r.value.value, r.digits); }},
                   {"low", any, optional, "end of the 95 % interval",
                    [](const CorrelationRow& r) { return has_interval(r.value) ? decimals(r.value.low, 5) : ""; }},
                   {"high", any, optional, "end of the 95 % interval",
                    [](const CorrelationRow& r) { return has_interval(r.value) ? decimals(r.value.high, 5) : ""; }},
                   {"bound", any, optional, "what noise lets any order reach",
                    [](const CorrelationRow& r) { return decimals(r.bound, 4); }},
               }))};

std::string correlations_csv(const RunResults& results) {
  std::vector<CorrelationRow> rows;
  for (const Reliability& r : results.reliabilities) {
    const Estimate without_ends{r.split_half, -INFINITY, INFINITY};
    rows.push_back({r.cell, r.cell, r.methods, "split_half", without_ends, 4, std::nullopt});
  }
  for (const RankCorrelation& c : results.correlations)
    rows.push_back({c.a, c.b, c.methods, "spearman", c.spearman, 5, c.bound});
  return correlated.lines(rows);
}

std::string text_of(const RunFacts& facts, const std::string& id, const char* key) {
  const auto found = facts.method_by_id.find(id);
  return found == facts.method_by_id.end() ? "" : found->second.at(key).get<std::string>();
}

RunTag tag_of(const RunFacts& facts) {
  const nlohmann::json machine = describe_machine();
  std::string cpu;
  for (const char* key : {"vendor", "family", "model"}) {
    const nlohmann::json& part = machine.at(key);
    if (!part.is_null()) cpu += (cpu.empty() ? "" : "-") + (part.is_string() ? part.get<std::string>() : part.dump());
  }
  return {cpu, git_commit(), facts.started};
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

std::string summary_csv(const std::vector<SummaryRow>& rows, const RunFacts& facts, const RunTag& tag) {
  std::vector<SummaryLine> lines;
  for (const SummaryRow& row : rows) {
    lines.push_back({row, text_of(facts, row.method, "title"), text_of(facts, row.method, "family"),
                     table_bytes_of(facts, row.method), facts.settings.margin, tag_of(row.cell, facts, tag)});
  }
  return slidebench::summary_csv(lines);
}

}  // namespace

std::string counters_csv(const std::vector<EventCount>& counts) { return counted.lines(event_rates(counts)); }

void write_tables(const std::filesystem::path& out, const RunResults& results, const RunFacts& facts) {
  const RunTag tag = tag_of(facts);
  std::vector<ProcessRunRow> process_runs = results.process_runs;
  for (ProcessRunRow& row : process_runs) row.tag = tag_of(row.cell, facts, tag);
  write_file(out / "README.md", folder_page);
  write_file(out / "summary.csv", summary_csv(results.summary, facts, tag));
  write_file(out / "process_runs.csv", process_runs_csv(process_runs));
  write_file(out / "correlations.csv", correlations_csv(results));
}

std::vector<TableText> file_columns() {
  std::vector<TableText> files{sample_columns(),   summary_columns(),     process_run_columns(),
                               counted.describe(), correlated.describe(), kernel_columns()};
  for (TableText& file : simulation_columns()) files.push_back(std::move(file));
  return files;
}

}  // namespace slidebench
