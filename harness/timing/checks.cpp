// SPDX-License-Identifier: MIT
#include "harness/timing/checks.hpp"

#include <algorithm>
#include <cmath>

#include "harness/plugin/replay.hpp"

namespace slidebench {
namespace {

constexpr double largest_useful_margin = 0.05;

CheckResult judge(bool as_expected, bool informative) {
  if (!as_expected) return CheckResult::failed;
  return informative ? CheckResult::passed : CheckResult::imprecise;
}

std::optional<TwinCheck> check_twin(const CellSamples& cell) {
  const ArmSamples* twin = cell.find(ArmRole::twin);
  const ArmSamples* reference = cell.find(ArmRole::reference);
  if (twin == nullptr || reference == nullptr) return std::nullopt;
  const Launches ratios = log_ratios(*twin, *reference);
  if (ratios.empty()) return std::nullopt;
  const Estimate e = bootstrap_median(ratios, bootstrap_seed);
  const double margin = equivalence_margin(e);
  const bool equal = (e.low <= 0 && e.high >= 0) || std::abs(e.value) <= std::log1p(0.01);
  return TwinCheck{cell.cell,
                   {std::exp(e.value), std::exp(e.low), std::exp(e.high)},
                   margin,
                   judge(equal, margin <= largest_useful_margin)};
}

/// What the control costs more than the reference in each round, in cycles a query.
Launches added_cycles(const ArmSamples& control, const ArmSamples& reference, const ArmSamples& clock) {
  std::map<unsigned, std::vector<double>> by_launch;
  for (const auto& [meeting, slice] : control.slices) {
    const auto plain = reference.slices.find(meeting);
    const auto cycle = clock.slices.find(meeting);
    if (plain == reference.slices.end() || cycle == clock.slices.end()) continue;
    const double added = slice.ns_per_query() - plain->second.ns_per_query();
    by_launch[meeting.first].push_back(added / cycle->second.ns_per_query());
  }
  Launches launches;
  for (auto& [launch, cycles] : by_launch) launches.push_back(std::move(cycles));
  return launches;
}

std::optional<ControlCheck> check_control(const CellSamples& cell) {
  const ArmSamples* control = cell.find(ArmRole::control);
  const ArmSamples* reference = cell.find(ArmRole::reference);
  const ArmSamples* clock = cell.find(ArmRole::clock);
  if (control == nullptr || reference == nullptr || clock == nullptr) return std::nullopt;
  const Launches cycles = added_cycles(*control, *reference, *clock);
  if (cycles.empty()) return std::nullopt;
  const Estimate e = bootstrap_median(cycles, bootstrap_seed);
  constexpr double expected = multiplication_cycles;
  const bool right_size = e.low <= expected + 0.5 && e.high >= expected - 0.5;
  const bool informative = e.low > 0 && e.high - e.low < expected;
  return ControlCheck{cell.cell, expected, e, judge(right_size, informative)};
}

}  // namespace

std::string to_string(CheckResult result) {
  switch (result) {
    case CheckResult::passed: return "passed";
    case CheckResult::imprecise: return "imprecise";
    case CheckResult::failed: break;
  }
  return "failed";
}

bool RunChecks::valid() const {
  const auto passed = [](const auto& check) { return check.result == CheckResult::passed; };
  return !twins.empty() && std::all_of(twins.begin(), twins.end(), passed) &&
         std::all_of(controls.begin(), controls.end(), passed);
}

RunChecks check_run(const std::vector<CellSamples>& cells) {
  RunChecks checks;
  for (const CellSamples& cell : cells) {
    if (const auto twin = check_twin(cell)) checks.twins.push_back(*twin);
    if (const auto control = check_control(cell)) checks.controls.push_back(*control);
  }
  return checks;
}

}  // namespace slidebench
