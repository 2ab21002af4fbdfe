// SPDX-License-Identifier: MIT
//
// The forms for AArch64 against the oracle: on any machine those that are plain C++, on AArch64 the NEON ones too.
// Where the processor has SVE2, verification checks those modules.
#include <gtest/gtest.h>

#include <random>

#include "methods/calculation/bit_reversal.hpp"
#include "methods/calculation/hyperbola_rbit.hpp"
#include "methods/calculation/obstruction_difference_clz.hpp"
#include "methods/test_answers.hpp"

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

TYPED_TEST(AArch64, AllAnswersAreRight) { expect_right_answers<TypeParam>(); }

}  // namespace
}  // namespace slidebench
