// SPDX-License-Identifier: MIT
#include "harness/timing/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace slidebench {
namespace {

constexpr std::uint64_t bootstrap_seed = 1;

/// Where two arms meet: the same launch, round and window of one cell.
using Meeting = std::pair<unsigned, unsigned>;

/// One arm's samples in one cell.
struct ArmSamples {
  Sample first;
  std::map<Meeting, double> ns_per_query;
};

struct Cell {
  std::vector<ArmSamples> arms;  // in order of appearance

  const ArmSamples* find(ArmRole role) const {
    for (const ArmSamples& arm : arms) {
      if (arm.first.role == role) return &arm;
    }
    return nullptr;
  }
};

std::string cell_key(const Sample& s) { return s.workload + ',' + s.trace + ',' + s.pressure; }

/// Sorts samples into cells and arms, keeping the order in which the names are sorted: it does not depend on shuffling.
std::map<std::string, Cell> sort_into_cells(const std::vector<Sample>& samples) {
  std::map<std::string, std::map<std::string, ArmSamples>> sorted;
  for (const Sample& s : samples) {
    ArmSamples& arm = sorted[cell_key(s)].try_emplace(s.arm, ArmSamples{s, {}}).first->second;
    arm.ns_per_query[{s.launch, s.round}] = s.ns_per_query();
  }
  std::map<std::string, Cell> cells;
  for (auto& [key, arms] : sorted) {
    for (auto& [name, arm] : arms) cells[key].arms.push_back(std::move(arm));
  }
  return cells;
}

/// The log ratios of an arm's times to the reference's, round by round, by launch.
Launches log_ratios(const ArmSamples& arm, const ArmSamples& reference) {
  std::map<unsigned, std::vector<double>> by_launch;
  for (const auto& [meeting, ns] : arm.ns_per_query) {
    const auto other = reference.ns_per_query.find(meeting);
    if (other != reference.ns_per_query.end()) by_launch[meeting.first].push_back(std::log(ns / other->second));
  }
  Launches launches;
  for (auto& [launch, ratios] : by_launch) launches.push_back(std::move(ratios));
  return launches;
}

double median_ns(const ArmSamples& arm) {
  std::vector<double> values;
  for (const auto& [meeting, ns] : arm.ns_per_query) values.push_back(ns);
  return median(std::move(values));
}

std::size_t launches_of(const ArmSamples& arm) {
  std::map<unsigned, bool> launches;
  for (const auto& [meeting, ns] : arm.ns_per_query) launches[meeting.first] = true;
  return launches.size();
}

SummaryRow plain_row(const ArmSamples& arm) {
  SummaryRow row;
  row.arm = arm.first.arm;
  row.method = arm.first.method;
  row.level = arm.first.level;
  row.role = arm.first.role;
  row.workload = arm.first.workload;
  row.trace = arm.first.trace;
  row.pressure = arm.first.pressure;
  row.launches = launches_of(arm);
  row.rounds = arm.ns_per_query.size();
  row.ns_per_query = median_ns(arm);
  return row;
}

std::string fixed_verdict(ArmRole role) {
  if (role == ArmRole::reference) return "reference";
  if (role == ArmRole::twin) return "twin";
  return "baseline";
}

/// Compares an arm with the reference. `margin` is absent where no A/A arm ran: then no verdict can be given.
void compare(SummaryRow& row, const ArmSamples& arm, const ArmSamples& reference, std::optional<double> margin) {
  const Launches ratios = log_ratios(arm, reference);
  if (ratios.empty()) return;
  const Estimate log_ratio = bootstrap_median(ratios, bootstrap_seed);
  row.ratio = Estimate{std::exp(log_ratio.value), std::exp(log_ratio.low), std::exp(log_ratio.high)};
  row.margin = margin;
  if (row.role == ArmRole::method) row.verdict = margin ? to_string(judge(log_ratio, *margin)) : "inconclusive";
}

std::vector<SummaryRow> summarise_cell(const Cell& cell) {
  const ArmSamples* reference = cell.find(ArmRole::reference);
  const ArmSamples* null = cell.find(ArmRole::null);
  const ArmSamples* twin = cell.find(ArmRole::twin);
  std::optional<double> margin;
  if (reference != nullptr && twin != nullptr) {
    const Launches ratios = log_ratios(*twin, *reference);
    if (!ratios.empty()) margin = equivalence_margin(bootstrap_median(ratios, bootstrap_seed));
  }
  std::vector<SummaryRow> rows;
  for (const ArmSamples& arm : cell.arms) {
    SummaryRow row = plain_row(arm);
    row.verdict = fixed_verdict(row.role);
    const bool comparable = row.role != ArmRole::null && row.role != ArmRole::clock;
    if (comparable && null != nullptr) row.net_ns_per_query = row.ns_per_query - median_ns(*null);
    if (row.role == ArmRole::method) row.verdict = "inconclusive";
    if (comparable && reference != nullptr) compare(row, arm, *reference, margin);
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const SummaryRow& a, const SummaryRow& b) { return a.ns_per_query < b.ns_per_query; });
  return rows;
}

}  // namespace

std::vector<SummaryRow> summarise(const std::vector<Sample>& samples) {
  std::vector<SummaryRow> rows;
  for (const auto& [key, cell] : sort_into_cells(samples)) {
    for (SummaryRow& row : summarise_cell(cell)) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace slidebench
