// SPDX-License-Identifier: MIT
//
// slidebench-engines: the commands duel, placements, try and uci.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "extras/engines/commands.hpp"
#include "harness/cli/program.hpp"

int main(int argc, char** argv) {
  using namespace slidebench;
  const std::vector<std::string> words(argv, argv + argc);
  return run_program(argc, argv, [&words](CLI::App& program) {
    add_duel_command(program, words);
    add_placements_command(program);
    add_try_command(program, words);
    add_uci_command(program);
  });
}
