// SPDX-License-Identifier: MIT
//
// A child process of this same program: its input is given at once, its output read line by line.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace slidebench {

/// Runs this program again with `arguments`, `extra_environment` ("NAME=value") added to the environment and `input` on
/// standard input, and passes each line of its standard output on. Standard error is shared. When `stop` becomes true
/// the child gets SIGINT once, and is waited for. Returns its exit status, or 128 + the signal that ended it.
/// Throws UserError if it cannot be started.
int run_self(const std::vector<std::string>& arguments, const std::string& extra_environment, const std::string& input,
             const std::function<void(const std::string&)>& on_line, const std::atomic<bool>& stop);

/// Set by the first SIGINT or SIGTERM after the call; a second one ends the program at once.
const std::atomic<bool>& stop_on_interrupt();

}  // namespace slidebench
