// SPDX-License-Identifier: MIT
//
// What a run does next, and how long it takes: pure functions of what was asked for and of what is known so far.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/run/cells.hpp"
#include "harness/run/contenders.hpp"
#include "harness/run/decisions.hpp"
#include "harness/run/inputs.hpp"
#include "harness/run/race.hpp"
#include "harness/run/settings.hpp"

namespace slidebench {

/// What the process runs of a run are planned from.
struct RunInputs {
  RunSettings settings;
  std::vector<RunTrace> traces;
  std::vector<PlacedModule> modules;  ///< one entry per contender, without the clock
  std::vector<Metric> events;         ///< hardware events, counted in the samples
};

/// Process runs of a run that does not measure until decided; of a race those of its first stage.
unsigned process_runs_of(const RunSettings& settings);
/// How many of them are a session; the last one may have fewer. 0 if there is but one session.
unsigned process_runs_a_session(const RunSettings& settings);

/// The second stage of a race. Empty before it.
struct Final {
  unsigned process_runs = 0;
  RaceLeavers leavers;
};

/// For run.json.
nlohmann::json to_json(const Final& final);

/// As many process runs of those who did not leave as fill the rest of the race's time, at the pace of its first stage,
/// which took `spent` seconds; at least four.
Final plan_final(const RunInputs& run, RaceLeavers leavers, double spent);

/// Rounds of a process run of the second stage: four at least. Process runs differ by more than their rounds would have
/// them (reports/methodology.md), so that many short ones tell more than few long ones.
unsigned rounds_of_final(const Profile& profile);

/// The process run of this number; nothing if the run is done. Circumstances take turns, so that what drifts drifts
/// through all of them; until decided, cells and methods that are decided are left out, and there is an end when no
/// time is left. After the first stage of a race its second one goes on, once it is planned.
std::optional<ProcessRunPlan> next_process_run(const RunInputs& run, unsigned number, const Decisions& decisions,
                                               double seconds_left, const Final& final = {});

/// Samples of the whole run; a few less where the control takes no part. Before the second stage of a race is planned,
/// as if nobody left.
std::size_t expected_samples(const RunInputs& run, const Final& final = {});

/// About how long the run takes, without the evaluation at its end.
double expected_seconds(const RunInputs& run);

/// After so many seconds a process run hangs: many times what it should take, and time to load large traces.
double time_limit(const RunInputs& run, const ProcessRunPlan& plan);

}  // namespace slidebench
