// SPDX-License-Identifier: MIT
//
// The time model: what a query should cost, from what its method reads and computes and what this machine's memory
// takes for it. README.md beside this file states it in one page.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "harness/timemodel/machine_model.hpp"
#include "harness/timemodel/read_costs.hpp"
#include "harness/timemodel/read_profile.hpp"

namespace slidebench {

/// The three curves of a ladder: by its lower quartiles, medians, upper quartiles.
struct CostBand {
  ReadCosts low, median, high;
};

/// ns a query; low and high are those of the ladder's quartiles.
struct PredictedTime {
  double median = 0;
  double low = 0;
  double high = 0;
};

/// A method's profiled windows of one trace, with its tables on one kind of page.
struct ProfiledWindows {
  std::vector<Window> windows;
  std::vector<WindowProfile> profiles;  ///< of each window
};

/// Profiles the method on the windows. @param traced  an initialised traced module that the CPU can run
ProfiledWindows profile(const Plugin& traced, std::vector<Window> windows, bool large_pages);

/// What each query of a window waits for under a pressure.
std::vector<QueryCost> query_costs(const WindowProfile& profile, const Window& window, const Pressure& pressure,
                                   const ReadCosts& costs);

/// The time of the windows' queries under a pressure.
PredictedTime predict(const ProfiledWindows& windows, const Pressure& pressure, const Computation& computation,
                      bool chained, const OverlapBounds& bounds, const CostBand& costs);

}  // namespace slidebench
