// SPDX-License-Identifier: MIT
//
// The AVX-512 methods against the oracle, on machines with and without AVX-512 (soft_avx512.hpp). Where the processor
// has it, verification checks the real code as well.
#include <gtest/gtest.h>

#include <random>

#include "methods/batch_check.hpp"
#include "methods/method.hpp"
#include "methods/reference.hpp"

// After everything that means the real registers, before the methods that shall not.
#include "methods/soft_avx512.hpp"

#include "methods/fill/kogge_stone_avx512.hpp"

namespace slidebench {
namespace {

template <class Method>
class Avx512 : public testing::Test {};

using Avx512Methods = testing::Types<KoggeStoneAvx512>;
TYPED_TEST_SUITE(Avx512, Avx512Methods);

/// Calls visit(s, occupied) for every square and every subset of its relevant occupancy, with noise on all other
/// squares, the slider's own among them.
template <class Visit>
void for_all_occupancies(Bitboard (*relevant)(Square), Visit visit) {
  std::mt19937_64 random(1);
  for (Square s = 0; s < square_count; ++s) {
    const Bitboard mask = relevant(s);
    Bitboard subset = 0;
    do {
      visit(s, subset | (random() & ~mask));
      subset = next_subset(subset, mask);
    } while (subset != 0);
  }
}

TYPED_TEST(Avx512, BishopIsRight) {
  for_all_occupancies(bishop_relevant, [](Square s, Bitboard occupied) {
    ASSERT_EQ(TypeParam::bishop(s, occupied), reference::bishop(s, occupied)) << "square " << s;
  });
}

TYPED_TEST(Avx512, RookIsRight) {
  for_all_occupancies(rook_relevant, [](Square s, Bitboard occupied) {
    ASSERT_EQ(TypeParam::rook(s, occupied), reference::rook(s, occupied)) << "square " << s;
  });
}

TYPED_TEST(Avx512, QueenAndBothAreRight) {
  for_all_occupancies(rook_relevant, [](Square s, Bitboard occupied) {
    ASSERT_EQ(queen_attacks<TypeParam>(s, PlainBoard(occupied)), reference::queen(s, occupied)) << "square " << s;
    const BishopRook sets = both_attacks<TypeParam>(s, PlainBoard(occupied));
    ASSERT_EQ(sets.bishop, reference::bishop(s, occupied)) << "square " << s;
    ASSERT_EQ(sets.rook, reference::rook(s, occupied)) << "square " << s;
  });
}

/// From no slider and an empty board to boards full of either.
TYPED_TEST(Avx512, SetAttacksAreRight) {
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
    ASSERT_EQ(set_attacks<TypeParam>(diagonal, orthogonal, PlainBoard(occupied)), expected)
        << std::hex << diagonal << ' ' << orthogonal << ' ' << occupied;
  }
}

TYPED_TEST(Avx512, BatchIsRight) { expect_right_batches(TypeParam::batch); }

}  // namespace
}  // namespace slidebench
