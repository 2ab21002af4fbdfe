// SPDX-License-Identifier: MIT
//
// The subcommands of `slidebench`. Each adds its options to the program and runs itself when it is named.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slidebench {

void add_list_command(CLI::App& program);
void add_show_command(CLI::App& program);
void add_help_command(CLI::App& program);
void add_verify_command(CLI::App& program);
void add_trace_command(CLI::App& program);
/// @param command_line  as typed: run.json keeps it
void add_run_command(CLI::App& program, const std::vector<std::string>& command_line);
/// @param command_line  as typed: run.json keeps it
void add_simulate_command(CLI::App& program, const std::vector<std::string>& command_line);
void add_kernel_command(CLI::App& program);
void add_perft_command(CLI::App& program);
void add_new_method_command(CLI::App& program);

}  // namespace slidebench
