// SPDX-License-Identifier: MIT
//
// The summary of a run: samples.csv turned into one judged row an arm and cell (summary.csv).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/timing/sample.hpp"
#include "harness/timing/statistics.hpp"

namespace slidebench {

/// One arm in one cell. Ratios are times over the reference's time in the same round: below 1 is faster.
struct SummaryRow {
  std::string arm;
  std::string method;
  std::string level;
  ArmRole role = ArmRole::method;
  std::string workload;
  std::string trace;
  std::string pressure;
  std::size_t launches = 0;
  std::size_t rounds = 0;                  ///< over all launches
  double ns_per_query = 0;                 ///< median; of the clock arm: ns per cycle
  std::optional<double> net_ns_per_query;  ///< minus the null method's median
  std::optional<Estimate> ratio;           ///< absent for null and clock, and without a reference
  std::optional<double> margin;
  std::string verdict;  ///< of a method: faster, slower, equivalent, inconclusive; else reference, twin, baseline
};

/// All rows, cell by cell in order of appearance; within a cell by time. Deterministic: the bootstrap's seed is fixed.
std::vector<SummaryRow> summarise(const std::vector<Sample>& samples);

}  // namespace slidebench
