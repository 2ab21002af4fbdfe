// SPDX-License-Identifier: MIT
//
// A process run: a process of its own that measures some rounds of a run. New processes get new addresses and new
// physical pages, which change times. Cells take turns in a fresh random order; within a cell: round.hpp.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

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

/// A module to load, and the contender that it is. Several may have one path: each is loaded for itself.
struct RunModule {
  std::string path;
  ContenderRole role = ContenderRole::method;
};

/// All that a process run needs to know. Its seed is derived from `seed` and `process_run`.
struct ProcessRunPlan {
  unsigned process_run = 0;
  unsigned rounds = 1;  ///< in which each contender takes part
  /// How many rounds a contender had in the process runs before this one: segments go on where those stopped, so that a
  /// run sees as many of them as it can, in an order that the seed draws.
  std::uint64_t first_round = 0;
  std::size_t methods_per_round = 6;  ///< more are split into several rounds
  double sample_ms = 10;              ///< timed part of a sample, at least
  double warm_up_ms = 2;              ///< untimed part before it, at least
  std::uint64_t seed = 1;
  /// A sample replays a segment of this many queries, again and again; each round takes another one. The segment (190
  /// KiB) shall not drive the tables out of the L2: 512 Ki queries do, and ratios repeated worse.
  std::uint64_t segment_queries = 1u << 14;
  std::vector<RunModule> modules;
  std::vector<NamedTrace> traces;
  std::vector<Cell> cells;                        ///< of one page mode and one number of co-runners
  std::map<Cell, std::set<std::string>> without;  ///< contenders that are left out of a cell, by their names
  EngineSettings engine;                          ///< for cells of the workloads engine and perft
  std::vector<Metric> events;                     ///< hardware events to count while samples are timed
};

/// Of a duel: how often something happened in its turns, by what it was and by the contender's name.
using TurnCounts = std::map<std::string, std::map<std::string, std::uint64_t>>;

/// An event count of one contender in one cell, by the hardware or by a simulation: one row of counters.csv once the
/// empty loop's count is known.
struct EventCount {
  unsigned process_run = 0;
  std::string contender;
  ContenderRole role = ContenderRole::method;
  std::string method;
  std::string level;
  CellText cell = {};  ///< of simulated counts the workload is `replay`: they hold for every workload on the trace
  std::uint64_t queries = 0;
  std::uint64_t nodes = 0;  ///< 0: not known
  CounterReading reading = {};
  std::string cache = {};             ///< what was simulated: a preset, "host" or a specification; else empty
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

/// Measures in this process until the plan is done or `stop` becomes true (then the round under way is dropped).
/// Throws CheckFailed at the first wrong sum, UserError for modules or traces that cannot be used.
void measure_process_run(const ProcessRunPlan& plan, const ProcessRunSink& sink, const std::atomic<bool>& stop);

}  // namespace slidebench
