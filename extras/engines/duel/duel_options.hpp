// SPDX-License-Identifier: MIT
//
// The options of a duel, as they stand on the command line.
#pragma once

#include <string>
#include <vector>

#include "extras/engines/duel/duel_session.hpp"

namespace CLI {
class App;
}

namespace slidebench {

/// The options as they stand on the command line, before they are checked.
struct DuelOptions {
  DuelSettings settings;
  std::vector<std::string> commands;
  std::vector<std::string> options;
  std::string positions;
  std::string margin = "1%";
  std::string time;
  std::string resume;
  std::string tell;
  std::string start_limit = "2m";
  std::string turn_limit = "60s";
  bool nodes_given = false;
};

/// What all engines are told, how far they search, and where.
void add_condition_options(CLI::App& command, DuelOptions& options);

/// How often, and where to.
void add_sample_options(CLI::App& command, DuelOptions& options);

/// All but the engines and what is judged. Throws UserError.
DuelSettings checked_conditions(const DuelOptions& options);

/// Gives engines the options that the command line has for all of them or for one. Throws UserError.
void add_engine_options(const DuelOptions& options, std::vector<duel::EngineSpec>& engines);

}  // namespace slidebench
