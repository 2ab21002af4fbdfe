// SPDX-License-Identifier: MIT
#include "harness/counters/calibration.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>

#include "harness/counters/hardware_counters.hpp"

namespace slidebench {
namespace {

constexpr std::size_t line_bytes = 64;

/// Reads of which each has its address from the one before, so that none is prefetched: a random cycle through all
/// lines of a block, which has been walked once.
class Chain {
 public:
  explicit Chain(std::size_t bytes) : next_(bytes / sizeof(std::uint32_t)) {
    std::vector<std::uint32_t> lines(bytes / line_bytes);
    std::iota(lines.begin(), lines.end(), 0u);
    std::shuffle(lines.begin(), lines.end(), std::mt19937_64(1));
    constexpr std::uint32_t step = line_bytes / sizeof(std::uint32_t);
    for (std::size_t i = 0; i < lines.size(); ++i) next_[lines[i] * step] = lines[(i + 1) % lines.size()] * step;
    read(lines.size());
  }

  void read(std::size_t times) {
    for (; times > 0; --times) at_ = next_[at_];
    asm volatile("" : : "r"(at_));
  }

 private:
  std::vector<std::uint32_t> next_;
  std::uint32_t at_ = 0;
};

/// Three instructions in each round: a multiplication that waits for the one before, a subtraction, a branch.
void multiply(std::uint64_t rounds) {
  [[maybe_unused]] std::uint64_t product = 3;
#if defined(__x86_64__)
  asm volatile("1: imul %0, %0\n sub $1, %1\n jnz 1b" : "+r"(product), "+r"(rounds) : : "cc");
#elif defined(__aarch64__)
  asm volatile("1: mul %0, %0, %0\n subs %1, %1, #1\n b.ne 1b" : "+r"(product), "+r"(rounds) : : "cc");
#endif
}

/// A branch that no predictor foresees, in each round.
void branch_at_random(std::uint64_t rounds) {
  std::uint64_t random = 88172645463325252u, taken = 0;  // xorshift; source: G. Marsaglia, Xorshift RNGs, 2003
  for (; rounds > 0; --rounds) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
#if defined(__x86_64__)
    asm volatile("test $64, %b1\n jz 1f\n add $1, %0\n 1:" : "+r"(taken) : "q"(random) : "cc");
#elif defined(__aarch64__)
    asm volatile("tbz %1, #6, 1f\n add %0, %0, #1\n 1:" : "+r"(taken) : "r"(random));
#endif
  }
}

/// How often a metric is counted in one operation of known work.
struct Expectation {
  const char* metric;
  double low, high;
};

struct KnownWork {
  const char* what;
  const char* operation;
  std::uint64_t operations;
  std::function<void(std::uint64_t)> run;
  std::vector<Expectation> expected;
};

/// The bounds leave room for the counters' own instructions, for a first level that holds a part, and for the second
/// reads of lines that interrupts took.
std::vector<KnownWork> known_work() {
  const auto chain = [](std::size_t kib) {
    return [reads = std::make_shared<Chain>(kib << 10)](std::uint64_t times) { reads->read(times); };
  };
  return {
      {"dependent reads over 16 KiB",
       "read",
       200'000,
       chain(16),
       {{"l1d_misses", 0, .1}, {"l2d_misses", 0, .1}, {"l3_misses", 0, .1}, {"dtlb_misses", 0, .1}}},
      {"dependent reads over 256 KiB", "read", 200'000, chain(256), {{"l1d_misses", .6, 1.6}}},
      {"dependent reads over 8 MiB", "read", 200'000, chain(8192), {{"l1d_misses", .8, 1.6}, {"l2d_misses", .5, 1.6}}},
      {"a loop of three instructions",
       "round",
       1'000'000,
       multiply,
       {{"instructions", 2.97, 3.1}, {"cycles", 2, 6}, {"branch_misses", 0, .01}}},
      {"a random branch", "round", 200'000, branch_at_random, {{"branch_misses", .35, .65}}}};
}

}  // namespace

std::vector<CalibrationFault> calibrate(EventCounters& counters) {
  std::vector<CalibrationFault> faults;
  if (!counters.available()) return faults;
  for (const KnownWork& work : known_work()) {
    const std::vector<CounterReading> readings = counters.count([&] { work.run(work.operations); });
    for (const Expectation& expected : work.expected) {
      for (const CounterReading& reading : readings) {
        if (reading.metric != expected.metric || !reading.value) continue;
        const double counted = static_cast<double>(*reading.value) / static_cast<double>(work.operations);
        if (counted >= expected.low && counted <= expected.high) continue;
        faults.push_back({reading.metric, reading.event,
                          fmt::format("{:.2f} a {} where {:g} to {:g} are known: {}", counted, work.operation,
                                      expected.low, expected.high, work.what)});
      }
    }
  }
  return faults;
}

Calibration calibrated(const std::vector<Metric>& metrics) {
  EventCounters counters = open_hardware_counters(metrics);
  Calibration found{{}, counters.choices(), calibrate(counters), counters.reason()};
  for (const MetricChoice& choice : found.choices) {
    const bool fails = std::ranges::count(found.faults, choice.metric, &CalibrationFault::metric) > 0;
    if (!choice.event.empty() && !fails) found.believed.push_back({choice.metric, {choice.event}});
  }
  if (found.believed.empty() && found.reason.empty())
    found.reason = "no event counts what it should: " + found.faults.front().what;
  return found;
}

}  // namespace slidebench
