// SPDX-License-Identifier: MIT
#include "harness/counters/instruction_mix.hpp"

#include <sys/user.h>

#include <map>

#include "harness/counters/decoded_instruction.hpp"
#include "harness/counters/single_step.hpp"

namespace slidebench {

InstructionMix instruction_mix(const std::function<void()>& work) {
  std::map<std::uintptr_t, std::uint64_t> executions;
  single_step(work, [&executions](const user_regs_struct& registers) { ++executions[registers.rip]; });

  InstructionMix mix;
  for (const auto& [address, count] : executions) {
    const DecodedInstruction decoded(address);
    mix.instructions += count;
    if (decoded.reads_memory()) mix.loads += count;
    if (decoded.reads_memory() && decoded.uses_stack()) mix.stack_loads += count;
    if (decoded.writes_memory()) mix.stores += count;
    if (decoded.is_conditional_branch()) mix.branches += count;
    mix.code_bytes += decoded.instruction().length;
  }
  return mix;
}

}  // namespace slidebench
