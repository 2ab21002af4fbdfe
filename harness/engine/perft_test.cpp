// SPDX-License-Identifier: MIT
#include "harness/engine/perft.hpp"

#include <gtest/gtest.h>

#include "harness/engine/legal_moves.hpp"
#include "harness/engine/test_perft_counts.hpp"
#include "methods/calculation/hyperbola.hpp"
#include "methods/calculation/ray_walk.hpp"
#include "methods/fill/kogge_stone.hpp"
#include "methods/magic/magic_fancy.hpp"
#include "methods/rotated/rotated_heinz.hpp"
#include "methods/rotated/rotated_hyatt.hpp"

namespace slidebench::engine {
namespace {

/// One method of each sort: without tables, with small and large ones, fills, and boards of their own.
template <class M>
class PerftOf : public testing::Test {};

using Methods = testing::Types<MagicFancy, Hyperbola, KoggeStone, RotatedHyatt, RotatedHeinz, RayWalk>;
TYPED_TEST_SUITE(PerftOf, Methods);

TYPED_TEST(PerftOf, ShallowCounts) {
  for (const PerftCount& expected : shallow_counts) expect_count<TypeParam>(expected);
}

TYPED_TEST(PerftOf, CountsOfOneRule) {
  for (const PerftCount& expected : rule_counts) expect_count<TypeParam>(expected);
}

class DeepPerft : public testing::TestWithParam<PerftCount> {};

TEST_P(DeepPerft, Count) { expect_count<MagicFancy>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Published, DeepPerft, testing::ValuesIn(deep_counts));

TEST(Perft, DepthZeroIsThePositionItself) {
  initialise<MagicFancy>();
  Position<MagicFancy> position(parse_fen(start_position));
  EXPECT_EQ(perft(position, 0), 1U);
}

TEST(Perft, TheCountsOfFirstMovesAddUp) {
  initialise<MagicFancy>();
  Position<MagicFancy> position(parse_fen(kiwipete));
  std::uint64_t sum = 0;
  for (const Move move : legal_moves(position.state())) {
    position.make(move);
    const std::uint64_t count = perft(position, 2);
    position.unmake(move);
    sum += count;
    if (to_uci(move) == "e1g1") {
      EXPECT_EQ(count, 2'059U);
    }
  }
  EXPECT_EQ(sum, 97'862U);
  EXPECT_EQ(perft(position, 1), 48U);
}

TEST(Perft, NoMovesInMateAndStalemate) {
  initialise<MagicFancy>();
  for (const char* fen :
       {"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}) {
    Position<MagicFancy> position(parse_fen(fen));
    EXPECT_EQ(perft(position, 1), 0U) << fen;
    EXPECT_EQ(perft(position, 3), 0U) << fen;
    EXPECT_FALSE(has_legal_move(position)) << fen;
  }
}

}  // namespace
}  // namespace slidebench::engine
