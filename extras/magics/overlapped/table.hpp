// SPDX-License-Identifier: MIT
//
// Is a table of arrays that may interleave valid? Every slot may hold one attack set only.
#pragma once

#include <optional>

#include "extras/magics/factor_file.hpp"
#include "methods/magic/occupancies.hpp"

namespace slidebench {

/// The place of an attack set: white indexes by (occupied & mask) * factor, black by (occupied | ~mask) * factor.
std::size_t overlap_slot(magic::Piece piece, Square square, Bitboard occupied, const FactorRow& row, bool black);

/// A query whose slot another query claims for a different attack set.
struct OverlapConflict {
  magic::Piece piece;
  Square square;
  Bitboard occupied;
  std::size_t slot;
};

/// What filling a table shows. It costs 107,648 ray walks.
struct Filling {
  std::optional<OverlapConflict> conflict;  ///< the first, the bishops' squares before the rooks'
  std::size_t slots = 0;                    ///< one more than the highest slot that any query reaches
};
Filling fill(const FactorFile& table);

/// True if there is no conflict and `slots` is exact.
bool is_valid(const FactorFile& table);

}  // namespace slidebench
