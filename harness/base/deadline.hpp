// SPDX-License-Identifier: MIT
//
// Time that runs out, whatever the clock does.
#pragma once

#include <chrono>

namespace slidebench {

/// So many seconds from now on, for work in this process. A clock that stands or steps back (of a virtual machine that
/// was moved or restored) holds nobody: n threads compute for no more than n seconds a second, so that the process's
/// CPU time tells how long it has been at least.
class Deadline {
 public:
  /// @param threads  that compute at a time, at most
  explicit Deadline(double seconds, unsigned threads = 1);

  /// Seconds since it was made, at least.
  double elapsed() const;
  bool is_over() const { return elapsed() >= seconds_; }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double seconds_;
  double cpus_;  ///< that this process can keep busy
  double cpu_begin_;
};

/// Throws UserError unless the clock goes forward while this process computes: nothing could be timed by it.
void check_clock();

}  // namespace slidebench
