// SPDX-License-Identifier: MIT
#include "harness/counters/decoded_instruction.hpp"
#include "harness/counters/zydis_instruction.hpp"

namespace slidebench {

DecodedInstruction decode_instruction(std::uintptr_t address) {
  const ZydisInstruction decoded(address);
  return {.length = decoded.instruction().length,
          .reads_memory = decoded.reads_memory(),
          .writes_memory = decoded.writes_memory(),
          .uses_stack = decoded.uses_stack(),
          .is_conditional_branch = decoded.is_conditional_branch()};
}

}  // namespace slidebench
