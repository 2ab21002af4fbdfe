// SPDX-License-Identifier: MIT
//
// A simulation from start to end: what is asked for, and the folder that it writes.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/ordered_jobs.hpp"
#include "harness/measure/trace_selection.hpp"
#include "harness/plugin/method_selection.hpp"

namespace slidebench {

/// What `slidebench simulate` is asked for; the fields are its options.
struct SimulateSettings {
  MethodOptions methods;
  std::vector<std::string> traces;
  std::vector<std::string> caches{"host"};
  std::vector<std::string> pressures{"isolated"};
  std::vector<std::string> pages{"4k"};
  unsigned draws = 4;
  bool reuse = false;
  bool squares = false;
  bool cold = false;
  std::uint64_t segment_queries = SelectionOptions{}.segment_queries;
  std::string touches = "cyclic";  ///< or independent: the order of the pressure's touches
  unsigned jobs = all_processors();
  std::string out;
  std::vector<std::string> command_line;
};

/// Simulates every method asked for on every trace, cache and pressure, writes the rows as they come and run.json at
/// the end, and prints the misses on the first cache. Throws UserError for what cannot be simulated; `stop` ends it
/// early, and run.json says so.
void simulate(const SimulateSettings& settings, const std::atomic<bool>& stop);

}  // namespace slidebench
