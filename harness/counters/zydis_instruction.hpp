// SPDX-License-Identifier: MIT
//
// One machine instruction of this process, decoded by Zydis.
#pragma once

#include <Zydis/Zydis.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace slidebench {

struct ZydisInstruction {
  /// Decodes the instruction at an address of this process. Throws UserError if the decoder does not know it.
  explicit ZydisInstruction(std::uintptr_t address);

  /// Those that access memory (lea only computes an address). None of a NOP: what a long one names is there for its
  /// length alone.
  std::span<const ZydisDecodedOperand> memory() const { return {operands, memory_count}; }

  ZydisDecodedInstruction decoded;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  std::size_t memory_count = 0;  ///< of the operands, which stand first
};

inline bool is_read(const ZydisDecodedOperand& operand) {
  return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
}

}  // namespace slidebench
