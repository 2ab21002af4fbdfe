// SPDX-License-Identifier: MIT
#include "harness/statistics/process_run_table.hpp"

#include <algorithm>
#include <cmath>

#include "harness/statistics/cell_columns.hpp"

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
            Column<Row>{"contender", text, needed, "what was timed, as in summary.csv",
                        [](const Row& row) { return row.contender; },
                        [](Row& row, const std::string& cell) { row.contender = cell; }},
            Column<Row>{"role", text, needed, "as in summary.csv", [](const Row& row) { return to_string(row.role); },
                        [](Row& row, const std::string& cell) { row.role = parse_role(cell); }},
            Column<Row>{"process_run", count, needed, "from 0",
                        [](const Row& row) { return std::to_string(row.process_run); },
                        [](Row& row, const std::string& cell) { row.process_run = whole_cell<unsigned>(cell); }},
            Column<Row>{"placement", count, needed, "which layout of the module it drew",
                        [](const Row& row) { return std::to_string(row.placement); },
                        [](Row& row, const std::string& cell) { row.placement = whole_cell<unsigned>(cell); }},
            Column<Row>{"rounds", count, needed, "of this process run",
                        [](const Row& row) { return std::to_string(row.rounds); }},
            Column<Row>{"ns_per_query", positive, needed, "the trimmed mean of its rounds",
                        [](const Row& row) { return decimals(row.ns_per_query, 4); }},
            Column<Row>{"log_ratio", any, needed,
                        "pseudo-value of the logarithm of the ratio: the mean over process runs and its Student's "
                        "t interval, with 3/4 n - 1 degrees of freedom, are those of summary.csv",
                        [](const Row& row) { return decimals(row.log_ratio, 6); },
                        [](Row& row, const std::string& cell) { row.log_ratio = number_from(cell); }}},
        tag_columns<Row>())};

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

}  // namespace slidebench
