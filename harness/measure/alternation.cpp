// SPDX-License-Identifier: MIT
#include "harness/measure/alternation.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace slidebench {
namespace {

using Clock = std::chrono::steady_clock;

void take_turn(const Contender& contender, Work& work, std::size_t segment, std::size_t piece, SliceTime& time) {
  const Clock::time_point start = Clock::now();
  const std::uint64_t sum =
      contender.role == ContenderRole::clock ? run_clock(clock_turn_additions) : work.run(contender, segment, piece);
  time.time_ns += std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  time.checksum += sum;
}

}  // namespace

std::vector<SliceTime> time_alternating(const std::vector<const Contender*>& contenders, Work& work,
                                        std::size_t segment, std::uint64_t passes, Shuffler& random) {
  std::vector<SliceTime> times(contenders.size());
  std::vector<std::size_t> order(contenders.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  DisturbanceWatch watch;
  watch.start();
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    for (std::size_t piece = 0; piece < work.pieces(segment); ++piece) {
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t i : order) take_turn(*contenders[i], work, segment, piece, times[i]);
    }
  }
  const Disturbance during = watch.stop();
  for (SliceTime& time : times) time.disturbance = during;
  return times;
}

}  // namespace slidebench
