// SPDX-License-Identifier: MIT
//
// The lukewarm round: the arms take turns every few thousand queries, each finding the caches as the others left them.
//
// Such a turn takes microseconds, too short for a slice of Google Benchmark's; so the turns are timed by the clock
// here, and an arm's time is the sum over its turns. Reading the clock adds some 20 ns a turn, to all arms alike.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/timing/arm.hpp"
#include "harness/timing/slice.hpp"
#include "harness/timing/work.hpp"

namespace slidebench {

/// What the clock arm adds in its turn.
inline constexpr std::uint64_t clock_turn_additions = 16 * 4096;

/// Lets the arms do every piece of the window in turn, in a fresh random order each time, `passes` times over.
/// Returns a time an arm, in the order of `arms`; the disturbances are those of the whole round.
std::vector<SliceTime> time_alternating(const std::vector<const Arm*>& arms, Work& work, std::size_t window,
                                        std::uint64_t passes, Shuffler& random);

}  // namespace slidebench
