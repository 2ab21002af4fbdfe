// SPDX-License-Identifier: MIT
#include "harness/export/c11/offset.h"

#include "methods/magic/fixed_shift_factors.hpp"

#include "harness/export/c11/offset_init.h"

#include "harness/export/c11/white.h"
