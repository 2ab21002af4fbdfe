// SPDX-License-Identifier: MIT
#include "harness/statistics/summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "harness/statistics/checks.hpp"
#include "harness/statistics/summary_table.hpp"
#include "harness/statistics/test_samples.hpp"

namespace slidebench {
namespace {

/// Three process runs of thirty rounds in which all contenders are slowed down alike by up to a half, round by round.
std::vector<Sample> shared_disturbance() {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> slowed(1.0, 1.5);
  std::normal_distribution<double> noise(0, 0.002);
  std::vector<Sample> samples;
  for (unsigned process_run = 0; process_run < 3; ++process_run) {
    for (unsigned round = 0; round < 30; ++round) {
      const double weather = slowed(random);
      const auto time = [&](double ns) { return ns * weather * std::exp(noise(random)); };
      samples.push_back(sample_of("magic_fancy", ContenderRole::reference, process_run, round, time(4.0)));
      samples.push_back(sample_of("magic_fancy.twin", ContenderRole::twin, process_run, round, time(4.0)));
      samples.push_back(sample_of("empty", ContenderRole::empty, process_run, round, time(0.6)));
      samples.push_back(sample_of("clock", ContenderRole::clock, process_run, round, time(0.25)));
      samples.push_back(sample_of("pext", ContenderRole::method, process_run, round, time(2.4)));
      samples.push_back(sample_of("hyperbola", ContenderRole::method, process_run, round, time(4.012)));
      samples.push_back(sample_of("dumb7fill", ContenderRole::method, process_run, round, time(16.0)));
    }
  }
  return samples;
}

std::vector<SummaryRow> summarised(const std::vector<Sample>& samples) {
  return summarise(sort_into_cells(samples), {});
}

TEST(Summary, FindsTheTrueRatiosUnderSharedDisturbance) {
  const std::vector<SummaryRow> rows = summarised(shared_disturbance());
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(rows.front().contender, "clock");
  EXPECT_EQ(rows.back().contender, "dumb7fill");
  const SummaryRow pext = row_of(rows, "pext"), fill = row_of(rows, "dumb7fill"), empty = row_of(rows, "empty");
  EXPECT_NEAR(pext.ratio->value, 0.6, 0.002);
  EXPECT_NEAR(fill.ratio->value, 4.0, 0.01);
  EXPECT_EQ(pext.verdict, Verdict::faster);
  EXPECT_EQ(fill.verdict, Verdict::slower);
  EXPECT_EQ(row_of(rows, "hyperbola").verdict, Verdict::equivalent);
  EXPECT_EQ(verdict_text(row_of(rows, "magic_fancy")), "reference");
  EXPECT_EQ(verdict_text(row_of(rows, "magic_fancy.twin")), "twin");
  EXPECT_EQ(verdict_text(empty), "baseline");
  EXPECT_LT(*pext.aa_bound, 0.01);
  EXPECT_EQ(pext.process_runs, 3u);
  EXPECT_EQ(pext.rounds, 90u);
  // Many contenders widen the interval that the verdict rests on.
  ASSERT_TRUE(pext.judged);
  EXPECT_LT(pext.judged->low, pext.ratio->low);
  EXPECT_GT(pext.judged->high, pext.ratio->high);
  EXPECT_NEAR(pext.net_ns_per_query->value, 1.8 * pext.ns_per_query.value / 2.4, 0.01);
  EXPECT_EQ(pext.best, Standing::fastest);
  EXPECT_EQ(row_of(rows, "hyperbola").best, Standing::behind);
  EXPECT_EQ(row_of(rows, "magic_fancy").best, Standing::behind);
  // Absent is not zero.
  EXPECT_EQ(empty.best, std::nullopt);
  EXPECT_FALSE(empty.ratio.has_value());
  EXPECT_FALSE(row_of(rows, "clock").net_ns_per_query.has_value());
}

TEST(Summary, GivesBothResultsWhereRoundsAreFlagged) {
  std::vector<Sample> samples = shared_disturbance();
  const double clean = row_of(summarised(samples), "pext").ratio->value;
  // Every third round of pext is stolen from and takes ten times as long.
  for (Sample& s : samples) {
    if (s.contender != "pext" || s.round % 3 != 0) continue;
    s.time_ns *= 10;
    s.steal_ticks = 1;
  }
  const SummaryRow pext = row_of(summarised(samples), "pext");
  EXPECT_EQ(pext.rounds, 90u);  // none is dropped
  EXPECT_EQ(pext.flagged_rounds, 30u);
  EXPECT_GT(pext.ratio->value, clean);
  EXPECT_NEAR(pext.unflagged_ratio->value, clean, 0.002);
}

TEST(Summary, TimeNetAndRatioNeverContradictEachOther) {
  // Estimates of times, of differences and of ratios, each taken for itself, would: each contender is disturbed in
  // other rounds.
  std::mt19937_64 random(9);
  std::exponential_distribution<double> delay(5);
  std::vector<Sample> samples = shared_disturbance();
  for (Sample& s : samples) s.time_ns *= 1 + delay(random);
  const std::vector<SummaryRow> rows = summarised(samples);
  const SummaryRow empty = row_of(rows, "empty"), reference = row_of(rows, "magic_fancy");
  for (const SummaryRow& row : rows) {
    if (!row.ratio) continue;
    EXPECT_NEAR(row.ns_per_query.value, reference.ns_per_query.value * row.ratio->value, 1e-9);
    EXPECT_NEAR(row.net_ns_per_query->value, row.ns_per_query.value - empty.ns_per_query.value, 1e-9);
    EXPECT_LT(row.net_ns_per_query->low, row.net_ns_per_query->value);
    EXPECT_GT(row.net_ns_per_query->high, row.net_ns_per_query->value);
  }
}

TEST(Summary, OfARaceKnowsWhoLeft) {
  std::vector<Sample> samples = shared_disturbance();
  std::erase_if(samples, [](const Sample& s) { return s.contender == "dumb7fill" && s.process_run >= 1; });
  const std::vector<CellSamples> cells = sort_into_cells(samples, {.final_from = 1});
  ASSERT_TRUE(cells.front().raced);
  EXPECT_EQ(cells.front().left, std::set<std::string>{"dumb7fill"});
  const std::vector<SummaryRow> rows = summarise(cells, {.final_from = 1});
  const SummaryRow left = row_of(rows, "dumb7fill"), stayed = row_of(rows, "pext");
  EXPECT_EQ(left.process_runs, 1u);
  EXPECT_EQ(stayed.process_runs, 3u);
  EXPECT_EQ(left.best, Standing::behind);
  EXPECT_EQ(stayed.best, Standing::fastest);
  // Where nobody finished it there is one stage.
  const CellSamples unfinished = sort_into_cells(samples, {.final_from = 1000}).front();
  EXPECT_FALSE(unfinished.raced);
  EXPECT_TRUE(unfinished.left.empty());
}

TEST(Summary, AnEmptyLoopThatIsSlowerThanAMethodVoidsTheCell) {
  std::vector<Sample> samples = shared_disturbance();
  for (Sample& s : samples) {
    if (s.role == ContenderRole::empty) s.time_ns *= 5;  // now slower than pext
  }
  const std::vector<SummaryRow> rows = summarised(samples);
  EXPECT_EQ(row_of(rows, "pext").verdict, Verdict::void_cell);
  EXPECT_EQ(row_of(rows, "dumb7fill").verdict, Verdict::void_cell);
  EXPECT_TRUE(row_of(rows, "pext").ratio);
}

TEST(Summary, ANoisierControlProvesNoEquality) {
  std::vector<Sample> samples = shared_disturbance();
  for (Sample& s : samples) {
    if (s.role == ContenderRole::twin) s.time_ns *= s.process_run == 0 ? 1.1 : 0.95;
  }
  const std::vector<SummaryRow> rows = summarised(samples);
  EXPECT_EQ(row_of(rows, "hyperbola").verdict, Verdict::unresolved);
  EXPECT_GT(*row_of(rows, "hyperbola").aa_bound, 0.05);
  EXPECT_EQ(row_of(rows, "dumb7fill").verdict, Verdict::slower);  // beyond what identical code showed
}

TEST(Summary, ARatioIsToTheMeanOfTheReferenceAndItsTwin) {
  std::vector<Sample> samples = shared_disturbance();
  for (Sample& s : samples) {
    const double noise = s.process_run == 1 ? 1.2 : 0.9;  // of one copy, which the other has the other way round
    if (s.role == ContenderRole::reference) s.time_ns *= noise;
    if (s.role == ContenderRole::twin) s.time_ns /= noise;
  }
  const SummaryRow pext = row_of(summarised(samples), "pext");
  EXPECT_NEAR(pext.ratio->value, 0.6, 0.002);
  EXPECT_LT(pext.ratio->high - pext.ratio->low, 0.005);
  EXPECT_GT(*pext.aa_bound, 0.2) << "the two copies themselves differ";
}

TEST(Summary, WithoutATwinThereIsNoVerdictAndOfOneProcessRunNoIntervalEither) {
  std::vector<Sample> samples = shared_disturbance();
  std::erase_if(samples, [](const Sample& s) { return s.role == ContenderRole::twin; });
  const SummaryRow alone = row_of(summarised(samples), "pext");
  EXPECT_TRUE(alone.ratio.has_value());
  EXPECT_FALSE(alone.aa_bound.has_value());
  EXPECT_EQ(alone.verdict, Verdict::unresolved);
  samples = shared_disturbance();
  std::erase_if(samples, [](const Sample& s) { return s.process_run > 0; });
  const SummaryRow pext = row_of(summarised(samples), "pext");
  EXPECT_NEAR(pext.ratio->value, 0.6, 0.01);
  EXPECT_FALSE(has_interval(*pext.ratio));
  EXPECT_EQ(pext.verdict, Verdict::unresolved);
  EXPECT_EQ(pext.best, std::nullopt);
}

TEST(OpenContenders, AreThoseWithoutAVerdict) {
  const CellSamples cell = sort_into_cells(shared_disturbance()).front();
  EXPECT_TRUE(open_contenders(cell, {}).empty());
  // Three process runs are too few for a sequence at these errors, but the clearest may do.
  const std::vector<OpenContender> open = open_contenders(cell, {.inference = Inference::sequential});
  EXPECT_TRUE(std::any_of(open.begin(), open.end(),
                          [](const OpenContender& contender) { return contender.contender == "hyperbola"; }));
  for (const OpenContender& contender : open) EXPECT_GE(contender.process_runs_needed, 3u);
}

TEST(Summary, CellsAreNotMixedAndWithoutAReferenceHaveNoRatio) {
  std::vector<Sample> samples{sample_of("pext", ContenderRole::method, 0, 0, 2.0),
                              sample_of("pext", ContenderRole::method, 0, 0, 4.0)};
  read_pressure(samples[1].cell, "nnue");
  const std::vector<SummaryRow> rows = summarised(samples);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_DOUBLE_EQ(rows[0].ns_per_query.value, 2.0);
  EXPECT_DOUBLE_EQ(rows[1].ns_per_query.value, 4.0);
  EXPECT_FALSE(rows[0].ratio);
}

/// A line with an interval, written and read again.
SummaryRow read_back(const Estimate& ratio) {
  SummaryLine line;
  line.contender = line.method = "pext";
  line.cell = cell_of({.workload = "throughput", .trace = "game"});
  line.ns_per_query = {2.4, 0, 1e300};
  line.ratio = line.judged = ratio;
  line.aa_bound = 1e-9;
  line.verdict = Verdict::inconclusive;
  return read_summary("summary.csv", summary_csv({line})).front();
}

TEST(Summary, TheEndsOfAnIntervalAreNeverRoundedToNothing) {
  const SummaryRow wide = read_back({0.5, 2.5e-9, 1e200});
  EXPECT_DOUBLE_EQ(wide.ratio->low, 2.5e-9);
  EXPECT_DOUBLE_EQ(wide.ratio->high, 1e200);
  EXPECT_DOUBLE_EQ(wide.judged->low, 2.5e-9);
  EXPECT_DOUBLE_EQ(wide.judged->high, 1e200);
  EXPECT_DOUBLE_EQ(wide.ns_per_query.high, 1e300);
  EXPECT_DOUBLE_EQ(*wide.aa_bound, 1e-9);
  const SummaryRow usual = read_back({0.971234, 0.966789, 1.00001});
  EXPECT_DOUBLE_EQ(usual.ratio->value, 0.971234);
  EXPECT_DOUBLE_EQ(usual.ratio->high, 1.00001);
}

/// A cell of six process runs; the twin's and the control's times over the reference's as given. A second twin has a
/// sample in every fourth round, the first one's times a factor.
std::vector<Sample> cell_with(double twin, double control, double noise_sd = 0.002,
                              std::optional<double> second_twin = std::nullopt) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(0, noise_sd);
  std::vector<Sample> samples;
  for (unsigned process_run = 0; process_run < 6; ++process_run) {
    for (unsigned round = 0; round < 20; ++round) {
      const auto time = [&](double ratio) { return 4 * ratio * std::exp(noise(random)); };
      samples.push_back(sample_of("magic_fancy", ContenderRole::reference, process_run, round, time(1)));
      const double of_twin = time(twin);
      samples.push_back(sample_of("magic_fancy.twin", ContenderRole::twin, process_run, round, of_twin));
      samples.push_back(sample_of("magic_fancy.control", ContenderRole::control, process_run, round, time(control)));
      if (!second_twin || round % 4 != 0) continue;
      samples.push_back(
          sample_of("magic_fancy.second_twin", ContenderRole::second_twin, process_run, round, of_twin * *second_twin));
    }
  }
  return samples;
}

RunChecks checks_of(const std::vector<Sample>& samples, const Protocol& protocol = {}) {
  const std::vector<CellSamples> cells = sort_into_cells(samples);
  return check_run(cells, summarise(cells, protocol), protocol);
}

TEST(Checks, PassWhereAllIsWellAndNotWhereItIsTooUncertain) {
  const RunChecks checks = checks_of(cell_with(1, 1.1));
  ASSERT_EQ(checks.twins.size(), 1u);
  ASSERT_EQ(checks.controls.size(), 1u);
  EXPECT_EQ(checks.twins[0].result, CheckResult::passed);
  EXPECT_EQ(checks.controls[0].result, CheckResult::passed);
  EXPECT_NEAR(checks.controls[0].ratio.value, 1.1, 0.002);
  EXPECT_TRUE(checks.valid());
  EXPECT_FALSE(checks_of({}).valid()) << "nothing checked is nothing passed";
  const RunChecks uncertain = checks_of(cell_with(1, 1.1, 0.4));
  EXPECT_EQ(uncertain.twins[0].result, CheckResult::imprecise);
  EXPECT_EQ(uncertain.controls[0].result, CheckResult::imprecise);
  EXPECT_FALSE(uncertain.valid());
}

TEST(Checks, OfTheTwin) {
  const RunChecks differs = checks_of(cell_with(1.03, 1.1));
  EXPECT_EQ(differs.twins[0].result, CheckResult::failed);
  EXPECT_FALSE(differs.valid());
  EXPECT_EQ(checks_of(cell_with(1.03, 1.1), {.margin = 0.05}).twins[0].result, CheckResult::passed);
  EXPECT_EQ(checks_of(cell_with(2, 1.1, 0.4)).twins[0].result, CheckResult::failed) << "clearly, however uncertain";
  // The second twin is the control where there is one.
  EXPECT_EQ(checks_of(cell_with(1, 1.1, 0.002, 1.0)).twins[0].result, CheckResult::passed);
  EXPECT_EQ(checks_of(cell_with(1, 1.1, 0.002, 1.03)).twins[0].result, CheckResult::failed);
}

TEST(Checks, AControlWhoseIntervalExcludesTheKnownCostFailsAndManyAreJudgedTogether) {
  for (const double ratio : {1.0, 1.05, 1.15})
    EXPECT_EQ(checks_of(cell_with(1, ratio)).controls[0].result, CheckResult::failed) << ratio;
  // Neither surely within the tolerance nor surely outside of it: an earlier rule called this too uncertain.
  const ControlCheck check = checks_of(cell_with(1, 1.068, 0.02)).controls[0];
  EXPECT_LT(check.ratio.high, check.expected - control_uncertainty);
  EXPECT_GT(check.ratio.high, check.expected - control_tolerance);
  EXPECT_EQ(check.result, CheckResult::failed);

  std::vector<Sample> samples = cell_with(1, 1.1);
  const Estimate alone = checks_of(samples).controls[0].ratio;
  for (Sample sample : cell_with(1, 1.1)) {
    read_pressure(sample.cell, "net0");
    samples.push_back(sample);
  }
  const Estimate beside = checks_of(samples).controls[0].ratio;
  EXPECT_GT(beside.high - beside.low, 1.05 * (alone.high - alone.low));
}

}  // namespace
}  // namespace slidebench
