// SPDX-License-Identifier: MIT
//
// Kogge-Stone fill, two directions in one 128-bit vector.
//
// SSE2 moves both 64-bit halves of a vector by the same count, and no two of the eight directions share one. But turn a
// copy of the board upside down, and south becomes north, southeast northeast, southwest northwest:
//
//      low half               high half, upside down        both halves
//      . . . . . 1 . .        . . . . . . . .
//      . . . . 1 . . .        . . . . . . . .               << 9, and not onto the a-file:
//      . . . 1 . . . .        . . . 1 . . . .               northeast in the low half,
//      . . B . . . . .        . . B . . . . .               southeast in the high half
//
// So the scalar fill's own 16 operations, done on vectors, serve two directions; three vectors serve six (mirror.hpp).
// East and west stay as they are when the board is turned over. They are filled one by one in integer registers: a
// vector would be half empty, and the integer units are idle (shifting the halves apart and blending them takes more
// instructions than it saves).
//
// Inventors: S. Westcott (the fill, Computer Chess Club, 15 September 2002); G. Isenberg proposed SSE2 for fills.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008); Chessprogramming wiki.
// Tables: none; 64 bytes of vector constants, which a loop keeps in registers. Loads per query: none. Relies on: SSSE3
// beside SSE2, for PSHUFB turns a board over in one instruction. Best with many sliders; about 25 cycles for one.
#pragma once

#include <immintrin.h>

#include "methods/fill/kogge_stone.hpp"
#include "methods/fill/mirrored_fill.hpp"

namespace slidebench {

struct KoggeStoneSse2 : MirroredFill<KoggeStoneSse2, KoggeStone> {
  static constexpr MethodInfo info{
      .id = "kogge_stone_sse2",
      .title = "Kogge-Stone fill, SSE2",
      .family = "fill",
      .inventor = "S. Westcott, G. Isenberg",
      .year = 2008,
      .reference = "G. Isenberg, Efficient Generation of Sliding Piece Attacks, Dresden 2008",
      .requires_isa = Isa::ssse3};
  static constexpr auto tables = no_tables;

  /// In either half, the squares attacked in its direction by any of its sliders.
  template <class Pair>
  static __m128i fill(__m128i sliders, __m128i empty) {
    __m128i g = sliders;
    __m128i p = empty & Pair::guard();
    g |= p & Pair::template shift<1>(g);
    p &= Pair::template shift<1>(p);
    g |= p & Pair::template shift<2>(g);
    p &= Pair::template shift<2>(p);
    g |= p & Pair::template shift<4>(g);
    return Pair::shift(g) & Pair::guard();
  }
};

}  // namespace slidebench
