// SPDX-License-Identifier: MIT
//
// Shards: disjoint seeds. Their merge: the best of all, whatever the order.
#include "extras/magics/shard.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "extras/magics/check.hpp"
#include "extras/magics/test_factors.hpp"
#include "harness/base/errors.hpp"
#include "methods/magic/occupancies.hpp"

namespace slidebench {
namespace {

TEST(Shards, HaveSeedsOfTheirOwn) {
  std::set<std::uint64_t> seeds;
  for (unsigned i = 1; i <= 1000; ++i) seeds.insert(shard_seed(7, {i, 1000}));
  EXPECT_EQ(seeds.size(), 1000u);
  EXPECT_EQ(shard_seed(7, {1, 1}), 7u);
  EXPECT_EQ(shard_seed(7, {3, 5}), shard_seed(7, {3, 1000}));  // more shards go on where fewer ended
}

TEST(Shards, AreReadStrictly) {
  EXPECT_EQ(parse_shard("3/100").index, 3u);
  EXPECT_EQ(parse_shard("3/100").count, 100u);
  for (const char* text : {"", "/", "1", "1/", "/2", "0/1", "2/1", "1/0", "1/2 ", " 1/2", "+1/2", "1/99999999999999"}) {
    EXPECT_THROW(parse_shard(text), UserError) << text;
  }
}

TEST(Merge, OfTablesTakesTheShortest) {
  const FactorFile shorter = committed("black");
  FactorFile longer = shorter;
  for (Square s = 0; s < square_count; ++s) {  // the same table, begun ten slots later
    longer.bishop[s].second += 10;
    longer.rook[s].second += 10;
  }
  longer.slots += 10;
  ASSERT_FALSE(check_factors(longer).counter_example);
  EXPECT_EQ(best_of(std::array{longer, shorter}).slots, shorter.slots);
  EXPECT_EQ(best_of(std::array{shorter, longer}).slots, shorter.slots);
}

TEST(Merge, OfDenseFactorsTakesTheBestOfEverySquare) {
  const FactorFile best = committed("dense");
  const FactorFile wide = committed("magic");  // n bits on every square
  std::array parts{best, best};
  for (Square s = 0; s < square_count; ++s) {
    FactorFile& worse = parts[s % 2];
    worse.bishop[s] = {wide.bishop[s].factor, magic::relevant_bits(magic::Piece::bishop, s)};
    worse.rook[s] = {wide.rook[s].factor, magic::relevant_bits(magic::Piece::rook, s)};
  }
  const auto entries = [](const FactorFile& file) { return check_factors(file).entries; };
  EXPECT_GT(entries(parts[0]), entries(best));
  EXPECT_GT(entries(parts[1]), entries(best));
  EXPECT_EQ(entries(best_of(parts)), entries(best));
  EXPECT_FALSE(check_factors(best_of(parts)).counter_example);
}

TEST(Merge, RefusesWhatCannotBeCompared) {
  EXPECT_THROW(best_of({}), UserError);
  EXPECT_THROW(best_of(std::array{committed("black"), committed("overlapped")}), UserError);
  EXPECT_THROW(best_of(std::array{committed("magic"), committed("magic")}), UserError);
}

}  // namespace
}  // namespace slidebench
