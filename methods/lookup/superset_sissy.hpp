// SPDX-License-Identifier: MIT
//
// SISSY bitboards, split index super set yielding: look the eight ranks of the board up one by one, and intersect.
//
// For each square and each rank of the board there are 256 queen sets: the attacks if that rank alone had pieces, in
// each of the ways it can. A square is attacked if no piece of any rank hides it, so the attacks are what all eight
// sets have in common:
//
//      queen = sets[s][rank 1][byte 0 of occupied] & sets[s][rank 2][byte 1] & ... & sets[s][rank 8][byte 7]
//
// Each set is a superset of the answer (hence the name). No multiplication and no mask, the bytes of the occupancy are
// the indices as they are, and the eight loads do not wait for each other; but there are eight of them, in 16 KiB a
// square. Bishop and rook are cut out of the queen's set by their lines; `both` looks up once.
//
// Inventor: Michael Sherwin (CCC, 13 February 2020).
// Source: Chessprogramming wiki, SISSY Bitboards.
// Tables: 64 x 8 x 256 sets x 8 bytes = 1,048,576, and 64 records x 16 = 1,024; 1,049,600 bytes.
// Loads: 8 sets, and 1 mask for a bishop or a rook, 2 for both. Relies on: caches and a TLB that hold a MiB.
#pragma once

#include "methods/method.hpp"
#include "methods/reference.hpp"

namespace slidebench {

struct SupersetSissy {
  static constexpr MethodInfo info{.id = "superset_sissy",
                                   .title = "SISSY bitboards",
                                   .family = "lookup",
                                   .inventor = "M. Sherwin",
                                   .year = 2020,
                                   .reference = "https://www.chessprogramming.org/SISSY_Bitboards",
                                   .requires_isa = Isa::none};

  static Bitboard bishop(Square s, Bitboard occupied) { return queen(s, occupied) & lines.member(s, &Lines::bishop); }
  static Bitboard rook(Square s, Bitboard occupied) { return queen(s, occupied) & lines.member(s, &Lines::rook); }

  static Bitboard queen(Square s, Bitboard occupied) {
    const auto ranks = sets.row(std::size_t{8} * 256 * s);
    return ranks[occupied & 255] & ranks[256 + ((occupied >> 8) & 255)] & ranks[512 + ((occupied >> 16) & 255)] &
           ranks[768 + ((occupied >> 24) & 255)] & ranks[1024 + ((occupied >> 32) & 255)] &
           ranks[1280 + ((occupied >> 40) & 255)] & ranks[1536 + ((occupied >> 48) & 255)] &
           ranks[1792 + (occupied >> 56)];
  }

  static BishopRook both(Square s, Bitboard occupied) {
    const Bitboard attacks = queen(s, occupied);
    return {attacks & lines.member(s, &Lines::bishop), attacks & lines.member(s, &Lines::rook)};
  }

  /// Fills the sets: 131,072 walks along eight rays.
  static void init() {
    for (std::size_t i = 0; i < std::size_t{64} * 8 * 256; ++i) {
      const auto s = static_cast<Square>(i / 2048);
      const auto rank = static_cast<unsigned>(i / 256 % 8);
      sets.data[i] = reference::queen(s, Bitboard{i % 256} << (8 * rank));
    }
  }

 private:
  /// Element 2048 * square + 256 * rank + (what stands on that rank): the queen's attacks if nothing else stood.
  static inline Table<Bitboard, std::size_t{64} * 8 * 256> sets;

  struct Lines {
    Bitboard bishop;
    Bitboard rook;
  };

  static constexpr Table<Lines, 64> lines = [] {
    Table<Lines, 64> table;
    for (Square s = 0; s < 64; ++s) {
      table.data[s] = {diagonal_mask(s) | antidiagonal_mask(s), file_mask(s) | rank_mask(s)};
    }
    return table;
  }();

 public:
  static constexpr std::array tables{table_info("sets", sets), table_info("lines", lines)};
};

}  // namespace slidebench
