// SPDX-License-Identifier: MIT
#include "harness/run/plan.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "harness/statistics/statistics.hpp"

namespace slidebench {
namespace {

/// To load the modules and find out how many passes fill a sample takes a process run as long as half a round.
constexpr double rounds_to_prepare = 0.5;

/// Samples in which every contender of a cell is timed once, the clock with them; the reference and its twin join every
/// group of methods. Some cells have no control and none that asks twice, which is too little to matter.
std::size_t samples_in(const RunInputs& run, const Cell& cell, const RaceLeavers& leavers = {}) {
  const auto left = leavers.find(cell);
  const std::size_t absent = left == leavers.end() ? 0 : left->second.size();
  const auto measured = std::count_if(run.modules.begin(), run.modules.end(), [](const PlacedModule& module) {
    return module.role == ContenderRole::method || module.role == ContenderRole::second_twin;
  });
  const std::size_t methods = static_cast<std::size_t>(measured) - absent, most = ProcessRunPlan{}.methods_per_round;
  const std::size_t groups = methods <= most ? 0 : (methods + most - 1) / most;
  return run.modules.size() + 1 - absent + 2 * groups;
}

/// Seconds of a process run that measures these cells.
double process_run_seconds(const RunInputs& run, const std::vector<Cell>& cells, unsigned rounds,
                           const RaceLeavers& leavers = {}) {
  double seconds = 0;
  for (const Cell& cell : cells) {
    seconds += sample_seconds(cell, run.settings) * static_cast<double>(samples_in(run, cell, leavers));
  }
  return seconds * (rounds + rounds_to_prepare);
}

/// Which layout of a module a process run has: each module goes through its own in an order of its own, and none comes
/// again before all were there.
std::size_t drawn_layout(std::uint64_t seed, std::size_t module, unsigned process_run, std::size_t layouts) {
  std::seed_seq seeds{seed, seed >> 32, std::uint64_t{module}, std::uint64_t{process_run / layouts}};
  std::mt19937_64 random(seeds);
  std::vector<std::size_t> order(layouts);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = layouts; left > 1; --left) std::swap(order[left - 1], order[draw(random, left)]);
  return order[process_run % layouts];
}

ProcessRunPlan plan_for(const RunInputs& run, unsigned number, const Circumstances& circumstances) {
  const RunSettings& settings = run.settings;
  ProcessRunPlan plan;
  plan.process_run = number;
  plan.rounds = settings.profile.rounds;
  plan.first_round = std::uint64_t{number} / circumstances_of(settings).size() * plan.rounds;
  plan.segment_queries = settings.segment_queries;
  plan.sample_ms = settings.profile.sample_ms;
  plan.warm_up_ms = settings.profile.warm_up_ms;
  plan.seed = settings.seed;
  plan.cells = cells_of(settings, run.traces, circumstances);
  plan.engine = settings.engine;
  plan.events = run.events;
  for (std::size_t i = 0; i < run.modules.size(); ++i) {
    const PlacedModule& module = run.modules[i];
    plan.modules.push_back(
        {module.placements[drawn_layout(plan.seed, i, number, module.placements.size())], module.role});
  }
  for (const RunTrace& trace : run.traces) plan.traces.push_back(trace.named);
  return plan;
}

/// A process run of the second stage. Its segments go on where the first stage stopped.
ProcessRunPlan plan_of_final(const RunInputs& run, unsigned number, const Circumstances& circumstances,
                             const Final& final) {
  ProcessRunPlan plan = plan_for(run, number, circumstances);
  const Profile& profile = run.settings.profile;
  const auto turns = static_cast<unsigned>(circumstances_of(run.settings).size());
  plan.rounds = rounds_of_final(profile);
  plan.first_round = std::uint64_t{profile.process_runs} * profile.rounds +
                     std::uint64_t{(number - process_runs_of(run.settings)) / turns} * plan.rounds;
  for (const auto& [cell, names] : final.leavers) plan.without[cell] = names;
  return plan;
}

std::size_t samples_of(const RunInputs& run, const RaceLeavers& leavers) {
  std::size_t samples = 0;
  for (const Circumstances& circumstances : circumstances_of(run.settings)) {
    for (const Cell& cell : cells_of(run.settings, run.traces, circumstances)) {
      samples += samples_in(run, cell, leavers);
    }
  }
  return samples;
}

/// Seconds of one process run in each of the circumstances.
double turn_seconds(const RunInputs& run, unsigned rounds, const RaceLeavers& leavers) {
  double seconds = 0;
  for (const Circumstances& circumstances : circumstances_of(run.settings)) {
    seconds += process_run_seconds(run, cells_of(run.settings, run.traces, circumstances), rounds, leavers);
  }
  return seconds;
}

/// Seconds of the profile's process runs.
double first_seconds(const RunInputs& run) {
  const Profile& profile = run.settings.profile;
  return turn_seconds(run, profile.rounds, {}) * profile.process_runs;
}

}  // namespace

nlohmann::json to_json(const Final& final) {
  nlohmann::json left = nlohmann::json::array();
  for (const auto& [cell, names] : final.leavers) left.push_back({{"cell", cell}, {"contenders", names}});
  return {{"process_runs", final.process_runs}, {"left", left}};
}

unsigned rounds_of_final(const Profile& profile) { return std::max(4u, profile.rounds); }

Final plan_final(const RunInputs& run, RaceLeavers leavers, double spent) {
  constexpr double least = 4, most = 1000;
  const double pace = spent / first_seconds(run), left = run.settings.race_seconds - spent;
  const double turns = left / (pace * turn_seconds(run, rounds_of_final(run.settings.profile), leavers));
  const auto each = static_cast<unsigned>(std::clamp(turns, least, most));
  return {each * static_cast<unsigned>(circumstances_of(run.settings).size()), std::move(leavers)};
}

unsigned process_runs_of(const RunSettings& settings) {
  return settings.profile.process_runs * static_cast<unsigned>(circumstances_of(settings).size());
}

unsigned process_runs_a_session(const RunSettings& settings) {
  const Profile& profile = settings.profile;
  if (profile.sessions <= 1) return 0;
  const unsigned each = (profile.process_runs + profile.sessions - 1) / profile.sessions;
  return each * static_cast<unsigned>(circumstances_of(settings).size());
}

std::optional<ProcessRunPlan> next_process_run(const RunInputs& run, unsigned number, const Decisions& decisions,
                                               double seconds_left, const Final& final) {
  const std::vector<Circumstances> all = circumstances_of(run.settings);
  if (!run.settings.until_decided) {
    const unsigned first = process_runs_of(run.settings);
    const Circumstances& circumstances = all[number % all.size()];
    if (number < first) return plan_for(run, number, circumstances);
    if (number >= first + final.process_runs) return std::nullopt;
    return plan_of_final(run, number, circumstances, final);
  }
  if (seconds_left <= 0) return std::nullopt;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ProcessRunPlan plan = plan_for(run, number, all[(number + i) % all.size()]);
    std::erase_if(plan.cells, [&decisions](const Cell& cell) { return !decisions.is_open(cell); });
    if (run.settings.race_seconds > 0) plan.rounds = rounds_of_final(run.settings.profile);
    for (const Cell& cell : plan.cells) {
      plan.without[cell] = decisions.decided_in(cell);
      const auto left = final.leavers.find(cell);
      if (left != final.leavers.end()) plan.without[cell].insert(left->second.begin(), left->second.end());
    }
    if (!plan.cells.empty()) return plan;
  }
  return std::nullopt;
}

std::size_t expected_samples(const RunInputs& run, const Final& final) {
  const Profile& profile = run.settings.profile;
  const std::size_t first = samples_of(run, {}) * profile.rounds * profile.process_runs;
  if (run.settings.race_seconds <= 0) return first;
  const Final& later = final.process_runs > 0 ? final : plan_final(run, {}, first_seconds(run));
  const std::size_t turns = later.process_runs / circumstances_of(run.settings).size();
  return first + samples_of(run, later.leavers) * rounds_of_final(profile) * turns;
}

double expected_seconds(const RunInputs& run) {
  const Profile& profile = run.settings.profile;
  const double pauses = (profile.sessions - 1) * profile.pause_seconds;
  return std::max(first_seconds(run) + pauses, run.settings.race_seconds);
}

double time_limit(const RunInputs& run, const ProcessRunPlan& plan) {
  constexpr double seconds_to_load = 600, times_expected = 10;
  return seconds_to_load + times_expected * process_run_seconds(run, plan.cells, plan.rounds);
}

}  // namespace slidebench
