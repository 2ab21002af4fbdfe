// SPDX-License-Identifier: MIT
//
// What a program of commands does with its words.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slidebench {

/// Reads the command line and runs the command that it names. Returns the exit status: 0 done, 1 a check failed, 2 bad
/// input, with one line on standard error that says what and where.
int run_program(int argc, char** argv, const std::function<void(CLI::App&)>& add_commands);

}  // namespace slidebench
