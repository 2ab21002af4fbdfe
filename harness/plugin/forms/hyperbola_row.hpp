// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence, its ranks two cycles sooner: hyperbola.hpp but for one address.
//
// A rank's sets are at table + file + 4 * (occupied squares of the rank). Table and file are known before the occupancy
// arrives, and one load could add all three. GCC adds the file last: an LEA that scales, two cycles, stands between the
// occupancy and the load. An empty asm statement keeps it from seeing that table + file is a sum.
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

  static Bitboard bishop(Square s, Bitboard occupied) { return Hyperbola::bishop(s, occupied); }

  static Bitboard rook(Square s, Bitboard occupied) {
    const std::uint8_t* row = first_rank_by_inner.data + file_of(s);
    asm("" : "+r"(row));
    const unsigned rank_start = s & 56;
    const Bitboard twice_inner = (occupied >> rank_start) & 126;
    return Hyperbola::file_attacks(s, occupied) | Bitboard{first_rank_by_inner.from(row)[4 * twice_inner]}
                                                      << rank_start;
  }

  static constexpr std::array tables{table_info("masks", Hyperbola::masks),
                                     table_info("first_rank", first_rank_by_inner)};
};

}  // namespace slidebench
