// SPDX-License-Identifier: MIT
//
// The subcommands beside the main job. Each adds its options to the program and runs itself when it is named.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slidebench {

void add_caches_command(CLI::App& program);
/// @param command_line  as typed: run.json keeps it
void add_dose_command(CLI::App& program, const std::vector<std::string>& command_line);
void add_duel_command(CLI::App& program, const std::vector<std::string>& command_line);
/// Of slidebench-lab alone: no command that people type.
void add_judge_command(CLI::App& program);
void add_ladder_command(CLI::App& program);
void add_magics_command(CLI::App& program);
void add_predict_command(CLI::App& program);
void add_uci_command(CLI::App& program);

}  // namespace slidebench
