// SPDX-License-Identifier: MIT
//
// The oracle: ray walking, the definition of correct. Slow, obvious, and usable at compile time to fill tables.
#pragma once

#include "methods/bitboard.hpp"

namespace slidebench::reference {

/// The squares from s (excluded) in direction d, up to and including the first occupied one.
template <Direction d>
constexpr Bitboard walk(Square s, Bitboard occupied) {
  Bitboard attacks = 0;
  for (Bitboard b = step(bit(s), d); b != 0; b = step(b, d)) {
    attacks |= b;
    if ((b & occupied) != 0) break;
  }
  return attacks;
}

constexpr Bitboard bishop(Square s, Bitboard occupied) {
  return walk<Direction::northeast>(s, occupied) | walk<Direction::northwest>(s, occupied) |
         walk<Direction::southwest>(s, occupied) | walk<Direction::southeast>(s, occupied);
}

constexpr Bitboard rook(Square s, Bitboard occupied) {
  return walk<Direction::north>(s, occupied) | walk<Direction::east>(s, occupied) |
         walk<Direction::south>(s, occupied) | walk<Direction::west>(s, occupied);
}

constexpr Bitboard queen(Square s, Bitboard occupied) { return bishop(s, occupied) | rook(s, occupied); }

}  // namespace slidebench::reference
