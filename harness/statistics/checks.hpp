// SPDX-License-Identifier: MIT
//
// What a run must show before it is believed: that two equal contenders look equal, and that a known cost is found at
// its size.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/statistics/summary.hpp"

namespace slidebench {

/// What a check showed. Imprecise: the interval reaches over the edge of what was expected, so that it tells nothing.
enum class CheckResult { passed, imprecise, failed };

/// "passed", "imprecise", "failed".
std::string to_string(CheckResult result);
/// Absent if there is no such result.
std::optional<CheckResult> parse_check_result(std::string_view name);

/// The A/A control of a cell: the second twin, which has as many samples as a method and is judged like one; in cells
/// without it, the first. Passed if its interval lies inside the margin, failed if it is called faster or slower.
struct TwinCheck {
  Cell cell;
  Estimate ratio;
  double margin = 0;
  CheckResult result = CheckResult::failed;
};

/// What the positive control has to do more: so large a share of the queries, or of a search's nodes. A cost that is
/// known because it is more of the same. (A longer chain of dependent instructions is not: 3 cycles a query were found
/// as 3.4 on the trace `game`, where a chain that is longer also waits longer behind mispredicted branches.)
inline constexpr double control_share = 0.1;

/// By how much it may be found too cheap or too dear.
inline constexpr double control_tolerance = 0.025;
/// How well its cost is known: what is asked again meets other predictors and caches than the first time (some 50
/// readings lie around 1.09 in a search, 1.10 in throughput, 1.11 in latency).
inline constexpr double control_uncertainty = 0.01;

/// The positive control of a cell: its time over the reference's. Passed if the interval lies within the tolerance
/// around what it must be; failed if it lies wholly beyond how well that is known. The interval holds for all positive
/// controls of a run at once.
struct ControlCheck {
  Cell cell;
  double expected = 1 + control_share;
  Estimate ratio;
  CheckResult result = CheckResult::failed;
};

struct RunChecks {
  std::vector<TwinCheck> twins;
  std::vector<ControlCheck> controls;

  /// Whether all were passed. A run without any A/A control has passed nothing.
  bool valid() const;
};

/// @param rows  the summary of the same cells
RunChecks check_run(const std::vector<CellSamples>& cells, const std::vector<SummaryRow>& rows,
                    const Protocol& protocol);

}  // namespace slidebench
