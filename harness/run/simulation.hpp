// SPDX-License-Identifier: MIT
//
// What simulations of the program need before and after: the traced twins of the methods asked for, and the counts of
// what was seen.
#pragma once

#include <string>
#include <vector>

#include "harness/counters/event_counters.hpp"
#include "harness/measure/process_run.hpp"
#include "harness/plugin/method_selection.hpp"
#include "harness/simulator/experiment.hpp"

namespace slidebench {

/// The traced twins of the empty loop and of the methods asked for, initialised. Methods that cannot run here or have
/// none are added to `skipped`.
std::vector<Plugin> traced_twins(const MethodOptions& options, std::vector<Skipped>& skipped);

/// The rows of counters.csv that an observation gives: of every cache system and draw, the method's own accesses of L1,
/// and its misses of every level that the system has.
std::vector<EventCount> event_counts(const Plugin& method, const std::string& trace, const Experiment& experiment,
                                     const Observation& seen);

}  // namespace slidebench
