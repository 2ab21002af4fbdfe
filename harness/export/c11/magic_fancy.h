// SPDX-License-Identifier: MIT
#include "harness/export/c11/individual.h"
#include "methods/magic/magic_factors.hpp"

#ifdef SLIDING_IMPLEMENTATION

static uint64_t sliding_factor_of(int rook, unsigned s) {
  return rook ? sliding_rook_factors[s] : sliding_bishop_factors[s];
}

static unsigned sliding_bits_of(int rook, unsigned s) {
  return (unsigned)__builtin_popcountll(sliding_relevant(rook, s));
}

#endif
