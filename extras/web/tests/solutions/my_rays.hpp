// SPDX-License-Identifier: MIT
//
// The exercise of station 1: attacks by taking steps.
#pragma once

#include "methods/method.hpp"

namespace slidebench {

struct MyRays {
  static constexpr MethodInfo info{.id = "my_rays",
                                   .title = "my_rays",
                                   .family = "calculation",
                                   .inventor = "me",
                                   .year = 2026,
                                   .reference = "the lecture",
                                   .requires_isa = Isa::none};

  static Bitboard ray(Square s, Bitboard occupied, int file_step, int rank_step) {
    Bitboard attacks = 0;
    int file = static_cast<int>(s % 8) + file_step, rank = static_cast<int>(s / 8) + rank_step;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
      const Bitboard square = Bitboard{1} << (8 * rank + file);
      attacks |= square;
      if ((occupied & square) != 0) break;
      file += file_step;
      rank += rank_step;
    }
    return attacks;
  }
  static Bitboard bishop(Square s, Bitboard o) {
    return ray(s, o, 1, 1) | ray(s, o, 1, -1) | ray(s, o, -1, 1) | ray(s, o, -1, -1);
  }
  static Bitboard rook(Square s, Bitboard o) {
    return ray(s, o, 1, 0) | ray(s, o, -1, 0) | ray(s, o, 0, 1) | ray(s, o, 0, -1);
  }

  static constexpr auto tables = no_tables;
};

}  // namespace slidebench
