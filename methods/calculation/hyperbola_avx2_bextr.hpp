// SPDX-License-Identifier: MIT
//
// Four-lane hyperbola with BEXTR for the rank: one instruction cuts the index out of the occupancy.
//
// As hyperbola_avx2_extract, but the index of the rank table is not shifted down and masked:
//
//      shift       (occupied >> start) & 126, times four        SHRX, AND; files b to g, 512 bytes
//      bextr       BEXTR(occupied, start + 256 * 7)             BEXTR; files a to g, 1,024 bytes
//
// BEXTR takes first bit and length from one register. If the field begins with the a-file, the lowest six bits of that
// register are the count of the shift that brings the set to its rank, too, and nothing else has to be loaded. The
// price is a table twice as long. (Cut out from the b-file on, as proposed, the table keeps its 512 bytes, and a
// decrement takes the place of the AND.) BEXTR is one micro-operation on AMD's processors and two on Intel's, where it
// saves nothing.
//
// Inventor: "anematode" asked for it in the review of Stockfish pull request 6865 (May 2026); the field of seven
// squares is this project's. Source: that review. Tables: 64 records x 64 bytes + first rank 1,024 = 5,120 bytes.
// Loads: both 5 of one record (the masks are one load), and a rank 1 set. Relies on: AVX2, BMI1, and a short way
// between the register files.
#pragma once

#ifndef __BMI__
#error "hyperbola_avx2_bextr needs BMI1: compile for x86-64-v3 or with -mavx2 -mbmi"
#endif

#include "methods/calculation/hyperbola_both.hpp"

namespace slidebench {

struct HyperbolaAvx2Bextr : HyperbolaBoth<Halves::extract, BishopLanes::high, RankIndex::bextr> {
  static constexpr MethodInfo info{.id = "hyperbola_avx2_bextr",
                                   .title = "Four-lane hyperbola, ranks by BEXTR",
                                   .family = "calculation",
                                   .inventor = "slidebench, after anematode (Stockfish)",
                                   .year = 2026,
                                   .reference = "https://github.com/official-stockfish/Stockfish/pull/6865",
                                   .requires_isa = Isa::avx2 | Isa::bmi1};
};

}  // namespace slidebench
