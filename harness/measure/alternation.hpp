// SPDX-License-Identifier: MIT
//
// The lukewarm round: the contenders take turns every few thousand queries, each finding the caches as the others left
// them.
//
// Such a turn takes microseconds, too short for a slice of Google Benchmark's; so the turns are timed by the clock
// here, and a contender's time is the sum over its turns. Reading the clock adds some 20 ns per turn, to all contenders
// alike.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/measure/contender.hpp"
#include "harness/measure/slice.hpp"
#include "harness/measure/work.hpp"

namespace slidebench {

/// What the clock contender adds in its turn.
inline constexpr std::uint64_t clock_turn_additions = 16 * 4096;

/// Lets the contenders do every piece of the segment in turn, in a fresh random order each time, `passes` times over.
/// Returns a time per contender, in the order of `contenders`; the disturbances are those of the whole round.
std::vector<SliceTime> time_alternating(const std::vector<const Contender*>& contenders, Work& work,
                                        std::size_t segment, std::uint64_t passes, Shuffler& random);

}  // namespace slidebench
