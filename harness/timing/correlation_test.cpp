// SPDX-License-Identifier: MIT
#include "harness/timing/correlation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "harness/timing/crossover.hpp"

namespace slidebench {
namespace {

TEST(Spearman, KnownValues) {
  EXPECT_DOUBLE_EQ(*spearman({1, 2, 3, 4}, {10, 20, 30, 40}), 1);
  EXPECT_DOUBLE_EQ(*spearman({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
  EXPECT_NEAR(*spearman({1, 2, 3, 4, 5}, {2, 1, 4, 3, 5}), 0.8, 1e-12);
  EXPECT_NEAR(*spearman({1, 2, 2, 3}, {1, 2, 3, 4}), 0.9486832980505138, 1e-12);  // tied ranks share their mean
  EXPECT_FALSE(spearman({1, 2}, {1, 2}));
  EXPECT_FALSE(spearman({1, 1, 1}, {1, 2, 3}));
}

/// The log ratio of method m under a pressure of so many lines.
using Truth = double (*)(int method, double lines);

/// A cell of eight methods and the reference, whose true ratios to the reference are given.
void add_cell(std::vector<Sample>& samples, const std::string& pressure, double lines, Truth truth, double noise_sd) {
  std::mt19937_64 random(static_cast<std::uint64_t>(lines) + 5);
  std::normal_distribution<double> noise(0, noise_sd);
  for (unsigned launch = 0; launch < 6; ++launch) {
    for (unsigned round = 0; round < 10; ++round) {
      for (int method = 0; method <= 8; ++method) {
        Sample s;
        s.launch = launch;
        s.round = round;
        s.arm = method == 0 ? "magic_fancy" : "method" + std::to_string(method);
        s.role = method == 0 ? ArmRole::reference : ArmRole::method;
        s.cell = {.workload = "throughput", .trace = "game", .pressure = pressure};
        s.queries = 1000;
        s.time_ns = 4000 * std::exp((method == 0 ? 0 : truth(method, lines)) + noise(random));
        samples.push_back(s);
      }
    }
  }
}

double rising(int method, double) { return 0.05 * (method - 4.5); }
double falling(int method, double) { return -0.05 * (method - 4.5); }

TEST(Correlations, FindEqualAndOppositeRankings) {
  std::vector<Sample> samples;
  add_cell(samples, "isolated", 0, rising, 0.001);
  add_cell(samples, "light", 64, rising, 0.001);
  add_cell(samples, "nnue", 768, falling, 0.001);
  const std::vector<RankCorrelation> all = correlate_rankings(sort_into_cells(samples), 1);
  ASSERT_EQ(all.size(), 3u);
  for (const RankCorrelation& c : all) {
    EXPECT_EQ(c.methods, 9u);
    const bool same = c.a.pressure != "nnue" && c.b.pressure != "nnue";
    EXPECT_NEAR(c.spearman.value, same ? 1 : -1, 1e-12);
    EXPECT_LE(c.spearman.low, c.spearman.value);
    EXPECT_GE(c.spearman.high, c.spearman.value);
  }
}

TEST(Correlations, NoiseWidensTheIntervalAndLowersTheReliability) {
  std::vector<Sample> clear, noisy;
  for (auto* samples : {&clear, &noisy}) {
    add_cell(*samples, "isolated", 0, rising, samples == &clear ? 0.001 : 0.4);
    add_cell(*samples, "light", 64, rising, samples == &clear ? 0.001 : 0.4);
  }
  const RankCorrelation c = correlate_rankings(sort_into_cells(clear), 1).front();
  const RankCorrelation n = correlate_rankings(sort_into_cells(noisy), 1).front();
  EXPECT_GT(n.spearman.high - n.spearman.low, c.spearman.high - c.spearman.low);
  EXPECT_GT(reliabilities(sort_into_cells(clear), 1).front().split_half, 0.99);
  EXPECT_LT(reliabilities(sort_into_cells(noisy), 1).front().split_half, 0.9);
}

TEST(SignChange, InterpolatesTheFirst) {
  EXPECT_DOUBLE_EQ(first_sign_change({0, 1, 2}, {-1, 1, -1}), 0.5);
  EXPECT_DOUBLE_EQ(first_sign_change({0, 4, 8}, {3, 1, -1}), 6);
  EXPECT_LT(first_sign_change({0, 1}, {1, 2}), 0);
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
  const std::vector<Crossing> found = find_crossings(sweeps[0], 1);
  ASSERT_EQ(found.size(), 2u);
  for (const Crossing& c : found) {
    EXPECT_NEAR(c.lines.value, 31, 3);
    EXPECT_LE(c.lines.low, 31);
    EXPECT_GE(c.lines.high, 31);
    EXPECT_EQ(c.faster_below, c.arm == "method1");
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
