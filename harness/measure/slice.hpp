// SPDX-License-Identifier: MIT
//
// A slice: some passes of one contender over one stretch of trace, warmed untimed and then timed by Google Benchmark.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "harness/platform/machine.hpp"

namespace slidebench {

/// What to time: `warm_up` once, untimed, then `passes` calls of `pass`. A pass returns the sum of its answers.
struct Slice {
  std::function<void()> warm_up;
  std::function<std::uint64_t()> pass;
  std::uint64_t passes = 1;
};

/// The random numbers of a process run: orders are drawn from them.
using Shuffler = std::mt19937_64;

/// What it took. Times are wall time of all passes together.
struct SliceTime {
  double time_ns = 0;
  std::uint64_t checksum = 0;  ///< sum over the passes, modulo 2^64
  Disturbance disturbance;
};

/// Times the slices one after the other, in this order.
std::vector<SliceTime> time_slices(const std::vector<Slice>& slices);

}  // namespace slidebench
