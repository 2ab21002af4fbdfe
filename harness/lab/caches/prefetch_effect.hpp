// SPDX-License-Identifier: MIT
//
// Whether a read of a line makes reads of others quicker: in page after page, a few lines of a pattern are read one
// after the other, each waiting for the one before. Beside it stand as many lines at random places of as many pages,
// for which no prefetcher has a rule: as many lines, pages and misses of the TLB, so that what differs is the pattern.
#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

#include "harness/lab/caches/timed_memory.hpp"

namespace slidebench {

/// Where the next line of a page is read.
struct LinePattern {
  std::string name;
  int stride = 0;   ///< in lines; 0: at random
  int parity = -1;  ///< of the number of the first line in the page: 0 even, 1 odd, -1 either
};

/// At random; next line, from an even and from an odd one; the line before; every second, third and fourth.
const std::vector<LinePattern>& line_patterns();

inline constexpr std::array<unsigned, 3> reads_a_page{2, 4, 8};

struct PrefetchEffect {
  std::string pattern;
  std::vector<double> ns;  ///< a read, by the number of reads a page
};

/// Precondition: memory of at least 64 MiB; pages of 4 KiB are counted.
std::vector<PrefetchEffect> measure_prefetch_effects(TimedMemory& memory, std::mt19937_64& random);

}  // namespace slidebench
