// SPDX-License-Identifier: MIT
#include "harness/cli/lab_command.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "harness/base/child_process.hpp"
#include "harness/base/emulator.hpp"

namespace slidebench {
namespace {

struct LabCommand {
  const char* name;
  const char* description;
};

constexpr std::array<LabCommand, 7> lab_commands{
    {{"caches", "Finds what this machine's caches are like, by timing alone"},
     {"dose", "Finds what an engine pays for: latency, instructions or lines of a table"},
     {"duel", "Compares the speed of UCI engines with the first of them"},
     {"ladder", "Measures how long a load takes from each level of the memory"},
     {"magics", "Searches magic factors, and proves them"},
     {"predict", "Predicts times from stack distances and the latency ladder"},
     {"uci", "The engine here with one method, as a UCI program"}}};

std::string lab_program() { return (std::filesystem::path(own_file()).parent_path() / "slidebench-lab").string(); }

}  // namespace

bool is_lab_command(const std::string& name) {
  for (const LabCommand& command : lab_commands) {
    if (name == command.name) return true;
  }
  return false;
}

const char* lab_description(const std::string& name) {
  for (const LabCommand& command : lab_commands) {
    if (name == command.name) return command.description;
  }
  return "";
}

void add_lab_commands(CLI::App& program) {
  for (const LabCommand& command : lab_commands) program.add_subcommand(command.name, command.description);
}

int run_lab(const std::vector<std::string>& words) {
  const std::string program = lab_program();
  std::vector<std::string> arguments = emulator_command();
  const bool emulated = !arguments.empty();
  arguments.push_back(emulated ? program : words.front());
  arguments.insert(arguments.end(), words.begin() + 1, words.end());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  ::execv(emulated ? argv.front() : program.c_str(), argv.data());
  std::cerr << "slidebench: cannot start " << program << ": " << std::strerror(errno) << "; build it: cmake --build "
            << std::filesystem::path(program).parent_path().string() << " --target slidebench_lab" << std::endl;
  return 2;
}

std::string lab_prints(const std::string& command) {
  std::error_code error;
  if (!std::filesystem::exists(lab_program(), error)) return "";
  ChildProcess child({.program = lab_program(), .arguments = {command}, .pipe_errors = false});
  child.input().close();
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t n = 0; (n = read_some(child.output().get(), buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return child.wait() == 0 ? text : "";
}

}  // namespace slidebench
