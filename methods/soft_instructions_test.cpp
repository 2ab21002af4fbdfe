// SPDX-License-Identifier: MIT
//
// The GFNI methods and the AVX-512 ray methods against the oracle, on machines with and without these instructions, and
// the instructions' stand-ins against results worked out by hand. Where the processor has them, verification checks the
// real code as well.
#include <gtest/gtest.h>

// Before the methods and their tables.
#include "methods/soft_gfni.hpp"
#include "methods/soft_ray_masks.hpp"

#include "methods/batch_check.hpp"
#include "methods/calculation/hyperbola_avx2.hpp"
#include "methods/calculation/hyperbola_avx512.hpp"
#include "methods/calculation/hyperbola_gfni.hpp"
#include "methods/calculation/ray_major.hpp"
#include "methods/calculation/ray_masks_avx512.hpp"
#include "methods/test_answers.hpp"

namespace slidebench {
namespace {

constexpr std::uint64_t identity = 0x0102040810204080;
constexpr std::uint64_t bit_reversal = 0x8040201008040201;

// Byte 7 first, the rows that make bits 0 to 7 of the result:
//   bit 0 = b0 ^ b1,  bit 1 = b7,  bit 2 = none,   bit 3 = all of them,
//   bit 4 = b4,       bit 5 = b0,  bit 6 = b2 ^ b3,  bit 7 = b6
constexpr std::uint64_t asymmetric = 0x038000FF10010C40;

TEST(SoftGfni, IdentityChangesNothingAndBitReversalReversesEveryByte) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned reversed = 0;
    for (unsigned i = 0; i < 8; ++i) reversed |= (byte >> i & 1) << (7 - i);
    EXPECT_EQ(soft::affine_byte(identity, static_cast<std::uint8_t>(byte), 0), byte);
    EXPECT_EQ(soft::affine_byte(bit_reversal, static_cast<std::uint8_t>(byte), 0), reversed);
  }
}

/// Worked out by hand from the manual's definition. Rows and columns exchanged, or rows in the other order, would show:
/// 5A has b1 b3 b4 b6, for bits 0 4 6 7; 87 has b0 b1 b2 b7, for bits 1 5 6; 01 makes bits 0 3 5, 80 bits 1 3; of FF
/// pairs cancel, which leaves bits 1 4 5 7. The constant is added to the product.
TEST(SoftGfni, AsymmetricMatrixAndConstantAsByHand) {
  EXPECT_EQ(soft::affine_lane(asymmetric, 0x5A870180FF005A87, 0), 0xD162290AB200D162u);
  EXPECT_EQ(soft::affine_lane(asymmetric, 0x5A87000000000000, 0xA5), 0x74C7A5A5A5A5A5A5u);
  EXPECT_EQ(soft::affine_lane(bit_reversal, 0x0102030405060708, 0), 0x8040C020A060E010u);
}

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

/// The methods use real AVX2 instructions.
class OverSoft : public testing::Test {
 protected:
  void SetUp() override {
    if (__builtin_cpu_supports("avx2") == 0) GTEST_SKIP() << "needs AVX2";
  }
};

TEST_F(OverSoft, LanesHaveMatricesOfTheirOwn) {
  const __m256i source = _mm256_set1_epi64x(0x5A87018000000001);
  const __m256i matrices = _mm256_setr_epi64x(static_cast<long long>(identity), static_cast<long long>(bit_reversal),
                                              static_cast<long long>(asymmetric), 0);
  alignas(32) std::uint64_t lane[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lane), _mm256_gf2p8affine_epi64_epi8(source, matrices, 0));
  EXPECT_EQ(lane[0], 0x5A87018000000001u);
  EXPECT_EQ(lane[1], 0x5AE1800100000080u);
  EXPECT_EQ(lane[2], 0xD162290A00000029u);
  EXPECT_EQ(lane[3], 0u);
}

TEST_F(OverSoft, HyperbolaGfniIsRight) { expect_right_answers<HyperbolaGfni>(); }
TEST_F(OverSoft, RayMasksAvx512IsRight) { expect_right_answers<RayMasksAvx512>(); }
TEST_F(OverSoft, RayMajorIsRight) { expect_right_answers<RayMajor>(); }
TEST_F(OverSoft, BatchOfHyperbolaGfniIsRight) { expect_right_batches(HyperbolaGfni::batch); }
TEST_F(OverSoft, BatchOfHyperbolaAvx2IsRight) { expect_right_batches(HyperbolaAvx2::batch); }
TEST_F(OverSoft, BatchOfHyperbolaAvx512IsRight) { expect_right_batches(HyperbolaAvx512::batch); }
TEST_F(OverSoft, BatchOfRayMasksAvx512IsRight) { expect_right_batches(RayMasksAvx512::batch); }

}  // namespace
}  // namespace slidebench
