// SPDX-License-Identifier: MIT
//
// A process run of a duel: every engine started once, the first one twice (the A/A control), then round after round,
// until all are ended again. In a round each engine searches the same position, one after the other in a fresh random
// order, while the others wait; all on one CPU. Each process run draws addresses and pages anew, so that process runs
// are the unit of replication, as they are in a run (measure/process_run.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "extras/engines/duel/uci_engine.hpp"
#include "harness/measure/process_run.hpp"
#include "harness/statistics/sample.hpp"

namespace slidebench::duel {

/// One participant of every round.
struct DuelContender {
  std::string name;    ///< the engine's, with ".twin" for the A/A control
  std::string engine;  ///< the engine's
  ContenderRole role = ContenderRole::method;
  EngineSpec spec;
};

struct DuelPlan {
  unsigned process_run = 0;
  unsigned rounds = 1;
  std::uint64_t seed = 1;
  std::vector<DuelContender> contenders;
  std::vector<engine::PositionState> positions;  ///< rounds go on where those of the process run before stopped
  Conditions conditions;
  Cell cell;
};

/// What a reader of the figures has to know, counted over turns, by what happened and the contender's name: "turns" are
/// all; in "busy_while_idle" it used CPU time in another's; "short_of_nodes" are its own that ended far below the nodes
/// asked for, "ended_threads" those after which threads of the search were gone; "repeated" are searches without a time
/// that can be, which another one took the place of.
using DuelNotes = TurnCounts;

/// Runs a process run. `on_sample` gets a round's samples at its end. Throws UserError for an engine that fails,
/// Interrupted when `stop` becomes true; all engines are ended then too.
void run_duel_process_run(const DuelPlan& plan, DuelNotes& notes, const std::function<void(const Sample&)>& on_sample,
                          const std::atomic<bool>& stop);

}  // namespace slidebench::duel
