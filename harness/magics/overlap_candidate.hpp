// SPDX-License-Identifier: MIT
//
// A factor together with the cells that it uses, in the forms that packing wants.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/magics/overlap_square.hpp"

namespace slidebench::overlap {

struct Candidate {
  static constexpr std::size_t probe_count = 64;

  std::uint64_t factor;
  unsigned used;  ///< number of cells
  double cost;    ///< slots that it really takes, the holes that nothing fits into included; see overlap_rating.hpp
  double mean;    ///< of the used indices
  unsigned lowest;
  unsigned highest;
  std::array<std::uint64_t, 64> cells;            ///< bit i: index i is used
  std::array<std::uint16_t, probe_count> probes;  ///< used indices all over the array, in an order that misses soon

  unsigned range() const { return highest - lowest + 1; }
};

/// The candidate of a valid factor.
Candidate make_candidate(const ArrayShape& shape, std::uint64_t factor);

/// For black: an equivalent factor, whose range does not wrap around the circle and starts as low as possible; the used
/// cells only turn. For white the origin stands fast: the factor itself.
std::uint64_t turned_low(const ArrayShape& shape, std::uint64_t factor);

}  // namespace slidebench::overlap
