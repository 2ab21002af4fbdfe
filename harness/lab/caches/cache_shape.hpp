// SPDX-License-Identifier: MIT
//
// The shape of the first two levels of cache, concluded from times alone: line, ways, sets, and which lines share a
// set.
//
// First level: lines at the same offset in every way conflict as soon as there is one more of them than ways: the
// number that most strides agree on. The smallest stride at which they do is the size of a way, and the smallest shift
// of every second one at which they no longer do is a line.
//
// Second level: which addresses share a set is not known, because it is chosen by physical addresses and, on some
// processors, by a hash of them. So it is found which lines drive another one out of it: a large number of lines does,
// and as many of them are left out as can be, in ever smaller portions, until none can (as in P. Vila, B. Koepf and J.
// Morales, Theory and Practice of Finding Eviction Sets, IEEE S&P 2019). Those left are as many as ways. How many of
// all lines could take the place of one of them says how many sets there are.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <utility>

#include "harness/lab/caches/timed_memory.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {

/// What was found of a level. Bytes of a line, and of a way of the first level, are powers of two.
struct CacheShape {
  std::uint32_t line_bytes = 0;
  std::uint32_t ways = 0;
  std::uint32_t sets = 0;
};

struct FirstLevel {
  CacheShape shape;
  double hit_ns = 0;
  double miss_ns = 0;  ///< of reads that all miss it
};

/// Absent if the times show no first level. Precondition: memory of at least 4 MiB.
std::optional<FirstLevel> find_first_level(TimedMemory& memory, std::mt19937_64& random);

/// A set of the second level.
struct SecondLevelSet {
  CacheShape shape;   ///< its sets are the power of two that agrees best with the share of lines that conflict
  double spread = 0;  ///< over how many sets lines of one set of the first level are spread
  Places lines;       ///< of the set, and of one set of the first level; at least three times as many as ways
  Places fillers;     ///< of the same set of the first level, and of other sets of the second
};

/// Absent if the times show no second level. Precondition: memory of several times its size.
std::optional<SecondLevelSet> find_second_level(TimedMemory& memory, const FirstLevel& first, std::mt19937_64& random);

/// A period in which every place is visited eight times, in another random order each time.
Places shuffled_period(const Places& places, std::mt19937_64& random);

/// The first of the places, at most so many.
Places first_of(const Places& places, std::size_t count);

template <class List>
void shuffle(List& list, std::mt19937_64& random) {
  for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[draw(random, i)]);
}

}  // namespace slidebench
