// SPDX-License-Identifier: MIT
//
// Four-lane hyperbola, the form of Stockfish: VEXTRACTI128, then the file by VMOVQ and the bishop by VPEXTRQ.
//
// The lanes are file, diagonal, none, antidiagonal, so that one OR of the two halves leaves the file in lane 0 and the
// bishop's set in lane 1. That is one shuffle for both answers; hyperbola_avx2, whose diagonals share a half, takes two
// (VPUNPCKHQDQ unites them, VEXTRACTI128 brings the file), but no VPEXTRQ, which is a shuffle and a move.
//
// The other forms differ from this one in one thing each: hyperbola_avx2_permute, hyperbola_avx2_pextrq,
// hyperbola_avx2_bextr. Their common code is hyperbola_both.hpp; reports/archive compares them.
//
// Inventor: "anematode" (Stockfish pull request 6845, May 2026); the table of inner squares: N. Fiekas (6865) and
// M. Stembera (6998). Source: those pull requests.
// Tables: 64 records x 64 bytes + first rank 512 = 4,608 bytes. Loads: both 5 of one record (the masks are one load),
// and a rank 1 set. Relies on: AVX2, and a short way between the register files.
#pragma once

#include "methods/calculation/hyperbola_both.hpp"

namespace slidebench {

struct HyperbolaAvx2Extract : HyperbolaBoth<Halves::extract, BishopLanes::high, RankIndex::shift> {
  static constexpr MethodInfo info{.id = "hyperbola_avx2_extract",
                                   .title = "Four-lane hyperbola, VEXTRACTI128 and VPEXTRQ",
                                   .family = "calculation",
                                   .inventor = "anematode (Stockfish), after G. Isenberg",
                                   .year = 2026,
                                   .reference = "https://github.com/official-stockfish/Stockfish/pull/6998",
                                   .requires_isa = Isa::avx2};
};

}  // namespace slidebench
