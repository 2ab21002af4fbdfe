// SPDX-License-Identifier: MIT
//
// Searches overlapped fixed-shift tables: the arrays of all bishops and rooks interleaved in as few slots as possible.
//
// With one shift for all squares of a piece (52 for the rook's 12 index bits, 55 for the bishop's 9) most arrays leave
// indices unused, and other squares' arrays may stand in the holes, each at its own first slot. Two searches alternate:
//   - pools (pools.hpp): factors of each square that use few slots, in patterns that leave room for others, from
//     beam search over the bits of the factor and from simulated annealing;
//   - packing (packer.hpp): which factor of its pool each square takes, and its place; ruin and recreate.
//
// Marks to compare with, as slots: about 100,000 (V. Annuss 2010), 88,772 white and 88,507 black (V. Annuss 2017),
// 87,988 black (V. Annuss, N. Fiekas). Fixed shifts: O. Garms 2009. No constant of theirs is used. The black table that
// is committed has 85,832: 68 core minutes (45 of two shared cores), from one of 90,073. It took eighteen
// minutes, in which the pools grew, until anything improved; more than half was won in the next six, and it still fell.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>

#include "extras/magics/find_factors.hpp"

namespace slidebench {

/// Called from any of the threads, never from two at a time: at each improvement, and every few seconds.
/// `used_slots` of the best table hold an attack set.
using OverlapProgress = std::function<void(const FactorFile& best, double elapsed_seconds, std::size_t used_slots)>;

/// Returns the best table found of options.variant; with a start, which is such a table, never one with more slots. It
/// depends on how far the machine comes in options.seconds.
/// @throws UserError if the start has more than 262,144 slots
FactorFile search_overlap(const FindOptions& options, const std::optional<FactorFile>& start,
                          const OverlapProgress& progress, std::stop_token stop);

}  // namespace slidebench
