// SPDX-License-Identifier: MIT
#include "harness/statistics/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "harness/base/csv_table.hpp"
#include "harness/statistics/sessions.hpp"
#include "harness/statistics/test_samples.hpp"

namespace slidebench {
namespace {

/// Process runs that differ by some per cent, and methods of 3, 3.3 and 6 ns beside a reference of 4. Those of each
/// round meet the same disturbance.
std::vector<Sample> measured(unsigned process_runs = 12) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> noise(0, 0.003), placed(0, 0.01), weather(0, 0.1);
  std::vector<Sample> samples;
  for (unsigned process_run = 0; process_run < process_runs; ++process_run) {
    double place[3];
    for (double& p : place) p = placed(random);
    for (unsigned round = 0; round < 9; ++round) {
      const double now = weather(random);
      const auto time = [&](double ns, double by) { return ns * std::exp(now + by + noise(random)); };
      samples.push_back(sample_of("magic_fancy", ContenderRole::reference, process_run, round, time(4, 0)));
      samples.push_back(sample_of("magic_fancy.twin", ContenderRole::twin, process_run, round, time(4, 0)));
      samples.push_back(sample_of("magic_fancy.twice", ContenderRole::twice, process_run, round, time(5, 0)));
      samples.push_back(sample_of("pext", ContenderRole::method, process_run, round, time(3, place[0])));
      samples.push_back(sample_of("hyperbola", ContenderRole::method, process_run, round, time(3.3, place[1])));
      samples.push_back(sample_of("kogge_stone", ContenderRole::method, process_run, round, time(6, place[2])));
    }
  }
  return samples;
}

std::vector<SummaryRow> seen(const std::string& reference, const std::vector<Sample>& samples,
                             const Protocol& protocol = {}) {
  const std::vector<CellSamples> cells = sort_into_cells(samples, protocol);
  std::map<Cell, double> widenings;
  if (protocol.process_runs_a_session > 0)
    widenings[cells.front().cell] = session_widening(cells.front(), protocol.process_runs_a_session);
  return seen_from(reference, summarise(cells, protocol), process_run_rows(cells), protocol, widenings);
}

/// The samples as they are, with another method in the role of the reference.
std::vector<Sample> swapped(std::vector<Sample> samples, const std::string& reference) {
  for (Sample& s : samples) {
    if (s.role == ContenderRole::method || s.role == ContenderRole::reference)
      s.role = s.contender == reference ? ContenderRole::reference : ContenderRole::method;
    if (s.role == ContenderRole::twin) s.role = ContenderRole::clock;
  }
  return samples;
}

TEST(Reference, RatiosAreThoseOfADirectComparison) {
  for (const std::string reference : {"pext", "hyperbola", "kogge_stone"}) {
    const std::vector<SummaryRow> view = seen(reference, measured());
    const std::vector<SummaryRow> direct = summarise(sort_into_cells(swapped(measured(), reference)), {});
    for (const SummaryRow& row : direct) {
      if (row.role != ContenderRole::method) continue;
      const SummaryRow& other = row_of(view, row.contender);
      // What is trimmed differs, so that the estimates do, by less than their uncertainty.
      EXPECT_GT(row.ratio->value, other.ratio->low) << reference << " " << row.contender;
      EXPECT_LT(row.ratio->value, other.ratio->high) << reference << " " << row.contender;
      const auto width = [](const Estimate& e) { return std::log(e.high / e.low); };
      EXPECT_NEAR(width(*other.ratio) / width(*row.ratio), 1, 0.6) << reference << " " << row.contender;
    }
  }
}

TEST(Reference, RolesMoveTheControlStaysAndHolmsFamilyIsThatOfTheNewOne) {
  const std::vector<SummaryRow> view = seen("pext", measured());
  EXPECT_EQ(row_of(view, "pext").role, ContenderRole::reference);
  EXPECT_EQ(row_of(view, "pext").ratio->value, 1);
  EXPECT_EQ(row_of(view, "magic_fancy").role, ContenderRole::method);
  EXPECT_EQ(row_of(view, "magic_fancy").verdict, Verdict::slower);
  EXPECT_NEAR(row_of(view, "magic_fancy.twin").ratio->value, 1, 0.002);
  EXPECT_NEAR(row_of(view, "magic_fancy.twice").ratio->value, 5 / 3.0, 0.02);

  const CellSamples cell = sort_into_cells(measured()).front();
  RatiosByContender ratios;
  for (const char* name : {"magic_fancy", "pext", "hyperbola", "kogge_stone"})
    ratios[name] = compared(cell.contenders.at(name), cell.contenders.at("magic_fancy"));
  ratios = rebased(ratios, "pext");
  const Resolution resolution{0.01, *row_of(view, "magic_fancy").aa_bound};
  const std::vector<Judged> judged = judge_together(
      {values_of(ratios.at("hyperbola")), values_of(ratios.at("kogge_stone")), values_of(ratios.at("magic_fancy"))},
      resolution, Inference::fixed);
  EXPECT_NEAR(row_of(view, "hyperbola").judged->low, std::exp(judged[0].adjusted.low), 1e-9);
  EXPECT_NEAR(row_of(view, "magic_fancy").judged->high, std::exp(judged[2].adjusted.high), 1e-9);
}

TEST(Reference, SessionsWidenTheNewRatiosByTheirOwnFactor) {
  const Protocol in_parts{.process_runs_a_session = 4};
  std::vector<Sample> samples = measured();
  for (Sample& s : samples) {
    if (s.contender == "hyperbola") s.time_ns *= 1 + 0.1 * std::floor(s.process_run / 4.0);
  }
  const SummaryRow one = row_of(seen("pext", samples), "hyperbola"),
                   three = row_of(seen("pext", samples, in_parts), "hyperbola");
  const SummaryRow direct =
      row_of(summarise(sort_into_cells(swapped(samples, "pext"), in_parts), in_parts), "hyperbola");
  EXPECT_GT(three.ratio->high - three.ratio->low, 1.3 * (one.ratio->high - one.ratio->low));
  EXPECT_NEAR(three.ratio->high, direct.ratio->high, 0.3 * (direct.ratio->high - direct.ratio->low));
}

TEST(Reference, UndecidedMethodsAreThoseAgainstItAndWithoutItNothingIsSaid) {
  const SummaryRow without = row_of(seen("pext_pdep", measured()), "hyperbola");
  EXPECT_FALSE(without.ratio);
  EXPECT_FALSE(without.verdict);
  const CellSamples cell = sort_into_cells(measured(40)).front();
  for (const OpenContender& open : open_contenders(cell, {.reference = "pext"})) EXPECT_NE(open.contender, "pext");
  EXPECT_TRUE(open_contenders(cell, {.reference = "not_there"}).empty());
}

TEST(Reference, ProcessRunsAreReadAsTheyWereWritten) {
  const std::vector<ProcessRunRow> rows = process_run_rows(sort_into_cells(measured()));
  const std::string text = process_runs_csv(rows);
  const std::vector<ProcessRunRow> again = read_process_runs("process_runs.csv", text);
  EXPECT_EQ(process_runs_csv(again).substr(0, 60), text.substr(0, 60));
  ASSERT_EQ(again.size(), rows.size());
  EXPECT_EQ(again.back().contender, rows.back().contender);
  EXPECT_EQ(again.back().process_run, rows.back().process_run);
  EXPECT_NEAR(*again.back().log_ratio, *rows.back().log_ratio, 1e-6);
}

/// The reference's process runs in a cell of this pressure.
std::vector<ProcessRunRow> rows_of(const std::vector<double>& ns, const std::string& pressure = "isolated",
                                   ContenderRole role = ContenderRole::reference) {
  std::vector<ProcessRunRow> rows;
  for (unsigned i = 0; i < ns.size(); ++i) {
    ProcessRunRow row;
    row.cell = cell_of({.workload = "throughput", .trace = "search", .pressure = pressure});
    row.role = role;
    row.process_run = i;
    row.ns_per_query = ns[i];
    rows.push_back(row);
  }
  return rows;
}

TEST(MachineStates, AreToldOfTheCellThatDiffersMostIfItsReferenceDiffersMuchAndOften) {
  std::vector<ProcessRunRow> rows = rows_of({3.3, 3.2, 3.4, 1.9, 1.9, 1.8, 1.9, 2.0, 1.9, 1.9});
  const std::vector<ProcessRunRow> less = rows_of({45, 44, 43, 40, 39, 31, 30, 30, 31, 30}, "net1024");
  rows.insert(rows.begin(), less.begin(), less.end());
  const std::optional<MachineStates> states = machine_states(rows);
  ASSERT_TRUE(states);
  EXPECT_EQ(names_of(states->cell).pressure, "isolated");
  EXPECT_NEAR(states->quick_ns, 1.9, 0.1);
  EXPECT_NEAR(states->slow_ns, 3.3, 0.1);

  EXPECT_FALSE(machine_states(rows_of({1.9, 2.1, 2.0, 1.9, 2.2, 2.0})));
  EXPECT_FALSE(machine_states(rows_of({1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 9})))
      << "one process run is no state";
  EXPECT_FALSE(machine_states({}));
  EXPECT_FALSE(machine_states(rows_of({1, 2, 3})));
  EXPECT_FALSE(machine_states(rows_of({1, 2, 3, 4, 5}, "isolated", ContenderRole::method)));
  for (ProcessRunRow& row : rows)
    row.cell = cell_of({.workload = "perft", .trace = "positions", .pressure = "isolated"});
  EXPECT_FALSE(machine_states(rows)) << "other positions take other times";
}

}  // namespace
}  // namespace slidebench
