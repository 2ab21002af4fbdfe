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
