// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence, with the rank's sets taken from a row for each file: hyperbola.hpp but for the order of that
// table, by which the index need not be scaled after the occupancy has arrived.
#pragma once

#include "methods/calculation/hyperbola.hpp"

namespace slidebench {

struct HyperbolaRow {
  static constexpr MethodInfo info{.id = "hyperbola_row",
                                   .title = "Hyperbola quintessence, ranks by rows",
                                   .family = "calculation",
                                   .inventor = "G. Isenberg, A. Peshkov, R. Mack",
                                   .year = 2007,
                                   .reference = "https://www.chessprogramming.org/Hyperbola_Quintessence",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) { return Hyperbola::bishop(s, occupied); }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    const auto sets = first_rank_attacks.row(std::size_t{64} * file_of(s));
    const unsigned rank_start = s & 56;
    return Hyperbola::file_attacks(s, occupied) | Bitboard{sets[(occupied >> (rank_start + 1)) & 63]} << rank_start;
  }

  static constexpr std::array tables{table_info("masks", Hyperbola::masks),
                                     table_info("first_rank", first_rank_attacks)};
};

}  // namespace slidebench
