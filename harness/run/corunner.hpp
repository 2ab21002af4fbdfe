// SPDX-License-Identifier: MIT
//
// Co-runners: processes beside the measurement that keep the shared cache and the memory busy, as an engine's other
// threads or other programs do.
#pragma once

#include <cstddef>
#include <deque>

#include "harness/base/child_process.hpp"

namespace slidebench {

/// Bytes that a co-runner reads in random order, again and again: more than most shared caches hold.
inline constexpr std::size_t corunner_bytes = std::size_t{64} << 20;

/// Runs so many co-runners as long as it lives; they end with this process at the latest.
class Corunners {
 public:
  /// Throws UserError if one cannot be started.
  explicit Corunners(unsigned count);

 private:
  std::deque<ChildProcess> processes_;
};

/// What a co-runner does, on other CPUs than the one that is measured on, until it is ended.
[[noreturn]] void run_corunner();

}  // namespace slidebench
