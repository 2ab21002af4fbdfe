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

#include <utility>

#include "methods/bitboard.hpp"

namespace slidebench {

/// `masked` is an occupancy of relevant squares only.
constexpr std::uint32_t split32_fold(Bitboard masked) {
  const std::uint32_t low = static_cast<std::uint32_t>(masked);
  const std::uint32_t high = static_cast<std::uint32_t>(masked >> 32);
  return high ^ (5 * low);
}

/// True if no two relevant occupancies of a bishop on s fold to the same word.
constexpr bool split32_fold_is_lossless(Square s) {
  const Bitboard mask = bishop_relevant(s);
  std::array<std::uint32_t, 512> folded{};
  std::size_t count = 0;
  Bitboard occupied = 0;
  do {
    const std::uint32_t word = split32_fold(occupied);
    for (std::size_t i = 0; i < count; ++i) {
      if (folded[i] == word) return false;
    }
    folded[count++] = word;
    occupied = next_subset(occupied, mask);
  } while (occupied != 0);
  return true;
}

template <Square s>
inline constexpr bool split32_fold_is_lossless_at = split32_fold_is_lossless(s);

/// Square by square: compilers limit how much one constant may cost.
template <Square... squares>
constexpr bool split32_fold_is_lossless_on(std::integer_sequence<Square, squares...>) {
  return (... && split32_fold_is_lossless_at<squares>);
}
static_assert(split32_fold_is_lossless_on(std::make_integer_sequence<Square, 64>{}));

}  // namespace slidebench
