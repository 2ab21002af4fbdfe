// SPDX-License-Identifier: MIT
#include "methods/magic/magic_factors.hpp"

#include "harness/export/c11/relevant.h"

typedef struct {
  uint64_t mask;
  uint64_t factor;
} sliding_record;

/* The bishop's and the rook's record of each square. */
extern sliding_record sliding_records[64][2];
extern uint64_t sliding_bishop_table[64][512];
extern uint64_t sliding_rook_table[64][4096];

static inline uint64_t sliding_index(const sliding_record* r, unsigned bits, uint64_t occupied) {
  return ((occupied & r->mask) * r->factor) >> (64 - bits);
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  return sliding_bishop_table[s][sliding_index(&sliding_records[s][0], 9, occupied)];
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  return sliding_rook_table[s][sliding_index(&sliding_records[s][1], 12, occupied)];
}

#ifdef SLIDING_IMPLEMENTATION

_Alignas(64) sliding_record sliding_records[64][2];
_Alignas(64) uint64_t sliding_bishop_table[64][512];
_Alignas(64) uint64_t sliding_rook_table[64][4096];

void sliding_init(void) {
  for (int rook = 0; rook < 2; ++rook) {
    for (unsigned s = 0; s < 64; ++s) {
      sliding_record* r = &sliding_records[s][rook];
      uint64_t* sets = rook ? sliding_rook_table[s] : sliding_bishop_table[s];
      r->mask = sliding_relevant(rook, s);
      r->factor = rook ? sliding_rook_factors[s] : sliding_bishop_factors[s];
      uint64_t occupied = 0;
      do {
        sets[sliding_index(r, rook ? 12 : 9, occupied)] = sliding_walk_piece(rook, s, occupied);
        occupied = (occupied - r->mask) & r->mask; /* the next subset of the mask */
      } while (occupied != 0);
    }
  }
}

#endif
