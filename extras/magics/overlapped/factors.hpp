// SPDX-License-Identifier: MIT
//
// Two searches for factors that use few cells.
//
// Beam search: the image of relevant square t is factor << t, so the low 64 - t bits of the factor decide it. Going
// down from the highest relevant square, each square asks for a few bits more: its image is known for good, and with it
// the cells of all occupancies of the squares so far. A level of the search extends every kept partial factor by all
// values of these bits, drops the children in which two attack sets meet, and keeps those that use the fewest cells.
//
// Simulated annealing, over valid factors: a step flips one to three bits of the factor or adds a power of two.
#pragma once

#include <functional>
#include <vector>

#include "extras/magics/overlapped/candidate.hpp"
#include "extras/magics/random.hpp"

namespace slidebench::overlap {

/// What a search wants to be low. Cells in few blocks leave holes that other arrays fill; so does a short range.
struct CostWeights {
  double block;       ///< of the cells in all blocks touched, against 1 for a used cell
  unsigned size_log;  ///< a block has 2^size_log cells
  double reach;       ///< of the sum of the images' lengths in cells
};

struct BeamOptions {
  std::size_t width;  ///< partial factors kept a level
  CostWeights cost;
  double noise;  ///< costs are judged up to this fraction too high, at random
};

struct CountedFactor {
  std::uint64_t factor;
  unsigned used;
  double cost;
};

/// Valid factors, the fewest cells first. May find none.
std::vector<CountedFactor> beam_search(const ArrayShape& shape, const BeamOptions& options, magic::Random& random,
                                       CellCounter& counter);

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
