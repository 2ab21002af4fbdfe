// SPDX-License-Identifier: MIT
//
// An example of a method outside the tree: rook files and bishop diagonals by ray walking, ranks by the first-rank
// table. Not fast; it shows how little a plug-in needs.
#pragma once

#include "methods/calculation/first_rank.hpp"
#include "methods/method.hpp"
#include "methods/reference.hpp"

namespace slidebench {

struct FirstRankRays {
  static constexpr MethodInfo info{.id = "first_rank_rays",
                                   .title = "First rank and rays (example)",
                                   .family = "calculation",
                                   .inventor = "slidebench",
                                   .year = 2026,
                                   .reference = "harness/plugin/example",
                                   .requires_isa = Isa::none};

  static constexpr Bitboard bishop(Square s, Bitboard occupied) { return reference::bishop(s, occupied); }

  static constexpr Bitboard rook(Square s, Bitboard occupied) {
    return rank_attacks(s, occupied) | reference::walk<Direction::north>(s, occupied) |
           reference::walk<Direction::south>(s, occupied);
  }

  static constexpr std::array tables{table_info("first_rank", first_rank_by_inner)};
};

}  // namespace slidebench
