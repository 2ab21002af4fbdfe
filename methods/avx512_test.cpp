// SPDX-License-Identifier: MIT
//
// The AVX-512 methods against the oracle, on machines with and without AVX-512 (soft_avx512.hpp). Where the processor
// has it, verification checks the real code as well.
#include <gtest/gtest.h>

#include <random>

#include "methods/batch_check.hpp"
#include "methods/test_answers.hpp"

// After everything that means the real registers, before the methods that shall not.
#include "methods/soft_avx512.hpp"

#include "methods/fill/kogge_stone_avx512.hpp"

namespace slidebench {
namespace {

TEST(Avx512, AllAnswersAreRight) { expect_right_answers<KoggeStoneAvx512>(); }

/// From no slider and an empty board to boards full of either.
TEST(Avx512, SetAttacksAreRight) {
  std::mt19937_64 random(2);
  const auto thinned = [&random](unsigned times) {
    Bitboard squares = ~Bitboard{0};
    for (unsigned i = 0; i < times; ++i) squares &= random();
    return squares;
  };
  for (unsigned trial = 0; trial < 100'000; ++trial) {
    const Bitboard diagonal = thinned(trial % 7);
    const Bitboard orthogonal = thinned(trial / 7 % 7);
    const Bitboard occupied = diagonal | orthogonal | thinned(trial / 49 % 7);
    Bitboard expected = 0;
    for (Bitboard left = diagonal; left != 0;) expected |= reference::bishop(pop_lowest(left), occupied);
    for (Bitboard left = orthogonal; left != 0;) expected |= reference::rook(pop_lowest(left), occupied);
    ASSERT_EQ(set_attacks<KoggeStoneAvx512>(diagonal, orthogonal, PlainBoard(occupied)), expected)
        << std::hex << diagonal << ' ' << orthogonal << ' ' << occupied;
  }
}

TEST(Avx512, BatchIsRight) { expect_right_batches(KoggeStoneAvx512::batch); }

}  // namespace
}  // namespace slidebench
