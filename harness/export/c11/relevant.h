// SPDX-License-Identifier: MIT
#include "harness/export/c11/board.h"

#ifdef SLIDING_IMPLEMENTATION

/* The squares whose occupancy changes a slider's attacks: those on which a blocker hides another square. */
static inline uint64_t sliding_relevant(int rook, unsigned s) {
  const uint64_t open = rook ? sliding_walk_rook(s, 0) : sliding_walk_bishop(s, 0);
  uint64_t relevant = 0;
  for (unsigned t = 0; t < 64; ++t) {
    const uint64_t square = (uint64_t)1 << t;
    if ((open & square) == 0) continue;
    if ((rook ? sliding_walk_rook(s, square) : sliding_walk_bishop(s, square)) != open) relevant |= square;
  }
  return relevant;
}

static inline uint64_t sliding_walk_piece(int rook, unsigned s, uint64_t occupied) {
  return rook ? sliding_walk_rook(s, occupied) : sliding_walk_bishop(s, occupied);
}

#endif
