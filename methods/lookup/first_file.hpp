// SPDX-License-Identifier: MIT
//
// First-file attacks: the first-rank table turned by 90 degrees, for methods that bring the occupancy of a file into
// six consecutive bits and want a bitboard back, not a byte.
#pragma once

#include "methods/calculation/first_rank.hpp"

namespace slidebench {

/// Element 64 * rank + (occupancy of ranks 2 to 7): the attacks along the a-file. 4,096 bytes.
inline constexpr Table<Bitboard, 8 * 64> first_file_attacks = [] {
  Table<Bitboard, 8 * 64> table;
  for (unsigned i = 0; i < 8 * 64; ++i) {
    for (unsigned rank = 0; rank < 8; ++rank) {
      table.data[i] |= Bitboard{first_rank_attacks.data[i] >> rank & 1u} << (8 * rank);
    }
  }
  return table;
}();

}  // namespace slidebench
