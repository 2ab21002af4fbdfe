// SPDX-License-Identifier: MIT
//
// The one way in which this program starts others, and itself: with pipes on the standard streams, and never to be
// outlived by them.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/errors.hpp"
#include "harness/base/posix_file.hpp"

namespace slidebench {

/// This program's own file, whatever it was called by.
inline constexpr const char* own_program = "/proc/self/exe";

/// How a process is started.
struct ChildStart {
  std::string program;                        ///< looked up in PATH unless it has a slash
  std::vector<std::string> arguments = {};    ///< without the program's own name
  std::vector<std::string> environment = {};  ///< more entries, "NAME=value"
  bool pipe_input = true;                     ///< a stream without a pipe is shared with this process
  bool pipe_output = true;
  bool pipe_errors = true;
  bool own_group = false;            ///< all that it starts ends with it, and Ctrl-C does not reach it
  std::optional<unsigned> cpu = {};  ///< the only CPU that it may run on; absent: any that this process may
};

/// A program could not be started.
struct CannotStart : UserError {
  CannotStart(const std::string& message, int reason) : UserError(message), error(reason) {}
  int error;  ///< errno
};

/// A child process. The kernel kills it when the thread that has started it ends, so that not even a killed parent
/// leaves one behind.
class ChildProcess {
 public:
  /// @throws CannotStart  with the system's reason
  explicit ChildProcess(const ChildStart& start);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Kills the process, and its own group, if it has not been waited for.
  ~ChildProcess();

  FileHandle& input() { return input_; }    ///< write end of its standard input
  FileHandle& output() { return output_; }  ///< read end of its standard output
  FileHandle& errors() { return errors_; }  ///< read end of its standard error

  /// Sends a signal, to its whole group if that is its own; to nobody once it has been waited for.
  void kill(int signal = SIGKILL) const;

  /// Whether it has ended, and only waits to be waited for.
  bool has_ended() const;

  /// Waits for the end, and kills what is left of its own group. Returns its exit status, or 128 + the signal that
  /// ended it.
  int wait();

  pid_t id() const { return pid_; }

 private:
  pid_t pid_ = -1;
  bool own_group_ = false;
  FileHandle input_;
  FileHandle output_;
  FileHandle errors_;
};

}  // namespace slidebench
