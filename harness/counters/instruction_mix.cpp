// SPDX-License-Identifier: MIT
#include "harness/counters/instruction_mix.hpp"

#include <Zydis/Zydis.h>

#include <cstdio>
#include <span>
#include <string>

#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

struct Decoded {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

  std::span<const ZydisDecodedOperand> all_operands() const { return {operands, instruction.operand_count}; }
};

Decoded decode(const ZydisDecoder& decoder, std::uintptr_t address) {
  Decoded decoded;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, reinterpret_cast<const void*>(address),
                                           ZYDIS_MAX_INSTRUCTION_LENGTH, &decoded.instruction, decoded.operands))) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(address));
    throw UserError(std::string("cannot decode the instruction at ") + text + "; is the Zydis library too old for it?");
  }
  return decoded;
}

bool is_memory(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN;
}

bool reads(const Decoded& decoded) {
  for (const ZydisDecodedOperand& operand : decoded.all_operands()) {
    if (is_memory(operand) && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) return true;
  }
  return false;
}

bool writes(const Decoded& decoded) {
  for (const ZydisDecodedOperand& operand : decoded.all_operands()) {
    if (is_memory(operand) && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) return true;
  }
  return false;
}

bool on_stack(const Decoded& decoded) {
  for (const ZydisDecodedOperand& operand : decoded.all_operands()) {
    if (is_memory(operand) && operand.mem.base == ZYDIS_REGISTER_RSP) return true;
  }
  return false;
}

}  // namespace

InstructionMix instruction_mix(const ExecutionCounts& counts) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  InstructionMix mix;
  for (const auto& [address, count] : counts) {
    const Decoded decoded = decode(decoder, address);
    const bool load = reads(decoded);
    mix.instructions += count;
    if (load) mix.loads += count;
    if (load && on_stack(decoded)) mix.stack_loads += count;
    if (writes(decoded)) mix.stores += count;
    if (decoded.instruction.meta.category == ZYDIS_CATEGORY_COND_BR) mix.branches += count;
  }
  return mix;
}

}  // namespace slidebench
