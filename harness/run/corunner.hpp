// SPDX-License-Identifier: MIT
//
// Co-runners: processes beside the measurement that keep the shared cache and the memory busy, as an engine's other
// threads or other programs do.
#pragma once

#include <deque>

#include "harness/base/child_process.hpp"

namespace slidebench {

/// Starts so many co-runners, which run as long as the list lives; they end with this process at the latest. Throws
/// UserError if one cannot be started.
std::deque<ChildProcess> start_corunners(unsigned count);

/// What a co-runner does, on other CPUs than the one that is measured on, until it is ended.
[[noreturn]] void run_corunner();

}  // namespace slidebench
