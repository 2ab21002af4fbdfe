// SPDX-License-Identifier: MIT
//
// Four-lane hyperbola, VPERMQ instead of VEXTRACTI128.
//
// As hyperbola_avx2_extract, but the halves of the vector change places by VPERMQ, and the OR is 256 bits wide:
//
//      extract     lower half | VEXTRACTI128(lines)          permute     lower half of (lines | VPERMQ(lines))
//
// The number of instructions is the same. In Stockfish this form passed two tests of 94,080 and 104,064 games for more
// speed (pull request 7181, September 2026), without an explanation. Compilers know that the two are equal: Clang 14
// makes an extract of it again, GCC 12 leaves it.
//
// Inventor: M. Stembera (Stockfish pull request 7181, 2026). Source: that pull request.
// Tables: 64 records x 64 bytes + first rank 512 = 4,608 bytes. Loads: both 5 of one record (the masks are one load),
// and a rank 1 set. Relies on: AVX2, and a short way between the register files.
#pragma once

#include "methods/calculation/hyperbola_both.hpp"

namespace slidebench {

struct HyperbolaAvx2Permute : HyperbolaBoth<Halves::permute, BishopLanes::high, RankIndex::shift> {
  static constexpr MethodInfo info{.id = "hyperbola_avx2_permute",
                                   .title = "Four-lane hyperbola, VPERMQ",
                                   .family = "calculation",
                                   .inventor = "M. Stembera (Stockfish)",
                                   .year = 2026,
                                   .reference = "https://github.com/official-stockfish/Stockfish/pull/7181",
                                   .requires_isa = Isa::avx2};
};

}  // namespace slidebench
