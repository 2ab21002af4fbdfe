// SPDX-License-Identifier: MIT
#include "harness/statistics/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/statistics/correlation.hpp"
#include "harness/statistics/test_samples.hpp"

namespace slidebench {
namespace {

TEST(Quantile, InterpolatesInAnyOrderAndRefusesNothing) {
  EXPECT_DOUBLE_EQ(median({3}), 3);
  EXPECT_DOUBLE_EQ(median({5, 1, 3}), 3);
  EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_THROW(median({}), std::invalid_argument);
  EXPECT_DOUBLE_EQ(quantile({1, 2, 3, 4, 5}, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile({1, 3}, 0.25), 1.5);
  EXPECT_THROW(quantile({}, 0.5), std::invalid_argument);
}

TEST(Student, QuantilesAreThoseOfSciPy) {
  const struct {
    double degrees_of_freedom, tail, t;
  } known[] = {{1, .025, 12.70620474},    {1, 5e-7, 636619.7724},  {2, .025, 4.30265273},
               {5, .005, 4.032142984},    {7.5, .1, 1.405211846},  {30, .025, 2.042272456},
               {200, 1e-10, 6.706200879}, {1000, .4, .2534145158}, {20000, .005, 2.576075153}};
  for (const auto& [degrees_of_freedom, tail, t] : known)
    EXPECT_NEAR(student_quantile(degrees_of_freedom, 2 * tail) / t, 1, 1e-8) << degrees_of_freedom << ", " << tail;
}

TEST(TrimmedMean, IsThatOfTheMiddleHalf) {
  EXPECT_DOUBLE_EQ(trimmed_mean({3}), 3);
  EXPECT_DOUBLE_EQ(trimmed_mean({1, 2}), 1.5);
  EXPECT_DOUBLE_EQ(trimmed_mean({0, 1, 2, 900}), 1.5);
  EXPECT_DOUBLE_EQ(trimmed_mean({0, 2, 5}), (0.25 * 0 + 2 + 0.25 * 5) / 1.5);
  EXPECT_DOUBLE_EQ(trimmed_mean({-900, 0, 1, 2, 3, 900}), (0.5 * 0 + 1 + 2 + 0.5 * 3) / 3);
  EXPECT_THROW(trimmed_mean({}), std::invalid_argument);
}

TEST(PseudoValues, AreTheRoundsWhereThereIsOneAndAverageToTheTrimmedMeanWithoutABadProcessRun) {
  const ByProcessRun values = pseudo_values({{0, {0.1}}, {7, {0.4}}});
  ASSERT_EQ(values.size(), 2u);
  EXPECT_DOUBLE_EQ(values.at(0), 0.1);
  EXPECT_DOUBLE_EQ(values.at(7), 0.4);
  EXPECT_DOUBLE_EQ(pseudo_values({{3, {0.1, 0.2, 0.3, 9.0}}}).at(3), 0.25);

  ProcessRuns process_runs;
  for (unsigned l = 0; l < 10; ++l) process_runs[l] = {0.01 * l, 0.01 * l + 0.002};
  const auto mean_of = [](const ProcessRuns& runs) {
    return mean_interval(values_of(pseudo_values(runs)), usual_error, Inference::fixed);
  };
  EXPECT_NEAR(mean_of(process_runs).value, 0.046, 1e-3);
  process_runs[9] = {9.0, 9.1};
  EXPECT_NEAR(mean_of(process_runs).value, 0.046, 1e-2);
  EXPECT_LT(mean_of(process_runs).high, 0.1);
}

TEST(Reach, IsStudentsQuantileWithFewerDegreesOfFreedomAndOfASequenceSolvesItsLikelihoodRatio) {
  EXPECT_NEAR(reach(16, 0.05, Inference::fixed), 2.200985, 1e-6);
  EXPECT_NEAR(reach(16, 0.05 / 39, Inference::fixed), 4.288, 0.001);
  EXPECT_TRUE(std::isinf(reach(1, 0.05, Inference::fixed)));
  for (const std::size_t n : {8u, 16u, 40u}) {
    const double t = reach(n, 0.05, Inference::sequential);
    EXPECT_GT(t, reach(n, 0.05, Inference::fixed));
    const double count = static_cast<double>(n), b = 1 / (1 + 4 * count), u = t * t / (count - 1);
    EXPECT_NEAR(std::sqrt(b) * std::pow((1 + u) / (1 + b * u), count / 2), 20, 1e-6);
  }
  EXPECT_TRUE(std::isinf(reach(2, 0.001, Inference::sequential)));
}

TEST(MeanInterval, KnownValues) {
  const Estimate e = mean_interval({1, 2, 3, 4}, 0.05, Inference::fixed);
  EXPECT_DOUBLE_EQ(e.value, 2.5);
  EXPECT_NEAR(e.high - e.value, 4.302653 * std::sqrt(5.0 / 12), 1e-6);
  EXPECT_FALSE(has_interval(mean_interval({1}, 0.05, Inference::fixed)));
  EXPECT_THROW(mean_interval({}, 0.05, Inference::fixed), std::invalid_argument);
}

const Resolution one_percent{0.01, 0};

TEST(Judge, GivesFourVerdictsAndTheControlOnlyWithholds) {
  EXPECT_EQ(judge({-0.1, -0.12, -0.08}, one_percent), Verdict::faster);
  EXPECT_EQ(judge({0.1, 0.08, 0.12}, one_percent), Verdict::slower);
  EXPECT_EQ(judge({0.001, -0.004, 0.006}, one_percent), Verdict::equivalent);
  EXPECT_EQ(judge({-0.012, -0.02, -0.005}, one_percent), Verdict::inconclusive);
  EXPECT_EQ(judge({0.0, -0.02, 0.02}, one_percent), Verdict::inconclusive);

  const Resolution noisy{0.01, 0.05};
  EXPECT_EQ(judge({0.001, -0.004, 0.006}, noisy), Verdict::unresolved);  // would be equivalent
  EXPECT_EQ(judge({0.03, 0.02, 0.04}, noisy), Verdict::unresolved);      // identical code differed by as much
  EXPECT_EQ(judge({0.1, 0.08, 0.12}, noisy), Verdict::slower);
  EXPECT_EQ(judge({-0.1, -0.12, -0.08}, noisy), Verdict::faster);
  EXPECT_EQ(judge({0.1, 0.08, 0.12}, {0.01, INFINITY}), Verdict::unresolved);  // no control at all
}

TEST(AaBound, IsTheFartherEndOfTheControlsInterval) {
  EXPECT_DOUBLE_EQ(aa_bound({0, -0.03, 0.002}), std::expm1(0.03));
  EXPECT_DOUBLE_EQ(aa_bound({0.01, -0.01, 0.03}), std::expm1(0.03));
  EXPECT_TRUE(std::isinf(aa_bound({0, -INFINITY, INFINITY})));
}

/// Ten process runs with this mean and standard deviation.
std::vector<double> process_runs_around(double mean, double deviation) {
  const double low = mean - deviation * std::sqrt(0.9), high = mean + deviation * std::sqrt(0.9);
  return {low, high, low, high, low, high, low, high, low, high};
}

TEST(JudgeTogether, TheUndecidedShareTheErrorWhichOneAloneHasToItself) {
  const std::vector<double> barely = process_runs_around(-0.05, 0.04);
  const std::vector<Judged> alone = judge_together({barely}, one_percent, Inference::fixed);
  ASSERT_EQ(alone[0].verdict, Verdict::faster);
  EXPECT_DOUBLE_EQ(alone[0].adjusted.low, mean_interval(barely, 0.05, Inference::fixed).low);
  const auto beside_twenty = [&barely](double mean, double deviation) {
    std::vector<std::vector<double>> many(20, process_runs_around(mean, deviation));
    many.push_back(barely);
    return judge_together(many, one_percent, Inference::fixed).back().verdict;
  };
  EXPECT_EQ(beside_twenty(0, 0.1), Verdict::inconclusive) << "many need clearer evidence";
  // Bonferroni would share the error among 21 contenders; of Holm's, the last one has it alone.
  EXPECT_EQ(beside_twenty(0.5, 0.01), Verdict::faster);
}

TEST(ProcessRunsNeeded, AreFewFarFromTheMarginAndManyNearIt) {
  const auto needed = [](double mean) {
    return process_runs_needed(process_runs_around(mean, 0.02), one_percent, 0.05, Inference::sequential);
  };
  EXPECT_EQ(needed(0.3), 10u);
  EXPECT_GT(needed(0.02), 10u);
  EXPECT_GT(needed(0.012), needed(0.02));
  EXPECT_GE(needed(std::log1p(0.01)), 1'000'000u);
  // With as many process runs as it says, the interval is as narrow as it must be.
  const std::size_t n = needed(0.02);
  const double deviation = 0.02 * std::sqrt(0.9) * std::sqrt(10.0 / 9);
  const double distance = 0.02 - std::log1p(0.01);
  EXPECT_LT(reach(n, 0.05, Inference::sequential) * deviation / std::sqrt(static_cast<double>(n)), distance);
  EXPECT_GE(reach(n - 1, 0.05, Inference::sequential) * deviation / std::sqrt(static_cast<double>(n - 1)), distance);
}

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

TEST(Correlations, TheBoundIsTheRootOfTheProductAndOfOneProcessRunThereIsNone) {
  std::vector<Sample> samples;
  add_cell(samples, "isolated", 0, rising, 0.2);
  add_cell(samples, "light", 64, rising, 0.3);
  const auto parts = reliabilities(sort_into_cells(samples), 1);
  const RankCorrelation c = correlations_of(samples).front();
  ASSERT_TRUE(c.bound);
  EXPECT_NEAR(*c.bound, std::sqrt(parts[0].split_half * parts[1].split_half), 1e-12);
  std::erase_if(samples, [](const Sample& s) { return s.process_run > 0; });
  EXPECT_TRUE(reliabilities(sort_into_cells(samples), 1).empty());
}

TEST(SpearmanInterval, KnownValuesAndAlwaysHoldsItsValue) {
  // Bonett and Wright: z = atanh(0.5), standard error sqrt((1 + 0.125) / 17).
  const Estimate e = spearman_interval(0.5, 20);
  const double half = 1.959964 * std::sqrt(1.125 / 17);
  EXPECT_NEAR(e.low, std::tanh(std::atanh(0.5) - half), 1e-12);
  EXPECT_NEAR(e.high, std::tanh(std::atanh(0.5) + half), 1e-12);
  EXPECT_FALSE(has_interval(spearman_interval(0.5, 3)));
  for (std::size_t n = 4; n < 50; ++n) {
    for (const double rho : {-1.0, -0.98, -0.3, 0.0, 0.36, 0.9, 1.0}) {
      const Estimate around = spearman_interval(rho, n);
      EXPECT_LE(around.low, rho);
      EXPECT_GE(around.high, rho);
      EXPECT_GE(around.low, -1);
      EXPECT_LE(around.high, 1);
      EXPECT_LT(around.low, around.high);
    }
  }
}

}  // namespace
}  // namespace slidebench
