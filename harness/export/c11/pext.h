// SPDX-License-Identifier: MIT
#ifndef __BMI2__
#error "pext needs BMI2: compile for x86-64-v3 or with -mbmi2"
#endif

#include <immintrin.h>

#include "harness/export/c11/relevant.h"

typedef struct {
  uint64_t mask;
  uint64_t* sets; /* the square's own array, a part of the common table */
} sliding_record;

/* The bishop's and the rook's record of each square. */
extern sliding_record sliding_records[64][2];

static inline uint64_t sliding_look_up(const sliding_record* r, uint64_t occupied) {
  return r->sets[_pext_u64(occupied, r->mask)];
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

void sliding_init(void) {
  uint64_t* next = sliding_table;
  for (int rook = 1; rook >= 0; --rook) {
    for (unsigned s = 0; s < 64; ++s) {
      sliding_record* r = &sliding_records[s][rook];
      r->mask = sliding_relevant(rook, s);
      r->sets = next;
      const uint64_t count = (uint64_t)1 << __builtin_popcountll(r->mask);
      for (uint64_t i = 0; i < count; ++i) *next++ = sliding_walk_piece(rook, s, _pdep_u64(i, r->mask));
    }
  }
}

#endif
