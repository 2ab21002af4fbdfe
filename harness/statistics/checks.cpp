// SPDX-License-Identifier: MIT
#include "harness/statistics/checks.hpp"

#include <algorithm>
#include <cmath>

#include "harness/platform/assembly.hpp"
#include "harness/plugin/replay.hpp"

namespace slidebench {
namespace {

/// An interval against the range that it should lie in.
CheckResult judge(const Estimate& e, double least, double most) {
  if (e.low >= least && e.high <= most) return CheckResult::passed;
  return e.high < least || e.low > most ? CheckResult::failed : CheckResult::imprecise;
}

std::optional<TwinCheck> check_twin(const CellSamples& cell, const Protocol& protocol) {
  const ArmSamples* twin = cell.find(ArmRole::twin);
  const ArmSamples* reference = cell.find(ArmRole::reference);
  if (twin == nullptr || reference == nullptr) return std::nullopt;
  const Launches ratios = log_ratios(*twin, *reference);
  if (ratios.empty()) return std::nullopt;
  const Estimate e = mean_interval(values_of(launch_medians(ratios)), usual_error, protocol.inference);
  const double margin = std::log1p(protocol.margin);
  return TwinCheck{
      cell.cell, {std::exp(e.value), std::exp(e.low), std::exp(e.high)}, protocol.margin, judge(e, -margin, margin)};
}

/// What the control costs more than the reference in each round, in cycles a query.
Launches added_cycles(const ArmSamples& control, const ArmSamples& reference, const ArmSamples& clock) {
  Launches launches;
  for (const auto& [round, slice] : control.slices) {
    const auto plain = reference.slices.find(round);
    const auto cycle = clock.slices.find(round);
    if (plain == reference.slices.end() || cycle == clock.slices.end()) continue;
    const double added = slice.ns_per_query() - plain->second.ns_per_query();
    launches[round.first].push_back(added / cycle->second.ns_per_query());
  }
  return launches;
}

std::optional<ControlCheck> check_control(const CellSamples& cell, const Protocol& protocol) {
  const ArmSamples* control = cell.find(ArmRole::control);
  const ArmSamples* reference = cell.find(ArmRole::reference);
  const ArmSamples* clock = cell.find(ArmRole::clock);
  if (control == nullptr || reference == nullptr || clock == nullptr) return std::nullopt;
  const Launches cycles = added_cycles(*control, *reference, *clock);
  if (cycles.empty()) return std::nullopt;
  const Estimate e = mean_interval(values_of(launch_medians(cycles)), usual_error, protocol.inference);
  constexpr double expected = slow_zero_cycles;
  return ControlCheck{cell.cell, expected, e, judge(e, expected - control_tolerance, expected + control_tolerance)};
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

RunChecks check_run(const std::vector<CellSamples>& cells, const Protocol& protocol) {
  RunChecks checks;
  for (const CellSamples& cell : cells) {
    if (const auto twin = check_twin(cell, protocol)) checks.twins.push_back(*twin);
    if (const auto control = check_control(cell, protocol)) checks.controls.push_back(*control);
  }
  return checks;
}

}  // namespace slidebench
