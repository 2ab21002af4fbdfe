// SPDX-License-Identifier: MIT
//
// From one pass over a method's accesses: its misses for every cache size and under every pressure.
//
// Each access has a stack distance d (different table lines read since the line was read last) and a gap g (evaluations
// since then). If every evaluation touches L lines of a permuted block of W lines, then t = min(L g, W) different block
// lines came in between as well, and a fully associative LRU cache of C lines misses if d + t >= C.
//
// Without pressure the misses are exact for every size. With pressure they come from bins over (d, g) that are exact
// below 64 and at most 1/16 wide above (log_bins.hpp), cut in proportion.
// Line granularity is that of caches, page granularity that of TLBs; L and W then count pages.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "harness/pressure/pressure.hpp"
#include "harness/simulator/memory_event.hpp"
#include "harness/simulator/stack_distance.hpp"

namespace slidebench {

/// What an evaluation's pressure brings into the cache, in lines (or pages).
struct Load {
  double lines_per_event = 0;
  double block_lines = 0;
};

class ReuseAnalyser : public EventConsumer {
 public:
  /// @param granularity_bytes  a power of two: 64 for lines, 4096 for pages, ...
  explicit ReuseAnalyser(std::uint32_t granularity_bytes = cache_line_bytes);

  /// Takes what the method reads; ignores pressure and trace.
  void consume(std::span<const MemoryEvent> events) override;

  std::uint32_t granularity_bytes() const { return 1u << shift_; }
  std::uint64_t accesses() const { return accesses_; }
  /// First accesses: misses of every cache. Also the number of different lines.
  std::uint64_t compulsory() const { return distances_.lines(); }
  std::uint64_t queries() const { return queries_; }

  /// Misses of a cache of that many lines without pressure, compulsory ones included: exact.
  std::uint64_t misses(std::uint64_t cache_lines) const;
  /// With pressure.
  double misses(double cache_lines, const Load& load) const;

 private:
  void access(std::uint32_t line);

  unsigned shift_;
  StackDistance distances_;
  std::uint32_t clock_ = 0;  ///< evaluations so far
  std::uint64_t accesses_ = 0;
  std::uint64_t queries_ = 0;
  std::vector<std::uint64_t> by_distance_;                       ///< exact
  std::vector<std::vector<std::uint64_t>> by_gap_and_distance_;  ///< both binned
};

}  // namespace slidebench
