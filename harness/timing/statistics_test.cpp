// SPDX-License-Identifier: MIT
#include "harness/timing/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace slidebench {
namespace {

TEST(Median, OddEvenAndUnsorted) {
  EXPECT_DOUBLE_EQ(median({3}), 3);
  EXPECT_DOUBLE_EQ(median({5, 1, 3}), 3);
  EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_THROW(median({}), std::invalid_argument);
}

TEST(BootstrapMedian, ConstantDataHasNoWidth) {
  const Estimate e = bootstrap_median({{0.5, 0.5, 0.5}, {0.5, 0.5}}, 1);
  EXPECT_DOUBLE_EQ(e.value, 0.5);
  EXPECT_DOUBLE_EQ(e.low, 0.5);
  EXPECT_DOUBLE_EQ(e.high, 0.5);
}

TEST(BootstrapMedian, SameSeedSameInterval) {
  const Launches data{{0.1, 0.2, 0.15, 0.4}, {0.12, 0.3, 0.1}};
  EXPECT_EQ(bootstrap_median(data, 7).low, bootstrap_median(data, 7).low);
  EXPECT_EQ(bootstrap_median(data, 7).high, bootstrap_median(data, 7).high);
}

TEST(BootstrapMedian, IgnoresEmptyLaunchesAndRefusesNothing) {
  EXPECT_DOUBLE_EQ(bootstrap_median({{}, {0.25}}, 1).value, 0.25);
  EXPECT_THROW(bootstrap_median({{}, {}}, 1), std::invalid_argument);
  EXPECT_THROW(bootstrap_median({}, 1), std::invalid_argument);
}

TEST(BootstrapMedian, OutliersDoNotMoveIt) {
  std::vector<double> rounds(99, 0.02);
  for (int i = 0; i < 20; ++i) rounds.push_back(3.0);
  EXPECT_NEAR(bootstrap_median({rounds}, 1).value, 0.02, 1e-12);
}

/// Log ratios with a known centre: launch effects, round noise, and now and then a disturbed round.
Launches synthetic(double centre, double launch_sd, double round_sd, std::size_t launches, std::mt19937_64& random) {
  std::normal_distribution<double> launch(0, launch_sd);
  std::normal_distribution<double> round(0, round_sd);
  Launches data(launches);
  for (auto& rounds : data) {
    const double shift = launch(random);
    for (int r = 0; r < 40; ++r) rounds.push_back(centre + shift + round(random) * (r % 13 == 0 ? 5 : 1));
  }
  return data;
}

TEST(BootstrapMedian, CoversTheTruthAboutNinetyFivePercentOfTheTime) {
  std::mt19937_64 random(11);
  int covered = 0;
  constexpr int trials = 300;
  for (int i = 0; i < trials; ++i) {
    const Estimate e = bootstrap_median(synthetic(0.03, 0, 0.05, 1, random), static_cast<std::uint64_t>(i), 500);
    covered += e.low <= 0.03 && 0.03 <= e.high ? 1 : 0;
  }
  EXPECT_GE(covered, trials * 90 / 100);
  EXPECT_LE(covered, trials * 99 / 100);
}

TEST(BootstrapMedian, LaunchEffectsWidenTheInterval) {
  std::mt19937_64 random(5);
  const Estimate calm = bootstrap_median(synthetic(0, 0, 0.01, 6, random), 1);
  const Estimate varied = bootstrap_median(synthetic(0, 0.03, 0.01, 6, random), 1);
  EXPECT_GT(varied.high - varied.low, 2 * (calm.high - calm.low));
}

TEST(EquivalenceMargin, IsOnePercentOrWhatTheTwinShows) {
  EXPECT_DOUBLE_EQ(equivalence_margin({0, -0.001, 0.002}), 0.01);
  EXPECT_DOUBLE_EQ(equivalence_margin({0, -0.03, 0.002}), std::expm1(0.03));
}

TEST(Judge, FourVerdicts) {
  EXPECT_EQ(judge({-0.1, -0.12, -0.08}, 0.01), Verdict::faster);
  EXPECT_EQ(judge({0.1, 0.08, 0.12}, 0.01), Verdict::slower);
  EXPECT_EQ(judge({0.001, -0.004, 0.006}, 0.01), Verdict::equivalent);
  EXPECT_EQ(judge({-0.012, -0.02, -0.005}, 0.01), Verdict::inconclusive);
  EXPECT_EQ(judge({0.0, -0.02, 0.02}, 0.01), Verdict::inconclusive);
}

}  // namespace
}  // namespace slidebench
