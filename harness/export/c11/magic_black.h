// SPDX-License-Identifier: MIT
#include "harness/export/c11/offset.h"

#include "methods/magic/black_factors.hpp"

#include "harness/export/c11/offset_init.h"

static inline uint64_t sliding_key(uint64_t occupied, uint64_t mask) { return occupied | mask; }

#ifdef SLIDING_IMPLEMENTATION

static uint64_t sliding_mask(uint64_t relevant) { return ~relevant; }

#endif
