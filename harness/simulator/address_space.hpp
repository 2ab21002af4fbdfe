// SPDX-License-Identifier: MIT
//
// Where everything lies: the simulated addresses of a method's tables, of the pressure block and of the trace.
//
// They depend on the method alone, not on the loader or on address randomisation. Tables lie in the order of the
// method's list, at the alignment of Table<T, N>: up to 64 KiB one behind another on 64-byte boundaries, larger ones
// each in 2 MiB blocks of its own. (Where the linker puts the small tables within their first page is not known; here
// the first one starts a page.)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/pressure/pressure.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct Region {
  std::string name;  ///< the table's, or "pressure", or "trace"
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

class AddressSpace {
 public:
  /// Streams larger than every cache come back as if they were new: memory for them need not grow with the trace.
  static constexpr std::uint64_t trace_window_bytes = std::uint64_t{64} << 20;

  /// @param large_pages  whether tables over 64 KiB and the pressure block lie on 2 MiB pages. Smaller tables and the
  ///                     trace always lie on base pages.
  AddressSpace(std::span<const TableInfo> tables, const Pressure& pressure, bool large_pages);

  /// The tables in the method's order, then the pressure blocks in one region, then the trace.
  const std::vector<Region>& regions() const { return regions_; }
  std::uint16_t table_count() const { return table_count_; }
  std::uint16_t pressure_region() const { return table_count_; }
  std::uint16_t trace_region() const { return static_cast<std::uint16_t>(table_count_ + 1); }

  /// One past the last byte; everything lies below.
  std::uint64_t end() const { return end_; }

  /// Whether an address lies on a 2 MiB page. 2 MiB blocks never mix the two kinds.
  bool on_large_page(std::uint64_t address) const { return large_[address >> 21] != 0; }

 private:
  void place(std::string name, std::uint64_t bytes, std::uint64_t alignment, bool large);

  std::vector<Region> regions_;
  std::vector<std::uint8_t> large_;  ///< by 2 MiB block
  std::uint16_t table_count_ = 0;
  std::uint64_t end_;
};

/// Where the operating system happens to put pages: the reason why L2 and L3 misses differ from run to run. They are
/// indexed by physical addresses. With 4 KiB pages the index bits above bit 11 are as good as random, each page on its
/// own; a report shows the range over several draws. Inside a page (2 MiB, say) the order is kept.
///
/// Returns the number of the physical page under a virtual one: uniform and independent. Two pages may get the same
/// number; only its lowest bits, which choose a set, are ever used.
constexpr std::uint64_t physical_page(std::uint64_t seed, std::uint64_t virtual_page) {
  // The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
  std::uint64_t x = seed * 0x9E3779B97F4A7C15 ^ (virtual_page + 0x9E3779B97F4A7C15);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return (x ^ (x >> 31)) & 0xFFFFFFFF;
}

}  // namespace slidebench
