// SPDX-License-Identifier: MIT
//
// Hyperbola quintessence by bit reversal: one formula for all four lines, ranks included, and no table but the masks.
//
// Subtracting the slider's bit from a line borrows from the first blocker above (see hyperbola.h). The other direction
// is the same on the board turned by 180 degrees, where square s is 63 - s and every line is turned round. A reversal
// can be moved through everything that works bit by bit, so that two of them a query are enough, and the first is
// common to all queries of one position:
//
//      up      = OR over the lines of  ((occupied & line) - bit s) & line
//      down    = OR over the lines of  ((rev(occupied) & rev(line)) - bit(63 - s)) & rev(line)
//      attacks = up ^ rev(down)
//
// Best where reversing a word is one instruction (RBIT on Arm); on x86-64 it takes 17.
//
// Inventors: G. Isenberg, A. Peshkov, R. Mack (2007); with RBIT in Stockfish on Arm (2026). Source: Stockfish pull
// requests 6795 and 6870; the regrouping is slidebench's. Tables: 4,096 bytes. Needs: nothing.
//
// C11 and C++17, for GCC and Clang. In one source file, define SLIDING_IMPLEMENTATION before the include; call
// sliding_init() once, before the first query. Squares: a1 = 0, h1 = 7, h8 = 63. The answer depends neither on the
// slider's own bit of the occupancy nor on squares off its lines; the first blocker of either colour is in it.
#pragma once

#include <assert.h>
#include <stdint.h>

typedef struct {
  uint64_t diagonal, antidiagonal, reversed_diagonal, reversed_antidiagonal;
  uint64_t file, rank, reversed_file, reversed_rank;
} __attribute__((aligned(64))) sliding_lines;

#ifdef __cplusplus
extern "C" {
#endif
extern sliding_lines sliding_masks[64];
void sliding_init(void);
#ifdef __cplusplus
}
#endif

// The board turned by 180 degrees: square s goes to 63 - s.
static inline uint64_t sliding_reverse(uint64_t b) {
#if defined(__clang__)
  return __builtin_bitreverse64(b);
#elif defined(__aarch64__)
  uint64_t reversed;
  __asm__("rbit %0, %1" : "=r"(reversed) : "r"(b));
  return reversed;
#else
  b = ((b >> 1) & 0x5555555555555555) + 2 * (b & 0x5555555555555555);
  b = ((b >> 2) & 0x3333333333333333) + 4 * (b & 0x3333333333333333);
  b = ((b >> 4) & 0x0F0F0F0F0F0F0F0F) + 16 * (b & 0x0F0F0F0F0F0F0F0F);
  return __builtin_bswap64(b);
#endif
}

// The line's occupancy, changed from the slider up to and including the first blocker. The rest is in both halves, so
// that their XOR drops it.
static inline uint64_t sliding_half(uint64_t slider, uint64_t occupied, uint64_t line) {
  return ((occupied & line) - slider) & line;
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  const sliding_lines* m = &sliding_masks[s];
  assert(m->file && "call sliding_init() first");
  const uint64_t reversed = sliding_reverse(occupied);
  const uint64_t slider = (uint64_t)1 << s, reversed_slider = (uint64_t)1 << 63 >> s;
  const uint64_t up = sliding_half(slider, occupied, m->diagonal) | sliding_half(slider, occupied, m->antidiagonal);
  const uint64_t down = sliding_half(reversed_slider, reversed, m->reversed_diagonal) |
                        sliding_half(reversed_slider, reversed, m->reversed_antidiagonal);
  return up ^ sliding_reverse(down);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  const sliding_lines* m = &sliding_masks[s];
  assert(m->file && "call sliding_init() first");
  const uint64_t reversed = sliding_reverse(occupied);
  const uint64_t slider = (uint64_t)1 << s, reversed_slider = (uint64_t)1 << 63 >> s;
  const uint64_t up = sliding_half(slider, occupied, m->file) | sliding_half(slider, occupied, m->rank);
  const uint64_t down = sliding_half(reversed_slider, reversed, m->reversed_file) |
                        sliding_half(reversed_slider, reversed, m->reversed_rank);
  return up ^ sliding_reverse(down);
}

// All eight rays at once, which reverses the board twice instead of four times.
static inline uint64_t sliding_queen(unsigned s, uint64_t occupied) {
  const sliding_lines* m = &sliding_masks[s];
  assert(m->file && "call sliding_init() first");
  const uint64_t reversed = sliding_reverse(occupied);
  const uint64_t slider = (uint64_t)1 << s, reversed_slider = (uint64_t)1 << 63 >> s;
  const uint64_t up = sliding_half(slider, occupied, m->diagonal) | sliding_half(slider, occupied, m->antidiagonal) |
                      sliding_half(slider, occupied, m->file) | sliding_half(slider, occupied, m->rank);
  const uint64_t down = sliding_half(reversed_slider, reversed, m->reversed_diagonal) |
                        sliding_half(reversed_slider, reversed, m->reversed_antidiagonal) |
                        sliding_half(reversed_slider, reversed, m->reversed_file) |
                        sliding_half(reversed_slider, reversed, m->reversed_rank);
  return up ^ sliding_reverse(down);
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

void sliding_init(void) {
  for (unsigned s = 0; s < 64; ++s) {
    sliding_lines* m = &sliding_masks[s];
    m->file = sliding_walk(s, 0, 0), m->reversed_file = sliding_walk(63 - s, 0, 0);
    m->rank = sliding_walk(s, 0, 1), m->reversed_rank = sliding_walk(63 - s, 0, 1);
    m->diagonal = sliding_walk(s, 0, 2), m->reversed_diagonal = sliding_walk(63 - s, 0, 2);
    m->antidiagonal = sliding_walk(s, 0, 3), m->reversed_antidiagonal = sliding_walk(63 - s, 0, 3);
  }
}

#endif  // SLIDING_IMPLEMENTATION
