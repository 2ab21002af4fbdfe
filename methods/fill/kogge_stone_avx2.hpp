// SPDX-License-Identifier: MIT
//
// Kogge-Stone fill, four directions in one 256-bit vector.
//
// AVX2 shifts each 64-bit lane by its own count. The four directions toward higher squares are left shifts, the other
// four right shifts by the same counts, so the scalar fill's 16 operations, done on two vectors, fill all eight:
//
//      VPSLLVQ     8  north     9  northeast     1  east     7  northwest
//      VPSRLVQ     8  south     9  southwest     1  west     7  southeast
//
// Each lane has its own guard: the files onto which its steps would wrap, taken out of the empty squares and out of the
// last step. Orthogonal and diagonal lanes alternate; the two vectors united and folded once leave the rook's set in
// one word and the bishop's in the other. A set of sliders costs what a queen costs: rooks and queens are put into the
// orthogonal lanes, bishops and queens into the diagonal ones.
//
// One rook needs only half of each vector. One bishop needs only one vector: its downward directions are filled upward
// on a mirror image of the board (left_right_fill.hpp); a quarter fewer instructions, at four cycles more latency.
//
// Inventors: S. Westcott (the fill, 2002); 87flowers (Reckless, 2026) for sets of sliders with AVX2.
// Source: https://github.com/codedeliveryservice/Reckless/pull/914; Chessprogramming wiki, AVX2, Kogge-Stone Algorithm.
// Tables: none; 400 bytes of vector constants, which a loop keeps in registers. Loads per query: none. Relies on:
// AVX2. One query waits for a chain of 25 to 30 cycles; throughput and set queries are the strength.
#pragma once

#include "methods/fill/left_right_fill.hpp"

namespace slidebench {

struct KoggeStoneAvx2 : LeftRightFill<KoggeStoneAvx2> {
  static constexpr MethodInfo info{.id = "kogge_stone_avx2",
                                   .title = "Kogge-Stone fill, AVX2",
                                   .family = "fill",
                                   .inventor = "S. Westcott, 87flowers",
                                   .year = 2026,
                                   .reference = "https://github.com/codedeliveryservice/Reckless/pull/914",
                                   .requires_isa = Isa::avx2};
  static constexpr auto tables = no_tables;

  /// In each lane, the squares attacked in its direction by any of its sliders.
  template <class Shifts, class Vector = typename Shifts::Vector>
  static Vector fill(Vector sliders, Vector empty) {
    Vector g = sliders;
    Vector p = empty & Shifts::guard();
    g |= p & Shifts::template shift<1>(g);
    p &= Shifts::template shift<1>(p);
    g |= p & Shifts::template shift<2>(g);
    p &= Shifts::template shift<2>(p);
    g |= p & Shifts::template shift<4>(g);
    return Shifts::shift(g) & Shifts::guard();
  }
};

}  // namespace slidebench
