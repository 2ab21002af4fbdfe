// SPDX-License-Identifier: MIT
#include "harness/statistics/checks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "harness/statistics/test_samples.hpp"

namespace slidebench {
namespace {

/// A cell of six process runs; the twin's and the control's times over the reference's as given.
std::vector<Sample> cell_with(double twin, double control, double noise_sd = 0.002) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(0, noise_sd);
  std::vector<Sample> samples;
  const auto add = [&](const std::string& contender, ContenderRole role, unsigned process_run, unsigned round,
                       double ns) {
    samples.push_back(sample_of(contender, role, process_run, round, ns * std::exp(noise(random))));
  };
  for (unsigned process_run = 0; process_run < 6; ++process_run) {
    for (unsigned round = 0; round < 20; ++round) {
      add("magic_fancy", ContenderRole::reference, process_run, round, 4.0);
      add("magic_fancy.twin", ContenderRole::twin, process_run, round, 4.0 * twin);
      add("magic_fancy.control", ContenderRole::control, process_run, round, 4.0 * control);
    }
  }
  return samples;
}

RunChecks checks_of(const std::vector<Sample>& samples, const Protocol& protocol = {}) {
  const std::vector<CellSamples> cells = sort_into_cells(samples);
  return check_run(cells, summarise(cells, protocol), protocol);
}

/// With a second twin, which has a sample in every fourth round.
std::vector<Sample> with_second_twin(std::vector<Sample> samples, double factor) {
  std::vector<Sample> twins;
  for (const Sample& sample : samples) {
    if (sample.role != ContenderRole::twin || sample.round % 4 != 0) continue;
    twins.push_back(sample);
    twins.back().contender = "magic_fancy.second_twin";
    twins.back().role = ContenderRole::second_twin;
    twins.back().time_ns *= factor;
  }
  samples.insert(samples.end(), twins.begin(), twins.end());
  return samples;
}

TEST(Checks, PassWhereAllIsWell) {
  const RunChecks checks = checks_of(cell_with(1, 1.1));
  ASSERT_EQ(checks.twins.size(), 1u);
  ASSERT_EQ(checks.controls.size(), 1u);
  EXPECT_EQ(checks.twins[0].result, CheckResult::passed);
  EXPECT_EQ(checks.controls[0].result, CheckResult::passed);
  EXPECT_NEAR(checks.controls[0].ratio.value, 1.1, 0.002);
  EXPECT_TRUE(checks.valid());
}

TEST(Checks, OfTheTwin) {
  const RunChecks differs = checks_of(cell_with(1.03, 1.1));
  EXPECT_EQ(differs.twins[0].result, CheckResult::failed);
  EXPECT_FALSE(differs.valid());
  EXPECT_EQ(checks_of(cell_with(1.03, 1.1), {.margin = 0.05}).twins[0].result, CheckResult::passed);
  EXPECT_EQ(checks_of(cell_with(2, 1.1, 0.4)).twins[0].result, CheckResult::failed) << "clearly, however uncertain";
  // The second twin is the control where there is one.
  EXPECT_EQ(checks_of(with_second_twin(cell_with(1, 1.1), 1)).twins[0].result, CheckResult::passed);
  EXPECT_EQ(checks_of(with_second_twin(cell_with(1, 1.1), 1.03)).twins[0].result, CheckResult::failed);
}

TEST(Checks, WhatIsTooUncertainHasNotPassed) {
  const RunChecks checks = checks_of(cell_with(1, 1.1, 0.4));
  EXPECT_EQ(checks.twins[0].result, CheckResult::imprecise);
  EXPECT_EQ(checks.controls[0].result, CheckResult::imprecise);
  EXPECT_FALSE(checks.valid());
}

TEST(Checks, AControlWhoseIntervalExcludesTheKnownCostFails) {
  for (const double ratio : {1.0, 1.05, 1.15}) {
    EXPECT_EQ(checks_of(cell_with(1, ratio)).controls[0].result, CheckResult::failed) << ratio;
  }
  // Neither surely within the tolerance nor surely outside of it: an earlier rule called this too uncertain.
  const ControlCheck check = checks_of(cell_with(1, 1.068, 0.02)).controls[0];
  EXPECT_LT(check.ratio.high, check.expected - control_uncertainty);
  EXPECT_GT(check.ratio.high, check.expected - control_tolerance);
  EXPECT_EQ(check.result, CheckResult::failed);
}

TEST(Checks, ManyControlsAreJudgedTogether) {
  std::vector<Sample> samples = cell_with(1, 1.1);
  const Estimate alone = checks_of(samples).controls[0].ratio;
  for (Sample sample : cell_with(1, 1.1)) {
    read_pressure(sample.cell, "net0");
    samples.push_back(sample);
  }
  const Estimate beside = checks_of(samples).controls[0].ratio;
  EXPECT_GT(beside.high - beside.low, 1.05 * (alone.high - alone.low));
}

TEST(Checks, NothingCheckedIsNothingPassed) { EXPECT_FALSE(checks_of({}).valid()); }

}  // namespace
}  // namespace slidebench
