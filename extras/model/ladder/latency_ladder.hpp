// SPDX-License-Identifier: MIT
//
// The latency ladder: what a load costs that must wait for the one before it, by how much was read since its line was
// read last.
//
// Every one of a few cache lines holds the address of another one, in one random cycle through all of them, and a chase
// follows it. Neither can its loads overlap nor can a prefetcher guess the next line. Between two chases other lines
// are read, so that each size shows the level that still holds the few: the steps of the ladder are the caches. On
// small pages, sizes beyond the reach of a TLB pay for that too; on large ones they do not, and the difference is what
// the TLB costs.
//
// The other lines are read quickly, many at once, as an engine reads them. On a shared machine a line also ages by the
// clock: while a slow chase goes once through 8 MiB, the neighbours fill the last level with theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "harness/pressure/pressure.hpp"

namespace slidebench {

inline constexpr std::uint64_t smallest_ladder_bytes = 4u << 10;
inline constexpr std::uint64_t largest_ladder_bytes = std::uint64_t{4} << 30;

/// From 4 KiB up to at most `max_bytes`, two sizes an octave, in whole cache lines.
/// Throws UserError unless 4 KiB <= max_bytes <= 4 GiB.
std::vector<std::uint64_t> ladder_sizes(std::uint64_t max_bytes);

/// A random cycle through 0 ... n - 1: next[i] follows i, and n steps lead from anywhere through everything.
/// Source: S. Sattolo, An Algorithm to Generate a Random Cyclic Permutation, 1986. Precondition: n > 0.
std::vector<std::uint32_t> random_cycle(std::uint32_t n, std::mt19937_64& random);

struct FreeMemory {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using ChaseMemory = std::unique_ptr<std::byte, FreeMemory>;

/// Memory from a multiple of 2 MiB on, written whole, so that every page has its frame: unwritten ones would all be one
/// page of zeros. Throws UserError if there is not enough.
ChaseMemory memory_for_chase(std::uint64_t bytes, bool large_pages);

/// Follows the addresses that memory holds, for so many steps. Returns where it ends.
inline const void* chase_from(const void* at, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) std::memcpy(&at, at, sizeof at);
  asm volatile("" : "+r"(at));  // the last address is used, and so every load on the way to it
  return at;
}

/// Lines that are read between two chases.
struct OtherLines {
  std::uint64_t bytes;
  ChaseMemory memory;
};

/// A few lines that are chased again after other lines were read quickly: independent of each other, in random order.
class RevisitedLines {
 public:
  static constexpr std::uint32_t lines = 64;

  /// @param others  a part of them is read in between: `bytes_between`, whole lines
  /// Throws UserError if there is not enough memory.
  RevisitedLines(std::shared_ptr<const OtherLines> others, std::uint64_t bytes_between, bool large_pages,
                 std::mt19937_64& random);

  /// Draws another place for the few lines and for the others. On small pages each of the few lies on a page of its
  /// own; on large ones they lie together: a hypervisor may give small pages under large ones, and what those cost
  /// shall not be counted as the line's.
  void move(std::mt19937_64& random);

  /// ns per line: what the chase takes after the other lines, more than it takes again at once, and what a line takes
  /// in the first level.
  double revisit();

  /// Steps from one of the few lines back to it; for tests.
  std::uint64_t round_trip() const;

  /// Base pages on which the few lines lie.
  std::uint32_t few_pages() const { return packed_ ? packed_pages : lines; }

 private:
  std::vector<std::byte*> spread_places(std::mt19937_64& random) const;
  std::vector<std::byte*> packed_places(std::mt19937_64& random) const;

  static constexpr std::uint32_t packed_pages = 4;
  static constexpr std::uint32_t pages = 1024;  ///< on which the few lines may lie

  std::shared_ptr<const OtherLines> others_;
  std::vector<std::uint32_t> order_;
  std::size_t first_ = 0;  ///< of the others
  bool packed_;
  ChaseMemory few_;
  const void* end_ = nullptr;  ///< where the next chase begins
  double first_level_ns_ = 0;
};

struct LadderPlan {
  std::uint64_t max_bytes = std::uint64_t{256} << 20;
  std::vector<std::string> pages{"4k"};  ///< 4k, 2m
  double seconds = 20;                   ///< about; at least three chases of every size are made
  std::uint64_t seed = 1;
};

/// One size on one kind of page. Times are of one load, over repeated chases.
struct LadderStep {
  std::uint64_t bytes = 0;
  std::string pages;
  double large_share = 0;           ///< of its memory on 2 MiB pages, as the kernel reports it
  std::size_t chases = 0;           ///< passes that were timed
  std::uint64_t loads = 0;          ///< timed in each
  std::uint64_t lines_between = 0;  ///< different other lines that were read since the line was read last
  std::uint64_t pages_between = 0;  ///< the same in base pages
  double median_ns = 0;
  double low_ns = 0;   ///< the lower quartile
  double high_ns = 0;  ///< the upper quartile
};

/// Measures all sizes on all pages, in rounds of another random order each, so that what drifts drifts through all of
/// them. Throws UserError for a bad plan, without memory, and where 2 MiB pages are asked for but switched off.
std::vector<LadderStep> measure_ladder(const LadderPlan& plan);

/// ladder.csv: a line per step.
std::string ladder_csv(const std::vector<LadderStep>& steps);

/// The same for people: a line a size, a column per kind of page.
std::string ladder_table(const std::vector<LadderStep>& steps);

}  // namespace slidebench
