// SPDX-License-Identifier: MIT
#include "extras/magics/overlapped/table.hpp"

#include <algorithm>
#include <unordered_map>

namespace slidebench {
namespace {

constexpr std::array pieces{magic::Piece::bishop, magic::Piece::rook};

const OffsetFactor& factor_of(const OverlapTable& table, magic::Piece piece, Square square) {
  return (piece == magic::Piece::bishop ? table.bishop : table.rook)[square];
}

}  // namespace

OverlapTable overlap_table(const FactorFile& file) {
  OverlapTable table{{}, {}, static_cast<std::size_t>(file.slots)};
  for (std::size_t s = 0; s < 64; ++s) {
    table.bishop[s] = {file.bishop[s].factor, static_cast<std::uint32_t>(file.bishop[s].second)};
    table.rook[s] = {file.rook[s].factor, static_cast<std::uint32_t>(file.rook[s].second)};
  }
  return table;
}

std::size_t overlap_slot(magic::Piece piece, Square square, Bitboard occupied, const OffsetFactor& factor, bool black) {
  const Bitboard mask = magic::relevant(piece, square);
  const Bitboard relevant = black ? occupied | ~mask : occupied & mask;
  return factor.first + ((relevant * factor.factor) >> (piece == magic::Piece::bishop ? 55 : 52));
}

std::optional<OverlapConflict> find_conflict(const OverlapTable& table, bool black) {
  std::unordered_map<std::size_t, Bitboard> sets;
  std::optional<OverlapConflict> conflict;
  for (const magic::Piece piece : pieces) {
    for (Square square = 0; square < square_count && !conflict; ++square) {
      magic::for_each_occupancy(piece, square, [&](Bitboard occupied, Bitboard attacks) {
        const std::size_t slot = overlap_slot(piece, square, occupied, factor_of(table, piece, square), black);
        const bool fits = sets.try_emplace(slot, attacks).first->second == attacks;
        if (!fits && !conflict) conflict = OverlapConflict{piece, square, occupied, slot};
      });
    }
  }
  return conflict;
}

std::size_t count_slots(const OverlapTable& table, bool black) {
  std::size_t slots = 0;
  for (const magic::Piece piece : pieces) {
    for (Square square = 0; square < square_count; ++square) {
      const OffsetFactor& factor = factor_of(table, piece, square);
      magic::for_each_occupancy(piece, square, [&](Bitboard occupied, Bitboard) {
        slots = std::max(slots, overlap_slot(piece, square, occupied, factor, black) + 1);
      });
    }
  }
  return slots;
}

bool is_valid(const OverlapTable& table, bool black) {
  return !find_conflict(table, black) && table.slots == count_slots(table, black);
}

}  // namespace slidebench
