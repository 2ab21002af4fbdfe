// SPDX-License-Identifier: MIT
//
// What the executed instructions do: how many of them read or write memory, and how many branch.
#pragma once

#include <cstdint>

#include "harness/counters/single_step.hpp"

namespace slidebench {

struct InstructionMix {
  std::uint64_t instructions = 0;
  std::uint64_t loads = 0;        ///< read memory, the stack included; a gather counts once
  std::uint64_t stores = 0;       ///< write memory, the stack included
  std::uint64_t stack_loads = 0;  ///< loads relative to the stack pointer: spilled registers, pops and returns
  std::uint64_t branches = 0;     ///< conditional branches

  friend bool operator==(const InstructionMix&, const InstructionMix&) = default;
};

/// Decodes the executed instructions (with Zydis). Precondition: the counts are of this process's own code.
/// Throws UserError for an instruction that the decoder does not know.
InstructionMix instruction_mix(const ExecutionCounts& counts);

}  // namespace slidebench
