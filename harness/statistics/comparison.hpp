// SPDX-License-Identifier: MIT
//
// The samples of a run, sorted for comparing: by cell and arm, each slice beside those that it shared a round with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/statistics/sample.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {

/// What the verdicts of a run rest on, fixed before it is measured.
struct Protocol {
  double margin = 0.01;  ///< times that differ by no more than this fraction count as equal
  Inference inference = Inference::fixed;
};

/// Identifies a round of a cell: its launch, and its number within it.
using RoundId = std::pair<unsigned, unsigned>;

/// One arm's slices in one cell.
struct ArmSamples {
  Sample first;  ///< for its names
  std::map<RoundId, Sample> slices;
};

/// One cell's arms, by name.
struct CellSamples {
  Cell cell;
  std::map<std::string, ArmSamples> arms;

  /// The first arm of this role, or nullptr.
  const ArmSamples* find(ArmRole role) const;
};

/// In the order of the cells' names, whatever the order of the samples.
std::vector<CellSamples> sort_into_cells(const std::vector<Sample>& samples);

/// Which rounds a comparison uses. Flagged are those in which either slice was disturbed; see Sample::flagged().
enum class Rounds { all, unflagged };

/// The log ratios of an arm's times to another's, round by round.
Launches log_ratios(const ArmSamples& arm, const ArmSamples& reference, Rounds rounds = Rounds::all);

/// The logarithms of an arm's nanoseconds a query, round by round.
Launches log_times(const ArmSamples& arm);

/// Several arms' numbers of the launches that all of them have: a row an arm, a column a launch.
std::vector<std::vector<double>> common_launches(const std::vector<ByLaunch>& arms);

}  // namespace slidebench
