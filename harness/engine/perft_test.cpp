// SPDX-License-Identifier: MIT
#include "harness/engine/perft.hpp"

#include <gtest/gtest.h>

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

TYPED_TEST(PerftOf, PublishedCounts) {
  for (const PerftCount& expected : shallow_counts) expect_count<TypeParam>(expected);
  for (const PerftCount& expected : rule_counts) expect_count<TypeParam>(expected);
}

class DeepPerft : public testing::TestWithParam<PerftCount> {};

TEST_P(DeepPerft, Count) { expect_count<MagicFancy>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Published, DeepPerft, testing::ValuesIn(deep_counts));

TEST(Perft, NoPlyAndOne) {
  initialise<MagicFancy>();
  Position<MagicFancy> position(parse_fen(start_position));
  EXPECT_EQ(perft(position, 0), 1U);
  EXPECT_EQ(perft(position, 1), 20U);
}

}  // namespace
}  // namespace slidebench::engine
