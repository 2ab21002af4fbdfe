// SPDX-License-Identifier: MIT
#include "harness/export/c11/board.h"

/* Element 8 * (occupancy of files b to g) + file: the attacks along the first rank, one bit a file. */
extern uint8_t sliding_first_rank[64 * 8];

/* Attacks along the rank of s. */
static inline uint64_t sliding_rank(unsigned s, uint64_t occupied) {
  const unsigned rank_start = s & 56;
  const uint64_t twice_inner = (occupied >> rank_start) & 126;
  return (uint64_t)sliding_first_rank[4 * twice_inner + (s & 7)] << rank_start;
}

#ifdef SLIDING_IMPLEMENTATION

_Alignas(64) uint8_t sliding_first_rank[64 * 8];

static inline void sliding_init_first_rank(void) {
  for (unsigned i = 0; i < 64 * 8; ++i) sliding_first_rank[i] = (uint8_t)sliding_walk_line(i % 8, 1, 0, i / 8 * 2);
}

#endif

typedef struct {
  uint64_t file;
  uint64_t diagonal;
  uint64_t antidiagonal;
} sliding_lines;

/* The lines through each square, without the square. */
extern sliding_lines sliding_masks[64];

static inline uint64_t sliding_line(unsigned s, uint64_t occupied, uint64_t line) {
  const uint64_t slider = (uint64_t)1 << s;
  const uint64_t flipped_slider = ((uint64_t)1 << 63) >> s;
  const uint64_t o = occupied & line;
  return ((o - slider) ^ __builtin_bswap64(__builtin_bswap64(o) - flipped_slider)) & line;
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  return sliding_line(s, occupied, sliding_masks[s].diagonal) |
         sliding_line(s, occupied, sliding_masks[s].antidiagonal);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  return sliding_line(s, occupied, sliding_masks[s].file) | sliding_rank(s, occupied);
}

#ifdef SLIDING_IMPLEMENTATION

_Alignas(64) sliding_lines sliding_masks[64];

void sliding_init(void) {
  sliding_init_first_rank();
  for (unsigned s = 0; s < 64; ++s) {
    sliding_masks[s].file = sliding_walk_line(s, 0, 1, 0);
    sliding_masks[s].diagonal = sliding_walk_line(s, 1, 1, 0);
    sliding_masks[s].antidiagonal = sliding_walk_line(s, -1, 1, 0);
  }
}

#endif
