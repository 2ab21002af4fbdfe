// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>

#include "methods/batch_check.hpp"
#include "methods/calculation/hyperbola.hpp"
#include "methods/magic/magic_fancy.hpp"
#include "methods/method.hpp"
#include "methods/rotated/rotated_hyatt.hpp"

namespace slidebench {
namespace {

TEST(SliderBatch, ListsBishopsThenQueensThenRooks) {
  const SliderBatch batch = SliderBatch::of(bit(58) | bit(2), bit(3), bit(0) | bit(7) | bit(63));
  EXPECT_EQ(batch.size(), 6u);
  EXPECT_EQ(batch.diagonal_end(), 3u);
  EXPECT_EQ(batch.orthogonal_begin(), 2u);
  const std::uint8_t expected[] = {2, 58, 3, 0, 7, 63};
  for (unsigned i = 0; i < 6; ++i) EXPECT_EQ(batch.squares[i], expected[i]) << i;
}

TEST(SliderBatch, NeverHoldsMoreThanItsCapacity) {
  const SliderBatch full = SliderBatch::of(~Bitboard{0}, ~Bitboard{0}, ~Bitboard{0});
  EXPECT_EQ(full.size(), SliderBatch::capacity);
  EXPECT_EQ(full.bishops, SliderBatch::capacity);
  const SliderBatch mixed = SliderBatch::of(0xFFFFFF, 0xFFFFFF, 0xFF);
  EXPECT_EQ(mixed.bishops, 24u);
  EXPECT_EQ(mixed.queens, 8u);
  EXPECT_EQ(mixed.rooks, 0u);
  EXPECT_EQ(SliderBatch::of(0, 0, 0).size(), 0u);
}

template <AttackMethod M>
void expect_right_batches_of() {
  initialise<M>();
  expect_right_batches([](const SliderBatch& sliders, Bitboard occupied, Bitboard* attacks) {
    batch_attacks<M>(sliders, BoardOf<M>(occupied), attacks);
  });
}

TEST(DerivedBatch, AsksForEachSlider) {
  static_assert(!HasBatch<MagicFancy> && !HasBatch<RotatedHyatt>);
  expect_right_batches_of<MagicFancy>();
  expect_right_batches_of<RotatedHyatt>();
}

TEST(Hyperbola, BatchIsRight) { expect_right_batches_of<Hyperbola>(); }

}  // namespace
}  // namespace slidebench
