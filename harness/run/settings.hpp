// SPDX-License-Identifier: MIT
//
// What a run is to do, as the command line says it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/measure/process_run.hpp"
#include "harness/plugin/method_selection.hpp"

namespace slidebench {

/// How much is measured, as reports/methodology.md found it best: many process runs of few rounds, because each process
/// draws addresses and pages anew, and because neighbours on a shared machine come and go in tens of seconds.
struct Profile {
  std::string name;
  unsigned process_runs;
  unsigned rounds;  ///< per process run
  double sample_ms;
  double warm_up_ms;
  unsigned sittings = 1;     ///< equal parts of the process runs, with pauses between them
  double pause_seconds = 0;  ///< between two sittings
};

inline const std::vector<Profile> profiles{
    {"quick", 8, 6, 1, 1},
    {"standard", 32, 12, 1, 1, 3, 300},
    {"publication", 32, 60, 1, 1, 4, 900},
};

struct RunSettings {
  MethodOptions methods;
  std::vector<std::string> traces;
  bool random_trace = true;  ///< also measure on a random trace, as the contrast
  std::vector<std::string> workloads;
  std::vector<std::string> kinds;      ///< of queries, for throughput and latency
  std::vector<unsigned> sliders;       ///< of a batch, for the workload batch; none: those of the node
  std::vector<std::string> pressures;  ///< presets or specifications
  std::vector<std::string> pages;      ///< of the large tables and pressure blocks: 4k, 2m
  std::vector<unsigned> corunners;     ///< how many
  std::vector<unsigned> nets;          ///< of the workload engine: widths of networks, 0 for the classical evaluation
  bool threats = false;                ///< also each network with threat features
  bool batch = false;                  ///< also each form with batches
  EngineSettings engine;
  Profile profile = profiles[0];
  std::size_t methods_per_round = ProcessRunPlan{}.methods_per_round;
  std::uint64_t segment_queries = ProcessRunPlan{}.segment_queries;  ///< of the stretch that a sample replays
  std::string reference;           ///< what answers and decisions are against; empty: the method measured beside all
  double margin = 0.01;            ///< times that differ by no more than this fraction count as equal
  bool until_decided = false;      ///< process run after process run until every method is judged, or time is up
  double max_seconds = 30 * 60;    ///< of measuring until decided
  double race_seconds = 0;         ///< of a race's second stage, after the profile's process runs; 0: no race
  double process_run_seconds = 0;  ///< that a process run may take; 0: many times what it should
  std::uint64_t seed = 1;
  unsigned steps_before = 0;  ///< of a script around the run, which prints the answer at its own end; 0: no script
  std::string out;
  std::vector<std::string> command_line;
};

}  // namespace slidebench
