// SPDX-License-Identifier: MIT
//
// The samples of a run, sorted for comparing: by cell and arm, each slice beside those that it shared a round with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/timing/sample.hpp"
#include "harness/timing/statistics.hpp"

namespace slidebench {

/// Where arms meet: the same launch and round of one cell.
using Meeting = std::pair<unsigned, unsigned>;

/// One arm's slices in one cell.
struct ArmSamples {
  Sample first;  ///< for its names
  std::map<Meeting, Sample> slices;

  double median_ns_per_query() const;
  std::size_t launches() const;
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

/// The log ratios of an arm's times to another's, round by round, by launch.
Launches log_ratios(const ArmSamples& arm, const ArmSamples& reference, Rounds rounds = Rounds::all);

}  // namespace slidebench
