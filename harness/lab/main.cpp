// SPDX-License-Identifier: MIT
//
// slidebench-lab: what is beside the main job. `slidebench duel` and the others start it.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/program.hpp"
#include "harness/lab/commands.hpp"

int main(int argc, char** argv) {
  using namespace slidebench;
  const std::vector<std::string> words(argv, argv + argc);
  return run_program(argc, argv, [&words](CLI::App& program) {
    add_duel_command(program, words);
    add_ladder_command(program);
    add_magics_command(program);
    add_predict_command(program);
    add_uci_command(program);
    add_branches_command(program);
  });
}
