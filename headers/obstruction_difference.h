// SPDX-License-Identifier: MIT
//
// Obstruction difference: find the two blockers that enclose the slider on a line, and subtract one from the other.
//
// Let U be the squares of the upper ray that are occupied, and L the highest occupied one of the lower ray, as a bit. U
// - L borrows from the lowest square of U, and so differs from U in that square, in L and in all between:
//
//      line (high bit left)    . U . r . . L .
//      U                       0 1 0 0 0 0 0 0
//      U - L                   0 0 1 1 1 1 1 0
//      U ^ (U - L)             0 1 1 1 1 1 1 0         & line:   the squares between and the blockers
//
// Without a blocker above, the subtraction borrows from beyond the board: ones from L to the end. So that there is
// always one below, a1 counts as occupied and is part of every lower ray. This works for any line, ranks too.
//
// Inventor: Michael Hoffmann (CCC, 23 July 2009); by XOR: Daniel Infuehr (2022). Source: Chessprogramming wiki,
// Obstruction Difference. Tables: 6,144 bytes. Needs: nothing; gains from LZCNT (-mlzcnt).
//
// C11 and C++17, for GCC and Clang. In one source file, define SLIDING_IMPLEMENTATION before the include; call
// sliding_init() once, before the first query. Squares: a1 = 0, h1 = 7, h8 = 63. The answer depends neither on the
// slider's own bit of the occupancy nor on squares off its lines; the first blocker of either colour is in it.
#pragma once

#include <assert.h>
#include <stdint.h>

typedef struct {
  uint64_t lower;  // the squares below the slider, and a1
  uint64_t upper;  // the squares above it
  uint64_t whole;  // both, without what is not on the line
} sliding_line;

typedef struct {
  sliding_line diagonal, antidiagonal, file, rank;
} sliding_lines;

#ifdef __cplusplus
extern "C" {
#endif
extern sliding_lines sliding_masks[64];
void sliding_init(void);
#ifdef __cplusplus
}
#endif

// The attacks along a line. Precondition: a1 is occupied.
static inline uint64_t sliding_along(const sliding_line* line, uint64_t occupied) {
  assert(line->lower && "call sliding_init() first");
  const uint64_t lower = (uint64_t)1 << 63 >> __builtin_clzll(line->lower & occupied);
  const uint64_t upper = line->upper & occupied;
  return (upper ^ (upper - lower)) & line->whole;
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  const sliding_lines* lines = &sliding_masks[s];
  return sliding_along(&lines->diagonal, occupied | 1) | sliding_along(&lines->antidiagonal, occupied | 1);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  const sliding_lines* lines = &sliding_masks[s];
  return sliding_along(&lines->file, occupied | 1) | sliding_along(&lines->rank, occupied | 1);
}

static inline uint64_t sliding_queen(unsigned s, uint64_t occupied) {
  return sliding_bishop(s, occupied) | sliding_rook(s, occupied);
}

#ifdef SLIDING_IMPLEMENTATION

sliding_lines sliding_masks[64];

// The squares along one line that a slider on s reaches: line 0 is the file, 1 the rank, 2 the diagonal, 3 the
// antidiagonal.
static uint64_t sliding_walk(unsigned s, uint64_t occupied, unsigned line) {
  static const int files[4] = {0, 1, 1, -1}, ranks[4] = {1, 0, 1, 1};
  uint64_t reached = 0;
  for (int way = -1; way <= 1; way += 2) {
    int file = (int)(s & 7) + way * files[line], rank = (int)(s >> 3) + way * ranks[line];
    for (; ((file | rank) & ~7) == 0; file += way * files[line], rank += way * ranks[line]) {
      const uint64_t square = (uint64_t)1 << (8 * rank + file);
      reached |= square;
      if (occupied & square) break;
    }
  }
  return reached;
}

static sliding_line sliding_cut(unsigned s, unsigned line) {
  const uint64_t below = ((uint64_t)1 << s) - 1;
  sliding_line cut;
  cut.whole = sliding_walk(s, 0, line);
  cut.lower = (cut.whole & below) | 1;
  cut.upper = cut.whole & ~below;
  return cut;
}

void sliding_init(void) {
  for (unsigned s = 0; s < 64; ++s) {
    sliding_masks[s].diagonal = sliding_cut(s, 2);
    sliding_masks[s].antidiagonal = sliding_cut(s, 3);
    sliding_masks[s].file = sliding_cut(s, 0);
    sliding_masks[s].rank = sliding_cut(s, 1);
  }
}

#endif  // SLIDING_IMPLEMENTATION
