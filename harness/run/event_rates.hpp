// SPDX-License-Identifier: MIT
//
// Events a query: what the processor counted while samples were timed, or what a model says.
#pragma once

#include <optional>
#include <vector>

#include "harness/measure/process_run.hpp"
#include "harness/statistics/cell_columns.hpp"
#include "harness/statistics/summary.hpp"

namespace slidebench {

/// A count that was had, and what it comes to.
struct EventRate {
  EventCount count;
  std::optional<double> empty;      ///< events of the empty loop in as many queries
  std::optional<double> per_query;  ///< less those of the empty loop; of perft and engines a node; else absent
  RunTag tag = {};
};

/// Of each count that has a value.
std::vector<EventRate> event_rates(const std::vector<EventCount>& counts);

/// Gives each row its L1D misses a query with the interval over process runs; where none were counted, the simulated
/// ones of the caches here, for replays without other work.
void add_l1d_misses(std::vector<SummaryRow>& rows, const std::vector<EventCount>& counts);

}  // namespace slidebench
