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

/// How much is measured: many process runs of few rounds, because each process draws addresses and pages anew, and
/// because neighbours on a shared machine come and go in tens of seconds.
struct Profile {
  std::string name;
  unsigned process_runs;
  unsigned rounds;           ///< per process run
  unsigned sessions = 1;     ///< equal parts of the process runs, with pauses between them
  double pause_seconds = 0;  ///< between two sessions
  /// Whether the run controls itself: identical code judged as a method is, a known cost, and who asks twice.
  bool controls = false;
  double sample_ms = 1;   ///< timed part of a sample
  double warm_up_ms = 1;  ///< untimed part before it
};

inline const std::vector<Profile> profiles{
    {"quick", 8, 6},
    {"standard", 32, 12, 3, 300, true},
    {"publication", 32, 60, 4, 900, true},
};

struct RunSettings {
  MethodOptions methods;
  std::vector<std::string> traces;
  std::vector<std::string> workloads;
  std::vector<std::string> kinds;      ///< of queries, for throughput and latency; of a batch, such as 6-sliders
  std::vector<std::string> pressures;  ///< presets or specifications
  std::vector<std::string> pages;      ///< of the large tables and pressure blocks: 4k, 2m
  std::vector<unsigned> corunners;     ///< how many
  std::vector<EngineForm> forms{{0}, {256}, {1024}};  ///< of the workload engine
  EngineSettings engine;
  Profile profile = profiles[0];
  std::uint64_t segment_queries = ProcessRunPlan{}.segment_queries;  ///< of the stretch that a sample replays
  std::string reference;  ///< what answers and decisions are against; empty: the method measured beside all
  double margin = 0.01;   ///< times that differ by no more than this fraction count as equal
  bool until_decided =
      false;                ///< measured on, process run after process run until every method is judged, or time is up
  double max_seconds = 0;   ///< of measuring until decided
  double race_seconds = 0;  ///< of a race, the profile's process runs included; 0: no race
  std::vector<Metric> events;  ///< to count in the samples; empty: the usual ones, where there are any
  std::uint64_t seed = 1;
  std::string out;
  std::vector<std::string> command_line;
};

}  // namespace slidebench
