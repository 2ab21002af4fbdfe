// SPDX-License-Identifier: MIT
//
// Magic with shared attacks: two rook squares or four bishop squares in the same slots, taken apart by a final AND.
//
// The hash is that of magic_fancy.hpp, square for square. But an array holds the sets of several squares at once, in
// unions, and a query keeps only what its own slider could attack on an empty board:
//
//      attacks = unions[first + ((occupied & premask) * factor >> (64 - n))] & postmask
//
// Which squares can share, and why nothing wrong remains, is explained (and checked by the compiler) in sharing.hpp,
// which has the code. A group's array must be as long as the longest of its members': the corner a1 (2^12) shares with
// b2 (2^10), so the rooks' table shrinks by 36 %, not by half; the bishops' by 66 %.
//
// Inventor: Lasse Hansen (Winboard forum, 9 May 2008). Source: Chessprogramming wiki, Magic Bitboards.
// Tables: (65,536 + 1,792) unions x 8 bytes = 538,624, and 64 records x 64 bytes = 4,096; together 542,720 bytes.
// Loads: 1 record (5 fields) + 1 union. Relies on: a fast multiplication, and on the unions being in cache.
#pragma once

#include "methods/magic/magic_factors.hpp"
#include "methods/magic/sharing.hpp"

namespace slidebench {

/// The factors of magic_fancy: n index bits for n relevant squares.
constexpr sharing::Factor fancy_factor(magic::Piece piece, Square s) {
  return {piece == magic::Piece::rook ? rook_factors[s] : bishop_factors[s], magic::relevant_bits(piece, s)};
}

struct MagicShared : sharing::SharedMagic<fancy_factor> {
  static constexpr MethodInfo info{.id = "magic_shared",
                                   .title = "Magic, shared attacks",
                                   .family = "magic",
                                   .inventor = "L. Hansen",
                                   .year = 2008,
                                   .reference = "https://www.chessprogramming.org/Magic_Bitboards",
                                   .requires_isa = Isa::none};
};

}  // namespace slidebench
