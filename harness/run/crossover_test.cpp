// SPDX-License-Identifier: MIT
#include "harness/run/crossover.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/statistics/synthetic_cell.hpp"

namespace slidebench {
namespace {

TEST(SignChanges, AreInterpolated) {
  EXPECT_EQ(sign_changes({0, 1, 2}, {-1, 1, -1}), (std::vector<double>{0.5, 1.5}));
  EXPECT_EQ(sign_changes({0, 4, 8}, {3, 1, -1}), (std::vector<double>{6}));
  EXPECT_TRUE(sign_changes({0, 1}, {1, 2}).empty());
}

/// Method 1 is faster up to 31 lines, method 2 from there on; the others never change.
double crossing(int method, double lines) {
  const double x = 0.02 * (std::log2(1 + lines) - 5);
  return method == 1 ? x : method == 2 ? -x : 0.2;
}

TEST(Crossings, AreFoundWhereTheyAre) {
  std::vector<Sample> samples;
  add_cell(samples, "isolated", 0, crossing, 0.002);
  for (const int lines : {16, 64, 256}) {
    add_cell(samples, std::to_string(lines) + "@8M/eval/random", lines, crossing, 0.002);
  }
  add_cell(samples, "lukewarm", 0, crossing, 0.002);  // no part of any sweep
  const std::vector<CellSamples> cells = sort_into_cells(samples);
  const std::vector<PressureSweep> sweeps = find_sweeps(cells);
  ASSERT_EQ(sweeps.size(), 1u);
  EXPECT_EQ(sweeps[0].name, "8M/eval/random");
  EXPECT_EQ(sweeps[0].lines, (std::vector<double>{0, 16, 64, 256}));
  const std::vector<Crossing> found = find_crossings(sweeps[0], {});
  ASSERT_EQ(found.size(), 3u);  // each with the reference, and both with each other
  for (const Crossing& c : found) {
    EXPECT_TRUE(c.against == "magic_fancy" || c.contender + c.against == "method1method2");
    EXPECT_NEAR(c.lines.value, 31, 3);
    EXPECT_LE(c.lines.low, 31);
    EXPECT_GE(c.lines.high, 31);
    EXPECT_EQ(c.faster_below, c.contender == "method1");
  }
}

TEST(Crossings, AnEndBeyondTheSweepIsNotKnown) {
  std::vector<Sample> samples;
  // The difference is so small above the crossing that its sign is open to the end of the sweep.
  const auto barely = [](int method, double lines) { return method == 1 ? (lines < 100 ? -0.05 : 0.002) : 0.2; };
  add_cell(samples, "isolated", 0, barely, 0.01);
  for (const int lines : {16, 64, 256}) {
    add_cell(samples, std::to_string(lines) + "@8M/eval/random", lines, barely, 0.01);
  }
  const std::vector<CellSamples> cells = sort_into_cells(samples);
  const std::vector<Crossing> found = find_crossings(find_sweeps(cells).front(), {});
  ASSERT_FALSE(found.empty());
  for (const Crossing& c : found) {
    EXPECT_TRUE(std::isfinite(c.lines.low));
    EXPECT_TRUE(std::isinf(c.lines.high));
  }
}

TEST(Crossings, ASweepNeedsTheIsolatedPointAndTwoMore) {
  std::vector<Sample> samples;
  add_cell(samples, "isolated", 0, crossing, 0.002);
  add_cell(samples, "16@8M/eval", 16, crossing, 0.002);
  add_cell(samples, "64@4M/eval", 64, crossing, 0.002);
  EXPECT_TRUE(find_sweeps(sort_into_cells(samples)).empty());
}

}  // namespace
}  // namespace slidebench
