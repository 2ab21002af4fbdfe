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

/// What one nanosecond a query is worth in an engine that asks eight to nine times in about a microsecond a node, in
/// per cent of its speed. An estimate; source: the traces of two engine generations that design.md quotes.
inline constexpr double engine_percent_per_ns = 0.85;

/// One arm in one cell. Ratios are times over the reference's time in the same round: below 1 is faster.
struct SummaryRow {
  std::string arm;
  std::string method;
  std::string level;
  ArmRole role = ArmRole::method;
  Cell cell;
  std::size_t launches = 0;
  std::size_t rounds = 0;                  ///< over all launches
  double ns_per_query = 0;                 ///< median; of the clock arm: ns per cycle
  std::optional<double> net_ns_per_query;  ///< minus the empty loop's median
  std::optional<double> ns_per_node;       ///< median
  std::optional<Estimate> ratio;           ///< absent for null and clock, and without a reference
  std::optional<double> margin;
  std::string verdict;             ///< of a method: faster, slower, equivalent, inconclusive; else reference, twin, ...
  std::optional<Estimate> judged;  ///< the interval behind the verdict: that of the ratio, widened by Holm's rule
  std::size_t flagged_rounds = 0;  ///< rounds in which this arm's slice or the reference's was disturbed
  std::optional<Estimate> unflagged_ratio;  ///< the ratio without them; absent if no round is left
  /// The difference to the reference as an engine's speed in per cent, negative for slower: measured in the workload
  /// engine, estimated in throughput, else absent.
  std::optional<double> engine_percent;
};

/// All rows, cell by cell in order of names; within a cell by time. Deterministic: the bootstrap's seed is fixed.
std::vector<SummaryRow> summarise(const std::vector<Sample>& samples);

}  // namespace slidebench
