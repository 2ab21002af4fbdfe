// SPDX-License-Identifier: MIT
//
// slidebench-magics: the command magics.
#include <CLI/CLI.hpp>

#include "extras/magics/magics_command.hpp"
#include "harness/cli/program.hpp"

int main(int argc, char** argv) { return slidebench::run_program(argc, argv, slidebench::add_magics_command); }
