// SPDX-License-Identifier: MIT
//
// Simulated annealing over valid factors: a step flips one to three bits of the factor or adds a power of two.
#pragma once

#include <functional>

#include "harness/magics/overlap_beam.hpp"

namespace slidebench::overlap {

struct WalkOptions {
  CostWeights cost;    ///< `reach` is ignored
  double temperature;  ///< at the start, as a fraction of the cost; it falls to 0
  std::size_t steps;
};

/// One to three bits of the factor flipped, or a power of two added or taken away.
std::uint64_t neighbour(std::uint64_t factor, const ArrayShape& shape, magic::Random& random);

/// Called with each factor that the walk accepts, and its cost.
using Visit = std::function<void(std::uint64_t factor, double cost)>;

/// Precondition: `factor` is valid. Returns the best factor met.
CountedFactor anneal(const ArrayShape& shape, std::uint64_t factor, const WalkOptions& options, magic::Random& random,
                     CellCounter& counter, const Visit& visit);

}  // namespace slidebench::overlap
