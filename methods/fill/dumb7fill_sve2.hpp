// SPDX-License-Identifier: MIT
//
// Dumb7fill in SVE2, for vectors of any length: two directions at once in 128 bits, four in 256, all eight in 512.
//
// Every 64-bit lane is a direction with a shift and a guard of its own (scalable_fill.hpp). A step is a shift and a
// selection, as in dumb7fill_neon: all that can ever be filled, the empty squares and the sliders, is known at the
// start, and the filled squares step on as a whole.
//
//      room    = empty | sliders                                      once
//      filled  = shift(filled) ? room : filled                        LSL, BSL; six times
//
// Idea: folklore of bitboard programming (G. Andersson, Othello); G. Isenberg proposed vectors for fills. This form is
// this project's.
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008); Arm's manual, SVE2 BSL.
// Tables: none; 128 bytes of shifts and guards. Loads per query: none beside those. Relies on: SVE2, and gains by
// vectors of 256 bits and more.
#pragma once

#include "methods/fill/scalable_fill.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct Dumb7fillSve2 : ScalableFill<Dumb7fillSve2> {
  static constexpr MethodInfo info{.id = "dumb7fill_sve2",
                                   .title = "Dumb7fill, SVE2",
                                   .family = "fill",
                                   .inventor = "G. Andersson, G. Isenberg",
                                   .year = 2026,
                                   .reference = "methods/fill/dumb7fill_sve2.hpp",
                                   .requires_isa = Isa::sve2};
  static constexpr auto tables = no_tables;

  /// In each lane, the squares attacked in its direction by any of its sliders.
  static svuint64_t fill(svuint64_t sliders, svuint64_t empty, svuint64_t count, svuint64_t guard) {
    const svbool_t all = svptrue_b64();
    const svuint64_t room = svorr_u64_x(all, svand_u64_x(all, empty, guard), sliders);
    svuint64_t filled = sliders;
    filled = svbsl_u64(room, filled, shift_lanes(filled, count));
    filled = svbsl_u64(room, filled, shift_lanes(filled, count));
    filled = svbsl_u64(room, filled, shift_lanes(filled, count));
    filled = svbsl_u64(room, filled, shift_lanes(filled, count));
    filled = svbsl_u64(room, filled, shift_lanes(filled, count));
    filled = svbsl_u64(room, filled, shift_lanes(filled, count));
    return svand_u64_x(all, shift_lanes(filled, count), guard);
  }
};

}  // namespace slidebench
