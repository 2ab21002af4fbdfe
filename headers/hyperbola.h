// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence: find the first blocker by subtraction, on a file or diagonal that is its own little number.
//
// Take one line through the slider, masked out of the occupancy. Subtracting the slider's bit r borrows from the first
// blocker above, and flips every bit from r up to and including that blocker. The other direction is the same on the
// board upside down: files and diagonals have one square a rank, so a byte swap reverses them:
//
//      attacks = ((o - r) ^ swap(swap(o) - r')) & line            o = occupied & line
//
// r' should be the slider upside down, but any square of its rank borrows from the same blocker: square 63 - s is one
// shift. A byte swap does not reverse a rank, which is looked up in a table of 512 bytes.
//
// Inventors: Gerd Isenberg, Aleks Peshkov (2007), from Ryan Mack's Hyperbola project. Source: G. Isenberg, Efficient
// Generation of Sliding Piece Attacks (Dresden 2008). Tables: 2,048 bytes. Needs: nothing.
//
// C11 and C++17, for GCC and Clang. In one source file, define SLIDING_IMPLEMENTATION before the include; call
// sliding_init() once, before the first query. Squares: a1 = 0, h1 = 7, h8 = 63. The answer depends neither on the
// slider's own bit of the occupancy nor on squares off its lines; the first blocker of either colour is in it.
#pragma once

#include <assert.h>
#include <stdint.h>

typedef struct {
  uint64_t file, diagonal, antidiagonal;  // the squares of the line, without the slider
} sliding_lines;

#ifdef __cplusplus
extern "C" {
#endif
extern sliding_lines sliding_masks[64];
extern uint8_t sliding_rank_sets[8 * 64];
void sliding_init(void);
#ifdef __cplusplus
}
#endif

// Attacks along a line with one square a rank.
static inline uint64_t sliding_line(unsigned s, uint64_t occupied, uint64_t line) {
  const uint64_t slider = (uint64_t)1 << s, flipped_slider = (uint64_t)1 << 63 >> s;
  const uint64_t o = occupied & line;
  return ((o - slider) ^ __builtin_bswap64(__builtin_bswap64(o) - flipped_slider)) & line;
}

static inline uint64_t sliding_rank(unsigned s, uint64_t occupied) {
  const unsigned rank_start = s & 56;
  const uint64_t twice_inner = (occupied >> rank_start) & 126;
  return (uint64_t)sliding_rank_sets[4 * twice_inner + (s & 7)] << rank_start;
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  assert(sliding_masks[s].file && "call sliding_init() first");
  return sliding_line(s, occupied, sliding_masks[s].diagonal) |
         sliding_line(s, occupied, sliding_masks[s].antidiagonal);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  assert(sliding_masks[s].file && "call sliding_init() first");
  return sliding_line(s, occupied, sliding_masks[s].file) | sliding_rank(s, occupied);
}

static inline uint64_t sliding_queen(unsigned s, uint64_t occupied) {
  return sliding_bishop(s, occupied) | sliding_rook(s, occupied);
}

#ifdef SLIDING_IMPLEMENTATION

sliding_lines sliding_masks[64];

// Element 8 * (occupancy of files b to g) + file: the attacks along the first rank.
uint8_t sliding_rank_sets[8 * 64];

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

void sliding_init(void) {
  for (unsigned s = 0; s < 64; ++s) {
    sliding_masks[s].file = sliding_walk(s, 0, 0);
    sliding_masks[s].diagonal = sliding_walk(s, 0, 2);
    sliding_masks[s].antidiagonal = sliding_walk(s, 0, 3);
  }
  for (unsigned i = 0; i < 8 * 64; ++i) sliding_rank_sets[i] = (uint8_t)sliding_walk(i & 7, (i >> 3) << 1, 1);
}

#endif  // SLIDING_IMPLEMENTATION
