// SPDX-License-Identifier: MIT
#include "harness/simulator/coverage.hpp"

#include <bit>

namespace slidebench {
namespace {

/// One past the last byte of the tables.
std::uint64_t end_of_tables(const AddressSpace& space) { return space.regions()[space.pressure_region()].address; }

}  // namespace

Coverage::Coverage(const AddressSpace& space)
    : space_(space),
      words_((end_of_tables(space) / cache_line_bytes + 63) / 64),
      all_(words_),
      by_owner_(owner_count) {}

void Coverage::consume(std::span<const MemoryEvent> events) {
  for (const MemoryEvent& event : events) {
    if (event.kind != MemoryEvent::Kind::access || !is_method(event.owner)) continue;
    Bits& own = by_owner_[event.owner];
    if (own.empty()) own.resize(words_);
    const std::uint64_t last = (event.address + event.bytes - 1) / cache_line_bytes;
    for (std::uint64_t line = event.address / cache_line_bytes; line <= last; ++line) {
      const std::uint64_t bit = std::uint64_t{1} << (line % 64);
      own[line / 64] |= bit;
      all_[line / 64] |= bit;
    }
  }
}

std::uint64_t Coverage::lines_of_region(std::uint16_t region) const {
  const Region& table = space_.regions()[region];
  std::uint64_t lines = 0;
  if (table.bytes == 0) return 0;
  const std::uint64_t last = (table.address + table.bytes - 1) / cache_line_bytes;
  for (std::uint64_t line = table.address / cache_line_bytes; line <= last; ++line)
    lines += all_[line / 64] >> (line % 64) & 1;
  return lines;
}

std::uint64_t Coverage::count(const Bits& bits) {
  std::uint64_t lines = 0;
  for (const std::uint64_t word : bits) lines += static_cast<std::uint64_t>(std::popcount(word));
  return lines;
}

}  // namespace slidebench
