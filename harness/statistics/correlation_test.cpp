// SPDX-License-Identifier: MIT
#include "harness/statistics/correlation.hpp"

#include <gtest/gtest.h>

#include "harness/statistics/test_samples.hpp"

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
    const bool same = names_of(c.a).pressure != "nnue" && names_of(c.b).pressure != "nnue";
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

TEST(Reliability, NeedsTwoProcessRuns) {
  std::vector<Sample> samples;
  add_cell(samples, "isolated", 0, rising, 0.001);
  std::erase_if(samples, [](const Sample& s) { return s.process_run > 0; });
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

}  // namespace
}  // namespace slidebench
