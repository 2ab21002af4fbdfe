// SPDX-License-Identifier: MIT
//
// Every store that the flags of this file and the machine allow, and what the host makes of their modules.
#include <gtest/gtest.h>

#include "extras/stores/ask_anew.hpp"
#include "extras/stores/attack_table.hpp"
#include "extras/stores/rows.hpp"
#include "extras/stores/store_check.hpp"
#include "methods/calculation/hyperbola.hpp"
#include "methods/calculation/hyperbola_record.hpp"
#include "methods/magic/magic_fancy.hpp"
#include "methods/rotated/rotated_hyatt.hpp"
#ifdef __AVX2__
#include "extras/stores/rows_avx2.hpp"
#include "methods/calculation/ray_masks_avx2.hpp"
#include "methods/pext/pext.hpp"
#endif
#if defined(__AVX512VBMI__) && defined(__AVX512BITALG__)
#include "extras/stores/attack_table_avx512.hpp"
#endif

namespace slidebench {
namespace {

bool machine_has([[maybe_unused]] Isa isa) {
#ifdef __x86_64__
  const auto needs = [isa](Isa feature) { return (isa & feature) != Isa::none; };
  if (needs(Isa::avx2) && !__builtin_cpu_supports("avx2")) return false;
  if (needs(Isa::avx512bw) && !__builtin_cpu_supports("avx512bw")) return false;
  if (needs(Isa::avx512vbmi) && !__builtin_cpu_supports("avx512vbmi")) return false;
  if (needs(Isa::avx512bitalg) && !__builtin_cpu_supports("avx512bitalg")) return false;
#endif
  return true;
}

using Stores = testing::Types<
#ifdef __AVX2__
    RowsAvx2<RayMasksAvx2>, Copied<RowsAvx2<Pext>>,
#endif
#if defined(__AVX512VBMI__) && defined(__AVX512BITALG__)
    AttackTableAvx512<Hyperbola>, Copied<AttackTableAvx512<Hyperbola>>,
#endif
    AskAnew<Hyperbola>, AskAnew<RotatedHyatt>, Copied<AskAnew<Hyperbola>>, Rows<Hyperbola>, Copied<Rows<Hyperbola>>,
    Rows<HyperbolaRecord>, Rows<MagicFancy>, AttackTable<Hyperbola>, Copied<AttackTable<Hyperbola>>>;

template <class S>
class StoreTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!machine_has(S::info.requires_isa)) GTEST_SKIP() << "this machine lacks instructions of " << S::info.id;
    initialise<typename S::Method>();
  }
};
TYPED_TEST_SUITE(StoreTest, Stores);

TYPED_TEST(StoreTest, AnswersAsTheRayWalk) {
  Verification verification(TypeParam::info.id, QueriesOfStore<TypeParam>::value);
  std::mt19937_64 random(1);
  walk_random_boards(verification, 24'000, random);
  EXPECT_FALSE(verification.failed()) << *verification.verdict().failure;
}

/// Fifteen queens a side: more rows change at once than in any game.
TYPED_TEST(StoreTest, ManyQueens) {
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
    EXPECT_EQ(check.make_and_unmake(change_of(check.board(), move)), "");
    EXPECT_EQ(check.make(change_of(check.board(), move)), "");
  }
}

}  // namespace
}  // namespace slidebench
