// SPDX-License-Identifier: MIT
#include "harness/export/c11/fill.h"

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
