// SPDX-License-Identifier: MIT
//
// Is an overlapped table valid? Every slot may hold one attack set only.
#pragma once

#include <array>
#include <optional>

#include "extras/magics/factor_file.hpp"
#include "methods/magic/occupancies.hpp"
#include "methods/magic/offset_factor.hpp"

namespace slidebench {

struct OverlapTable {
  std::array<OffsetFactor, 64> bishop;
  std::array<OffsetFactor, 64> rook;
  std::size_t slots;  ///< one more than the highest slot in use
};

/// The table that a file of an overlapped variant describes.
OverlapTable overlap_table(const FactorFile& file);

/// The place of an attack set: white indexes by (occupied & mask) * factor, black by (occupied | ~mask) * factor.
std::size_t overlap_slot(magic::Piece piece, Square square, Bitboard occupied, const OffsetFactor& factor, bool black);

/// A query whose slot another query claims for a different attack set.
struct OverlapConflict {
  magic::Piece piece;
  Square square;
  Bitboard occupied;
  std::size_t slot;
};

/// Fills the table; returns the first conflict, the bishops' squares before the rooks'. It costs 107,648 ray walks.
std::optional<OverlapConflict> find_conflict(const OverlapTable& table, bool black);

/// One more than the highest slot that any query reaches.
std::size_t count_slots(const OverlapTable& table, bool black);

/// True if there is no conflict and `slots` is exact.
bool is_valid(const OverlapTable& table, bool black);

}  // namespace slidebench
