// SPDX-License-Identifier: MIT
//
// First-rank attacks: the one-dimensional lookup that many methods use for ranks.
//
// On a single rank the attacks depend on the slider's file and on the six inner squares only: the outer two cannot
// hide anything. That makes 8 x 64 bytes, one cache line a file, which is the smallest useful attack table there is.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008), "rank attacks".
#pragma once

#include <cstdint>

#include "methods/reference.hpp"
#include "methods/table.hpp"

namespace slidebench {

/// Element 64 * file + (occupancy of files b to g): the attacks along the first rank, one bit a file. 512 bytes.
inline constexpr Table<std::uint8_t, 8 * 64> first_rank_attacks = [] {
  Table<std::uint8_t, 8 * 64> table;
  for (unsigned file = 0; file < 8; ++file) {
    for (unsigned inner = 0; inner < 64; ++inner) {
      const Bitboard attacks =
          (reference::walk<Direction::east>(file, inner << 1) | reference::walk<Direction::west>(file, inner << 1));
      table.data[64 * file + inner] = static_cast<std::uint8_t>(attacks);
    }
  }
  return table;
}();

/// Attacks along the rank of s.
constexpr Bitboard rank_attacks(Square s, Bitboard occupied) {
  const unsigned rank_start = s & 56;
  const Bitboard inner = (occupied >> (rank_start | 1)) & 63;
  return Bitboard{first_rank_attacks[64 * file_of(s) + inner]} << rank_start;
}

}  // namespace slidebench
