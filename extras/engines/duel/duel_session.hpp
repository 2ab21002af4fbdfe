// SPDX-License-Identifier: MIT
//
// A duel from its start to its results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "extras/engines/duel/uci_engine.hpp"
#include "harness/engine/position_state.hpp"
#include "harness/run/journal.hpp"

namespace slidebench {

/// What a duel is to do, as the command line says it.
struct DuelSettings {
  std::vector<duel::EngineSpec> engines;  ///< two or more; the others are compared with the first
  std::vector<engine::PositionState> positions;
  duel::Conditions conditions;
  unsigned process_runs = 16;
  unsigned rounds = 16;   ///< a process run
  std::string reference;  ///< the name of the engine that the others are compared with; empty: the first
  double margin = 0.01;
  bool until_decided = false;
  double max_seconds = 30 * 60;  ///< of measuring until decided
  double for_seconds = 0;        ///< instead of so many process runs as many as this time has room for; 0: process_runs
  std::vector<std::string> notes;  ///< what happened before, for the reader
  std::string goes_on;             ///< how it is continued after it was stopped; empty: by `duel --resume`
  std::uint64_t seed = 1;
  std::string out;
  std::vector<std::string> command_line;
};

/// Tries every engine, measures, and writes what a run writes: samples.csv, summary.csv, run.json and the tables that
/// are empty in a duel. An engine that fails later ends the duel, but what was measured stays, marked incomplete.
/// @param resumed  the journal of a duel in `settings.out` that is to go on; absent: a new one
/// @throws UserError
void run_duel(const DuelSettings& settings, std::optional<RunJournal> resumed);

}  // namespace slidebench
