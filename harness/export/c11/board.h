// SPDX-License-Identifier: MIT
/* The bishop's and the rook's set of one square. */
typedef struct {
  uint64_t bishop;
  uint64_t rook;
} sliding_sets;

#ifdef SLIDING_IMPLEMENTATION

/* The squares from s (excluded) in one direction, up to and including the first blocker. */
static inline uint64_t sliding_walk(unsigned s, int files, int ranks, uint64_t occupied) {
  uint64_t attacks = 0;
  int file = (int)(s & 7) + files;
  int rank = (int)(s >> 3) + ranks;
  for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += files, rank += ranks) {
    const uint64_t square = (uint64_t)1 << (8 * rank + file);
    attacks |= square;
    if ((occupied & square) != 0) break;
  }
  return attacks;
}

/* Both ways along a line. */
static inline uint64_t sliding_walk_line(unsigned s, int files, int ranks, uint64_t occupied) {
  return sliding_walk(s, files, ranks, occupied) | sliding_walk(s, -files, -ranks, occupied);
}

static inline uint64_t sliding_walk_bishop(unsigned s, uint64_t occupied) {
  return sliding_walk_line(s, 1, 1, occupied) | sliding_walk_line(s, -1, 1, occupied);
}

static inline uint64_t sliding_walk_rook(unsigned s, uint64_t occupied) {
  return sliding_walk_line(s, 1, 0, occupied) | sliding_walk_line(s, 0, 1, occupied);
}

#endif
