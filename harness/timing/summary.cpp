// SPDX-License-Identifier: MIT
#include "harness/timing/summary.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "harness/timing/comparison.hpp"
#include "harness/timing/workload.hpp"

namespace slidebench {
namespace {

SummaryRow plain_row(const ArmSamples& arm) {
  SummaryRow row;
  row.arm = arm.first.arm;
  row.method = arm.first.method;
  row.level = arm.first.level;
  row.role = arm.first.role;
  row.cell = arm.first.cell;
  row.launches = arm.launches();
  row.rounds = arm.slices.size();
  row.ns_per_query = arm.median_ns_per_query();
  std::vector<double> per_node;
  for (const auto& [meeting, slice] : arm.slices) {
    if (slice.nodes > 0) per_node.push_back(slice.time_ns / static_cast<double>(slice.nodes));
  }
  if (!per_node.empty()) row.ns_per_node = median(std::move(per_node));
  return row;
}

std::string fixed_verdict(ArmRole role) {
  switch (role) {
    case ArmRole::reference: return "reference";
    case ArmRole::twin: return "twin";
    case ArmRole::control: return "control";
    case ArmRole::method: return to_string(Verdict::inconclusive);
    case ArmRole::empty:
    case ArmRole::clock: return "baseline";
  }
  return {};
}

Estimate exponential(const Estimate& e) { return {std::exp(e.value), std::exp(e.low), std::exp(e.high)}; }

std::optional<Estimate> ratio_of(const Launches& log_ratios) {
  if (log_ratios.empty()) return std::nullopt;
  return exponential(bootstrap_median(log_ratios, bootstrap_seed));
}

std::size_t rounds_in(const Launches& launches) {
  std::size_t rounds = 0;
  for (const auto& launch : launches) rounds += launch.size();
  return rounds;
}

/// Adds what an arm's comparison with the reference gives, but for the verdict.
void compare(SummaryRow& row, const ArmSamples& arm, const ArmSamples& reference) {
  const Launches all = log_ratios(arm, reference);
  const Launches unflagged = log_ratios(arm, reference, Rounds::unflagged);
  row.ratio = ratio_of(all);
  row.flagged_rounds = rounds_in(all) - rounds_in(unflagged);
  row.unflagged_ratio = row.flagged_rounds == 0 ? row.ratio : ratio_of(unflagged);
  if (!row.ratio) return;
  if (row.cell.workload == engine_workload) {
    row.engine_percent = 100 * (1 / row.ratio->value - 1);
  } else if (row.cell.workload == "throughput" && row.cell.kinds == "all") {
    row.engine_percent = -engine_percent_per_ns * (row.ratio->value - 1) * reference.median_ns_per_query();
  }
}

SummaryRow row_of(const CellSamples& cell, const ArmSamples& arm) {
  SummaryRow row = plain_row(arm);
  row.verdict = fixed_verdict(row.role);
  if (row.role == ArmRole::empty || row.role == ArmRole::clock) return row;
  if (const ArmSamples* null = cell.find(ArmRole::empty)) {
    row.net_ns_per_query = row.ns_per_query - null->median_ns_per_query();
  }
  if (const ArmSamples* reference = cell.find(ArmRole::reference)) compare(row, arm, *reference);
  return row;
}

Estimate logarithm(const Estimate& e) { return {std::log(e.value), std::log(e.low), std::log(e.high)}; }

/// Gives a cell's rows their margin and verdicts. Without an A/A arm there is no margin, and no verdict.
void judge_rows(std::vector<SummaryRow>& rows) {
  const auto twin = std::find_if(rows.begin(), rows.end(),
                                 [](const SummaryRow& row) { return row.role == ArmRole::twin && row.ratio; });
  if (twin == rows.end()) return;
  const double margin = equivalence_margin(logarithm(*twin->ratio));
  std::vector<SummaryRow*> methods;
  std::vector<Estimate> estimates;
  for (SummaryRow& row : rows) {
    if (row.ratio) row.margin = margin;
    if (row.role != ArmRole::method || !row.ratio) continue;
    methods.push_back(&row);
    estimates.push_back(logarithm(*row.ratio));
  }
  const std::vector<Judged> judged = judge_together(estimates, margin);
  for (std::size_t i = 0; i < methods.size(); ++i) {
    methods[i]->judged = exponential(judged[i].adjusted);
    methods[i]->verdict = to_string(judged[i].verdict);
  }
}

/// A row's time in its cell's order: that of its ratio, which disturbances and windows leave alone, if it has one.
double order_of(const SummaryRow& row, double reference_ns) {
  return row.ratio ? row.ratio->value * reference_ns : row.ns_per_query;
}

std::vector<SummaryRow> summarise_cell(const CellSamples& cell) {
  std::vector<SummaryRow> rows;
  for (const auto& [name, arm] : cell.arms) rows.push_back(row_of(cell, arm));
  judge_rows(rows);
  const ArmSamples* reference = cell.find(ArmRole::reference);
  const double reference_ns = reference == nullptr ? 0 : reference->median_ns_per_query();
  std::stable_sort(rows.begin(), rows.end(), [reference_ns](const SummaryRow& a, const SummaryRow& b) {
    return order_of(a, reference_ns) < order_of(b, reference_ns);
  });
  return rows;
}

}  // namespace

std::vector<SummaryRow> summarise(const std::vector<Sample>& samples) {
  const std::vector<CellSamples> cells = sort_into_cells(samples);
  std::vector<std::vector<SummaryRow>> by_cell(cells.size());
  // The bootstraps of a long run take a minute of one core; cells do not depend on each other.
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < cells.size(); i = next++) by_cell[i] = summarise_cell(cells[i]);
  };
  {
    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) helpers.emplace_back(work);
    work();
  }
  std::vector<SummaryRow> rows;
  for (auto& of_cell : by_cell) std::move(of_cell.begin(), of_cell.end(), std::back_inserter(rows));
  return rows;
}

}  // namespace slidebench
