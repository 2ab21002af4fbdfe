// SPDX-License-Identifier: MIT
//
// The commands of slidebench-engines. Each adds its options to the program and runs itself when it is named.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slidebench {

/// @param command_line  as typed: run.json keeps it
void add_duel_command(CLI::App& program, const std::vector<std::string>& command_line);
void add_placements_command(CLI::App& program);
void add_try_command(CLI::App& program, const std::vector<std::string>& command_line);
void add_uci_command(CLI::App& program);

}  // namespace slidebench
