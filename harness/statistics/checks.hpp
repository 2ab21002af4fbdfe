// SPDX-License-Identifier: MIT
//
// What a run must show before it is believed: that two equal contenders look equal, and that a known cost is found at
// its size.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/statistics/comparison.hpp"

namespace slidebench {

/// What a check showed. Imprecise: the interval reaches over the edge of what was expected, so that it tells nothing.
enum class CheckResult { passed, imprecise, failed };

/// "passed", "imprecise", "failed".
std::string to_string(CheckResult result);
/// Absent if there is no such result.
std::optional<CheckResult> parse_check_result(std::string_view name);

/// The A/A control of a cell: passed if its interval lies inside the margin, failed if it lies outside.
struct TwinCheck {
  Cell cell;
  Estimate ratio;
  double margin = 0;
  CheckResult result = CheckResult::failed;
};

/// Cycles by which the positive control may be measured too cheap or too dear.
inline constexpr double control_tolerance = 0.75;

/// The positive control of a latency cell, one multiplication more a query: passed if the interval of what was measured
/// lies within the tolerance around its known cost, failed if it lies outside.
struct ControlCheck {
  Cell cell;
  double expected_cycles = 0;
  Estimate cycles;  ///< measured, by the clock contender of the same rounds
  CheckResult result = CheckResult::failed;
};

struct RunChecks {
  std::vector<TwinCheck> twins;
  std::vector<ControlCheck> controls;

  /// Whether all were passed. A run without any A/A control has passed nothing.
  bool valid() const;
};

RunChecks check_run(const std::vector<CellSamples>& cells, const Protocol& protocol);

}  // namespace slidebench
