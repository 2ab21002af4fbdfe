// SPDX-License-Identifier: MIT
#include "harness/simulator/coverage.hpp"

#include <bit>

namespace slidebench {
namespace {

/// One past the last byte of the tables.
std::uint64_t end_of_tables(const AddressSpace& space) { return space.regions()[space.pressure_region()].address; }

}  // namespace

Coverage::Coverage(const AddressSpace& space, std::uint32_t line_bytes, std::uint64_t window_queries)
    : space_(space),
      shift_(static_cast<unsigned>(std::countr_zero(line_bytes))),
      window_queries_(window_queries),
      words_(((end_of_tables(space) >> shift_) + 63) / 64),
      all_(words_),
      by_owner_(owner_count),
      last_window_(words_ * 64) {}

void Coverage::consume(std::span<const MemoryEvent> events) {
  for (const MemoryEvent& event : events) {
    if (event.kind == MemoryEvent::Kind::query) {
      if (queries_ != 0 && queries_ % window_queries_ == 0) {
        lines_in_full_windows_ += lines_in_window_;
        lines_in_window_ = 0;
        ++window_;
      }
      ++queries_;
    } else if (event.kind == MemoryEvent::Kind::access && is_method(event.owner)) {
      const std::uint64_t last = (event.address + event.bytes - 1) >> shift_;
      for (std::uint64_t line = event.address >> shift_; line <= last; ++line) touch(line, event.owner);
    }
  }
}

void Coverage::touch(std::uint64_t line, Owner owner) {
  const std::uint64_t bit = std::uint64_t{1} << (line % 64);
  Bits& own = by_owner_[owner];
  if (own.empty()) own.resize(words_);
  own[line / 64] |= bit;
  all_[line / 64] |= bit;
  if (last_window_[line] == window_) return;
  last_window_[line] = window_;
  ++lines_in_window_;
}

std::uint64_t Coverage::lines_of_region(std::uint16_t region) const {
  const Region& table = space_.regions()[region];
  std::uint64_t lines = 0;
  if (table.bytes == 0) return 0;
  const std::uint64_t last = (table.address + table.bytes - 1) >> shift_;
  for (std::uint64_t line = table.address >> shift_; line <= last; ++line) lines += all_[line / 64] >> (line % 64) & 1;
  return lines;
}

double Coverage::lines_per_window() const {
  const std::uint64_t full = window_ - 1;
  return full == 0 ? 0 : static_cast<double>(lines_in_full_windows_) / static_cast<double>(full);
}

std::uint64_t Coverage::count(const Bits& bits) {
  std::uint64_t lines = 0;
  for (const std::uint64_t word : bits) lines += static_cast<std::uint64_t>(std::popcount(word));
  return lines;
}

}  // namespace slidebench
