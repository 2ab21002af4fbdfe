// SPDX-License-Identifier: MIT
//
// The AVX-512 ray methods against the oracle, on machines with and without AVX-512 (soft_ray_masks.hpp), and the
// stand-ins against results worked out by hand. Where the processor has it, verification checks the real code as well.
#include <gtest/gtest.h>

// Before the methods and their tables.
#include "methods/soft_ray_masks.hpp"

#include "methods/batch_check.hpp"
#include "methods/calculation/hyperbola_avx2.hpp"
#include "methods/calculation/hyperbola_avx512.hpp"
#include "methods/calculation/ray_major.hpp"
#include "methods/calculation/ray_masks_avx512.hpp"
#include "methods/test_answers.hpp"

namespace slidebench {
namespace {

TEST(SoftRayMasks, TernaryLogicTakesTheRowsOfItsTable) {
  EXPECT_EQ(soft::ternary_word(0b11110000, 0b11001100, 0b10101010, 0b00101000), 0b00101000u);
  EXPECT_EQ(soft::ternary_word(0b11110000, 0b11001100, 0b10101010, 0b11111000), 0b11111000u);
  EXPECT_EQ(soft::ternary_word(0, 0, 0, 1), ~std::uint64_t{0});
}

TEST(SoftRayMasks, BitShuffleTakesBitsByNumber) {
  soft::Vector512 order{};
  order.lane[0] = 0x0000000000013F05;  // bits 5, 63, 1 and five times 0
  order.lane[7] = 0x4500000000000000;  // 0x45 is 5 modulo 64
  EXPECT_EQ(soft::bitshuffle(soft::set512(1LL << 5), order), 0x8000000000000001u);
  EXPECT_EQ(soft::bitshuffle(soft::set512(1LL << 1), order), 0x0000000000000004u);
}

class RayMasks : public testing::Test {
 protected:
  void SetUp() override {
    if (__builtin_cpu_supports("avx2") == 0) GTEST_SKIP() << "needs AVX2";
  }
};

TEST_F(RayMasks, RayMasksAvx512IsRight) { expect_right_answers<RayMasksAvx512>(); }
TEST_F(RayMasks, RayMajorIsRight) { expect_right_answers<RayMajor>(); }
TEST_F(RayMasks, BatchOfHyperbolaAvx2IsRight) { expect_right_batches(HyperbolaAvx2::batch); }
TEST_F(RayMasks, BatchOfHyperbolaAvx512IsRight) { expect_right_batches(HyperbolaAvx512::batch); }
TEST_F(RayMasks, BatchOfRayMasksAvx512IsRight) { expect_right_batches(RayMasksAvx512::batch); }

}  // namespace
}  // namespace slidebench
