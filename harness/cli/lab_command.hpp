// SPDX-License-Identifier: MIT
//
// The commands beside the main job are a program of their own, slidebench-lab, which stands beside this one and need
// not be built: `slidebench duel` starts it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slidebench {

bool is_lab_command(const std::string& name);

/// What such a command does, in a line for the list of commands.
const char* lab_description(const std::string& name);

/// Names them in the program's help, suggestions and completion.
void add_lab_commands(CLI::App& program);

/// Becomes slidebench-lab with these words, the program's own name first. Returns only where that cannot be: 2, with
/// one line on standard error.
int run_lab(const std::vector<std::string>& words);

/// The internal command of slidebench-lab that prints the columns of its files, as to_json() has them.
inline constexpr const char* columns_command = "columns-json";

/// What slidebench-lab prints for one of its internal commands; empty where it is not built.
std::string lab_prints(const std::string& command);

}  // namespace slidebench
