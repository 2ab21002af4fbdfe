// SPDX-License-Identifier: MIT
//
// Kogge-Stone fill: the carry network of a fast adder, used to flood the board in three doubling steps instead of six.
//
// The sliders "generate", the empty squares "propagate". After one step, g holds the squares reached by moving up to
// one square and p the squares that can be crossed by two in a row; so the next step can jump two, and the third four:
//
//      g |= p & shift1(g)    p &= shift1(p)      reach 1, then p = runs of two empty squares
//      g |= p & shift2(g)    p &= shift2(p)      reach 3, then p = runs of four
//      g |= p & shift4(g)                        reach 7
//
// One last guarded step turns the filled squares into attacked squares. The cost does not depend on the number of
// sliders: sliding_bishops() and sliding_rooks() answer for a whole set of them at once.
//
// Inventor: Steffan Westcott, Computer Chess Club, 15 September 2002; after P. Kogge and H. Stone's adder (1973).
// Source: G. Isenberg, Efficient Generation of Sliding Piece Attacks (Dresden 2008). Tables: none. Needs: nothing.
//
// C11 and C++17, for GCC and Clang. In one source file, define SLIDING_IMPLEMENTATION before the include; call
// sliding_init() once, before the first query. Squares: a1 = 0, h1 = 7, h8 = 63. The answer depends neither on the
// slider's own bit of the occupancy nor on squares off its lines; the first blocker of either colour is in it.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
void sliding_init(void);
#ifdef __cplusplus
}
#endif

// The squares that any of the sliders attacks in the direction of `step` squares, towards higher ones. `guard` are the
// squares on which a step can rightly arrive: all but the file on which a wrapped one lands.
static inline uint64_t sliding_up(uint64_t sliders, uint64_t empty, unsigned step, uint64_t guard) {
  uint64_t g = sliders, p = empty & guard;
  g |= p & (g << step);
  p &= p << step;
  g |= p & (g << (2 * step));
  p &= p << (2 * step);
  g |= p & (g << (4 * step));
  return (g << step) & guard;
}

// The same towards lower squares.
static inline uint64_t sliding_down(uint64_t sliders, uint64_t empty, unsigned step, uint64_t guard) {
  uint64_t g = sliders, p = empty & guard;
  g |= p & (g >> step);
  p &= p >> step;
  g |= p & (g >> (2 * step));
  p &= p >> (2 * step);
  g |= p & (g >> (4 * step));
  return (g >> step) & guard;
}

static const uint64_t sliding_not_a = 0xFEFEFEFEFEFEFEFE, sliding_not_h = 0x7F7F7F7F7F7F7F7F,
                      sliding_all = ~(uint64_t)0;

// What a whole set of bishops, or of rooks, attacks.
static inline uint64_t sliding_bishops(uint64_t sliders, uint64_t occupied) {
  return sliding_up(sliders, ~occupied, 9, sliding_not_a) | sliding_up(sliders, ~occupied, 7, sliding_not_h) |
         sliding_down(sliders, ~occupied, 9, sliding_not_h) | sliding_down(sliders, ~occupied, 7, sliding_not_a);
}
static inline uint64_t sliding_rooks(uint64_t sliders, uint64_t occupied) {
  return sliding_up(sliders, ~occupied, 8, sliding_all) | sliding_up(sliders, ~occupied, 1, sliding_not_a) |
         sliding_down(sliders, ~occupied, 8, sliding_all) | sliding_down(sliders, ~occupied, 1, sliding_not_h);
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  return sliding_bishops((uint64_t)1 << s, occupied);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) { return sliding_rooks((uint64_t)1 << s, occupied); }

static inline uint64_t sliding_queen(unsigned s, uint64_t occupied) {
  return sliding_bishop(s, occupied) | sliding_rook(s, occupied);
}

#ifdef SLIDING_IMPLEMENTATION

// Nothing to fill: here so that one header can take the place of another.
void sliding_init(void) {}

#endif  // SLIDING_IMPLEMENTATION
