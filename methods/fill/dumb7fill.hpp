// SPDX-License-Identifier: MIT
//
// Dumb7fill: flood the empty squares in one direction, one step at a time, all sliders at once.
//
// A slider moves over at most six empty squares before the seventh step meets the edge. So six times: step the frontier
// onto the next empty squares and collect it; then one last step, onto blockers too, turns the filled squares into
// attacked squares. Nothing in this asks how many sliders there are: a set of rooks costs what one rook costs.
//
//      sliders  R . . . X . . R       step 1  . 1 . . . . . .     (east; X and the second R are not empty)
//      empty    . 1 1 1 . 1 1 .       step 2  . . 1 . . . . .
//                                     step 3  . . . 1 . . . .
//      attacks  . 1 1 1 1 . . .       = one step from R and from all that was filled
//
// The guard (no step may arrive from the other edge) is applied to the empty squares once and to the last step. The
// frontier is kept apart from the collected squares, so that the OR is not on the critical path.
//
// Idea: folklore of bitboard programming; known from Othello programs (G. Andersson).
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008), "dumb7fill".
// Tables: none. Loads per query: none. Relies on: nothing. Slow for one slider: about 80 operations a bishop or rook.
#pragma once

#include "methods/fill/directional_fill.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct Dumb7fill : DirectionalFill<Dumb7fill> {
  static constexpr MethodInfo info{
      .id = "dumb7fill",
      .title = "Dumb7fill",
      .family = "fill",
      .inventor = "G. Andersson",
      .year = 2000,
      .reference = "G. Isenberg, Efficient Generation of Sliding Piece Attacks, Dresden 2008",
      .requires_isa = Isa::none};
  static constexpr auto tables = no_tables;

  /// Squares attacked in direction d by any of the sliders.
  template <Direction d>
  static constexpr Bitboard fill(Bitboard sliders, Bitboard empty) {
    const Bitboard open = empty & guard<d>;
    Bitboard frontier = sliders;
    Bitboard filled = sliders;
    frontier = shift<d>(frontier) & open, filled |= frontier;
    frontier = shift<d>(frontier) & open, filled |= frontier;
    frontier = shift<d>(frontier) & open, filled |= frontier;
    frontier = shift<d>(frontier) & open, filled |= frontier;
    frontier = shift<d>(frontier) & open, filled |= frontier;
    frontier = shift<d>(frontier) & open, filled |= frontier;
    return shift<d>(filled) & guard<d>;
  }
};

}  // namespace slidebench
