// SPDX-License-Identifier: MIT
#include "extras/model/ladder/latency_ladder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "harness/base/errors.hpp"
#include "harness/measure/table_pages.hpp"

namespace slidebench {
namespace {

TEST(LadderSizes, TwoAnOctaveInWholeLines) {
  EXPECT_EQ(ladder_sizes(16u << 10), (std::vector<std::uint64_t>{4096, 5824, 8192, 11584, 16384}));
  const std::vector<std::uint64_t> all = ladder_sizes(256u << 20);
  EXPECT_EQ(all.size(), 33u);
  EXPECT_EQ(all.back(), std::uint64_t{256} << 20);
  for (const std::uint64_t bytes : all) EXPECT_EQ(bytes % 64, 0u);
}

TEST(LadderSizes, RefusesWhatIsNoLadder) {
  EXPECT_EQ(ladder_sizes(4096), std::vector<std::uint64_t>{4096});
  EXPECT_THROW(ladder_sizes(4095), UserError);
  EXPECT_THROW(ladder_sizes(0), UserError);
  EXPECT_THROW(ladder_sizes(largest_ladder_bytes + 1), UserError);
}

TEST(RandomCycle, IsOneCycleThroughEverything) {
  for (const std::uint32_t n : {1u, 2u, 3u, 64u, 1000u}) {
    std::mt19937_64 random(n);
    const std::vector<std::uint32_t> next = random_cycle(n, random);
    std::vector<bool> seen(n);
    std::uint32_t at = 0;
    for (std::uint32_t step = 0; step < n; ++step) {
      EXPECT_FALSE(seen[at]) << "a shorter cycle among " << n;
      seen[at] = true;
      at = next[at];
    }
    EXPECT_EQ(at, 0u);
  }
}

TEST(RandomCycle, DrawsAllCyclesAlike) {
  // Four elements have 3! cycles; each should come up in a sixth of 6,000 draws, give or take four deviations.
  std::mt19937_64 random(1);
  std::map<std::vector<std::uint32_t>, int> found;
  for (int i = 0; i < 6000; ++i) ++found[random_cycle(4, random)];
  ASSERT_EQ(found.size(), 6u);
  for (const auto& [cycle, times] : found) EXPECT_NEAR(times, 1000, 4 * 29);
}

TEST(Ladder, HasEverySizeAndPageWithOrderedQuartiles) {
  const std::vector<LadderStep> steps = measure_ladder({.max_bytes = 128u << 10, .seconds = 0.01});
  ASSERT_EQ(steps.size(), ladder_sizes(128u << 10).size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].bytes, ladder_sizes(128u << 10)[i]);
    EXPECT_EQ(steps[i].pages, "4k");
    EXPECT_GE(steps[i].chases, 3u);
    EXPECT_LE(steps[i].low_ns, steps[i].median_ns);
    EXPECT_LE(steps[i].median_ns, steps[i].high_ns);
  }
}

TEST(Ladder, CountsWhatLiesBetweenTwoReads) {
  const std::vector<LadderStep> steps = measure_ladder({.max_bytes = 64u << 10, .pages = {"4k"}, .seconds = 0.01});
  ASSERT_EQ(steps.size(), 9u);
  EXPECT_EQ(steps.front().lines_between, 63 + RevisitedLines::lines);
  EXPECT_EQ(steps.front().pages_between, RevisitedLines::lines);
  EXPECT_EQ(steps.back().lines_between, 1023 + RevisitedLines::lines);
  EXPECT_EQ(steps.back().pages_between, 15 + RevisitedLines::lines);
}

TEST(RevisitedLines, AreChasedOnceRoundWhereverTheyLie) {
  std::mt19937_64 random(3);
  for (const bool large : {false, true}) {
    const auto others = std::make_shared<const OtherLines>(OtherLines{1u << 20, memory_for_chase(1u << 20, large)});
    RevisitedLines few(others, 4096, large, random);
    for (int move = 0; move < 20; ++move) {
      few.move(random);
      EXPECT_EQ(few.round_trip(), RevisitedLines::lines);
    }
  }
}

TEST(Ladder, RefusesABadPlan) {
  EXPECT_THROW(measure_ladder({.max_bytes = 64}), UserError);
  EXPECT_THROW(measure_ladder({.pages = {"1g"}}), UserError);
  EXPECT_THROW(measure_ladder({.pages = {}}), UserError);
  EXPECT_THROW(measure_ladder({.pages = {"4k", "4k"}}), UserError);
  EXPECT_THROW(measure_ladder({.seconds = 0}), UserError);
  EXPECT_THROW(measure_ladder({.seconds = std::numeric_limits<double>::quiet_NaN()}), UserError);
}

const std::vector<LadderStep> two_by_two{{4096, "4k", 0, 5, 65536, 63, 0, 1.25, 1.2, 1.5},
                                         {5824, "4k", 0, 5, 65536, 90, 1, 1.5, 1.25, 2},
                                         {4096, "2m", 1, 5, 65536, 63, 0, 1, 0.5, 1.5},
                                         {5824, "2m", 1, 5, 65536, 90, 1, 2, 1.5, 2.5}};

TEST(LadderCsv, HasALineAStep) {
  EXPECT_EQ(
      ladder_csv({two_by_two[0], two_by_two[3]}),
      "bytes,pages,large_page_share,chases,loads_per_chase,lines_between,pages_between,ns_per_load,ns_per_load_q1,"
      "ns_per_load_q3\n"
      "4096,4k,0.000,5,65536,63,0,1.2500,1.2000,1.5000\n"
      "5824,2m,1.000,5,65536,90,1,2.0000,1.5000,2.5000\n");
}

TEST(LadderTable, HasALineASizeAndAColumnAKindOfPage) {
  const std::string table = ladder_table(two_by_two);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3);
  const std::string gap(17, ' ');
  EXPECT_NE(table.find("4 KiB" + gap + "1.25 [1.20, 1.50]" + gap + "1.00 [0.50, 1.50]\n"), std::string::npos) << table;
}

}  // namespace
}  // namespace slidebench
