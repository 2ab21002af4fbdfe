// SPDX-License-Identifier: MIT
//
// Grows the pools: decides which array to walk for next, and from which factor.
//
// Geometry repeats itself over the board. The images of square s + d under factor >> d are those of square s under
// factor, as far as both squares have the same relevant squares around them; so a good factor of one square, shifted,
// is a good beginning for another. A square that lags behind its equals gets more walks.
#pragma once

#include <mutex>

#include "harness/magics/overlap_pool.hpp"

namespace slidebench::overlap {

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
