// SPDX-License-Identifier: MIT
//
// Kogge-Stone fill in SVE2, for vectors of any length: two directions at once in 128 bits, four in 256, all eight in
// 512.
//
// Every 64-bit lane is a direction with a shift and a guard of its own (scalable_fill.hpp), and the scalar fill's steps
// are done on all of them. SVE2 has BSL on whole vectors, so that g | (p & t) takes one instruction after the shift, as
// in kogge_stone_neon:
//
//      g = t ? g | p : g         with t = g << steps
//
// Inventors: S. Westcott (the fill, Computer Chess Club, 15 September 2002); G. Isenberg proposed vectors for fills.
// This form is this project's.
// Source: Chessprogramming wiki, Kogge-Stone Algorithm; Arm's manual, SVE2 BSL.
// Tables: none; 128 bytes of shifts and guards. Loads per query: none beside those. Relies on: SVE2, and gains by
// vectors of 256 bits and more.
#pragma once

#include "methods/fill/scalable_fill.hpp"
#include "methods/method.hpp"

namespace slidebench {

struct KoggeStoneSve2 : ScalableFill<KoggeStoneSve2> {
  static constexpr MethodInfo info{.id = "kogge_stone_sve2",
                                   .title = "Kogge-Stone fill, SVE2",
                                   .family = "fill",
                                   .inventor = "S. Westcott, G. Isenberg",
                                   .year = 2026,
                                   .reference = "methods/fill/kogge_stone_sve2.hpp",
                                   .requires_isa = Isa::sve2};
  static constexpr auto tables = no_tables;

  /// In each lane, the squares attacked in its direction by any of its sliders.
  static svuint64_t fill(svuint64_t sliders, svuint64_t empty, svuint64_t count, svuint64_t guard) {
    const svbool_t all = svptrue_b64();
    const svuint64_t twice = svlsl_n_u64_x(all, count, 1);
    svuint64_t g = sliders;
    svuint64_t p = svand_u64_x(all, empty, guard);
    g = or_and(g, p, shift_lanes(g, count));
    p = svand_u64_x(all, p, shift_lanes(p, count));
    g = or_and(g, p, shift_lanes(g, twice));
    p = svand_u64_x(all, p, shift_lanes(p, twice));
    g = or_and(g, p, shift_lanes(g, svlsl_n_u64_x(all, count, 2)));
    return svand_u64_x(all, shift_lanes(g, count), guard);
  }
};

}  // namespace slidebench
