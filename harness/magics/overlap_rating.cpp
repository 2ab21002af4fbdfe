// SPDX-License-Identifier: MIT
#include "harness/magics/overlap_rating.hpp"

#include <algorithm>

namespace slidebench::overlap {

double Rater::rate(const Candidate& candidate) {
  // About six times the index range of a rook (12 bits) or of a bishop (9 bits, so never above 512).
  const std::size_t total = candidate.highest < 512 ? 3'000 : 24'000;
  const std::size_t copies = std::max<std::size_t>(4, total / candidate.used);
  places_.clear();
  for (std::size_t i = 0; i < copies; ++i) {
    const auto first = map_.find_fit(candidate, 0, SlotMap::capacity - 8192);
    places_.push_back(*first);
    map_.toggle(candidate, *first);
  }
  const std::size_t last = *std::max_element(places_.begin(), places_.end());
  for (const std::uint32_t first : places_) map_.toggle(candidate, first);
  return static_cast<double>(last + candidate.range()) / static_cast<double>(copies);
}

}  // namespace slidebench::overlap
