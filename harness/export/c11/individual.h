// SPDX-License-Identifier: MIT
#include "harness/export/c11/relevant.h"

typedef struct {
  uint64_t mask;
  uint64_t factor;
  uint64_t* sets; /* the square's own array, a part of the common table */
  uint64_t shift; /* 64 - number of index bits */
} sliding_record;

/* The bishop's and the rook's record of each square, in one cache line. */
extern sliding_record sliding_records[64][2];

static inline uint64_t sliding_look_up(const sliding_record* r, uint64_t occupied) {
  return r->sets[((occupied & r->mask) * r->factor) >> r->shift];
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  return sliding_look_up(&sliding_records[s][0], occupied);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  return sliding_look_up(&sliding_records[s][1], occupied);
}

#ifdef SLIDING_IMPLEMENTATION

_Alignas(64) sliding_record sliding_records[64][2];
_Alignas(64) static uint64_t sliding_table[102400 + 5248];

/* The factor of a square, and how many index bits it is for. */
static uint64_t sliding_factor_of(int rook, unsigned s);
static unsigned sliding_bits_of(int rook, unsigned s);

void sliding_init(void) {
  uint64_t* next = sliding_table;
  for (int rook = 1; rook >= 0; --rook) {
    for (unsigned s = 0; s < 64; ++s) {
      sliding_record* r = &sliding_records[s][rook];
      r->mask = sliding_relevant(rook, s);
      r->factor = sliding_factor_of(rook, s);
      r->sets = next;
      r->shift = 64 - sliding_bits_of(rook, s);
      next += (uint64_t)1 << sliding_bits_of(rook, s);
      uint64_t occupied = 0;
      do {
        r->sets[((occupied & r->mask) * r->factor) >> r->shift] = sliding_walk_piece(rook, s, occupied);
        occupied = (occupied - r->mask) & r->mask; /* the next subset of the mask */
      } while (occupied != 0);
    }
  }
}

#endif
