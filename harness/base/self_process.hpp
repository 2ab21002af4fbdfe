// SPDX-License-Identifier: MIT
//
// A child process of this same program: its input is given at once, its output read line by line.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace slidebench {

/// How a child process ended.
struct ChildEnd {
  int status = 0;          ///< exit status, or 128 + the signal that ended it
  bool timed_out = false;  ///< it was killed because its time was up
};

/// "killed by signal 9", "ended with status 3", "did not end within 60 s".
std::string describe_end(const ChildEnd& end, double limit_seconds);

/// Whether a child is in this process's group, which the terminal stops and interrupts as one; or in one of its own, of
/// which nothing is left when the child ends: for code that may start processes.
enum class ProcessGroup { shared, own };

/// Runs this program again with `arguments`, `extra_environment` ("NAME=value") added to the environment and `input` on
/// standard input, and passes each line of its standard output on. Standard error is shared. When `stop` becomes true
/// the child gets SIGINT once, and is waited for. After `limit_seconds` it is killed. Throws UserError if it cannot be
/// started.
ChildEnd run_self(const std::vector<std::string>& arguments, const std::string& extra_environment,
                  const std::string& input, const std::function<void(const std::string&)>& on_line,
                  const std::atomic<bool>& stop, double limit_seconds, ProcessGroup group = ProcessGroup::shared);

/// Set by the first SIGINT or SIGTERM after the call; a second one ends the program at once.
const std::atomic<bool>& stop_on_interrupt();

}  // namespace slidebench
