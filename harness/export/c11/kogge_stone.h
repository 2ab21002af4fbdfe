// SPDX-License-Identifier: MIT
#include "harness/export/c11/board.h"

/* The squares attacked in one direction by any of the sliders. A shift of 1 to 9 squares to higher or lower ones; the
   guard holds the squares on which a step can rightly arrive. */
static inline uint64_t sliding_fill_up(uint64_t sliders, uint64_t empty, unsigned shift, uint64_t guard);
static inline uint64_t sliding_fill_down(uint64_t sliders, uint64_t empty, unsigned shift, uint64_t guard);

static inline uint64_t sliding_bishops(uint64_t sliders, uint64_t empty) {
  const uint64_t not_a = 0xFEFEFEFEFEFEFEFE;
  const uint64_t not_h = 0x7F7F7F7F7F7F7F7F;
  return sliding_fill_up(sliders, empty, 9, not_a) | sliding_fill_up(sliders, empty, 7, not_h) |
         sliding_fill_down(sliders, empty, 9, not_h) | sliding_fill_down(sliders, empty, 7, not_a);
}

static inline uint64_t sliding_rooks(uint64_t sliders, uint64_t empty) {
  const uint64_t not_a = 0xFEFEFEFEFEFEFEFE;
  const uint64_t not_h = 0x7F7F7F7F7F7F7F7F;
  const uint64_t all = 0xFFFFFFFFFFFFFFFF;
  return sliding_fill_up(sliders, empty, 8, all) | sliding_fill_up(sliders, empty, 1, not_a) |
         sliding_fill_down(sliders, empty, 8, all) | sliding_fill_down(sliders, empty, 1, not_h);
}

static inline uint64_t sliding_bishop(unsigned s, uint64_t occupied) {
  return sliding_bishops((uint64_t)1 << s, ~occupied);
}

static inline uint64_t sliding_rook(unsigned s, uint64_t occupied) {
  return sliding_rooks((uint64_t)1 << s, ~occupied);
}

/* The union of the attacks of many sliders; queens stand in both sets. */
static inline uint64_t sliding_set_attacks(uint64_t diagonal_sliders, uint64_t orthogonal_sliders, uint64_t occupied) {
  return sliding_bishops(diagonal_sliders, ~occupied) | sliding_rooks(orthogonal_sliders, ~occupied);
}

static inline uint64_t sliding_fill_up(uint64_t sliders, uint64_t empty, unsigned shift, uint64_t guard) {
  uint64_t g = sliders;
  uint64_t p = empty & guard;
  g |= p & (g << shift);
  p &= p << shift;
  g |= p & (g << 2 * shift);
  p &= p << 2 * shift;
  g |= p & (g << 4 * shift);
  return (g << shift) & guard;
}

static inline uint64_t sliding_fill_down(uint64_t sliders, uint64_t empty, unsigned shift, uint64_t guard) {
  uint64_t g = sliders;
  uint64_t p = empty & guard;
  g |= p & (g >> shift);
  p &= p >> shift;
  g |= p & (g >> 2 * shift);
  p &= p >> 2 * shift;
  g |= p & (g >> 4 * shift);
  return (g >> shift) & guard;
}
