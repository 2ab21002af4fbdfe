// SPDX-License-Identifier: MIT
#include "harness/export/c11/relevant.h"

typedef struct {
  uint64_t* sets; /* where the square's index 0 stands in the common table */
  uint64_t mask;
  uint64_t factor;
} sliding_record;

/* What a query knows of a square, in one cache line. */
typedef struct {
  _Alignas(64) sliding_record bishop;
  sliding_record rook;
} sliding_square;

extern sliding_square sliding_squares[64];

/* What is multiplied: the occupancy with the squares that do not matter empty, or occupied. */
static inline uint64_t sliding_key(uint64_t occupied, uint64_t mask);

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  const sliding_record* r = &sliding_squares[s].bishop;
  return r->sets[(sliding_key(occupied, r->mask) * r->factor) >> (64 - 9)];
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  const sliding_record* r = &sliding_squares[s].rook;
  return r->sets[(sliding_key(occupied, r->mask) * r->factor) >> (64 - 12)];
}
