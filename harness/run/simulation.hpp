// SPDX-License-Identifier: MIT
//
// Simulations as the program runs them: every method of a selection on a trace, and the files that tell of it.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "harness/counters/simulated_counters.hpp"
#include "harness/measure/process_run.hpp"
#include "harness/plugin/method_selection.hpp"
#include "harness/simulator/experiment.hpp"

namespace slidebench {

/// The traced twins of the empty loop and of the methods asked for, initialised. Methods that cannot run here or have
/// none are added to `skipped`.
std::vector<Plugin> traced_twins(const MethodOptions& options, std::vector<Skipped>& skipped);

/// Which trace was simulated, under which name.
struct SimulatedTrace {
  std::string name;
  const Trace* trace;
};

/// The rows of counters.csv that an observation gives: the method's own accesses and misses of every level, published
/// as software-defined events and read back through PAPI; and why they missed, for the first draw without pressure.
std::vector<EventCount> event_counts(const Plugin& method, const std::string& trace, const Experiment& experiment,
                                     const Observation& seen, EventCounters& published);

/// Rows of mrc.csv: misses of a fully associative LRU cache of every size under every load. With a header line.
std::string mrc_csv_header();
std::string mrc_csv(const std::string& method, const std::string& trace, const Observation& seen);

/// Rows of squares.csv: misses and different lines of every kind of query on every square.
std::string squares_csv_header();
std::string squares_csv(const std::string& method, const std::string& trace, const Experiment& experiment,
                        const Observation& seen);

/// Rows of tables.csv: accesses, misses and different lines of every table; in the last column what was read for the
/// first time, warm-up passes included.
std::string tables_csv_header();
std::string tables_csv(const std::string& method, const std::string& trace, const Experiment& experiment,
                       const Observation& seen);

/// Rows of prefetches.csv, of the systems with a prefetcher: lines that were brought because of what the method, or the
/// pressure, read; and how many of them each of the two came to read before they had to go.
std::string prefetches_csv_header();
std::string prefetches_csv(const std::string& method, const std::string& trace, const Experiment& experiment,
                           const Observation& seen);

}  // namespace slidebench
