// SPDX-License-Identifier: MIT
#include "harness/run/plan.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "harness/base/errors.hpp"
#include "harness/run/protocol_options.hpp"
#include "harness/statistics/test_samples.hpp"

namespace slidebench {
namespace {

/// A run of throughput on one trace, alone and beside a network, with eleven modules of two builds each.
RunInputs small_run() {
  RunInputs run;
  run.settings.workloads = {"throughput"};
  run.settings.pressures = {"isolated", "net0"};
  run.settings.profile = {"test", 3, 2};
  run.traces.emplace_back().named = {"game", "game.trace"};
  for (int i = 0; i < 11; ++i) {
    const std::string name = "module" + std::to_string(i);
    constexpr ContenderRole always[] = {ContenderRole::reference, ContenderRole::twin, ContenderRole::empty,
                                        ContenderRole::control, ContenderRole::twice};
    run.modules.push_back({i < 5 ? always[i] : ContenderRole::method, {name + ".so", "placement1/" + name + ".so"}});
  }
  return run;
}

/// All methods of a cell are a fifth slower than the reference, beyond doubt; the last one is its twin.
Decisions decided(const Cell& cell) {
  std::vector<Sample> samples;
  const Truth truth = [](int method, double) { return method == 8 ? 0 : 0.2; };
  add_cell(samples, names_of(cell).pressure, 0, truth, 0.001);
  for (Sample& sample : samples) {
    sample.cell = cell;
    if (sample.contender == "method8") sample.role = ContenderRole::twin;
  }
  Decisions decisions;
  decisions.update(sort_into_cells(samples), {});
  return decisions;
}

TEST(NextProcessRun, FollowsTheProfileAndEndsWithIt) {
  const RunInputs run = small_run();
  EXPECT_EQ(process_runs_of(run.settings), 3u);
  for (unsigned number = 0; number < 3; ++number) {
    const std::optional<ProcessRunPlan> plan = next_process_run(run, number, {}, 0);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->process_run, number);
    EXPECT_EQ(plan->first_round, number * 2) << "segments go on where the last process run stopped";
    EXPECT_EQ(plan->cells.size(), 2u);
    EXPECT_EQ(plan->modules.size(), 11u);
  }
  EXPECT_FALSE(next_process_run(run, 3, {}, 1e9));
}

TEST(NextProcessRun, HasEachLayoutOfAModuleOnceBeforeAnyComesAgain) {
  RunInputs run = small_run();
  run.settings.profile.process_runs = 24;
  for (PlacedModule& module : run.modules) {
    module.placements.clear();
    for (int layout = 0; layout < 12; ++layout) module.placements.push_back(std::to_string(layout));
  }
  const auto drawn_of = [&](std::size_t module) {
    std::vector<std::string> drawn;
    for (unsigned number = 0; number < 24; ++number)
      drawn.push_back(next_process_run(run, number, {}, 0)->modules[module].path);
    return drawn;
  };
  std::set<std::vector<std::string>> orders;
  for (std::size_t module = 0; module < run.modules.size(); ++module) {
    const std::vector<std::string> drawn = drawn_of(module);
    EXPECT_EQ(std::set(drawn.begin(), drawn.begin() + 12).size(), 12u);
    EXPECT_EQ(std::set(drawn.begin() + 12, drawn.end()).size(), 12u);
    orders.insert(drawn);
  }
  EXPECT_EQ(orders.size(), run.modules.size()) << "modules draw independently";
  run.settings.seed = 2;
  EXPECT_FALSE(orders.contains(drawn_of(0))) << "another seed, another order";
}

TEST(Sessions, ArePartsOfTheProcessRuns) {
  RunInputs run = small_run();
  EXPECT_EQ(process_runs_a_session(run.settings), 0u) << "all in one";
  run.settings.profile.process_runs = 11;
  run.settings.profile.sessions = 3;
  EXPECT_EQ(process_runs_a_session(run.settings), 4u) << "the last one has fewer";
  const double without = expected_seconds(run);
  run.settings.profile.pause_seconds = 60;
  EXPECT_DOUBLE_EQ(expected_seconds(run), without + 120);
  run.settings.corunners = {0, 1};
  EXPECT_EQ(process_runs_a_session(run.settings), 8u) << "a session has all circumstances";
}

TEST(Cells, OfTheAnswerAreThoseOfTheFirstTraceThatIsNotRandom) {
  RunInputs run = small_run();
  run.settings.workloads = {std::string(answer_selection)};
  run.settings.pressures.clear();
  run.traces.insert(run.traces.begin(), RunTrace{});
  run.traces[0].named = {"random", "random.trace"};
  run.traces[0].is_random = true, run.traces[0].has_pieces = false;
  const auto cells = [&] { return cells_of(run.settings, run.traces, circumstances_of(run.settings).front()); };
  std::set<std::string> names;
  for (const Cell& cell : cells()) {
    EXPECT_EQ(names_of(cell).trace, "game");
    names.insert(names_of(cell).workload + " " + names_of(cell).pressure);
  }
  EXPECT_EQ(names, (std::set<std::string>{"throughput isolated", "latency isolated", "throughput net0",
                                          "throughput net256", "throughput net1024"}));
  run.traces.pop_back();
  EXPECT_EQ(cells().size(), 5u) << "without a real trace the random one must do";
  run.settings.workloads.emplace_back(usual_selection);
  EXPECT_EQ(cells().size(), 5u) << "no cell twice";
  EXPECT_TRUE(left_out_cells(run.settings, run.traces).empty()) << "nobody expects random boards to have pieces";
}

TEST(NextProcessRun, ARaceGoesOnWithThoseWhoStay) {
  RunInputs run = small_run();
  run.settings.race_seconds = 60;
  const std::vector<Cell> cells = cells_of(run.settings, run.traces, circumstances_of(run.settings).front());
  const RaceLeavers leavers = {{cells[0], {"module4", "module5", "module6", "module7"}}};
  const Final final = plan_final(run, leavers, 1), nobody_left = plan_final(run, {}, 1);
  EXPECT_GT(final.process_runs, nobody_left.process_runs);
  EXPECT_NEAR(plan_final(run, {}, 2).process_runs, nobody_left.process_runs * 29 / 59.0, 1) << "at half the pace";
  EXPECT_FALSE(next_process_run(run, 3, {}, 0)) << "the second stage is not planned yet";
  const std::optional<ProcessRunPlan> plan = next_process_run(run, 4, {}, 0, final);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->rounds, 4u);
  EXPECT_EQ(plan->first_round, 3u * 2 + 4) << "segments go on where the last process run stopped";
  EXPECT_EQ(plan->without.at(cells[0]).size(), 4u);
  EXPECT_FALSE(plan->without.contains(cells[1]));
  EXPECT_TRUE(next_process_run(run, 2 + final.process_runs, {}, 0, final));
  EXPECT_FALSE(next_process_run(run, 3 + final.process_runs, {}, 0, final));
  EXPECT_NEAR(expected_seconds(run), 60, 1e-9);
  EXPECT_GT(expected_samples(run, final), expected_samples(small_run()));
  run.settings.pages = {"4k", "2m"};
  EXPECT_EQ(plan_final(run, {}, 61).process_runs, 8u) << "four of each circumstance, however short the time";
}

/// The first stage of a race in one cell, whose method m is slower than the reference by m times two per cent.
RaceLeavers leavers_of(const std::map<std::string, std::size_t>& table_bytes) {
  std::vector<Sample> samples;
  const Truth truth = [](int method, double) { return 0.02 * method - 0.03; };
  add_cell(samples, "isolated", 0, truth, 0.001);
  for (Sample& sample : samples) sample.method = sample.contender;
  RunFacts facts;
  for (const auto& [method, bytes] : table_bytes) facts.method_by_id[method] = {{"table_bytes", bytes}};
  return leave_race(sort_into_cells(samples), facts);
}

TEST(LeaveRace, KeepsTheBestOfEachSizeOfTables) {
  std::map<std::string, std::size_t> large;
  for (int i = 1; i <= 8; ++i) large["method" + std::to_string(i)] = 1 << 20;
  std::map<std::string, std::size_t> with_small = large;
  with_small["method4"] = 50 << 10;
  with_small["method6"] = 4 << 10;
  std::set<std::string> slower{"method2", "method3", "method5", "method7", "method8"};
  EXPECT_EQ(leavers_of(with_small).begin()->second, slower);
  slower.insert({"method4", "method6"});
  EXPECT_EQ(leavers_of(large).begin()->second, slower);
  EXPECT_EQ(
      race_note(leavers_of(with_small), 6),
      "methods that could not be the best were dropped after 6 process runs, to save time (5 in throughput, trace "
      "game, isolated); their intervals are wider, and rank correlations are of these process runs");
  EXPECT_EQ(race_note({{Cell{}, {}}}, 6), "");
}

TEST(NextProcessRun, CircumstancesTakeTurns) {
  RunInputs run = small_run();
  run.settings.pages = {"4k", "2m"};
  run.settings.corunners = {0, 2};
  EXPECT_EQ(process_runs_of(run.settings), 12u);
  std::set<std::pair<std::string, unsigned>> seen;
  for (unsigned number = 0; number < 4; ++number) {
    const std::optional<ProcessRunPlan> plan = next_process_run(run, number, {}, 0);
    const Cell& first = plan->cells.front();
    for (const Cell& cell : plan->cells) EXPECT_TRUE(cell.pages == first.pages && cell.corunners == first.corunners);
    EXPECT_EQ(plan->first_round, 0u) << "each begins with the same segments";
    seen.insert({first.pages, first.corunners});
  }
  EXPECT_EQ(seen.size(), 4u);
  EXPECT_EQ(next_process_run(run, 4, {}, 0)->first_round, 2u);
}

TEST(NextProcessRun, UntilDecidedLeavesOutWhatIsDecided) {
  RunInputs run = small_run();
  run.settings.until_decided = true;
  const std::vector<Cell> cells = cells_of(run.settings, run.traces, circumstances_of(run.settings).front());
  EXPECT_FALSE(next_process_run(run, 0, {}, 0)) << "no time is left";
  EXPECT_EQ(next_process_run(run, 0, {}, 1)->cells, cells) << "nothing is known yet";
  const Decisions one = decided(cells[0]);
  const std::optional<ProcessRunPlan> plan = next_process_run(run, 5, one, 1);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->cells, std::vector<Cell>{cells[1]});
  run.settings.pressures = {names_of(cells[0]).pressure};
  EXPECT_FALSE(next_process_run(run, 5, one, 1)) << "all is decided";
}

TEST(Expected, GrowWithRoundsAndCellsAndTheLimitIsManyTimesThat) {
  RunInputs run = small_run();
  const std::size_t samples = expected_samples(run);
  const double seconds = expected_seconds(run);
  // Eleven modules and the clock, of which six are methods or the second twin: they fill one group.
  EXPECT_EQ(samples, 12u * 2 * 2 * 3);
  RunInputs larger = run;
  larger.modules.push_back({ContenderRole::method, {"module11.so"}});
  EXPECT_EQ(expected_samples(larger), (13u + 2 * 2) * 2 * 2 * 3) << "two groups, with the reference and its twin";
  run.settings.profile.rounds *= 2;
  EXPECT_EQ(expected_samples(run), 2 * samples);
  EXPECT_GT(expected_seconds(run), 1.5 * seconds);
  EXPECT_LT(expected_seconds(run), 2 * seconds) << "preparing is not repeated";
  EXPECT_GT(time_limit(run, *next_process_run(run, 0, {}, 0)),
            10 * expected_seconds(run) / process_runs_of(run.settings));
}

TEST(ProfileOption, IsANameOrWhatItStandsFor) {
  EXPECT_EQ(parse_profile("standard").process_runs, 32u);
  const Profile short_one = parse_profile("16x4"), parts = parse_profile("32x12/3x5m");
  EXPECT_EQ((std::tuple(short_one.process_runs, short_one.rounds, short_one.sessions, short_one.controls)),
            (std::tuple(16u, 4u, 1u, false)));
  EXPECT_EQ((std::tuple(parts.process_runs, parts.rounds, parts.sessions, parts.pause_seconds, parts.controls)),
            (std::tuple(32u, 12u, 3u, 300.0, true)));
  for (const char* text : {"", "fast", "1x4", "4x0", "4", "x4", "4x4x4", "-4x4", "4x4/", "4x4/3x5m", "4x4/2x", "4x4/2",
                           "4x4/0x5m", "99999999999x1", "4x4 "})
    EXPECT_THROW(parse_profile(text), UserError) << text;
}

}  // namespace
}  // namespace slidebench
