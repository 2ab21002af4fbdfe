// SPDX-License-Identifier: MIT
//
// In which order pressure goes through the lines (or rows) of its block.
#pragma once

#include <cstdint>

namespace slidebench {

enum class TouchOrder : std::uint8_t {
  cyclic,      ///< a permutation of the block, again and again: what the timed replay does, and the worst case of LRU
  independent  ///< each touch is any line (row) of the block: not what the timed replay does
};

}  // namespace slidebench
