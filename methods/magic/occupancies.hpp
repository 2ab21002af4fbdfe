// SPDX-License-Identifier: MIT
//
// What a magic table is built from: the relevant occupancies of a slider on a square, and their attack sets.
#pragma once

#include "methods/reference.hpp"

namespace slidebench::magic {

enum class Piece { bishop, rook };

constexpr Bitboard relevant(Piece piece, Square s) {
  return piece == Piece::bishop ? bishop_relevant(s) : rook_relevant(s);
}
constexpr Bitboard attacks(Piece piece, Square s, Bitboard occupied) {
  return piece == Piece::bishop ? reference::bishop(s, occupied) : reference::rook(s, occupied);
}

/// Number of relevant squares: 5 to 9 for a bishop, 10 to 12 for a rook.
constexpr unsigned relevant_bits(Piece piece, Square s) {
  return static_cast<unsigned>(std::popcount(relevant(piece, s)));
}

/// Calls use(occupied, attacks) for each of the 2^n subsets of the relevant occupancy, the empty one first.
template <class Use>
constexpr void for_each_occupancy(Piece piece, Square s, Use use) {
  const Bitboard mask = relevant(piece, s);
  Bitboard occupied = 0;
  do {
    use(occupied, attacks(piece, s, occupied));
    occupied = next_subset(occupied, mask);
  } while (occupied != 0);
}

}  // namespace slidebench::magic
