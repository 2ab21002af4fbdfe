// SPDX-License-Identifier: MIT
//
// What the caches of this machine would do in a run, by simulation, and said to be so in every row: beside what the
// hardware counted, or in its place.
#pragma once

#include <functional>
#include <vector>

#include "harness/measure/process_run.hpp"
#include "harness/plugin/method_selection.hpp"
#include "harness/run/inputs.hpp"

namespace slidebench {

/// The traced modules of a run's methods: those asked for, and the reference, which every run has.
/// @param skipped  gets the methods that have none
std::vector<Plugin> modules_to_simulate(MethodOptions methods, std::vector<Skipped>& skipped);

/// Simulates the modules on the traces; returns the counts of all. Misses for every cache size and by square are
/// `slidebench simulate`'s. Throws UserError.
/// @param on_progress  gets how many of how many are done
std::vector<EventCount> simulate_counts(const std::vector<Plugin>& modules, const std::vector<RunTrace>& traces,
                                        const std::function<void(std::size_t, std::size_t)>& on_progress);

}  // namespace slidebench
