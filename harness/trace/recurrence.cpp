// SPDX-License-Identifier: MIT
#include "harness/trace/recurrence.hpp"

#include <algorithm>

namespace slidebench {

RecurrenceFinder::RecurrenceFinder() : relevant_{}, epochs_(2) {
  for (unsigned code = 0; code < relevant_.size(); ++code) {
    const auto query = static_cast<QueryCode>(code);
    relevant_[code] = relevant_squares(query_kind(query), query_square(query));
  }
}

RecurrenceFinder::Slot& RecurrenceFinder::find(Epoch& epoch, Bitboard relevant_occupancy, QueryCode query) {
  // Fibonacci hashing: the top bits of a product with 2^64 divided by the golden ratio.
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
  constexpr int shift = 64 - std::countr_zero(std::tuple_size_v<Epoch>);
  std::uint64_t index = ((relevant_occupancy ^ (query * golden)) * golden) >> shift;
  for (;; index = (index + 1) % epoch.size()) {
    Slot& slot = epoch[index];
    if (slot.position == 0 || (slot.query == query && slot.relevant_occupancy == relevant_occupancy)) return slot;
  }
}

std::uint64_t RecurrenceFinder::add(QueryCode query, Bitboard occupied) {
  if (position_ % window == 0) epochs_[position_ / window % 2].fill({});
  Epoch& current = epochs_[position_ / window % 2];
  Epoch& before = epochs_[(position_ / window + 1) % 2];
  ++position_;
  const Bitboard relevant_occupancy = occupied & relevant_[query];
  Slot& slot = find(current, relevant_occupancy, query);
  const std::uint64_t last = slot.position != 0 ? slot.position : find(before, relevant_occupancy, query).position;
  slot = {relevant_occupancy, query, position_};
  const std::uint64_t distance = position_ - last;
  return last != 0 && distance <= window ? distance : 0;
}

}  // namespace slidebench
