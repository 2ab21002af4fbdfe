// SPDX-License-Identifier: MIT
//
// What simulations of the program need before and after: the traced twins of the methods asked for, and the rows of the
// files that tell what was seen.
#pragma once

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

/// The rows of counters.csv that an observation gives: of every cache system and draw, the method's own accesses of L1,
/// and its misses of every level that the system has. Published as software-defined events and read back through PAPI;
/// in a build without PAPI, as counted.
std::vector<EventCount> event_counts(const Plugin& method, const std::string& trace, const Experiment& experiment,
                                     const Observation& seen, EventCounters& published);

/// Rows of mrc.csv: misses of fully associative LRU caches of 4 to 65,536 lines and pages, four sizes an octave, under
/// eight loads, the first of which is none. Nothing if reuse was not observed. With a header line.
std::string mrc_csv_header();
std::string mrc_csv(const std::string& method, const std::string& trace, const Observation& seen);

/// Rows of squares.csv: different lines, and misses of L1 and L2, of every kind of query on every square where it was
/// asked. Of the first draw of every system.
std::string squares_csv_header();
std::string squares_csv(const std::string& method, const std::string& trace, const Experiment& experiment,
                        const Observation& seen);

/// Rows of tables.csv: of every level that was asked, the different lines, accesses and misses of every table and of
/// all together; in the last column what was read for the first time, warm-up passes included. Why they missed stands
/// in the row of all, for the first draw without pressure.
std::string tables_csv_header();
std::string tables_csv(const std::string& method, const std::string& trace, const Experiment& experiment,
                       const Observation& seen);

/// Rows of prefetches.csv, of the systems with a prefetcher: lines that were brought because of what the method, or the
/// pressure, read; and how many of them each of the two came to read before they had to go.
std::string prefetches_csv_header();
std::string prefetches_csv(const std::string& method, const std::string& trace, const Experiment& experiment,
                           const Observation& seen);

}  // namespace slidebench
