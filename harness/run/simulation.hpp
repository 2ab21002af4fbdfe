// SPDX-License-Identifier: MIT
//
// What simulations of the program need before and after: the traced twins of the methods asked for, and the counts of
// what was seen; and the counts of a run, which stand beside what the hardware counted, or in its place.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/counters/event_counters.hpp"
#include "harness/measure/process_run.hpp"
#include "harness/plugin/method_selection.hpp"
#include "harness/run/inputs.hpp"
#include "harness/simulator/experiment.hpp"

namespace slidebench {

/// The traced twins of the empty loop and of the methods asked for, initialised. Methods that cannot run here or have
/// none are added to `skipped`.
std::vector<Plugin> traced_twins(const MethodOptions& options, std::vector<Skipped>& skipped);

/// The rows of counters.csv that an observation gives: of every cache system and draw, the method's own accesses of L1,
/// and its misses of every level that the system has.
std::vector<EventCount> event_counts(const Plugin& method, const std::string& trace, const Experiment& experiment,
                                     const Observation& seen);

/// The traced modules of a run's methods: those asked for, and the reference, which every run has.
/// @param skipped  gets the methods that have none
std::vector<Plugin> modules_to_simulate(MethodOptions methods, std::vector<Skipped>& skipped);

/// Simulates the modules on the traces; returns the counts of all. Misses for every cache size and by square are
/// `slidebench simulate`'s. Throws UserError.
/// @param on_progress  gets how many of how many are done
std::vector<EventCount> simulate_counts(const std::vector<Plugin>& modules, const std::vector<RunTrace>& traces,
                                        const std::function<void(std::size_t, std::size_t)>& on_progress);

}  // namespace slidebench
