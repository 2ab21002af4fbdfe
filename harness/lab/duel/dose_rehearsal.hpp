// SPDX-License-Identifier: MIT
//
// Whether an engine takes doses (harness/record/slidebench_record.h), and how often it asks.
#pragma once

#include <vector>

#include "harness/lab/duel/uci_engine.hpp"

namespace slidebench::duel {

/// The engine of each of usual_doses(): told by its environment, and named after its dose.
std::vector<EngineSpec> dosed_engines(const EngineSpec& spec);

/// Starts each engine once, and looks at what it reports when it ends: the dose that was in force.
/// @throws UserError  for one that reports none (not built with -DSLIDEBENCH_DOSE, or not ended by exit()), or another
void check_doses(const std::vector<EngineSpec>& engines, const Conditions& conditions, const std::atomic<bool>& stop);

/// How many queries a node has in one search of each position, start and set-up left out.
/// @throws UserError  for an engine that asks nothing
double queries_per_node(const EngineSpec& spec, const Conditions& conditions,
                        const std::vector<engine::PositionState>& positions, const std::atomic<bool>& stop);

}  // namespace slidebench::duel
