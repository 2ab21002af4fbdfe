// SPDX-License-Identifier: MIT
#include "harness/counters/zydis_instruction.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/errors.hpp"

namespace slidebench {
namespace {

ZydisDecoder make_decoder() {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  return decoder;
}

}  // namespace

ZydisInstruction::ZydisInstruction(std::uintptr_t address) {
  static const ZydisDecoder decoder = make_decoder();
  if (ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, reinterpret_cast<const void*>(address),
                                          ZYDIS_MAX_INSTRUCTION_LENGTH, &instruction_, operands_))) {
    return;
  }
  throw UserError(fmt::format("cannot decode the instruction at {:#x}; is the Zydis library too old for it?", address));
}

bool accesses_memory(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN;
}

bool reads_memory(const ZydisDecodedOperand& operand) {
  return accesses_memory(operand) && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
}

bool ZydisInstruction::reads_memory() const {
  return std::any_of(operands().begin(), operands().end(), slidebench::reads_memory);
}

bool ZydisInstruction::writes_memory() const {
  return std::any_of(operands().begin(), operands().end(), [](const ZydisDecodedOperand& operand) {
    return accesses_memory(operand) && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  });
}

bool ZydisInstruction::uses_stack() const {
  return std::any_of(operands().begin(), operands().end(), [](const ZydisDecodedOperand& operand) {
    return accesses_memory(operand) && operand.mem.base == ZYDIS_REGISTER_RSP;
  });
}

}  // namespace slidebench
