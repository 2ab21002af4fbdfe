// SPDX-License-Identifier: MIT
#include "harness/export/c11/individual.h"
#include "methods/magic/dense_factors.hpp"

#ifdef SLIDING_IMPLEMENTATION

static uint64_t sliding_factor_of(int rook, unsigned s) {
  return rook ? sliding_rook_factors[s].factor : sliding_bishop_factors[s].factor;
}

static unsigned sliding_bits_of(int rook, unsigned s) {
  return rook ? sliding_rook_factors[s].bits : sliding_bishop_factors[s].bits;
}

#endif
