// SPDX-License-Identifier: MIT
//
// methods/magic/occupancies.hpp, written short for exports: it fills tables.
#pragma once

#include "methods/reference.hpp"

namespace slidebench::magic {

constexpr Bitboard relevant(Piece piece, Square s) { return attacks(piece, s, 0) & ~edges(s); }
constexpr unsigned relevant_bits(Piece p, Square s) { return static_cast<unsigned>(std::popcount(relevant(p, s))); }

/// Calls use(occupied, attacks) for each subset of the squares that matter.
template <class Use>
constexpr void for_each_occupancy(Piece piece, Square s, Use use) {
  const Bitboard mask = relevant(piece, s);
  Bitboard occupied = 0;
  do use(occupied, attacks(piece, s, occupied));
  while ((occupied = (occupied - mask) & mask) != 0);
}

}  // namespace slidebench::magic
