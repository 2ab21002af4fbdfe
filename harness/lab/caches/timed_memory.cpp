// SPDX-License-Identifier: MIT
#include "harness/lab/caches/timed_memory.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "harness/platform/assembly.hpp"
#include "harness/pressure/pressure.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t word_bytes = 8;    // that a place reads
constexpr std::size_t reads_timed = 4096;  // at least, in whole periods
constexpr unsigned chases = 13;
constexpr double quiet = 0.25;  // what disturbs can only make a chase longer: this share of them was left alone
constexpr unsigned readings = 3;
constexpr unsigned probes = 48;
constexpr double undisturbed = 0.75;  // of the probes: their mean, because a clock may go on in steps of 10 ns
constexpr std::uint32_t half_page = 2048;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

/// Reads what a place holds, for a read that shall be done and whose value does not matter.
void read_word(const std::byte* place) {
  std::uintptr_t word = 0;
  std::memcpy(&word, place, sizeof word);
  asm volatile("" : "+r"(word));
}

/// The time-stamp counter where there is one: reading it disturbs less than the system's clock.
class FineClock {
 public:
  FineClock() {
    const Clock::time_point start = Clock::now();
    const std::uint64_t first = ticks();
    while (ns_since(start) < 2e6) {
    }
    const std::uint64_t last = ticks();
    ns_a_tick_ = ns_since(start) / static_cast<double>(last - first);
  }

  /// All reads before it have come back.
  std::uint64_t ticks() const {
#if defined(__x86_64__)
    _mm_lfence();
    const std::uint64_t now = __rdtsc();
    _mm_lfence();
    return now;
#else
    return static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
#endif
  }

  double ns(std::uint64_t ticks) const { return static_cast<double>(ticks) * ns_a_tick_; }

 private:
  double ns_a_tick_;
};

}  // namespace

OwnMemory::OwnMemory(Place bytes, bool large_pages)
    : bytes_(bytes), memory_(memory_for_chase(bytes, large_pages)), used_words_(bytes / cache_line_bytes, 0) {}

double OwnMemory::large_share() const { return share_on_large_pages(memory_.get(), bytes_); }

/// Writes at each place where the next one is, and at the last where the first is. A place that comes again takes the
/// next word of its line.
const std::byte* OwnMemory::chain(const Places& places) {
  constexpr std::uint32_t words = cache_line_bytes / word_bytes;
  std::vector<std::byte*> chained;
  chained.reserve(places.size());
  for (const Place place : places) {
    const Place line = place / cache_line_bytes;
    const std::uint32_t word = (place % cache_line_bytes / word_bytes + used_words_[line]) % words;
    if (used_words_[line]++ == words) throw std::logic_error("a period visits a line more often than it has words");
    chained.push_back(at(line * cache_line_bytes + word * word_bytes));
  }
  for (std::size_t i = 0; i < chained.size(); ++i) {
    const std::byte* const next = chained[(i + 1) % chained.size()];
    std::memcpy(chained[i], &next, sizeof next);
  }
  for (const Place place : places) used_words_[place / cache_line_bytes] = 0;
  return chained.front();
}

[[gnu::noinline]] double OwnMemory::ns_a_read(const Places& period) {
  const void* end = chain(period);
  const std::size_t steps = (reads_timed + period.size() - 1) / period.size() * period.size();
  end = chase_from(end, steps);
  std::vector<double> times;
  for (unsigned i = 0; i < chases; ++i) {
    const Clock::time_point start = Clock::now();
    end = chase_from(end, steps);
    times.push_back(ns_since(start) / static_cast<double>(steps));
  }
  std::sort(times.begin(), times.end());
  return quantile(times, quiet);
}

[[gnu::noinline]] double OwnMemory::ns_after(Place probe, const Places& others) {
  static const FineClock clock;
  const std::byte* const first = chain(others);
  const std::byte* const neighbour = at(probe ^ half_page);  // on the probe's page, which it brings into the TLB
  std::vector<double> times;
  for (unsigned i = 0; i < probes; ++i) {
    read_word(at(probe));
    const void* const end = chase_from(first, readings * others.size());
    read_word(neighbour + opaque_zero(reinterpret_cast<std::uintptr_t>(end)));
    clock.ticks();  // brings the clock's own code and data back
    const std::uint64_t start = clock.ticks();
    read_word(at(probe));
    times.push_back(clock.ns(clock.ticks() - start));
  }
  std::sort(times.begin(), times.end());
  times.resize(static_cast<std::size_t>(undisturbed * probes));
  return mean(times);
}

}  // namespace slidebench
