// SPDX-License-Identifier: MIT
//
// How often an attack query comes again soon: the locality that tables and caches live on.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "harness/trace/block.hpp"

namespace slidebench {

/// The squares whose occupancy decides the answer to a query.
constexpr Bitboard relevant_squares(QueryKind kind, Square s) {
  switch (kind) {
    case QueryKind::bishop: return bishop_relevant(s);
    case QueryKind::rook: return rook_relevant(s);
    case QueryKind::queen:
    case QueryKind::both: return bishop_relevant(s) | rook_relevant(s);
  }
  return 0;
}

/// Tells for each query how many queries ago the same one (kind, square, relevant occupancy) was asked.
///
/// Exact up to `window` queries back, in memory of that order: the queries are cut into epochs of that length, and a
/// query within the window lies in this epoch or in the one before.
class RecurrenceFinder {
 public:
  static constexpr std::uint64_t window = 1024;

  RecurrenceFinder();

  /// Takes the next query. Returns the distance to its last occurrence, 1 = the query just before; 0 if that lies
  /// further back than `window`, or there is none.
  std::uint64_t add(QueryCode query, Bitboard occupied);

 private:
  struct Slot {
    Bitboard relevant_occupancy = 0;
    QueryCode query = 0;
    std::uint64_t position = 0;  ///< number of the query, counted from 1; 0 means a free slot
  };

  /// Half full at most, so that a search ends soon.
  using Epoch = std::array<Slot, std::bit_ceil(2 * window)>;

  static Slot& find(Epoch& epoch, Bitboard relevant_occupancy, QueryCode query);

  std::array<Bitboard, 256> relevant_;  ///< by query code
  std::vector<Epoch> epochs_;           ///< this one and the one before, alternating
  std::uint64_t position_ = 0;
};

}  // namespace slidebench
