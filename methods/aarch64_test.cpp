// SPDX-License-Identifier: MIT
//
// The forms for AArch64 against the oracle: on any machine those that are plain C++, on AArch64 the NEON ones too.
// Where the processor has SVE2, verification checks those modules.
#include <gtest/gtest.h>

#include <random>

#include "methods/calculation/bit_reversal.hpp"
#include "methods/calculation/hyperbola_rbit.hpp"
#include "methods/calculation/obstruction_difference_clz.hpp"
#include "methods/reference.hpp"

#ifdef __aarch64__
#include "methods/calculation/hyperbola_neon.hpp"
#include "methods/fill/dumb7fill_neon.hpp"
#include "methods/fill/kogge_stone_neon.hpp"
#endif

namespace slidebench {
namespace {

TEST(BitReversal, TurnsTheBoard) {
  static_assert(reverse_bits(bit(0)) == bit(63));
  std::mt19937_64 random(1);
  for (Square s = 0; s < square_count; ++s) EXPECT_EQ(reverse_bits(bit(s)), bit(63 - s));
  for (unsigned trial = 0; trial < 1000; ++trial) {
    const Bitboard a = random(), b = random();
    EXPECT_EQ(reverse_bits(a | b), reverse_bits(a) | reverse_bits(b));
  }
}

template <class Method>
class AArch64 : public testing::Test {};

#ifdef __aarch64__
using Methods = testing::Types<HyperbolaRbit, ObstructionDifferenceClz, HyperbolaNeon, KoggeStoneNeon, Dumb7fillNeon>;
#else
using Methods = testing::Types<HyperbolaRbit, ObstructionDifferenceClz>;
#endif
TYPED_TEST_SUITE(AArch64, Methods);

/// Every square with every subset of the squares that matter to a rook or a bishop, with noise on all others, the
/// slider's own among them.
TYPED_TEST(AArch64, AllAnswersAreRight) {
  std::mt19937_64 random(1);
  for (Square s = 0; s < square_count; ++s) {
    for (const Bitboard mask : {rook_relevant(s), bishop_relevant(s)}) {
      Bitboard subset = 0;
      do {
        const Bitboard occupied = subset | (random() & ~mask);
        const Bitboard bishop = reference::bishop(s, occupied);
        const Bitboard rook = reference::rook(s, occupied);
        const BishopRook sets = both_attacks<TypeParam>(s, PlainBoard(occupied));
        ASSERT_EQ(TypeParam::bishop(s, occupied), bishop) << "square " << s;
        ASSERT_EQ(TypeParam::rook(s, occupied), rook) << "square " << s;
        ASSERT_EQ(queen_attacks<TypeParam>(s, PlainBoard(occupied)), bishop | rook) << "square " << s;
        ASSERT_EQ(sets.bishop, bishop) << "square " << s;
        ASSERT_EQ(sets.rook, rook) << "square " << s;
        subset = next_subset(subset, mask);
      } while (subset != 0);
    }
  }
}

}  // namespace
}  // namespace slidebench
