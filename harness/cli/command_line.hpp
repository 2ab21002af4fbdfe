// SPDX-License-Identifier: MIT
//
// The program's commands and options as data: for suggestions and help.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slidebench {

/// The commands of an app, without the internal ones.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// Their names.
std::vector<std::string> command_names(const CLI::App& app);

/// The command of this name, the internal ones included; nullptr if there is none.
const CLI::App* find_command(const CLI::App& app, const std::string& name);

/// "--trace", "--help", ...: the options that begin with dashes.
std::vector<std::string> option_names(const CLI::App& app);

}  // namespace slidebench
