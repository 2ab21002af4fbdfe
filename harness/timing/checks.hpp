// SPDX-License-Identifier: MIT
//
// What a run must show before it is believed: that two equal arms look equal, and that a known cost is found at its
// size.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/timing/comparison.hpp"

namespace slidebench {

/// What a check showed. Imprecise: what was expected, in an interval so wide that a fault might hide in it.
enum class CheckResult { passed, imprecise, failed };

/// "passed", "imprecise", "failed".
std::string to_string(CheckResult result);

/// The A/A arm of a cell. It fails if it differs from the reference by more than 1 % and clearly, and is imprecise if
/// differences of 5 % could not be told.
struct TwinCheck {
  Cell cell;
  Estimate ratio;
  double margin = 0;
  CheckResult result = CheckResult::failed;
};

/// The positive control of a latency cell: one multiplication more a query. It fails if what was measured is not
/// between two and a half and three and a half cycles, as far as its interval can tell, and is imprecise if that
/// interval reaches zero or is wider than what it should find.
struct ControlCheck {
  Cell cell;
  double expected_cycles = 0;
  Estimate cycles;  ///< measured, by the clock arm of the same rounds
  CheckResult result = CheckResult::failed;
};

struct RunChecks {
  std::vector<TwinCheck> twins;
  std::vector<ControlCheck> controls;

  /// Whether all were passed. A run without any A/A arm has passed nothing.
  bool valid() const;
};

RunChecks check_run(const std::vector<CellSamples>& cells);

}  // namespace slidebench
