// SPDX-License-Identifier: MIT
//
// slidebench-model: the commands ladder and predict.
#include <CLI/CLI.hpp>

#include "extras/model/commands.hpp"
#include "harness/cli/program.hpp"

int main(int argc, char** argv) {
  using namespace slidebench;
  return run_program(argc, argv, [](CLI::App& program) {
    add_ladder_command(program);
    add_predict_command(program);
  });
}
