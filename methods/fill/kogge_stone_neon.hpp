// SPDX-License-Identifier: MIT
//
// Kogge-Stone fill, two opposite directions in one NEON vector.
//
// One half of a vector holds the board, the other the board turned by 180 degrees, in which every direction is its
// opposite (half_turn.hpp). So the scalar fill's 16 operations, done on vectors, serve two directions each, and four
// vectors all eight, east and west among them.
//
// The chain that counts is that of g: three times shift, AND, OR. NEON's BIT takes a bit from one operand or the other,
// and g | (p & t) is "g | p where t, else g": the OR does not wait for the shift, and the chain is three times shift,
// BIT. The number of instructions stays the same.
//
//      t = g << 1       g | p          n = g | p         the two in parallel
//            |            |
//            +--- BIT ----+            g = t ? n : g
//
// Inventors: S. Westcott (the fill, Computer Chess Club, 15 September 2002); G. Isenberg proposed vectors for fills.
// The turned board and the selection are this project's.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008); Chessprogramming wiki.
// Tables: none. Loads per query: none; the shifts and guards are part of the instructions. Relies on: NEON, and RBIT of
// the integer unit.
#pragma once

#include "methods/fill/half_turn.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct KoggeStoneNeon : HalfTurnFill<KoggeStoneNeon> {
  static constexpr MethodInfo info{.id = "kogge_stone_neon",
                                   .title = "Kogge-Stone fill, NEON",
                                   .family = "fill",
                                   .inventor = "S. Westcott, G. Isenberg",
                                   .year = 2026,
                                   .reference = "methods/fill/kogge_stone_neon.hpp",
                                   .requires_isa = Isa::neon};
  static constexpr auto tables = no_tables;

  /// In either half, the squares attacked in its direction by any of its sliders.
  template <class Pair>
  static uint64x2_t fill(uint64x2_t sliders, uint64x2_t empty) {
    uint64x2_t g = sliders;
    uint64x2_t p = Pair::guarded(empty);
    g = or_and(g, p, Pair::template shift<1>(g));
    p = vandq_u64(p, Pair::template shift<1>(p));
    g = or_and(g, p, Pair::template shift<2>(g));
    p = vandq_u64(p, Pair::template shift<2>(p));
    g = or_and(g, p, Pair::template shift<4>(g));
    return Pair::guarded(Pair::shift(g));
  }
};

}  // namespace slidebench
