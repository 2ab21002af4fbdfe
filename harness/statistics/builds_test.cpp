// SPDX-License-Identifier: MIT
#include "harness/statistics/builds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

#include "harness/statistics/reference.hpp"
#include "harness/statistics/sessions.hpp"
#include "harness/statistics/summary.hpp"
#include "harness/statistics/test_samples.hpp"

namespace slidebench {
namespace {

/// Two sources, so many builds of each, which scatter by a standard deviation of their own.
struct Sources {
  unsigned of_one, of_other;
  double deviation_of_one, deviation_of_other;
  unsigned process_runs;
};

constexpr double of_a_process_run = 0.005;

struct Drawn {
  ByProcessRun values;
  BuildByProcessRun of_one, of_other;
};

/// A build a process run, each as often as the others: in every block of process runs in a fresh order.
BuildByProcessRun draw_builds(unsigned builds, unsigned process_runs, std::mt19937_64& random) {
  BuildByProcessRun drawn;
  std::vector<unsigned> order(builds);
  std::iota(order.begin(), order.end(), 0u);
  for (unsigned l = 0; l < process_runs; ++l) {
    if (l % builds == 0) std::shuffle(order.begin(), order.end(), random);
    drawn[l] = order[l % builds];
  }
  return drawn;
}

std::vector<double> effects(unsigned builds, double deviation, std::mt19937_64& random) {
  std::normal_distribution<double> normal(0, deviation);
  std::vector<double> drawn(builds);
  for (double& effect : drawn) effect = deviation > 0 ? normal(random) : 0;
  return drawn;
}

/// A duel of two sources that are equally fast.
Drawn duel_of(const Sources& sources, std::mt19937_64& random) {
  const std::vector<double> one = effects(sources.of_one, sources.deviation_of_one, random);
  const std::vector<double> other = effects(sources.of_other, sources.deviation_of_other, random);
  std::normal_distribution<double> normal(0, of_a_process_run);
  Drawn drawn{{},
              draw_builds(sources.of_one, sources.process_runs, random),
              draw_builds(sources.of_other, sources.process_runs, random)};
  for (unsigned l = 0; l < sources.process_runs; ++l)
    drawn.values[l] = one[drawn.of_one[l]] - other[drawn.of_other[l]] + normal(random);
  return drawn;
}

/// The share of duels whose interval holds the truth of the sources.
double coverage(const Sources& sources, bool with_builds) {
  constexpr int duels = 3000;
  std::mt19937_64 random(5);
  int held = 0;
  for (int i = 0; i < duels; ++i) {
    const Drawn drawn = duel_of(sources, random);
    const double factor = with_builds ? builds_widening(drawn.values, drawn.of_one, drawn.of_other) : 1;
    const Estimate e = mean_interval(values_of(widened(drawn.values, factor)), usual_error, Inference::fixed);
    held += e.low <= 0 && e.high >= 0 ? 1 : 0;
  }
  return static_cast<double>(held) / duels;
}

/// Layouts of both sides that move times by 5 %, whether they come again or not.
Sources drawn_layouts(unsigned process_runs) { return {32, 32, 0.05, 0.05, process_runs}; }

TEST(Builds, IntervalsHoldForOtherBuilds) {
  for (const Sources& sources :
       {Sources{4, 4, 0.005, 0.005, 4}, Sources{4, 4, 0.005, 0.005, 16}, Sources{4, 4, 0.0067, 0.001, 40},
        Sources{8, 8, 0.0067, 0.001, 16}, Sources{8, 8, 0.005, 0.005, 40}, Sources{4, 8, 0.003, 0.003, 80},
        Sources{4, 1, 0.005, 0, 40}, Sources{8, 8, 0, 0, 16}, Sources{4, 4, 0, 0, 40}, drawn_layouts(8),
        drawn_layouts(32), drawn_layouts(57), drawn_layouts(96)}) {
    const double with = coverage(sources, true), without = coverage(sources, false);
    std::printf("%u and %u builds, sd %.2f and %.2f %%, %u process runs: %.1f %% hold; without %.1f %%\n",
                sources.of_one, sources.of_other, 100 * sources.deviation_of_one, 100 * sources.deviation_of_other,
                sources.process_runs, 100 * with, 100 * without);
    EXPECT_GE(with, 0.93);
    if (sources.of_one == 32) {
      EXPECT_LE(with, 0.985);
    }
  }
  EXPECT_LT(coverage({4, 4, 0.005, 0.005, 80}, false), 0.7) << "what one would say without";
  EXPECT_LT(coverage(drawn_layouts(96), false), 0.85);
}

TEST(Builds, TheEffectIsThatOfNumbersWidenedAlreadyAndOneASideHasNone) {
  std::mt19937_64 random(9);
  const Drawn drawn = duel_of({4, 8, 0.01, 0.002, 24}, random);
  const double wider = builds_widening(drawn.values, drawn.of_one, drawn.of_other);
  const double again = builds_widening(widened(drawn.values, wider), drawn.of_one, drawn.of_other);
  EXPECT_GT(wider, 1.5);
  EXPECT_NEAR(again, wider, 1e-9);
  const Drawn single = duel_of({1, 1, 0.005, 0.005, 12}, random);
  EXPECT_EQ(builds_widening(single.values, single.of_one, single.of_other), 1);
}

const Protocol duel_protocol{.draws_builds = true};
constexpr double of_a_build = 0.01;

/// A duel of some sides and the A/A control, of so many builds each; side 1 is faster by a share.
std::vector<CellSamples> duel_of_sides(unsigned sides, unsigned builds, double faster, std::mt19937_64& random) {
  constexpr unsigned process_runs = 32, rounds = 2;
  static const Cell duel = cell_of({.workload = "duel", .trace = "nodes1000"});
  std::normal_distribution<double> normal(0, of_a_process_run);
  const std::vector<double> of_reference = effects(builds, of_a_build, random);
  const BuildByProcessRun of_twin = draw_builds(builds, process_runs, random);
  std::vector<Sample> samples;
  for (unsigned side = 0; side <= sides; ++side) {
    const bool is_own = side == 0 || side == sides;
    const std::vector<double> of_builds = is_own ? of_reference : effects(builds, of_a_build, random);
    const BuildByProcessRun drawn = is_own ? of_twin : draw_builds(builds, process_runs, random);
    const ContenderRole role = side == 0       ? ContenderRole::reference
                               : side == sides ? ContenderRole::twin
                                               : ContenderRole::method;
    for (unsigned l = 0; l < process_runs; ++l) {
      const unsigned build = side == sides ? drawn.at(l / builds * builds + (l + 1) % builds) : drawn.at(l);
      const double time = of_builds[build] + normal(random) - (side == 1 ? std::log1p(faster) : 0);
      for (unsigned r = 0; r < rounds; ++r) {
        Sample sample = sample_of("side" + std::to_string(side), role, l, r, 1000 * std::exp(time));
        sample.placement = build;
        sample.cell = duel;
        sample.nodes = sample.queries;
        samples.push_back(sample);
      }
    }
  }
  return sort_into_cells(samples, duel_protocol);
}

TEST(Builds, AnotherReferenceHasIntervalsOfTheBuildsOfBoth) {
  std::mt19937_64 random(21);
  const auto cells = duel_of_sides(3, 8, 0, random);
  const auto rows = summarise(cells, duel_protocol);
  const auto seen = seen_from("side1", rows, process_run_rows(cells), duel_protocol, {});
  const Estimate forth = row_of(rows, "side1").ratio.value(), back = row_of(seen, "side0").ratio.value();
  EXPECT_NEAR(std::log(back.value), -std::log(forth.value), 1e-6);
  EXPECT_NEAR(std::log(back.low), -std::log(forth.high), 1e-6);
  EXPECT_NEAR(std::log(back.high), -std::log(forth.low), 1e-6);
  const Estimate other = row_of(seen, "side2").ratio.value();
  EXPECT_GT(std::log(other.high / other.low), 0.01) << "eight builds that scatter by 1 %";
}

TEST(Builds, OfTenSidesAreJudgedTogether) {
  constexpr int duels = 300;
  std::mt19937_64 random(29);
  int told = 0, wrong = 0, held = 0, compared = 0;
  for (int i = 0; i < duels; ++i) {
    bool any = false;
    for (const SummaryRow& row : summarise(duel_of_sides(10, 4, 0.04, random), duel_protocol)) {
      if (row.role != ContenderRole::method) continue;
      const double truth = row.contender == "side1" ? 1 / 1.04 : 1;
      ++compared;
      held += row.ratio->low <= truth && truth <= row.ratio->high ? 1 : 0;
      told += row.contender == "side1" && row.verdict == Verdict::faster ? 1 : 0;
      any = any || (truth == 1 && (row.verdict == Verdict::faster || row.verdict == Verdict::slower));
    }
    wrong += any ? 1 : 0;
  }
  std::printf("4 %% told in %d of %d duels, a wrong verdict in %d; %.1f %% of intervals hold\n", told, duels, wrong,
              100.0 * held / compared);
  EXPECT_GE(told, duels * 3 / 4);
  EXPECT_LE(wrong, duels / 20);
  EXPECT_GE(held, compared * 0.93);
}

constexpr unsigned all_runs = 33, a_session = 11, methods = 12;

/// A run of three sessions, each of which moves every contender by an effect of its own; all are as fast as each other.
CellSamples run_of_sessions(double effect, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<Sample> samples;
  for (unsigned method = 0; method <= methods; ++method) {
    const ContenderRole role = method == 0 ? ContenderRole::reference : ContenderRole::method;
    double of_session = 0;
    for (unsigned process_run = 0; process_run < all_runs; ++process_run) {
      if (process_run % a_session == 0) of_session = effect * normal(random);
      samples.push_back(sample_of("method" + std::to_string(method), role, process_run, 0,
                                  std::exp(of_session + 0.01 * normal(random))));
    }
  }
  return sort_into_cells(samples).front();
}

/// How many of the methods' intervals hold the truth, which is that none differs from the reference.
double session_coverage(double effect, bool with_sessions) {
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
  EXPECT_GE(session_coverage(0, true), 0.94) << "sessions that do nothing";
  EXPECT_GE(session_coverage(0.0025, true), 0.92) << "a quarter of what process runs scatter by";
  EXPECT_GE(session_coverage(0.005, true), 0.92);
  EXPECT_GE(session_coverage(0.02, true), 0.93) << "twice as much";
  EXPECT_LT(session_coverage(0.005, false), 0.85) << "what an interval without them promises and does not keep";
}

TEST(Sessions, ThatDoNothingWidenLittleAndOneIsNone) {
  std::mt19937_64 random(3);
  double sum = 0;
  for (int run = 0; run < 200; ++run) sum += session_widening(run_of_sessions(0, random), a_session) / 200;
  EXPECT_LT(sum, 1.2);
  EXPECT_GE(sum, 1.0);
  const CellSamples cell = run_of_sessions(0.05, random);
  EXPECT_EQ(session_widening(cell, 0), 1);
  EXPECT_EQ(session_widening(cell, all_runs), 1) << "all in one";
  EXPECT_GT(session_widening(cell, a_session), 2);
}

TEST(Sessions, WideningMovesNoMean) {
  const ByProcessRun values{{0, 1.0}, {1, 2.0}, {5, 6.0}};
  EXPECT_EQ(widened(values, 2), (ByProcessRun{{0, -1.0}, {1, 1.0}, {5, 9.0}}));
  EXPECT_EQ(widened(values, 1), values);
}

}  // namespace
}  // namespace slidebench
