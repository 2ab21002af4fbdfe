// SPDX-License-Identifier: MIT
#include "harness/export/c11/board.h"

typedef struct {
  uint64_t lower; /* the squares below the slider, and square 0 */
  uint64_t upper; /* the squares above it */
  uint64_t whole; /* both, without what is not on the line */
} sliding_line;

/* File, rank, diagonal and antidiagonal through each square. */
extern sliding_line sliding_lines[64][4];

/* Precondition: square 0 is among the stopped squares. */
static inline uint64_t sliding_along(const sliding_line* line, uint64_t stopped) {
  const uint64_t lower = ((uint64_t)1 << 63) >> __builtin_clzll(line->lower & stopped);
  const uint64_t above = line->upper & stopped;
  const uint64_t upper = above & (0 - above);
  return (2 * upper - lower) & line->whole;
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  return sliding_along(&sliding_lines[s][2], occupied | 1) | sliding_along(&sliding_lines[s][3], occupied | 1);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  return sliding_along(&sliding_lines[s][0], occupied | 1) | sliding_along(&sliding_lines[s][1], occupied | 1);
}

#ifdef SLIDING_IMPLEMENTATION

_Alignas(64) sliding_line sliding_lines[64][4];

void sliding_init(void) {
  const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {-1, 1}};
  for (unsigned s = 0; s < 64; ++s) {
    const uint64_t below = ((uint64_t)1 << s) - 1;
    for (unsigned i = 0; i < 4; ++i) {
      sliding_line* line = &sliding_lines[s][i];
      line->whole = sliding_walk_line(s, steps[i][0], steps[i][1], 0);
      line->lower = (line->whole & below) | 1;
      line->upper = line->whole & ~below;
    }
  }
}

#endif
