// SPDX-License-Identifier: MIT
//
// For tests of methods: all their answers against the oracle.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "methods/method.hpp"
#include "methods/reference.hpp"

namespace slidebench {

/// Every square with every subset of the squares that matter to a rook or a bishop, with noise on all others, once
/// without and once with the slider itself.
template <AttackMethod M>
void expect_right_answers() {
  std::mt19937_64 random(1);
  for (Square s = 0; s < square_count; ++s) {
    for (const Bitboard mask : {rook_relevant(s), bishop_relevant(s)}) {
      Bitboard subset = 0;
      do {
        const Bitboard others = subset | (random() & ~mask & ~bit(s));
        for (const Bitboard occupied : {others, others | bit(s)}) {
          const Bitboard bishop = reference::bishop(s, occupied);
          const Bitboard rook = reference::rook(s, occupied);
          const BishopRook sets = both_attacks<M>(s, PlainBoard(occupied));
          ASSERT_EQ(M::bishop(s, occupied), bishop) << "square " << s;
          ASSERT_EQ(M::rook(s, occupied), rook) << "square " << s;
          ASSERT_EQ(queen_attacks<M>(s, PlainBoard(occupied)), bishop | rook) << "square " << s;
          ASSERT_EQ(sets.bishop, bishop) << "square " << s;
          ASSERT_EQ(sets.rook, rook) << "square " << s;
        }
        subset = next_subset(subset, mask);
      } while (subset != 0);
    }
  }
}

}  // namespace slidebench
