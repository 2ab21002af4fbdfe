// SPDX-License-Identifier: MIT
//
// A launch of a duel: every engine started once, the first one twice (the A/A control), then round after round, until
// all are ended again. In a round each engine searches the same position, one after the other in a fresh random order,
// while the others wait; all on one CPU. Each launch draws addresses and pages anew, so that launches are the unit of
// replication, as they are in a run (timing/launch.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/duel/uci_engine.hpp"
#include "harness/statistics/sample.hpp"

namespace slidebench::duel {

inline constexpr const char* duel_workload = "duel";

/// One participant of every round.
struct DuelArm {
  std::string name;    ///< the engine's, with ".twin" for the A/A control
  std::string engine;  ///< the engine's
  ArmRole role = ArmRole::method;
  EngineSpec spec;
};

struct DuelPlan {
  unsigned launch = 0;
  unsigned rounds = 1;
  std::uint64_t seed = 1;
  std::vector<DuelArm> arms;
  std::vector<engine::PositionState> positions;  ///< rounds go on where those of the launch before stopped
  Conditions conditions;
  Cell cell;
};

/// What a reader of the figures has to know, counted over turns, by the arm's name.
struct DuelNotes {
  std::map<std::string, std::uint64_t> turns;
  std::map<std::string, std::uint64_t> busy_while_idle;  ///< turns of others in which it used CPU time
  std::map<std::string, std::uint64_t> short_of_nodes;   ///< its own that ended far below the nodes asked for
  std::map<std::string, std::uint64_t> ended_threads;    ///< its own after which threads of the search were gone
};

/// Runs a launch. `on_sample` gets a round's samples at its end. Throws UserError for an engine that fails, Interrupted
/// when `stop` becomes true; all engines are ended then too.
void run_duel_launch(const DuelPlan& plan, DuelNotes& notes, const std::function<void(const Sample&)>& on_sample,
                     const std::atomic<bool>& stop);

}  // namespace slidebench::duel
