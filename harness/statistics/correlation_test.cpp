// SPDX-License-Identifier: MIT
#include "harness/statistics/correlation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "harness/statistics/crossover.hpp"

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

std::vector<RankCorrelation> correlations_of(const std::vector<Sample>& samples) {
  const std::vector<CellSamples> cells = sort_into_cells(samples);
  return correlate_rankings(cells, reliabilities(cells, 1));
}

TEST(Correlations, FindEqualAndOppositeRankings) {
  std::vector<Sample> samples;
  add_cell(samples, "isolated", 0, rising, 0.001);
  add_cell(samples, "light", 64, rising, 0.001);
  add_cell(samples, "nnue", 768, falling, 0.001);
  const std::vector<RankCorrelation> all = correlations_of(samples);
  ASSERT_EQ(all.size(), 3u);
  for (const RankCorrelation& c : all) {
    EXPECT_EQ(c.methods, 9u);
    const bool same = c.a.pressure != "nnue" && c.b.pressure != "nnue";
    EXPECT_NEAR(c.spearman.value, same ? 1 : -1, 1e-12);
    EXPECT_LE(c.spearman.low, c.spearman.value);
    EXPECT_GE(c.spearman.high, c.spearman.value);
  }
}

TEST(Correlations, NoiseLowersTheReliabilityAndTheBound) {
  std::vector<Sample> clear, noisy;
  for (auto* samples : {&clear, &noisy}) {
    add_cell(*samples, "isolated", 0, rising, samples == &clear ? 0.001 : 0.8);
    add_cell(*samples, "light", 64, rising, samples == &clear ? 0.001 : 0.8);
  }
  const RankCorrelation c = correlations_of(clear).front();
  const RankCorrelation n = correlations_of(noisy).front();
  EXPECT_LT(n.bound.value_or(0), 0.9);
  EXPECT_GT(*c.bound, 0.99);
  EXPECT_GT(reliabilities(sort_into_cells(clear), 1).front().split_half, 0.99);
  EXPECT_LT(reliabilities(sort_into_cells(noisy), 1).front().split_half, 0.9);
}

TEST(Correlations, TheBoundIsTheRootOfTheProduct) {
  std::vector<Sample> samples;
  add_cell(samples, "isolated", 0, rising, 0.2);
  add_cell(samples, "light", 64, rising, 0.3);
  const auto parts = reliabilities(sort_into_cells(samples), 1);
  const RankCorrelation c = correlations_of(samples).front();
  ASSERT_TRUE(c.bound);
  EXPECT_NEAR(*c.bound, std::sqrt(parts[0].split_half * parts[1].split_half), 1e-12);
}

TEST(Reliability, NeedsTwoLaunches) {
  std::vector<Sample> samples;
  add_cell(samples, "isolated", 0, rising, 0.001);
  std::erase_if(samples, [](const Sample& s) { return s.launch > 0; });
  EXPECT_TRUE(reliabilities(sort_into_cells(samples), 1).empty());
}

TEST(SpearmanInterval, KnownValues) {
  // Bonett and Wright: z = atanh(0.5), standard error sqrt((1 + 0.125) / 17).
  const Estimate e = spearman_interval(0.5, 20);
  const double half = 1.959964 * std::sqrt(1.125 / 17);
  EXPECT_NEAR(e.low, std::tanh(std::atanh(0.5) - half), 1e-12);
  EXPECT_NEAR(e.high, std::tanh(std::atanh(0.5) + half), 1e-12);
  EXPECT_FALSE(has_interval(spearman_interval(0.5, 3)));
}

TEST(SpearmanInterval, AlwaysHoldsItsValue) {
  for (std::size_t n = 4; n < 50; ++n) {
    for (const double rho : {-1.0, -0.98, -0.3, 0.0, 0.36, 0.9, 1.0}) {
      const Estimate e = spearman_interval(rho, n);
      EXPECT_LE(e.low, rho);
      EXPECT_GE(e.high, rho);
      EXPECT_GE(e.low, -1);
      EXPECT_LE(e.high, 1);
      EXPECT_LT(e.low, e.high);
    }
  }
}

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
    EXPECT_TRUE(c.against == "magic_fancy" || c.arm + c.against == "method1method2");
    EXPECT_NEAR(c.lines.value, 31, 3);
    EXPECT_LE(c.lines.low, 31);
    EXPECT_GE(c.lines.high, 31);
    EXPECT_EQ(c.faster_below, c.arm == "method1");
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
