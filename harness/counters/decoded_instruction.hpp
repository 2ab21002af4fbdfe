// SPDX-License-Identifier: MIT
//
// One machine instruction of this process, and what it does: by Zydis on x86-64, by Capstone on AArch64.
#pragma once

#include <cstdint>

namespace slidebench {

struct DecodedInstruction {
  unsigned length = 0;  ///< bytes
  bool reads_memory = false;
  bool writes_memory = false;
  bool uses_stack = false;  ///< reads or writes memory relative to the stack pointer
  bool is_conditional_branch = false;
};

/// Decodes the instruction at an address of this process. Throws UserError if the decoder does not know it, or if there
/// is none in this build.
DecodedInstruction decode_instruction(std::uintptr_t address);

}  // namespace slidebench
