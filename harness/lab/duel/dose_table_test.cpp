// SPDX-License-Identifier: MIT
//
// The table of slidebench_record.h's doses: which slots a square has, and that no query leaves them.
#define SLIDEBENCH_DOSE
#define SLIDEBENCH_RECORD_IMPLEMENTATION
#include <slidebench_record.h>

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <set>

namespace {

std::uint64_t slots_of(const sb_dose_square& square) { return std::uint64_t{1} << std::popcount(square.mask); }

std::uint64_t index_in(const sb_dose_square& square, std::uint64_t occupied) {
  return ((occupied & square.mask) * square.factor) >> square.shift;
}

TEST(DoseTable, SlotsFollowEachOtherToTheEnd) {
  std::uint64_t next = 0;
  for (const auto& kind : sb_dose_squares) {
    for (const sb_dose_square& square : kind) {
      EXPECT_EQ(square.first, next);
      EXPECT_EQ(square.shift, 64u - static_cast<unsigned>(std::popcount(square.mask)));
      next += slots_of(square);
    }
  }
  EXPECT_EQ(next, std::uint64_t{sb_dose_slots});
  EXPECT_EQ(next, 107648u);  // as many as those of fancy magic
}

TEST(DoseTable, MasksAreThoseOfFancyMagic) {
  EXPECT_EQ(sb_dose_squares[0][0].mask, 0x0040201008040200u);   // a bishop on a1
  EXPECT_EQ(sb_dose_squares[0][27].mask, 0x0040221400142200u);  // d4
  EXPECT_EQ(sb_dose_squares[1][0].mask, 0x000101010101017Eu);   // a rook on a1
  EXPECT_EQ(sb_dose_squares[1][27].mask, 0x0008080876080800u);  // d4
}

TEST(DoseTable, EachOccupancyHasItsSlotAndTheSquareAcrossOneToo) {
  std::mt19937_64 random(1);
  for (const auto& kind : sb_dose_squares) {
    for (unsigned square = 0; square < 64; ++square) {
      const std::uint64_t slots = slots_of(kind[square]);
      ASSERT_EQ(slots_of(kind[square ^ 56]), slots);
      ASSERT_LT(index_in(kind[square], ~std::uint64_t{0}), slots);
      ASSERT_EQ(index_in(kind[square], 0), 0u);
      for (int i = 0; i < 2000; ++i) ASSERT_LT(index_in(kind[square], random()), slots);
    }
  }
}

/// Not one hot slot: occupancies use much of a square's.
TEST(DoseTable, SubsetsAreSpread) {
  for (const auto& kind : sb_dose_squares) {
    for (const sb_dose_square& square : kind) {
      std::set<std::uint64_t> seen;
      std::uint64_t subset = 0;
      do {
        seen.insert(index_in(square, subset));
        subset = (subset - square.mask) & square.mask;
      } while (subset != 0);
      EXPECT_GE(4 * seen.size(), slots_of(square));
    }
  }
}

TEST(DoseTable, WhatIsDosedIsTheOccupancyAsItWas) {
  std::mt19937_64 random(2);
  for (const sb_dose_amounts amounts : {sb_dose_amounts{0, 0, 0}, {24, 0, 0}, {0, 32, 0}, {0, 0, 1}, {0, 0, 2}}) {
    sb_dose_now = amounts;
    const std::uint64_t before = sb_dose_queries;
    for (int square = 0; square < 64; ++square) {
      std::uint64_t occupied = random();
      const std::uint64_t asked = occupied;
      sb_record_bishop(square, occupied);
      sb_record_rook(square, occupied);
      sb_record_queen(square, occupied);
      ASSERT_EQ(occupied, asked);
    }
    EXPECT_EQ(sb_dose_queries, before + 3 * 64);
  }
  sb_dose_now = {};
}

}  // namespace
