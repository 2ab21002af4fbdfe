// SPDX-License-Identifier: MIT
//
// Distinct attack sets: a rook on d4 has 1,024 relevant occupancies, but only 144 different answers.
//
// What lies behind the first blocker of a ray changes nothing, so a ray of L squares can end in L ways, and a slider
// has as many attack sets as the product of its rays' lengths: at most 144 a square; 4,900 for the rooks of all squares
// and 1,428 for the bishops. Methods that store each of them once give them numbers.
#pragma once

#include <algorithm>

#include "methods/magic/occupancies.hpp"

namespace slidebench::magic {

/// The number of different attack sets of a slider on s.
constexpr unsigned attack_set_count(Piece piece, Square s) {
  unsigned count = 1;
  for (const Direction d : piece == Piece::bishop ? diagonal_directions : orthogonal_directions) {
    const int length = std::popcount(ray(d, s));
    if (length > 0) count *= static_cast<unsigned>(length);
  }
  return count;
}

inline constexpr unsigned rook_set_count = 4'900;
inline constexpr unsigned bishop_set_count = 1'428;

/// Stores the different attack sets of a slider on s in sets[0], sets[1], ..., and calls use(occupied, number) for each
/// of the 2^n relevant occupancies: sets[number] is its attack set.
template <class Use>
void number_sets(Piece piece, Square s, Bitboard* sets, Use use) {
  Bitboard* end = sets;
  for_each_occupancy(piece, s, [&](Bitboard occupied, Bitboard attacks) {
    Bitboard* const found = std::find(sets, end, attacks);
    if (found == end) *end++ = attacks;
    use(occupied, static_cast<unsigned>(found - sets));
  });
}

}  // namespace slidebench::magic
