// SPDX-License-Identifier: MIT
//
// The exercise of station 3: a line by two subtractions, one of them on the reversed board.
#pragma once

#include "methods/method.hpp"

namespace slidebench {

struct MyHyperbola {
  static constexpr MethodInfo info{.id = "my_hyperbola",
                                   .title = "my_hyperbola",
                                   .family = "calculation",
                                   .inventor = "me",
                                   .year = 2026,
                                   .reference = "the lecture",
                                   .requires_isa = Isa::none};

  static Bitboard reversed(Bitboard b) {
    b = ((b >> 1) & 0x5555555555555555) | ((b & 0x5555555555555555) << 1);
    b = ((b >> 2) & 0x3333333333333333) | ((b & 0x3333333333333333) << 2);
    b = ((b >> 4) & 0x0F0F0F0F0F0F0F0F) | ((b & 0x0F0F0F0F0F0F0F0F) << 4);
    return __builtin_bswap64(b);
  }
  /// `line` without the slider's own square.
  static Bitboard on(Bitboard line, Square s, Bitboard occupied) {
    const Bitboard o = occupied & line, r = Bitboard{1} << s;
    const Bitboard up = o - r, down = reversed(reversed(o) - reversed(r));
    return (up ^ down) & line;
  }
  static Bitboard line(Square s, int file_step, int rank_step) {
    Bitboard squares = 0;
    for (int n = -7; n <= 7; ++n) {
      const int file = static_cast<int>(s % 8) + n * file_step, rank = static_cast<int>(s / 8) + n * rank_step;
      if (n != 0 && file >= 0 && file < 8 && rank >= 0 && rank < 8) squares |= Bitboard{1} << (8 * rank + file);
    }
    return squares;
  }
  static Bitboard bishop(Square s, Bitboard o) { return on(line(s, 1, 1), s, o) | on(line(s, 1, -1), s, o); }
  static Bitboard rook(Square s, Bitboard o) { return on(line(s, 1, 0), s, o) | on(line(s, 0, 1), s, o); }

  static constexpr auto tables = no_tables;
};

}  // namespace slidebench
