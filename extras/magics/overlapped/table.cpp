// SPDX-License-Identifier: MIT
#include "extras/magics/overlapped/table.hpp"

#include <algorithm>
#include <unordered_map>

namespace slidebench {

std::size_t overlap_slot(magic::Piece piece, Square square, Bitboard occupied, const FactorRow& row, bool black) {
  const Bitboard mask = magic::relevant(piece, square);
  const Bitboard relevant = black ? occupied | ~mask : occupied & mask;
  return row.second + ((relevant * row.factor) >> (piece == magic::Piece::bishop ? 55 : 52));
}

Filling fill(const FactorFile& table) {
  std::unordered_map<std::size_t, Bitboard> sets;
  Filling filling;
  for (const magic::Piece piece : {magic::Piece::bishop, magic::Piece::rook}) {
    for (Square square = 0; square < square_count; ++square) {
      const FactorRow& row = (piece == magic::Piece::bishop ? table.bishop : table.rook)[square];
      magic::for_each_occupancy(piece, square, [&](Bitboard occupied, Bitboard attacks) {
        const std::size_t slot = overlap_slot(piece, square, occupied, row, table.variant->is_black());
        filling.slots = std::max(filling.slots, slot + 1);
        const bool fits = sets.try_emplace(slot, attacks).first->second == attacks;
        if (!fits && !filling.conflict) filling.conflict = OverlapConflict{piece, square, occupied, slot};
      });
    }
  }
  return filling;
}

bool is_valid(const FactorFile& table) {
  const Filling filling = fill(table);
  return !filling.conflict && filling.slots == table.slots;
}

}  // namespace slidebench
