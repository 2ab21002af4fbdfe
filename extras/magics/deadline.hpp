// SPDX-License-Identifier: MIT
//
// Time that runs out.
#pragma once

#include <chrono>

namespace slidebench {

/// So many seconds from now on.
class Deadline {
 public:
  explicit Deadline(double seconds) : seconds_(seconds) {}

  /// Seconds since it was made.
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  bool is_over() const { return elapsed() >= seconds_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
  double seconds_;
};

}  // namespace slidebench
