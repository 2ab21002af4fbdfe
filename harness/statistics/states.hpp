// SPDX-License-Identifier: MIT
//
// Whether a machine was the same throughout a run. Where somebody else uses the other hardware thread of the core,
// which a guest of a hypervisor cannot see, a loop may take twice as long for minutes, and methods change their ratios,
// because they need different parts of the core.
#pragma once

#include <optional>
#include <vector>

#include "harness/statistics/process_run_table.hpp"

namespace slidebench {

/// By how much the reference must differ between process runs to tell of states; addresses alone make less.
inline constexpr double least_state_ratio = 1.25;

/// What the reference took in a cell: the first and the ninth decile of its process runs.
struct MachineStates {
  Cell cell;
  double quick_ns = 0, slow_ns = 0;  ///< per query
};

/// The cell in which the two differ most; nothing if by less than least_state_ratio everywhere, or of fewer than four
/// process runs.
std::optional<MachineStates> machine_states(const std::vector<ProcessRunRow>& rows);

}  // namespace slidebench
