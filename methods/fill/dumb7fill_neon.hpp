// SPDX-License-Identifier: MIT
//
// Dumb7fill, two opposite directions in one NEON vector, two instructions per step.
//
// One half of a vector holds the board, the other the board turned by 180 degrees, in which every direction is its
// opposite (half_turn.hpp).
//
// The scalar dumb7fill takes three operations a step: shift the frontier, AND it with the empty squares, OR it to what
// is filled. NEON's BIT inserts bits where a third operand has ones, and all that can ever be filled is known at the
// start, the empty squares and the sliders. So the frontier goes, and the filled squares step on as a whole:
//
//      room    = empty | sliders                                      once
//      filled  = shift(filled) ? room : filled                        SHL, BIT; six times
//
// Stepping the sliders' own bits again changes nothing, for the filled squares never leave `room`.
//
// Idea: folklore of bitboard programming (G. Andersson, Othello); G. Isenberg proposed vectors for fills. The step of
// two instructions is this project's.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008).
// Tables: none. Loads per query: none; the shifts and guards are part of the instructions. Relies on: NEON, and RBIT of
// the integer unit. kogge_stone_neon takes as many instructions, with a chain half as long.
#pragma once

#include "methods/fill/half_turn.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct Dumb7fillNeon : HalfTurnFill<Dumb7fillNeon> {
  static constexpr MethodInfo info{.id = "dumb7fill_neon",
                                   .title = "Dumb7fill, NEON",
                                   .family = "fill",
                                   .inventor = "G. Andersson, G. Isenberg",
                                   .year = 2026,
                                   .reference = "methods/fill/dumb7fill_neon.hpp",
                                   .requires_isa = Isa::neon};
  static constexpr auto tables = no_tables;

  /// In either half, the squares attacked in its direction by any of its sliders.
  template <class Pair>
  static uint64x2_t fill(uint64x2_t sliders, uint64x2_t empty) {
    const uint64x2_t room = vorrq_u64(Pair::guarded(empty), sliders);
    uint64x2_t filled = sliders;
    filled = vbslq_u64(Pair::shift(filled), room, filled);
    filled = vbslq_u64(Pair::shift(filled), room, filled);
    filled = vbslq_u64(Pair::shift(filled), room, filled);
    filled = vbslq_u64(Pair::shift(filled), room, filled);
    filled = vbslq_u64(Pair::shift(filled), room, filled);
    filled = vbslq_u64(Pair::shift(filled), room, filled);
    return Pair::guarded(Pair::shift(filled));
  }
};

}  // namespace slidebench
