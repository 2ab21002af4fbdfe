// SPDX-License-Identifier: MIT
#include "harness/cli/extra_command.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "harness/base/child_process.hpp"
#include "harness/base/emulator.hpp"

namespace slidebench {
namespace {

struct ExtraCommand {
  const char* name;
  const char* program;
  const char* description;
};

const std::vector<ExtraCommand> extra_commands{
#include "extra_commands.inc"  // by extras/CMakeLists.txt
};

const ExtraCommand* command_named(const std::string& name) {
  const auto found = std::find_if(extra_commands.begin(), extra_commands.end(),
                                  [&name](const ExtraCommand& command) { return name == command.name; });
  return found == extra_commands.end() ? nullptr : &*found;
}

}  // namespace

bool is_extra_command(const std::string& name) { return command_named(name) != nullptr; }

const char* extra_description(const std::string& name) { return command_named(name)->description; }

void add_extra_commands(CLI::App& program) {
  for (const ExtraCommand& command : extra_commands) program.add_subcommand(command.name, command.description);
}

int run_extra(const std::vector<std::string>& words) {
  const std::string program =
      (std::filesystem::path(own_file()).parent_path() / command_named(words.at(1))->program).string();
  std::vector<std::string> arguments = emulator_command();
  const bool emulated = !arguments.empty();
  arguments.push_back(emulated ? program : words.front());
  arguments.insert(arguments.end(), words.begin() + 1, words.end());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  ::execv(emulated ? argv.front() : program.c_str(), argv.data());
  std::cerr << "slidebench: cannot start " << program << ": " << std::strerror(errno) << "; build it: cmake --build "
            << std::filesystem::path(program).parent_path().string() << std::endl;
  return 2;
}

}  // namespace slidebench
