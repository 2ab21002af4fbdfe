// SPDX-License-Identifier: MIT
//
// An exported header behind the functions of twin.hpp.
#include "twin.hpp"

#include EXPORTED

#define INLINED [[gnu::always_inline]]

void twin_init() {
#ifdef HAS_INIT
  sliding::init();
#endif
}

INLINED slidebench::Bitboard twin_bishop(slidebench::Square s, slidebench::Bitboard occupied) {
  return sliding::bishop(s, occupied);
}

INLINED slidebench::Bitboard twin_rook(slidebench::Square s, slidebench::Bitboard occupied) {
  return sliding::rook(s, occupied);
}

INLINED slidebench::Bitboard twin_queen(slidebench::Square s, slidebench::Bitboard occupied) {
  return sliding::queen(s, occupied);
}

INLINED slidebench::BishopRook twin_both(slidebench::Square s, slidebench::Bitboard occupied) {
  const sliding::BishopRook sets = sliding::both(s, occupied);
  return {sets.bishop, sets.rook};
}
