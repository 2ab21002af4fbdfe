// SPDX-License-Identifier: MIT
//
// The summary of a run: samples.csv turned into one judged row an arm and cell (summary.csv).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/statistics/comparison.hpp"

namespace slidebench {

/// One arm in one cell. All figures of a row come from the same numbers: the time is the reference's typical time times
/// the ratio, and the net time is that minus the empty loop's, so that their orders agree.
struct SummaryRow {
  std::string arm;
  std::string method;
  std::string level;
  ArmRole role = ArmRole::method;
  Cell cell;
  std::size_t launches = 0;
  std::size_t rounds = 0;                    ///< over all launches
  Estimate ns_per_query;                     ///< of the clock arm: ns per cycle
  std::optional<Estimate> net_ns_per_query;  ///< minus the empty loop's; paired within rounds
  std::optional<double> ns_per_node;
  std::optional<Estimate> ratio;   ///< time over the reference's in the same round; absent for the empty loop and clock
  std::optional<double> aa_bound;  ///< by how much identical code may have differed in this cell, as a fraction
  /// Of a method: faster, slower, equivalent, inconclusive, unresolved, or void; else reference, twin, ...
  std::string verdict;
  std::optional<Estimate> judged;  ///< the interval behind the verdict: that of the ratio, widened by Holm's rule
  std::string best;                ///< fastest, among or behind; empty where it was not compared
  std::size_t flagged_rounds = 0;  ///< rounds in which this arm's slice or the reference's was disturbed
  std::optional<Estimate> unflagged_ratio;  ///< the ratio without them; absent if no round is left
};

/// All rows, cell by cell in order of names; within a cell by time.
std::vector<SummaryRow> summarise(const std::vector<CellSamples>& cells, const Protocol& protocol);

/// By how much identical code may differ in a cell; of a cell without an A/A control, infinitely.
Resolution resolution_of(const CellSamples& cell, const Protocol& protocol);

/// The methods of a cell that are neither faster, slower nor equivalent yet, each with the launches it may need in all
/// (see launches_needed).
struct OpenArm {
  std::string arm;
  std::size_t launches_needed = 0;
};
std::vector<OpenArm> open_arms(const CellSamples& cell, const Protocol& protocol);

}  // namespace slidebench
