// SPDX-License-Identifier: MIT
//
// A factor of a table in which the arrays of different squares may interleave.
#pragma once

#include <cstdint>

namespace slidebench {

/// The attack set of index i stands at sets[first + i].
struct OffsetFactor {
  std::uint64_t factor;
  std::uint32_t first;
};

}  // namespace slidebench
