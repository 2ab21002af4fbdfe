// SPDX-License-Identifier: MIT
//
// Folding a bishop's relevant occupancy into 32 bits without losing a blocker.
//
// Laying the halves of the board on each other with a plain xor puts each square upon the one four ranks above it. A
// bishop on the ranks 4 and 5 has such pairs among its relevant squares (from d4: b2 and b6), and two blockers there
// cancel. Spreading one half first, by a multiplication that is a single addition of the shifted word (LEA on x86),
// avoids that:
//
//      fold = high ^ (5 * low)          5 * low = low + (low << 2)
//
// Many folds lose nothing (low ^ rotl(high, 1), low ^ (high >> 1), high ^ (3 * low), high + 3 * low). But a factor must
// exist behind the fold too, and on the centre squares with their nine relevant squares the simplest folds have none of
// n bits; a search over some eighty folds found a factor for every square with this one.
#pragma once

#include "methods/bitboard.hpp"

namespace slidebench {

/// `masked` is an occupancy of relevant squares only.
constexpr std::uint32_t split32_fold(Bitboard masked) {
  const std::uint32_t low = static_cast<std::uint32_t>(masked);
  const std::uint32_t high = static_cast<std::uint32_t>(masked >> 32);
  return high ^ (5 * low);
}

/// True if no two relevant occupancies of a bishop on s fold to the same word. High halves differ from each other on
/// any of the upper board's relevant squares and on no others; so two occupancies with different low halves fold alike,
/// for some high halves, exactly if the words of these low halves differ on such squares alone. With the same low half
/// none do.
constexpr bool split32_fold_is_lossless(Square s) {
  const Bitboard mask = bishop_relevant(s);
  const Bitboard low_mask = mask & 0xFFFFFFFF;
  const std::uint32_t high_mask = static_cast<std::uint32_t>(mask >> 32);
  Bitboard one = 0;
  do {
    for (Bitboard other = next_subset(one, low_mask); other != 0; other = next_subset(other, low_mask)) {
      if (((split32_fold(one) ^ split32_fold(other)) & ~high_mask) == 0) return false;
    }
    one = next_subset(one, low_mask);
  } while (one != 0);
  return true;
}
static_assert([] {
  for (Square s = 0; s < 64; ++s) {
    if (!split32_fold_is_lossless(s)) return false;
  }
  return true;
}());

}  // namespace slidebench
