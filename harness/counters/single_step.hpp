// SPDX-License-Identifier: MIT
//
// Executed instructions, seen one by one, on machines without a performance monitoring unit: the work runs in a child
// process that stops after every instruction (ptrace, PTRACE_SINGLESTEP), and the parent looks at its registers.
//
// Tens of thousands of instructions a second: enough for a few hundred queries of every method, and as exact as the
// code is deterministic.
#pragma once

#include <cstdint>
#include <functional>

#include "harness/platform/traced_registers.hpp"

namespace slidebench {

/// Sees the registers before each instruction; next_instruction() is its address.
using StepVisitor = std::function<void(const TracedRegisters& registers)>;

/// Runs `work` in a copy of this process, instruction by instruction; the copy's code, constants and tables lie at the
/// same addresses as here. The visitor also sees the few instructions of the call itself, always the same.
/// Precondition: `work` executes no breakpoint.
/// Throws UserError if this system does not let a process trace its child, or if `work` ends the child.
void single_step(const std::function<void()>& work, const StepVisitor& visit);

}  // namespace slidebench
