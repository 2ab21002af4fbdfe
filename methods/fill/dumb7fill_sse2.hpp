// SPDX-License-Identifier: MIT
//
// Dumb7fill, two directions in one 128-bit vector.
//
// The scalar dumb7fill steps a frontier over the empty squares six times and collects where it has been. Here the low
// half of a vector holds the board and the high half its mirror image, upside down (mirror.hpp): a step northeast in
// both is a step northeast and a step southeast on the board, with the same shift count and the same guard.
//
//      three vectors     << 8  north and south     << 9  northeast and southeast     << 7  northwest and southwest
//      integer units     east, west: a mirror image does not reverse a rank, so they remain scalar
//
// The frontier passes through a shift and an AND a step, as in the scalar form; the vectors do not make the chain of
// six steps shorter, they only walk two chains at once.
//
// Idea: folklore of bitboard programming (G. Andersson, Othello); G. Isenberg proposed SSE2 for fills.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008).
// Tables: none; 64 bytes of vector constants, which a loop keeps in registers. Loads per query: none. Relies on: SSSE3
// beside SSE2, for PSHUFB turns a board over in one instruction. Slow for one slider.
#pragma once

#include <immintrin.h>

#include "methods/fill/dumb7fill.hpp"
#include "methods/fill/mirrored_fill.hpp"

namespace slidebench {

struct Dumb7fillSse2 : MirroredFill<Dumb7fillSse2, Dumb7fill> {
  static constexpr MethodInfo info{
      .id = "dumb7fill_sse2",
      .title = "Dumb7fill, SSE2",
      .family = "fill",
      .inventor = "G. Andersson, G. Isenberg",
      .year = 2008,
      .reference = "G. Isenberg, Efficient Generation of Sliding Piece Attacks, Dresden 2008",
      .requires_isa = Isa::ssse3};
  static constexpr auto tables = no_tables;

  /// In either half, the squares attacked in its direction by any of its sliders.
  template <class Pair>
  static __m128i fill(__m128i sliders, __m128i empty) {
    const __m128i open = empty & Pair::guard();
    __m128i frontier = sliders;
    __m128i filled = sliders;
    frontier = Pair::shift(frontier) & open, filled |= frontier;
    frontier = Pair::shift(frontier) & open, filled |= frontier;
    frontier = Pair::shift(frontier) & open, filled |= frontier;
    frontier = Pair::shift(frontier) & open, filled |= frontier;
    frontier = Pair::shift(frontier) & open, filled |= frontier;
    frontier = Pair::shift(frontier) & open, filled |= frontier;
    return Pair::shift(filled) & Pair::guard();
  }
};

}  // namespace slidebench
