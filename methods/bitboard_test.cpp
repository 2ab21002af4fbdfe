// SPDX-License-Identifier: MIT
#include "methods/bitboard.hpp"

#include <gtest/gtest.h>

namespace slidebench {
namespace {

TEST(Bitboard, SquaresFollowTheMapping) {
  EXPECT_EQ(square_at(0, 0), 0u);
  EXPECT_EQ(square_at(4, 3), 28u);  // e4
  EXPECT_EQ(square_at(7, 7), 63u);
  EXPECT_EQ(file_of(28), 4u);
  EXPECT_EQ(rank_of(28), 3u);
}

TEST(Bitboard, StepsStopAtTheEdges) {
  EXPECT_EQ(step(bit(7), Direction::east), 0u);        // h1
  EXPECT_EQ(step(bit(0), Direction::west), 0u);        // a1
  EXPECT_EQ(step(bit(63), Direction::northeast), 0u);  // h8
  EXPECT_EQ(step(bit(8), Direction::northwest), 0u);   // a2
  EXPECT_EQ(step(bit(28), Direction::north), bit(36));
  EXPECT_EQ(step(bit(28), Direction::southwest), bit(19));
}

TEST(Bitboard, LinesMeetOnlyInTheSquare) {
  for (Square s = 0; s < square_count; ++s) {
    EXPECT_EQ(std::popcount(rank_mask(s)), 7);
    EXPECT_EQ(std::popcount(file_mask(s)), 7);
    EXPECT_EQ(rank_mask(s) & file_mask(s), 0u);
    EXPECT_EQ(diagonal_mask(s) & antidiagonal_mask(s), 0u);
    EXPECT_EQ((rank_mask(s) | file_mask(s) | diagonal_mask(s) | antidiagonal_mask(s)) & bit(s), 0u);
  }
}

/// Totals of the founding sources: 102,400 rook and 5,248 bishop occupancies.
TEST(Bitboard, RelevantOccupanciesAddUp) {
  std::uint64_t rooks = 0;
  std::uint64_t bishops = 0;
  for (Square s = 0; s < square_count; ++s) {
    rooks += std::uint64_t{1} << std::popcount(rook_relevant(s));
    bishops += std::uint64_t{1} << std::popcount(bishop_relevant(s));
  }
  EXPECT_EQ(rooks, 102'400u);
  EXPECT_EQ(bishops, 5'248u);
}

TEST(Bitboard, NextSubsetVisitsEverySubsetOnce) {
  const Bitboard mask = bishop_relevant(27);
  std::uint64_t visited = 0;
  Bitboard sum = 0;
  Bitboard subset = 0;
  do {
    EXPECT_EQ(subset & ~mask, 0u);
    sum += subset;
    ++visited;
    subset = next_subset(subset, mask);
  } while (subset != 0);
  EXPECT_EQ(visited, std::uint64_t{1} << std::popcount(mask));
  EXPECT_EQ(sum, mask * (visited / 2));  // every bit stands in half of the subsets
}

TEST(Bitboard, PopLowestEmptiesASet) {
  Bitboard set = bit(3) | bit(40) | bit(63);
  EXPECT_EQ(pop_lowest(set), 3u);
  EXPECT_EQ(pop_lowest(set), 40u);
  EXPECT_EQ(pop_lowest(set), 63u);
  EXPECT_EQ(set, 0u);
}

TEST(Bitboard, FlipRanksMovesSquaresToTheMirrorRank) {
  for (Square s = 0; s < square_count; ++s) EXPECT_EQ(flip_ranks(bit(s)), bit(s ^ 56));
}

}  // namespace
}  // namespace slidebench
