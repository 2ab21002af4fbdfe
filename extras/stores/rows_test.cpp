// SPDX-License-Identifier: MIT
//
// Every store of rows that the flags of this file and the machine allow.
#include <algorithm>
#include <string_view>
#include <vector>

#include "extras/stores/rows.hpp"
#include "extras/stores/rows_mended.hpp"
#include "extras/stores/test_fixture.hpp"
#include "methods/calculation/hyperbola.hpp"
#include "methods/calculation/hyperbola_record.hpp"
#include "methods/magic/magic_fancy.hpp"
#ifdef __AVX2__
#include "extras/stores/rows_avx2.hpp"
#include "extras/stores/rows_by_rank.hpp"
#include "extras/stores/rows_mended_avx2.hpp"
#include "methods/calculation/ray_masks_avx2.hpp"
#include "methods/pext/pext.hpp"
#endif
#if defined(__AVX512VBMI__) && defined(__AVX512BITALG__)
#include "extras/stores/rows_avx512.hpp"
#include "extras/stores/rows_by_rank_avx512.hpp"
#include "methods/calculation/ray_masks_avx512.hpp"
#endif

namespace slidebench {
namespace {

using Stores = testing::Types<
#ifdef __AVX2__
    RowsAvx2<RayMasksAvx2>, Copied<RowsAvx2<Pext>>, RowsByRank<RayMasksAvx2>, Copied<RowsByRank<Pext>>,
    RowsMendedAvx2<RayMasksAvx2>, Copied<RowsMendedAvx2<Pext>>,
#endif
#if defined(__AVX512VBMI__) && defined(__AVX512BITALG__)
    RowsAvx512<RayMasksAvx512>, Copied<RowsAvx512<Pext>>, RowsByRankAvx512<RayMasksAvx512>,
    Copied<RowsByRankAvx512<Pext>>,
#endif
    Rows<Hyperbola>, Copied<Rows<Hyperbola>>, Rows<HyperbolaRecord>, Rows<MagicFancy>, RowsMended<Hyperbola>,
    RowsMended<HyperbolaRecord>, Copied<RowsMended<MagicFancy>>>;
template <class S>
class RowsTest : public StoreTest<S> {};
TYPED_TEST_SUITE(RowsTest, Stores);

TYPED_TEST(RowsTest, AnswersAsTheRayWalk) { EXPECT_EQ(this->fault(), ""); }

/// No threat stands twice in a list. Of stores that ask anew none stands in both: mended rows go square by square, and
/// a piece that moves along a line lets a slider through and stops it again.
TYPED_TEST(RowsTest, ListsNothingTwice) {
  constexpr bool square_by_square = std::string_view(TypeParam::info.id).starts_with("rows_mended");
  const auto twice = [](std::vector<Threat> list) {
    const auto number = [](const Threat& threat) { return std::bit_cast<std::uint32_t>(threat); };
    std::ranges::sort(list, {}, number);
    return std::ranges::adjacent_find(list) != list.end();
  };
  std::mt19937_64 random(2);
  for (unsigned n = 0; n < 2'000; ++n) {
    PieceBoard board = random_board(random);
    MoveCode move = 0;
    if (!random_move(board, random, move)) continue;
    TypeParam store(board);
    ThreatChange threats;
    store.make(board, change_of(board, move), threats);
    std::vector<Threat> all(threats.came.begin(), threats.came.end());
    if (square_by_square) {
      ASSERT_FALSE(twice(all)) << "board " << n;
      all.clear();
    }
    all.insert(all.end(), threats.went.begin(), threats.went.end());
    ASSERT_FALSE(twice(all)) << "board " << n;
  }
}

/// Fifteen queens a side: more rows change at once than in any game.
TYPED_TEST(RowsTest, ManyQueens) {
  PieceBoard board = PieceBoard::empty();
  for (std::uint8_t s = 0; s < 30; ++s) {
    const auto square = static_cast<std::uint8_t>(s * 7 % 61);
    board.put({square, piece_of(s % 2 == 0 ? Color::white : Color::black, PieceType::queen)});
  }
  std::mt19937_64 random(3);
  StoreCheck check(QueriesOfStore<TypeParam>::value);
  EXPECT_EQ(check.begin(board), "");
  MoveCode move = 0;
  for (unsigned ply = 0; ply < 20 && random_move(check.board(), random, move); ++ply) {
    EXPECT_EQ(check.make_and_unmake(change_of(check.board(), move), true), "");
    EXPECT_EQ(check.make(change_of(check.board(), move), true), "");
  }
}

}  // namespace
}  // namespace slidebench
