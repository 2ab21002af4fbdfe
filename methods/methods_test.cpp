// SPDX-License-Identifier: MIT
//
// What methods are made of and compared with, batches, and the forms for AArch64: on any machine those that are plain
// C++, on AArch64 the NEON ones too. Where the processor has SVE2, verification checks those modules.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "methods/batch_check.hpp"
#include "methods/calculation/hyperbola.hpp"
#include "methods/calculation/hyperbola_rbit.hpp"
#include "methods/calculation/obstruction_difference_clz.hpp"
#include "methods/magic/magic_fancy.hpp"
#include "methods/rotated/rotated_hyatt.hpp"
#include "methods/test_answers.hpp"

#ifdef __aarch64__
#include "methods/calculation/hyperbola_neon.hpp"
#include "methods/fill/dumb7fill_neon.hpp"
#include "methods/fill/kogge_stone_neon.hpp"
#endif

namespace slidebench {
namespace {

TEST(Bitboard, SquaresStepsAndMirroredRanksFollowTheMapping) {
  EXPECT_EQ(square_at(0, 0), 0u);
  EXPECT_EQ(square_at(4, 3), 28u);  // e4
  EXPECT_EQ(square_at(7, 7), 63u);
  EXPECT_EQ(file_of(28), 4u);
  EXPECT_EQ(rank_of(28), 3u);
  EXPECT_EQ(step(bit(28), Direction::north), bit(36));
  EXPECT_EQ(step(bit(28), Direction::southwest), bit(19));
  for (Square s = 0; s < square_count; ++s) EXPECT_EQ(flip_ranks(bit(s)), bit(s ^ 56));
}

// The oracle, against answers that were computed independently of it

constexpr Bitboard start_position = 0xFFFF00000000FFFF;
constexpr Bitboard kiwipete = 0x917D731812A4FF91;
constexpr Bitboard scattered = 0x8041A20428054A00;

/// Sum over all squares of (2s + 1) * attacks, modulo 2^64: one word that depends on every square's answer.
Bitboard weighted_sum(Bitboard (*attacks)(Square, Bitboard), Bitboard occupied) {
  Bitboard sum = 0;
  for (Square s = 0; s < square_count; ++s) sum += (2 * s + 1) * attacks(s, occupied);
  return sum;
}

TEST(Reference, WeightedSumsOverAllSquares) {
  struct Case {
    Bitboard occupied, rook, bishop;
  };
  for (const Case& c :
       {Case{start_position, 0x2ABCDFDFDF72577A, 0x7985BC7C9D71B357},
        Case{scattered, 0xEC0AB3E16B5F7685, 0x132E70ACE455885D}, Case{kiwipete, 0xDDC62059F119E567, 0x9612B5B5A6CC8357},
        Case{0, 0xFFFFFFFFFFFFFE12, 0xC20B21BB52E674BD}, Case{~Bitboard{0}, 0x54F0082038506B7A, 0xA8E0104070A0D757}}) {
    EXPECT_EQ(weighted_sum(reference::rook, c.occupied), c.rook);
    EXPECT_EQ(weighted_sum(reference::bishop, c.occupied), c.bishop);
  }
}

/// How many occupancies matter, over all squares, and how many attack sets they have.
using Totals = std::pair<std::size_t, std::size_t>;

Totals totals_of(Bitboard (*attacks)(Square, Bitboard), Bitboard (*relevant)(Square)) {
  Totals totals;
  for (Square s = 0; s < square_count; ++s) {
    std::set<Bitboard> sets;
    Bitboard subset = 0;
    do {
      sets.insert(attacks(s, subset));
      ++totals.first;
      subset = next_subset(subset, relevant(s));
    } while (subset != 0);
    totals.second += sets.size();
  }
  return totals;
}

TEST(Reference, OccupanciesAndAttackSetsAddUpToTheTotalsOfTheFoundingSources) {
  EXPECT_EQ(totals_of(reference::rook, rook_relevant), Totals(102'400, 4'900));
  EXPECT_EQ(totals_of(reference::bishop, bishop_relevant), Totals(5'248, 1'428));
}

// Batches

TEST(SliderBatch, ListsBishopsThenQueensThenRooksUpToItsCapacity) {
  const SliderBatch batch = SliderBatch::of(bit(58) | bit(2), bit(3), bit(0) | bit(7) | bit(63));
  EXPECT_EQ(batch.size(), 6u);
  EXPECT_EQ(batch.diagonal_end(), 3u);
  EXPECT_EQ(batch.orthogonal_begin(), 2u);
  const std::uint8_t expected[] = {2, 58, 3, 0, 7, 63};
  for (unsigned i = 0; i < 6; ++i) EXPECT_EQ(batch.squares[i], expected[i]) << i;

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

TEST(Batch, IsRightWhetherItAsksForEachSliderOrNot) {
  static_assert(!HasBatch<MagicFancy> && !HasBatch<RotatedHyatt>);
  expect_right_batches_of<MagicFancy>();
  expect_right_batches_of<RotatedHyatt>();
  expect_right_batches_of<Hyperbola>();
}

// Forms for AArch64

TEST(AArch64, HyperbolaRbitIsRight) { expect_right_answers<HyperbolaRbit>(); }
TEST(AArch64, ObstructionDifferenceClzIsRight) { expect_right_answers<ObstructionDifferenceClz>(); }
#ifdef __aarch64__
TEST(AArch64, HyperbolaNeonIsRight) { expect_right_answers<HyperbolaNeon>(); }
TEST(AArch64, KoggeStoneNeonIsRight) { expect_right_answers<KoggeStoneNeon>(); }
TEST(AArch64, Dumb7fillNeonIsRight) { expect_right_answers<Dumb7fillNeon>(); }
#endif

}  // namespace
}  // namespace slidebench
