// SPDX-License-Identifier: MIT
#include "harness/export/c11/board.h"

/* The rays of each square and their last stops: squares 63 or 0. Directions 0 to 3 lead to higher squares. */
extern uint64_t sliding_rays[64][8];
/* What a blocker hides, by direction and by how many squares lie below it, or above it for directions 4 to 7. */
extern uint64_t sliding_behind[8][64];
/* The bishop's and the rook's attacks on the empty board. */
extern uint64_t sliding_open[64][2];

static inline uint64_t sliding_behind_up(unsigned s, unsigned direction, uint64_t stopped) {
  return sliding_behind[direction][__builtin_ctzll(sliding_rays[s][direction] & stopped)];
}

static inline uint64_t sliding_behind_down(unsigned s, unsigned direction, uint64_t stopped) {
  return sliding_behind[direction][__builtin_clzll(sliding_rays[s][direction] & stopped)];
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  const uint64_t stopped = occupied | 0x8000000000000001;
  return sliding_open[s][0] ^ (sliding_behind_up(s, 2, stopped) | sliding_behind_up(s, 3, stopped) |
                               sliding_behind_down(s, 6, stopped) | sliding_behind_down(s, 7, stopped));
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  const uint64_t stopped = occupied | 0x8000000000000001;
  return sliding_open[s][1] ^ (sliding_behind_up(s, 0, stopped) | sliding_behind_up(s, 1, stopped) |
                               sliding_behind_down(s, 4, stopped) | sliding_behind_down(s, 5, stopped));
}

#ifdef SLIDING_IMPLEMENTATION

_Alignas(64) uint64_t sliding_rays[64][8];
_Alignas(64) uint64_t sliding_behind[8][64];
_Alignas(64) uint64_t sliding_open[64][2];

void sliding_init(void) {
  const int steps[8][2] = {{0, 1}, {1, 0}, {1, 1}, {-1, 1}, {0, -1}, {-1, 0}, {-1, -1}, {1, -1}};
  for (unsigned s = 0; s < 64; ++s) {
    for (unsigned d = 0; d < 8; ++d) {
      const uint64_t ray = sliding_walk(s, steps[d][0], steps[d][1], 0);
      sliding_rays[s][d] = ray | (d < 4 ? (uint64_t)1 << 63 : 1);
      sliding_behind[d][d < 4 ? s : 63 - s] = ray;
    }
    sliding_open[s][0] = sliding_walk_bishop(s, 0);
    sliding_open[s][1] = sliding_walk_rook(s, 0);
  }
}

#endif
