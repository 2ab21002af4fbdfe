// SPDX-License-Identifier: MIT
#ifndef __BMI2__
#error "pext_pdep needs BMI2: compile for x86-64-v3 or with -mbmi2"
#endif

#include <immintrin.h>

#include "harness/export/c11/relevant.h"

typedef struct {
  uint64_t inner;  /* the relevant squares */
  uint64_t full;   /* the attacks on the empty board */
  uint16_t* codes; /* the square's own array, a part of the common table */
} sliding_record;

/* What a query knows of a square, in one cache line. */
typedef struct {
  _Alignas(64) sliding_record bishop;
  sliding_record rook;
} sliding_square;

extern sliding_square sliding_squares[64];

static inline uint64_t sliding_look_up(const sliding_record* r, uint64_t occupied) {
  return _pdep_u64(r->codes[_pext_u64(occupied, r->inner)], r->full);
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  return sliding_look_up(&sliding_squares[s].bishop, occupied);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  return sliding_look_up(&sliding_squares[s].rook, occupied);
}

#ifdef SLIDING_IMPLEMENTATION

sliding_square sliding_squares[64];
_Alignas(64) static uint16_t sliding_table[102400 + 5248];

void sliding_init(void) {
  uint16_t* next = sliding_table;
  for (int rook = 1; rook >= 0; --rook) {
    for (unsigned s = 0; s < 64; ++s) {
      sliding_record* r = rook ? &sliding_squares[s].rook : &sliding_squares[s].bishop;
      r->inner = sliding_relevant(rook, s);
      r->full = sliding_walk_piece(rook, s, 0);
      r->codes = next;
      const uint64_t count = (uint64_t)1 << __builtin_popcountll(r->inner);
      for (uint64_t i = 0; i < count; ++i) {
        *next++ = (uint16_t)_pext_u64(sliding_walk_piece(rook, s, _pdep_u64(i, r->inner)), r->full);
      }
    }
  }
}

#endif
