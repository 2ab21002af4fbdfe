// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence with whole ranks: the rank table is indexed by all eight squares of the rank.
//
// Files and diagonals are those of `hyperbola`. For the rank, nothing is masked: the occupancy shifted down to the
// first rank, cut to a byte, is the index, and the slider's file the column.
//
//      h g f e d c b a
//      0 1 0 0 1 0 0 0   = 72     element 8 * 72 + file(s): the attacks of every file's slider on this rank
//
// The outer two squares cannot hide anything, so each set stands in the table four times. What this buys is a cut that
// is free where bytes can be addressed: a program that keeps the occupancy in memory loads the rank as one byte,
// without a shift. From a register it costs exactly the instructions of the table of 512 bytes, and four times the
// cache, so that `hyperbola` is the better form here.
//
// Inventors: as for `hyperbola`. Rows of 256 were also the first form of Stockfish's `hyperbola_avx2` (2026).
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008), "rank attacks".
// Tables: 3 masks x 64 squares x 8 bytes + 256 x 8 bytes = 3,584 bytes. Loads: bishop 2, rook 2.
// Relies on: what `hyperbola` relies on.
#pragma once

#include "methods/calculation/hyperbola.hpp"

namespace slidebench {

struct HyperbolaRank256 {
  static constexpr MethodInfo info{.id = "hyperbola_rank256",
                                   .title = "Hyperbola quintessence, whole ranks",
                                   .family = "calculation",
                                   .inventor = "G. Isenberg, A. Peshkov, R. Mack",
                                   .year = 2007,
                                   .reference = "https://www.chessprogramming.org/Hyperbola_Quintessence",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) { return Hyperbola::bishop(s, occupied); }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    return Hyperbola::file_attacks(s, occupied) | whole_rank_attacks(s, occupied);
  }

 private:
  /// Element 8 * (occupancy of the rank) + file: the attacks along the first rank.
  static constexpr Table<std::uint8_t, 256 * 8> rank_sets = [] {
    Table<std::uint8_t, 256 * 8> table;
    for (unsigned i = 0; i < 256 * 8; ++i) table.data[i] = first_rank_by_inner.data[8 * (i / 16 % 64) + i % 8];
    return table;
  }();

  static constexpr Bitboard whole_rank_attacks(Square s, Bitboard occupied) {
    const unsigned rank_start = s & 56;
    const Bitboard rank = (occupied >> rank_start) & first_rank;
    return Bitboard{rank_sets[8 * rank + file_of(s)]} << rank_start;
  }

 public:
  static constexpr std::array tables{table_info("masks", Hyperbola::masks), table_info("ranks", rank_sets)};
};

}  // namespace slidebench
