// SPDX-License-Identifier: MIT
//
// The commands of extras that were built. Each is a command of a program that stands beside this one, which
// `slidebench NAME` becomes.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slidebench {

bool is_extra_command(const std::string& name);

/// What such a command does, in a line for the list of commands.
const char* extra_description(const std::string& name);

/// Names them in the program's help and suggestions.
void add_extra_commands(CLI::App& program);

/// Becomes the program that has the command, with these words, the own program's name first. Returns only where that
/// cannot be: 2, with one line on standard error.
int run_extra(const std::vector<std::string>& words);

}  // namespace slidebench
