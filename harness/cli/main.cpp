// SPDX-License-Identifier: MIT
//
// slidebench: measures how chess sliding-piece attacks can be generated.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/extra_command.hpp"
#include "harness/cli/program.hpp"

int main(int argc, char** argv) {
  using namespace slidebench;
  const std::vector<std::string> words(argv, argv + argc);
  if (argc > 1 && is_extra_command(words[1])) return run_extra(words);
  return run_program(argc, argv, [&words](CLI::App& program) {
    add_list_command(program);
    add_show_command(program);
    add_help_command(program);
    add_verify_command(program);
    add_trace_command(program);
    add_run_command(program, words);
    add_simulate_command(program, words);
    add_kernel_command(program);
    add_perft_command(program);
    add_new_method_command(program);
    add_extra_commands(program);
  });
}
