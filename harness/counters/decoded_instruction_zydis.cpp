// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include "harness/base/errors.hpp"
#include "harness/counters/decoded_instruction.hpp"
#include "harness/counters/zydis_instruction.hpp"

namespace slidebench {
namespace {

ZydisDecoder make_decoder() {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  return decoder;
}

bool is_memory(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN;
}

}  // namespace

ZydisInstruction::ZydisInstruction(std::uintptr_t address) {
  static const ZydisDecoder decoder = make_decoder();
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, reinterpret_cast<const void*>(address),
                                           ZYDIS_MAX_INSTRUCTION_LENGTH, &decoded, operands))) {
    throw UserError(
        fmt::format("cannot decode the instruction at {:#x}; is the Zydis library too old for it?", address));
  }
  if (decoded.mnemonic == ZYDIS_MNEMONIC_NOP) return;
  const auto end = std::stable_partition(operands, operands + decoded.operand_count, is_memory);
  memory_count = static_cast<std::size_t>(end - operands);
}

DecodedInstruction decode_instruction(std::uintptr_t address) {
  const ZydisInstruction instruction(address);
  DecodedInstruction found{.length = instruction.decoded.length,
                           .is_conditional_branch = instruction.decoded.meta.category == ZYDIS_CATEGORY_COND_BR};
  for (const ZydisDecodedOperand& operand : instruction.memory()) {
    found.reads_memory |= is_read(operand);
    found.writes_memory |= (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    found.uses_stack |= operand.mem.base == ZYDIS_REGISTER_RSP;
  }
  return found;
}

}  // namespace slidebench
