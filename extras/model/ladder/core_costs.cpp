// SPDX-License-Identifier: MIT
#include "extras/model/ladder/core_costs.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <iterator>
#include <random>
#include <utility>

#include "extras/model/ladder/latency_ladder.hpp"
#include "harness/measure/table_pages.hpp"
#include "harness/platform/assembly.hpp"
#include "harness/pressure/pressure.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t chased_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t iterations = 1 << 12;
constexpr unsigned repeats = 9;
constexpr std::array<std::size_t, 10> side_by_side{1, 2, 4, 8, 12, 16, 20, 24, 32, 48};
constexpr std::size_t branches = std::size_t{1} << 18;  // too many to be learnt by heart
constexpr int additions_a_step = 32;                    // additions
constexpr int most_steps = 32;                          // 1,024 additions: twice the largest window of 2026

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

/// ns a read of so many chases side by side. They start far apart on one cycle.
double ns_a_read(std::vector<const void*>& ends, std::size_t chases) {
  const Clock::time_point start = Clock::now();
  for (std::uint64_t i = 0; i < iterations; ++i) {
    for (std::size_t chase = 0; chase < chases; ++chase) ends[chase] = chase_from(ends[chase], 1);
  }
  return ns_since(start) / static_cast<double>(iterations * chases);
}

template <int Additions>
[[gnu::noinline]] double ns_an_iteration(std::vector<const void*>& ends) {
  const void* a = ends[0];
  const void* b = ends[1];
  const auto fill = [] {
    std::uint64_t w = 0, x = 0, y = 0, z = 0;
    asm volatile(".rept %c4\n\t" SLIDEBENCH_ADD_ONE(0) SLIDEBENCH_ADD_ONE(1) SLIDEBENCH_ADD_ONE(2)
                     SLIDEBENCH_ADD_ONE(3) ".endr"
                 : "+r"(w), "+r"(x), "+r"(y), "+r"(z)
                 : "i"(Additions / 4));
  };
  const Clock::time_point start = Clock::now();
  for (std::uint64_t i = 0; i < iterations; ++i) {
    a = chase_from(a, 1);
    fill();
    b = chase_from(b, 1);
    fill();
  }
  const double ns = ns_since(start) / static_cast<double>(iterations);
  ends[0] = a, ends[1] = b;
  return ns;
}

using Timed = double (*)(std::vector<const void*>&);

template <int... Steps>
constexpr std::array<Timed, sizeof...(Steps)> spaced(std::integer_sequence<int, Steps...>) {
  return {&ns_an_iteration<Steps * additions_a_step>...};
}
constexpr auto with_additions = spaced(std::make_integer_sequence<int, most_steps + 1>());

/// One random cycle through all lines of a block, and places on it to start from.
class Cycle {
 public:
  explicit Cycle(std::uint64_t seed) : random_(seed) {
    const auto lines = static_cast<std::uint32_t>(chased_bytes / cache_line_bytes);
    const std::vector<std::uint32_t> next = random_cycle(lines, random_);
    for (std::uint32_t i = 0; i < lines; ++i) {
      const void* const target = line(next[i]);
      std::memcpy(line(i), &target, sizeof target);
    }
  }

  std::vector<const void*> starts(std::size_t count) {
    std::vector<const void*> starts(count);
    for (const void*& start : starts) start = line(draw(random_, chased_bytes / cache_line_bytes));
    return starts;
  }

 private:
  std::byte* line(std::size_t i) const { return block_.get() + i * cache_line_bytes; }

  std::mt19937_64 random_;
  ChaseMemory block_ = memory_for_chase(chased_bytes, large_pages_refused().empty());
};

double median_of(const std::function<double()>& measure) {
  std::vector<double> times;
  for (unsigned repeat = 0; repeat < repeats; ++repeat) times.push_back(measure());
  return median(times);
}

double reads_at_once(Cycle& cycle) {
  double alone = 0;
  double quickest = 0;
  for (const std::size_t chases : side_by_side) {
    const double ns = median_of([&] {
      std::vector<const void*> ends = cycle.starts(chases);
      return ns_a_read(ends, chases);
    });
    if (chases == 1) alone = quickest = ns;
    quickest = std::min(quickest, ns);
  }
  return alone / quickest;
}

/// Of an iteration whose reads hit the first level, nearly all is additions.
double ns_an_addition() {
  std::array<const void*, 2> self{};
  self[0] = &self[0], self[1] = &self[1];
  std::vector<const void*> ends(self.begin(), self.end());
  return median_of([&] { return with_additions.back()(ends); }) / (2.0 * most_steps * additions_a_step);
}

double instructions_at_once(Cycle& cycle) {
  std::vector<SpacedReads> measured;
  for (std::size_t i = 0; i < with_additions.size(); ++i) {
    const double ns = median_of([&] {
      std::vector<const void*> ends = cycle.starts(2);
      return with_additions[i](ends);
    });
    measured.push_back({static_cast<double>(i) * additions_a_step, ns});
  }
  return window_from(measured, ns_an_addition());
}

/// ns a branch. Both ways execute one addition, so that only the direction differs.
[[gnu::noinline]] double ns_a_branch(const std::vector<std::uint8_t>& bits) {
  std::uint64_t zeros = 0;
  std::uint64_t ones = 0;
  const Clock::time_point start = Clock::now();
  for (const std::uint8_t bit : bits) {
    if (bit == 0) {
      asm volatile(SLIDEBENCH_ADD_ONE(0) : "+r"(zeros) : : "cc");
    } else {
      asm volatile(SLIDEBENCH_ADD_ONE(0) : "+r"(ones) : : "cc");
    }
  }
  return ns_since(start) / static_cast<double>(bits.size());
}

}  // namespace

double window_from(const std::vector<SpacedReads>& measured, double ns_an_addition) {
  const auto waiting = [&](const SpacedReads& m) { return m.ns - 2 * m.additions * ns_an_addition; };
  double quickest = waiting(measured.front());
  for (const SpacedReads& m : measured) quickest = std::min(quickest, m.ns);
  const auto together = [&](const SpacedReads& m) { return waiting(m) <= 1.5 * quickest; };
  const auto last = std::find_if(measured.rbegin(), measured.rend(), together);
  return last == measured.rbegin() ? last->additions : std::prev(last)->additions;
}

double measure_misprediction_ns(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> at_random(branches), alike(branches, 0);
  for (std::uint8_t& bit : at_random) bit = random() & 1;
  const auto median_ns = [](const std::vector<std::uint8_t>& bits) {
    return median_of([&] { return ns_a_branch(bits); });
  };
  return std::max(0.0, 2 * (median_ns(at_random) - median_ns(alike)));
}

MemoryOverlap measure_overlap(std::uint64_t seed) {
  Cycle cycle(seed);
  return {reads_at_once(cycle), instructions_at_once(cycle)};
}

}  // namespace slidebench
