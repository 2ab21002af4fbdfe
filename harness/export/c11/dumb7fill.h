// SPDX-License-Identifier: MIT
#include "harness/export/c11/fill.h"

static inline uint64_t sliding_fill_up(uint64_t sliders, uint64_t empty, unsigned shift, uint64_t guard) {
  const uint64_t open = empty & guard;
  uint64_t frontier = sliders;
  uint64_t filled = sliders;
  for (int i = 0; i < 6; ++i) {
    frontier = (frontier << shift) & open;
    filled |= frontier;
  }
  return (filled << shift) & guard;
}

static inline uint64_t sliding_fill_down(uint64_t sliders, uint64_t empty, unsigned shift, uint64_t guard) {
  const uint64_t open = empty & guard;
  uint64_t frontier = sliders;
  uint64_t filled = sliders;
  for (int i = 0; i < 6; ++i) {
    frontier = (frontier >> shift) & open;
    filled |= frontier;
  }
  return (filled >> shift) & guard;
}
