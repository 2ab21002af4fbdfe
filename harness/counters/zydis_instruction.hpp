// SPDX-License-Identifier: MIT
//
// One machine instruction of this process, decoded by Zydis, and what it does to memory.
#pragma once

#include <Zydis/Zydis.h>

#include <cstdint>
#include <span>

namespace slidebench {

class ZydisInstruction {
 public:
  /// Decodes the instruction at an address of this process. Throws UserError if the decoder does not know it.
  explicit ZydisInstruction(std::uintptr_t address);

  const ZydisDecodedInstruction& instruction() const { return instruction_; }
  /// None of a NOP: what a long one names is there for its length alone.
  std::span<const ZydisDecodedOperand> operands() const {
    if (instruction_.mnemonic == ZYDIS_MNEMONIC_NOP) return {};
    return {operands_, instruction_.operand_count};
  }

  bool reads_memory() const;
  bool writes_memory() const;
  /// True if it reads or writes memory relative to the stack pointer.
  bool uses_stack() const;
  bool is_conditional_branch() const { return instruction_.meta.category == ZYDIS_CATEGORY_COND_BR; }

 private:
  ZydisDecodedInstruction instruction_;
  ZydisDecodedOperand operands_[ZYDIS_MAX_OPERAND_COUNT];
};

/// True for operands that access memory (lea only computes an address).
bool accesses_memory(const ZydisDecodedOperand& operand);
bool reads_memory(const ZydisDecodedOperand& operand);

}  // namespace slidebench
