// SPDX-License-Identifier: MIT
#include "harness/statistics/process_run_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace slidebench {
namespace {

using enum CellKind;
using enum Need;
using Row = ProcessRunRow;

constexpr CsvTable table{
    "process_runs.csv", "a contender in a cell and a process run",
    columns_of(
        cell_columns<Row, &Row::cell>(),
        std::array{
            text_column<Row, &Row::contender>("contender", "what was timed, as in summary.csv"),
            Column<Row>{"role", text, needed, "as in summary.csv", [](const Row& row) { return to_string(row.role); },
                        [](Row& row, const std::string& cell) { row.role = parse_role(cell); }},
            whole_column<Row, &Row::process_run>("process_run", needed, count, "from 0"),
            whole_column<Row, &Row::placement>("placement", needed, count, "which layout of the module it drew"),
            Column<Row>{"rounds", count, needed, "of this process run",
                        [](const Row& row) { return std::to_string(row.rounds); }},
            Column<Row>{"ns_per_query", positive, needed, "the trimmed mean of its rounds",
                        [](const Row& row) { return decimals(row.ns_per_query, 4); },
                        [](Row& row, const std::string& cell) { row.ns_per_query = number_from(cell).value_or(0); }},
            Column<Row>{"log_ratio", any, needed,
                        "pseudo-value of the logarithm of the ratio: the mean over process runs and its Student's "
                        "t interval, with 3/4 n - 1 degrees of freedom, are those of summary.csv",
                        [](const Row& row) { return decimals(row.log_ratio, 6); },
                        [](Row& row, const std::string& cell) { row.log_ratio = number_from(cell); }}},
        work_columns<Row>(), run_columns<Row>())};

/// The rows of one contender; log ratios where there is something to compare it with.
void add_rows(const Cell& cell, const ContenderSamples& contender, const ContenderSamples* reference,
              std::vector<Row>& rows) {
  const ContenderRole role = contender.first.role;
  const bool baseline = role == ContenderRole::empty || role == ContenderRole::clock;
  const ByProcessRun ratios = reference == nullptr || baseline ? ByProcessRun{} : compared(contender, *reference);
  for (auto& [process_run, times] : log_times(contender)) {
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    const auto ratio = ratios.find(process_run);
    const Sample& first = contender.samples.lower_bound({process_run, 0})->second;
    rows.push_back({cell,
                    first.contender,
                    role,
                    process_run,
                    first.placement,
                    times.size(),
                    std::exp(trimmed_mean(sorted)),
                    ratio == ratios.end() ? std::nullopt : std::optional(ratio->second),
                    {}});
  }
}

}  // namespace

std::vector<ProcessRunRow> process_run_rows(const std::vector<CellSamples>& cells) {
  std::vector<ProcessRunRow> rows;
  for (const CellSamples& cell : cells) {
    for (const auto& [name, contender] : cell.contenders)
      add_rows(cell.cell, contender, cell.find(ContenderRole::reference), rows);
  }
  return rows;
}

std::vector<ProcessRunRow> read_process_runs(const std::string& name, const std::string& text) {
  return table.read(name, text);
}

std::string process_runs_csv(const std::vector<ProcessRunRow>& rows) { return table.lines(rows); }

TableText process_run_columns() { return table.describe(); }

std::optional<MachineStates> machine_states(const std::vector<ProcessRunRow>& rows) {
  std::map<Cell, std::vector<double>> times;
  for (const ProcessRunRow& row : rows) {
    if (row.role == ContenderRole::reference && row.cell.replay() != nullptr)
      times[row.cell].push_back(row.ns_per_query);
  }
  std::optional<MachineStates> most;
  double greatest = least_state_ratio;
  for (auto& [cell, ns] : times) {
    if (ns.size() < 4) continue;
    std::sort(ns.begin(), ns.end());
    const MachineStates found{cell, quantile(ns, 0.1), quantile(ns, 0.9)};
    if (found.slow_ns < greatest * found.quick_ns) continue;
    greatest = found.slow_ns / found.quick_ns;
    most = found;
  }
  return most;
}

}  // namespace slidebench
