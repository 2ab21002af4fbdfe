// SPDX-License-Identifier: MIT
//
// What a simulator has counted: accesses and misses of each level, by region (table) and owner (query).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/simulator/cache_system.hpp"
#include "harness/simulator/memory_event.hpp"

namespace slidebench {

/// Why accesses missed (M. D. Hill, Aspects of Cache Memory and Instruction Buffer Performance, 1987). The three add up
/// to the misses. Conflict can be negative: sets can beat LRU, which on a sweep over a little more than the cache
/// throws out exactly what comes next.
struct ThreeCs {
  std::int64_t compulsory = 0;  ///< the line was never read before: no cache helps
  std::int64_t capacity = 0;    ///< a fully associative LRU cache of the same size would have missed as well
  std::int64_t conflict = 0;    ///< the rest: by too few ways, another replacement, or an inclusive level below

  friend bool operator==(const ThreeCs&, const ThreeCs&) = default;
};

/// One count for every pair of region and owner.
class CountTable {
 public:
  explicit CountTable(std::size_t regions) : counts_(regions * owner_count) {}

  static std::size_t cell(std::uint16_t region, Owner owner) { return std::size_t{region} * owner_count + owner; }
  void add(std::size_t cell) { ++counts_[cell]; }

  std::uint64_t at(std::uint16_t region, Owner owner) const { return counts_[cell(region, owner)]; }

  /// The sum over all cells for which use(region, owner) holds.
  template <class Use>
  std::uint64_t sum(Use use) const {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const auto region = static_cast<std::uint16_t>(i / owner_count);
      if (use(region, static_cast<Owner>(i % owner_count))) total += counts_[i];
    }
    return total;
  }
  std::uint64_t total() const {
    return sum([](std::uint16_t, Owner) { return true; });
  }
  std::uint64_t of_region(std::uint16_t region) const {
    return sum([region](std::uint16_t r, Owner) { return r == region; });
  }
  std::uint64_t of_owner(Owner owner) const {
    return sum([owner](std::uint16_t, Owner o) { return o == owner; });
  }
  /// Of the method itself, without pressure and trace.
  std::uint64_t of_method() const {
    return sum([](std::uint16_t, Owner o) { return is_method(o); });
  }

 private:
  std::vector<std::uint64_t> counts_;
};

/// Of one level. A line (of a TLB: a page) that an access touches counts as one access.
struct LevelCounts {
  explicit LevelCounts(std::size_t regions)
      : accesses(regions), misses(regions), compulsory(regions), fully_associative_misses(regions) {}

  CountTable accesses;
  CountTable misses;
  CountTable compulsory;                ///< misses of lines that the level was never asked for before
  CountTable fully_associative_misses;  ///< if the simulator was told to classify

  ThreeCs three_cs() const {
    const auto all = static_cast<std::int64_t>(misses.total()), first = static_cast<std::int64_t>(compulsory.total());
    const auto fully_associative = static_cast<std::int64_t>(fully_associative_misses.total());
    return {first, fully_associative - first, all - fully_associative};
  }
};

struct MissCounts {
  explicit MissCounts(std::size_t regions) : levels(level_count, LevelCounts(regions)) {}

  std::vector<LevelCounts> levels;  ///< by Level; a level that does not exist counts nothing
  std::array<std::uint64_t, query_owners> queries_by_code{};
  std::uint64_t queries = 0;
  std::uint64_t nodes = 0;  ///< without continued ones

  const LevelCounts& at(Level level) const { return levels[static_cast<std::size_t>(level)]; }
  LevelCounts& at(Level level) { return levels[static_cast<std::size_t>(level)]; }
};

}  // namespace slidebench
