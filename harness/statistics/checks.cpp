// SPDX-License-Identifier: MIT
#include "harness/statistics/checks.hpp"

#include <algorithm>
#include <cmath>

#include "harness/base/enum_names.hpp"

namespace slidebench {
namespace {

/// An interval against the range that it should lie in.
CheckResult judge(const Estimate& e, double least, double most) {
  if (e.low >= least && e.high <= most) return CheckResult::passed;
  return e.high < least || e.low > most ? CheckResult::failed : CheckResult::imprecise;
}

std::optional<TwinCheck> check_twin(const CellSamples& cell, const Protocol& protocol) {
  const ContenderSamples* twin = cell.find(ContenderRole::twin);
  const ContenderSamples* reference = cell.find(ContenderRole::reference);
  if (twin == nullptr || reference == nullptr) return std::nullopt;
  const ProcessRuns ratios = log_ratios(*twin, *reference);
  if (ratios.empty()) return std::nullopt;
  const Estimate e = mean_interval(values_of(pseudo_values(ratios)), usual_error, protocol.inference);
  const double margin = std::log1p(protocol.margin);
  return TwinCheck{
      cell.cell, {std::exp(e.value), std::exp(e.low), std::exp(e.high)}, protocol.margin, judge(e, -margin, margin)};
}

/// What the control costs more than the reference in each round, in cycles per query.
ProcessRuns added_cycles(const ContenderSamples& control, const ContenderSamples& reference,
                         const ContenderSamples& clock) {
  ProcessRuns process_runs;
  for (const auto& [round, sample] : control.samples) {
    const auto plain = reference.samples.find(round);
    const auto cycle = clock.samples.find(round);
    if (plain == reference.samples.end() || cycle == clock.samples.end()) continue;
    const double added = sample.ns_per_query() - plain->second.ns_per_query();
    process_runs[round.first].push_back(added / cycle->second.ns_per_query());
  }
  return process_runs;
}

std::optional<ControlCheck> check_control(const CellSamples& cell, const Protocol& protocol) {
  const ContenderSamples* control = cell.find(ContenderRole::control);
  const ContenderSamples* reference = cell.find(ContenderRole::reference);
  const ContenderSamples* clock = cell.find(ContenderRole::clock);
  if (control == nullptr || reference == nullptr || clock == nullptr) return std::nullopt;
  const ProcessRuns cycles = added_cycles(*control, *reference, *clock);
  if (cycles.empty()) return std::nullopt;
  const Estimate e = mean_interval(values_of(pseudo_values(cycles)), usual_error, protocol.inference);
  const double expected = protocol.control_cycles;
  return ControlCheck{cell.cell, expected, e, judge(e, expected - control_tolerance, expected + control_tolerance)};
}

constexpr EnumName<CheckResult> result_names[] = {
    {CheckResult::passed, "passed"}, {CheckResult::imprecise, "imprecise"}, {CheckResult::failed, "failed"}};

}  // namespace

std::string to_string(CheckResult result) { return name_in(result_names, result); }

std::optional<CheckResult> parse_check_result(std::string_view name) { return value_in(result_names, name); }

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
