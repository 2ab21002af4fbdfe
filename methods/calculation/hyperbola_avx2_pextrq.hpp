// SPDX-License-Identifier: MIT
//
// Four-lane hyperbola with VMOVQ and VPEXTRQ exchanged: each answer has one slow step, not one of them two.
//
// In hyperbola_avx2_extract the bishop's set waits for VEXTRACTI128 and then for VPEXTRQ, the slower of the two ways
// out; the file waits for VEXTRACTI128 as well, to be united with an empty lane. Here the lanes are diagonal, file,
// antidiagonal, none, and the ways out change places:
//
//      bishop      VEXTRACTI128, OR, VMOVQ             file        VPEXTRQ of the lower half, beside it
//
// Inventor: "anematode" proposed it in the thread of Stockfish pull request 7181 (September 2026).
// Source: that thread; the order of the lanes is this project's.
// Tables: 64 records x 64 bytes + first rank 512 = 4,608 bytes. Loads: both 5 of one record (the masks are one load),
// and a rank 1 set. Relies on: AVX2, and a short way between the register files.
#pragma once

#include "methods/calculation/hyperbola_both.hpp"

namespace slidebench {

struct HyperbolaAvx2Pextrq : HyperbolaBoth<Halves::extract, BishopLanes::low, RankIndex::shift> {
  static constexpr MethodInfo info{.id = "hyperbola_avx2_pextrq",
                                   .title = "Four-lane hyperbola, file by VPEXTRQ",
                                   .family = "calculation",
                                   .inventor = "anematode (Stockfish)",
                                   .year = 2026,
                                   .reference = "https://github.com/official-stockfish/Stockfish/pull/7181",
                                   .requires_isa = Isa::avx2};
};

}  // namespace slidebench
