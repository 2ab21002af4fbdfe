// SPDX-License-Identifier: MIT
//
// A method behind five C functions, which another language or another source file defines: the link inlines them.
#pragma once

#include "methods/method.hpp"

extern "C" {
void twin_init();
slidebench::Bitboard twin_bishop(slidebench::Square s, slidebench::Bitboard occupied);
slidebench::Bitboard twin_rook(slidebench::Square s, slidebench::Bitboard occupied);
slidebench::Bitboard twin_queen(slidebench::Square s, slidebench::Bitboard occupied);
slidebench::BishopRook twin_both(slidebench::Square s, slidebench::Bitboard occupied);
}

namespace slidebench {

/// The queries of a method that says of itself what it is.
struct Twin {
  static void init() { twin_init(); }
  static Bitboard bishop(Square s, Bitboard occupied) { return twin_bishop(s, occupied); }
  static Bitboard rook(Square s, Bitboard occupied) { return twin_rook(s, occupied); }
  static Bitboard queen(Square s, Bitboard occupied) { return twin_queen(s, occupied); }
  static BishopRook both(Square s, Bitboard occupied) { return twin_both(s, occupied); }
};

}  // namespace slidebench
