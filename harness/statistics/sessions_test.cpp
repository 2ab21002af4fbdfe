// SPDX-License-Identifier: MIT
#include "harness/statistics/sessions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "harness/statistics/summary.hpp"

namespace slidebench {
namespace {

constexpr unsigned all_runs = 33, a_session = 11, methods = 12;

/// A run of three sessions, each of which moves every contender by an effect of its own; all are as fast as each other.
CellSamples run_of_sessions(double effect, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  CellSamples cell;
  for (unsigned method = 0; method <= methods; ++method) {
    ContenderSamples contender;
    contender.first.contender = "method" + std::to_string(method);
    contender.first.role = method == 0 ? ContenderRole::reference : ContenderRole::method;
    double of_session = 0;
    for (unsigned process_run = 0; process_run < all_runs; ++process_run) {
      if (process_run % a_session == 0) of_session = effect * normal(random);
      Sample sample = contender.first;
      sample.process_run = process_run;
      sample.queries = 1;
      sample.time_ns = std::exp(of_session + 0.01 * normal(random));
      contender.samples[{process_run, 0}] = sample;
    }
    cell.contenders[contender.first.contender] = contender;
  }
  return cell;
}

/// How many of the methods' intervals hold the truth, which is that none differs from the reference.
double coverage(double effect, bool with_sessions) {
  std::mt19937_64 random(7);
  unsigned held = 0, all = 0;
  for (int run = 0; run < 400; ++run) {
    const CellSamples cell = run_of_sessions(effect, random);
    const double factor = with_sessions ? session_widening(cell, a_session) : 1;
    for (const auto& [name, contender] : cell.contenders) {
      if (contender.first.role != ContenderRole::method) continue;
      const ByProcessRun values = widened(compared(contender, *cell.find(ContenderRole::reference)), factor);
      const Estimate interval = mean_interval(values_of(values), usual_error, Inference::fixed);
      held += interval.low <= 0 && interval.high >= 0 ? 1 : 0;
      ++all;
    }
  }
  return static_cast<double>(held) / all;
}

TEST(Sessions, IntervalsHoldForOtherSessions) {
  EXPECT_GE(coverage(0, true), 0.94) << "sessions that do nothing";
  EXPECT_GE(coverage(0.0025, true), 0.92) << "a quarter of what process runs scatter by";
  EXPECT_GE(coverage(0.005, true), 0.92);
  EXPECT_GE(coverage(0.02, true), 0.93) << "twice as much";
  EXPECT_LT(coverage(0.005, false), 0.85) << "what an interval without them promises and does not keep";
}

TEST(Sessions, ThatDoNothingWidenLittle) {
  std::mt19937_64 random(3);
  double sum = 0;
  for (int run = 0; run < 200; ++run) sum += session_widening(run_of_sessions(0, random), a_session) / 200;
  EXPECT_LT(sum, 1.2);
  EXPECT_GE(sum, 1.0);
}

TEST(Sessions, WideningMovesNoMean) {
  const ByProcessRun values{{0, 1.0}, {1, 2.0}, {5, 6.0}};
  const ByProcessRun wide = widened(values, 2);
  EXPECT_DOUBLE_EQ(wide.at(0), -1);
  EXPECT_DOUBLE_EQ(wide.at(1), 1);
  EXPECT_DOUBLE_EQ(wide.at(5), 9);
  EXPECT_EQ(widened(values, 1), values);
}

TEST(Sessions, OneIsNone) {
  std::mt19937_64 random(3);
  const CellSamples cell = run_of_sessions(0.05, random);
  EXPECT_EQ(session_widening(cell, 0), 1);
  EXPECT_EQ(session_widening(cell, all_runs), 1) << "all in one";
  EXPECT_GT(session_widening(cell, a_session), 2);
}

}  // namespace
}  // namespace slidebench
