// SPDX-License-Identifier: MIT
//
// What a program of commands does with its words.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slidebench {

/// The names of an app's commands, without the internal ones.
std::vector<std::string> command_names(const CLI::App& app);

/// The command of this name, the internal ones included; nullptr if there is none.
const CLI::App* find_command(const CLI::App& app, const std::string& name);

/// Reads the command line and runs the command that it names. Returns the exit status: 0 done, 1 a check failed, 2 bad
/// input, with one line on standard error that says what and where.
int run_program(int argc, char** argv, const std::function<void(CLI::App&)>& add_commands);

}  // namespace slidebench
