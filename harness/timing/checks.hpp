// SPDX-License-Identifier: MIT
//
// What a run must show before it is believed: that two equal arms look equal, and that a known cost is found at its
// size.
#pragma once

#include <optional>
#include <vector>

#include "harness/timing/comparison.hpp"

namespace slidebench {

/// The A/A arm of a cell. It fails if it differs from the reference by more than 1 % and clearly, or if it is so
/// uncertain that differences of 5 % could not be told.
struct TwinCheck {
  Cell cell;
  Estimate ratio;
  double margin = 0;
  bool ok = false;
};

/// The positive control of a latency cell: one multiplication more a query. It fails if what was measured is not
/// between two and a half and three and a half cycles, as far as its interval can tell, or if that could tell nothing.
struct ControlCheck {
  Cell cell;
  double expected_cycles = 0;
  Estimate cycles;  ///< measured, by the clock arm of the same rounds
  bool ok = false;
};

struct RunChecks {
  std::vector<TwinCheck> twins;
  std::vector<ControlCheck> controls;

  /// Whether all were passed. A run without any A/A arm has passed nothing.
  bool valid() const;
};

RunChecks check_run(const std::vector<CellSamples>& cells);

}  // namespace slidebench
