// SPDX-License-Identifier: MIT
//
// Executed instructions, counted exactly, on machines without a performance monitoring unit: the work runs in a child
// process that stops after every instruction (ptrace, PTRACE_SINGLESTEP), and the parent writes the address down.
//
// Tens of thousands of instructions a second: enough for a few hundred queries of every method, and as exact as the
// code is deterministic.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

namespace slidebench {

/// Address of an instruction of this process -> how often it was executed.
using ExecutionCounts = std::map<std::uintptr_t, std::uint64_t>;

/// Runs `work` in a copy of this process, instruction by instruction. The counts include a few instructions of the call
/// itself, always the same: subtract the counts of an empty `work`. Precondition: `work` executes no breakpoint (int3).
/// Throws UserError if this system does not let a process trace its child, or if `work` ends the child.
ExecutionCounts single_step(const std::function<void()>& work);

}  // namespace slidebench
