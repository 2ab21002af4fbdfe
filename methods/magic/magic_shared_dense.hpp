// SPDX-License-Identifier: MIT
//
// Magic with shared attacks and dense factors: both ways to shrink the table of magic_fancy.hpp at once.
//
// Squares share slots as in magic_shared.hpp, and their factors are those of magic_dense.hpp, with one index bit less
// where such a factor exists. A group gains only if its longest member does: of the rooks, those of the seventh and
// eighth rank. Neither costs a query anything beyond the final AND of sharing.
//
// Inventors: Lasse Hansen (sharing, 2008); dense factors by many (magic_dense.hpp).
// Source: Chessprogramming wiki, Magic Bitboards.
// Tables: 8 bytes for each slot (56,320 + 1,792 slots = 464,896 bytes with all rook factors that are known to exist;
// the compiler counts those of dense_factors.hpp), and 64 records x 64 bytes = 4,096. Loads: 1 record (5 fields) + 1
// union. Relies on: a fast multiplication, and on the unions being in cache.
#pragma once

#include "methods/magic/dense_factors.hpp"
#include "methods/magic/sharing.hpp"

namespace slidebench {

constexpr sharing::Factor dense_factor(magic::Piece piece, Square s) {
  const DenseFactor& f = piece == magic::Piece::rook ? dense_rook_factors[s] : dense_bishop_factors[s];
  return {f.factor, f.bits};
}

struct MagicSharedDense : sharing::SharedMagic<dense_factor> {
  static constexpr MethodInfo info{.id = "magic_shared_dense",
                                   .title = "Magic, shared attacks, dense",
                                   .family = "magic",
                                   .inventor = "L. Hansen",
                                   .year = 2008,
                                   .reference = "https://www.chessprogramming.org/Magic_Bitboards",
                                   .requires_isa = Isa::none};
};

}  // namespace slidebench
