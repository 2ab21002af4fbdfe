// SPDX-License-Identifier: MIT
//
// The candidates of each array: what annealing under many different cost weights has found.
//
// Which factors pack well is not known beforehand. Few used cells are good, but only if the holes between them are
// large or regular enough for other arrays. So every walk draws its own weights, and the pools keep a mixture.
#pragma once

#include <memory>
#include <unordered_set>

#include "harness/magics/overlap_rating.hpp"
#include "harness/magics/overlap_walk.hpp"

namespace slidebench::overlap {

inline constexpr std::size_t array_count = 128;

using SharedCandidate = std::shared_ptr<const Candidate>;
using Pools = std::vector<std::vector<SharedCandidate>>;  ///< for each array, the most promising candidate first

/// What each thread of a search has of its own.
struct Tools {
  explicit Tools(std::uint64_t seed) : random(seed) {}

  magic::Random random;
  CellCounter counter;
  Rater rater;
};

/// The 64 bishops' arrays, then the rooks'.
std::vector<ArrayShape> all_shapes(bool black);

/// A valid factor, not a good one; found at once.
std::uint64_t random_factor(const ArrayShape& shape, Tools& tools);

/// One walk with random weights; returns the good factors that it met, different in their cells, the best first.
std::vector<SharedCandidate> walk_for_candidates(const ArrayShape& shape, std::uint64_t start, std::size_t steps,
                                                 Tools& tools);

/// One array's candidates.
class Pool {
 public:
  explicit Pool(std::size_t most) : most_(most) {}

  /// Adds a candidate unless one with the same cells was added before.
  void add(const SharedCandidate& candidate);
  /// Sorts by cost and drops what exceeds the greatest size.
  void trim();
  const std::vector<SharedCandidate>& candidates() const { return candidates_; }
  double least_cost() const { return least_cost_; }

 private:
  std::size_t most_;
  double least_cost_ = 1e9;
  std::vector<SharedCandidate> candidates_;
  std::unordered_set<std::uint64_t> known_;  ///< hashes of cells
};

}  // namespace slidebench::overlap
