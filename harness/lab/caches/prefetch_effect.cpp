// SPDX-License-Identifier: MIT
#include "harness/lab/caches/prefetch_effect.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "harness/lab/caches/cache_shape.hpp"
#include "harness/pressure/pressure.hpp"

namespace slidebench {
namespace {

constexpr Place page_bytes = 4096;
constexpr int page_lines = page_bytes / cache_line_bytes;
constexpr std::size_t most_reads = reads_a_page.back();
constexpr std::size_t lines_a_period = 32'768;

using PageLines = std::array<int, most_reads>;

PageLines lines_at_random(std::mt19937_64& random) {
  std::array<int, page_lines> all{};
  std::iota(all.begin(), all.end(), 0);
  shuffle(all, random);
  PageLines lines{};
  std::copy_n(all.begin(), most_reads, lines.begin());
  return lines;
}

/// Lines of a page in the order of the pattern.
PageLines lines_of(const LinePattern& pattern, std::mt19937_64& random) {
  if (pattern.stride == 0) return lines_at_random(random);
  const int reach = std::abs(pattern.stride) * (static_cast<int>(most_reads) - 1);
  int first = static_cast<int>(draw(random, static_cast<std::size_t>(page_lines - reach - 1)));
  if (pattern.parity >= 0) first = first / 2 * 2 + pattern.parity;
  if (pattern.stride < 0) first += reach;
  PageLines lines{};
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = first + pattern.stride * static_cast<int>(i);
  return lines;
}

/// ns a read. All periods have as many lines, more than second levels hold and fewer than third ones.
double ns_a_read(const LinePattern& pattern, unsigned reads, TimedMemory& memory, std::mt19937_64& random) {
  Places pages(memory.bytes() / page_bytes);
  std::iota(pages.begin(), pages.end(), Place{0});
  shuffle(pages, random);
  Places period;
  for (const Place page : first_of(pages, lines_a_period / reads)) {
    const PageLines lines = lines_of(pattern, random);
    for (unsigned i = 0; i < reads; ++i) {
      period.push_back(page * page_bytes + static_cast<Place>(lines[i]) * cache_line_bytes);
    }
  }
  return memory.ns_a_read(period);
}

}  // namespace

const std::vector<LinePattern>& line_patterns() {
  static const std::vector<LinePattern> patterns{{"at random", 0, -1},
                                                 {"the next, from an even line", 1, 0},
                                                 {"the next, from an odd line", 1, 1},
                                                 {"the one before", -1, -1},
                                                 {"every 2nd", 2, -1},
                                                 {"every 3rd", 3, -1},
                                                 {"every 4th", 4, -1}};
  return patterns;
}

std::vector<PrefetchEffect> measure_prefetch_effects(TimedMemory& memory, std::mt19937_64& random) {
  std::vector<PrefetchEffect> effects;
  for (const LinePattern& pattern : line_patterns()) effects.push_back({pattern.name, {}});
  for (const unsigned reads : reads_a_page) {  // patterns side by side, so that what drifts drifts through all of them
    for (std::size_t i = 0; i < effects.size(); ++i) {
      effects[i].ns.push_back(ns_a_read(line_patterns()[i], reads, memory, random));
    }
  }
  return effects;
}

}  // namespace slidebench
