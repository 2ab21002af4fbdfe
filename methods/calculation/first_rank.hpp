// SPDX-License-Identifier: MIT
//
// First-rank attacks: the one-dimensional lookup that many methods use for ranks.
//
// On a single rank the attacks depend on the slider's file and on the six inner squares only: the outer two cannot
// hide anything. That makes 8 x 64 sets of one byte, the smallest useful attack table there is. It comes in two orders:
//
//      64 * file + inner   one cache line a file: for methods that keep a pointer to their row, or build on the sets
//      8 * inner + file    for a look-up from scratch: seven instructions instead of ten, because a rank shifted to
//                          bit 0 gives (rank & 126) * 4 = 8 * inner, and the address multiplies. In games most ranks
//                          look alike, so that ten look-ups touch 3.7 lines on average instead of 5.3.
//
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

/// Element 8 * (occupancy of files b to g) + file: the same sets. 512 bytes.
inline constexpr Table<std::uint8_t, 64 * 8> first_rank_by_inner = [] {
  Table<std::uint8_t, 64 * 8> table;
  for (unsigned i = 0; i < 64 * 8; ++i) table.data[i] = first_rank_attacks.data[64 * (i % 8) + i / 8];
  return table;
}();

/// Attacks along the rank of s. Reads one byte of first_rank_by_inner.
constexpr Bitboard rank_attacks(Square s, Bitboard occupied) {
  const unsigned rank_start = s & 56;
  const Bitboard twice_inner = (occupied >> rank_start) & 126;
  return Bitboard{first_rank_by_inner[4 * twice_inner + file_of(s)]} << rank_start;
}

}  // namespace slidebench
