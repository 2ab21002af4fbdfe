// SPDX-License-Identifier: MIT
//
// A process run is one process run: a process of its own that measures some rounds of a run. New processes get new
// addresses and new physical pages, which change times.
//
// The contenders of a round run right after each other in a fresh random order: what disturbs a round disturbs all of
// its contenders alike, and no contender always goes first. Cells take turns, in a fresh random order too. Many methods
// do not share one round, which would last half a second: they are split anew each time into groups that meet the
// reference in rounds of their own (incomplete randomised blocks). Why so, and why slices are as short as they are:
// slices.md.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/counters/event_counters.hpp"
#include "harness/measure/engine_work.hpp"
#include "harness/measure/table_pages.hpp"
#include "harness/statistics/sample.hpp"

namespace slidebench {

/// A trace and the name that it has in this run.
struct NamedTrace {
  std::string name;
  std::string path;
};

/// All that a process run needs to know. The seed of a process run is derived from `seed` and `process_run`.
struct ProcessRunPlan {
  unsigned process_run = 0;
  unsigned rounds = 1;  ///< in which each contender takes part
  /// How many rounds a contender had in the process runs before this one: segments go on where those stopped, so that a
  /// run sees as many of them as it can, in an order that the seed draws.
  std::uint64_t first_round = 0;
  std::size_t methods_a_round = 6;  ///< more are split into several rounds
  double slice_ms = 10;             ///< timed part of a slice, at least
  double warm_up_ms = 2;            ///< untimed part before it, at least
  std::uint64_t seed = 1;
  /// A slice replays a stretch of this many queries, again and again; each round takes another one. The stretch (190
  /// KiB) shall not drive the tables out of the L2: 512 Ki queries do, and ratios repeated worse.
  std::uint64_t segment_queries = 1u << 16;
  std::vector<std::string> modules;  ///< paths; one contender each
  std::vector<NamedTrace> traces;
  std::vector<Cell> cells;                        ///< of one page mode and one number of co-runners
  std::map<Cell, std::set<std::string>> without;  ///< contenders that are left out of a cell, by their names
  EngineSettings engine;                          ///< for cells of the workloads engine and perft
  bool count_events = false;                      ///< also count hardware events, after the last round
};

/// An event count of one contender in one cell, by the hardware or by a simulation: one row of counters.csv once the
/// null method's count is known.
struct EventCount {
  unsigned process_run = 0;
  std::string contender;
  ContenderRole role = ContenderRole::method;
  std::string method;
  std::string level;
  std::string workload;
  std::string trace;
  std::uint64_t queries = 0;
  CounterReading reading = {};
  std::string pressure = "isolated";
  std::string cache = {};             ///< what was simulated: a preset, "host" or a specification; else empty
  std::string pages = {};             ///< of the large tables, 4k or 2m; empty if not known
  std::optional<unsigned> draw = {};  ///< which random placement of pages was simulated
};

/// On what pages a contender's large tables really lay.
struct PageReport {
  std::string contender;
  std::string pages;  ///< as asked for, 4k or 2m
  TablePages tables;
};

/// Where a process run's results go: at the end of each round, so that nothing is written while the round is timed.
struct ProcessRunSink {
  std::function<void(const Sample&)> sample;
  std::function<void(const EventCount&)> count;
  std::function<void(const PageReport&)> pages;
};

nlohmann::json to_json(const PageReport& report);
PageReport page_report_from_json(const nlohmann::json& json);

nlohmann::json to_json(const EventCount& count);
EventCount event_count_from_json(const nlohmann::json& json);

nlohmann::json to_json(const ProcessRunPlan& plan);
ProcessRunPlan process_run_plan_from_json(const nlohmann::json& json);

/// Runs a process run in this process until it is done or `stop` becomes true (then the round under way is dropped).
/// Throws CheckFailed at the first wrong sum, UserError for modules or traces that cannot be used.
void run_process_run(const ProcessRunPlan& plan, const ProcessRunSink& sink, const std::atomic<bool>& stop);

/// The contender whose code the process run executes, or did last; null before the first. For a signal handler: a
/// method that crashes shall have a name.
const char* contender_under_way();

}  // namespace slidebench
