// SPDX-License-Identifier: MIT
//
// Dumb7fill, four directions in one 256-bit vector.
//
// The scalar dumb7fill steps a frontier over the empty squares six times and collects where it has been. AVX2 shifts
// each 64-bit lane by its own count, so one instruction steps four frontiers, each in its own direction:
//
//      VPSLLVQ     8  north     9  northeast     1  east     7  northwest
//      VPSRLVQ     8  south     9  southwest     1  west     7  southeast
//
// Two vectors are a queen, or any set of sliders with the rooks in the orthogonal lanes and the bishops in the diagonal
// ones. A rook takes half of each; a bishop takes one vector, with a mirror image of the board in two of its lanes
// (left_right_fill.hpp). kogge_stone_avx2 does the same with a third fewer instructions; this is the simpler of the
// two.
//
// Idea: folklore of bitboard programming (G. Andersson, Othello); D. Infuehr's AVXShift (February 2022) steps one
// slider in four lanes, first to the left and then to the right.
// Source: https://github.com/Gigantua/Chess_Movegen.
// Tables: none; 240 bytes of vector constants, which a loop keeps in registers. Loads per query: none. Relies on:
// AVX2. One query waits for a chain of about 30 cycles.
#pragma once

#include "methods/fill/left_right_fill.hpp"

namespace slidebench {

struct Dumb7fillAvx2 : LeftRightFill<Dumb7fillAvx2> {
  static constexpr MethodInfo info{.id = "dumb7fill_avx2",
                                   .title = "Dumb7fill, AVX2",
                                   .family = "fill",
                                   .inventor = "G. Andersson, D. Infuehr",
                                   .year = 2022,
                                   .reference = "https://github.com/Gigantua/Chess_Movegen",
                                   .requires_isa = Isa::avx2};
  static constexpr auto tables = no_tables;

  /// In each lane, the squares attacked in its direction by any of its sliders.
  template <class Shifts, class Vector = typename Shifts::Vector>
  static Vector fill(Vector sliders, Vector empty) {
    const Vector open = empty & Shifts::guard();
    Vector frontier = sliders;
    Vector filled = sliders;
    frontier = Shifts::shift(frontier) & open, filled |= frontier;
    frontier = Shifts::shift(frontier) & open, filled |= frontier;
    frontier = Shifts::shift(frontier) & open, filled |= frontier;
    frontier = Shifts::shift(frontier) & open, filled |= frontier;
    frontier = Shifts::shift(frontier) & open, filled |= frontier;
    frontier = Shifts::shift(frontier) & open, filled |= frontier;
    return Shifts::shift(filled) & Shifts::guard();
  }
};

}  // namespace slidebench
