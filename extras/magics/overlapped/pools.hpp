// SPDX-License-Identifier: MIT
//
// The candidates of each array: what annealing under many different cost weights has found.
//
// Which factors pack well is not known beforehand. Few used cells are good, but only if the holes between them are
// large or regular enough for other arrays. So every walk draws its own weights, and the pools keep a mixture.
//
// To grow them is to decide which array to walk for next, and from which factor. Geometry repeats itself over the
// board. The images of square s + d under factor >> d are those of square s under factor, as far as both squares have
// the same relevant squares around them; so a good factor of one square, shifted, is a good beginning for another. A
// square that lags behind its equals gets more walks.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_set>

#include "extras/magics/overlapped/factors.hpp"
#include "extras/magics/overlapped/slot_map.hpp"

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

/// The pools of a search. Threads may grow them together: a walk runs without the lock.
class SharedPools {
 public:
  SharedPools(bool black, std::size_t most_candidates);

  const ArrayShape& shape(std::size_t array) const { return shapes_[array]; }
  /// Puts a valid factor into an array's pool.
  void add(std::size_t array, std::uint64_t factor, Rater& rater);
  /// One walk of about `steps` steps for the array of the caller's random choice.
  void grow(std::size_t steps, Tools& tools);
  /// All pools as they are now, trimmed.
  Pools snapshot();

 private:
  std::size_t choose_array(magic::Random& random);
  std::uint64_t choose_start(std::size_t array, Tools& tools);
  std::uint64_t random_known(std::size_t array, magic::Random& random);

  std::vector<ArrayShape> shapes_;
  std::mutex mutex_;
  std::vector<Pool> pools_;
  std::vector<unsigned> walks_;  ///< for each array, the walks begun
};

}  // namespace slidebench::overlap
