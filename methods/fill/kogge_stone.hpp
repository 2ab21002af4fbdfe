// SPDX-License-Identifier: MIT
//
// Kogge-Stone fill: the carry network of a fast adder, used to flood the board in three doubling steps instead of six.
//
// The sliders "generate", the empty squares "propagate". After one step, g holds the squares reached by moving up to
// one square and p the squares that can be crossed by two in a row; so the next step can jump two, and the third four:
//
//      g |= p & shift1(g)    p &= shift1(p)      reach 1, then p = runs of two empty squares
//      g |= p & shift2(g)    p &= shift2(p)      reach 3, then p = runs of four
//      g |= p & shift4(g)                        reach 7
//
// One last guarded step turns the filled squares into attacked squares. The cost does not depend on the number of
// sliders, and the eight directions do not depend on each other.
//
// Inventor: Steffan Westcott, Computer Chess Club, 15 September 2002; after P. Kogge and H. Stone's adder (1973).
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008); Chessprogramming wiki.
// Tables: none. Loads per query: none. Relies on: nothing. 16 operations and a latency of 11 cycles a direction.
#pragma once

#include "methods/fill/directional_fill.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct KoggeStone : DirectionalFill<KoggeStone> {
  static constexpr MethodInfo info{.id = "kogge_stone",
                                   .title = "Kogge-Stone fill",
                                   .family = "fill",
                                   .inventor = "S. Westcott",
                                   .year = 2002,
                                   .reference = "https://www.chessprogramming.org/Kogge-Stone_Algorithm",
                                   .requires_isa = Isa::none};
  static constexpr auto tables = no_tables;

  /// Squares attacked in direction d by any of the sliders.
  template <Direction d>
  static constexpr Bitboard fill(Bitboard sliders, Bitboard empty) {
    Bitboard g = sliders;
    Bitboard p = empty & guard<d>;
    g |= p & shift<d, 1>(g);
    p &= shift<d, 1>(p);
    g |= p & shift<d, 2>(g);
    p &= shift<d, 2>(p);
    g |= p & shift<d, 4>(g);
    return shift<d>(g) & guard<d>;
  }
};

}  // namespace slidebench
