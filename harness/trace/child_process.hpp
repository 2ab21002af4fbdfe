// SPDX-License-Identifier: MIT
//
// A program run with pipes on its standard input, output and error.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "harness/trace/posix_file.hpp"

namespace slidebench {

class ChildProcess {
 public:
  /// Starts the first of `programs` that exists (names without a slash are looked up in PATH).
  /// @param programs   candidates
  /// @param arguments  without the program's own name
  /// @throws UserError if none exists (naming scripts/install_deps.sh) or the start fails
  ChildProcess(const std::vector<std::string>& programs, const std::vector<std::string>& arguments);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Kills the program if it has not been waited for.
  ~ChildProcess();

  FileHandle& input() { return input_; }    ///< write end of its standard input
  FileHandle& output() { return output_; }  ///< read end of its standard output
  FileHandle& errors() { return errors_; }  ///< read end of its standard error

  /// Ends the program at once.
  void kill();

  /// Waits for the end. Returns "" for exit status 0, or "exit status 3", "killed by signal 9".
  std::string wait();

 private:
  pid_t pid_ = -1;
  FileHandle input_;
  FileHandle output_;
  FileHandle errors_;
};

}  // namespace slidebench
