// SPDX-License-Identifier: MIT
#include "extras/model/ladder/branch_cost.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <random>
#include <vector>

#include "harness/platform/assembly.hpp"
#include "harness/statistics/statistics.hpp"

namespace slidebench {
namespace {

constexpr std::size_t branches = std::size_t{1} << 18;  // too many to be learnt by heart
constexpr unsigned repeats = 15;

/// ns a branch. Both ways execute one addition, so that only the direction differs.
[[gnu::noinline]] double ns_a_branch(const std::vector<std::uint8_t>& bits) {
  std::uint64_t zeros = 0;
  std::uint64_t ones = 0;
  const auto start = std::chrono::steady_clock::now();
  for (const std::uint8_t bit : bits) {
    if (bit == 0) {
      asm volatile(SLIDEBENCH_ADD_ONE(0) : "+r"(zeros) : : "cc");
    } else {
      asm volatile(SLIDEBENCH_ADD_ONE(0) : "+r"(ones) : : "cc");
    }
  }
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  return time.count() / static_cast<double>(bits.size());
}

double median_of_repeats(const std::vector<std::uint8_t>& bits) {
  std::vector<double> times;
  for (unsigned repeat = 0; repeat < repeats; ++repeat) times.push_back(ns_a_branch(bits));
  return median(times);
}

}  // namespace

double measure_misprediction_ns(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> at_random(branches), alike(branches, 0);
  for (std::uint8_t& bit : at_random) bit = random() & 1;
  return std::max(0.0, 2 * (median_of_repeats(at_random) - median_of_repeats(alike)));
}

}  // namespace slidebench
