// SPDX-License-Identifier: MIT
#include <capstone/capstone.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>

#include "harness/base/errors.hpp"
#include "harness/counters/decoded_instruction.hpp"

namespace slidebench {
namespace {

constexpr unsigned instruction_bytes = 4;  // every one of AArch64

csh open_decoder() {
  csh decoder = 0;
  if (cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &decoder) != CS_ERR_OK) {
    throw UserError("cannot count instructions: the Capstone library knows no AArch64");
  }
  cs_option(decoder, CS_OPT_DETAIL, CS_OPT_ON);
  return decoder;
}

/// Capstone knows SVE from version 5 on. All that is asked here stands in few bits: bits 25 to 28 say SVE, and bits 29
/// to 31 which part of it, of which four are memory; prefetches count as loads there. Source: Arm Architecture
/// Reference Manual, C4.1.
bool decode_sve(std::uint32_t word, DecodedInstruction& decoded) {
  constexpr std::uint32_t sve = 0b0010, first_load = 0b100, store = 0b111, stack_pointer = 31;
  if ((word >> 25 & 15) != sve) return false;
  const std::uint32_t part = word >> 29;
  decoded.reads_memory = part >= first_load && part < store;
  decoded.writes_memory = part == store;
  decoded.uses_stack = part >= first_load && (word >> 5 & 31) == stack_pointer;
  return true;
}

/// Capstone 4 has no atomic operations either (Armv8.1). The fixed bits of LDADD and its kind, SWP among them, of CAS
/// and of CASP. Source: as above, "Loads and Stores".
bool decode_atomic(std::uint32_t word, DecodedInstruction& decoded) {
  struct Fixed {
    std::uint32_t mask, bits;
  };
  constexpr Fixed atomics[] = {{0x3F200C00, 0x38200000}, {0x3FA07C00, 0x08A07C00}, {0xBFA07C00, 0x08207C00}};
  constexpr std::uint32_t stack_pointer = 31;
  const bool known =
      std::any_of(std::begin(atomics), std::end(atomics), [word](Fixed of) { return (word & of.mask) == of.bits; });
  if (!known) return false;
  decoded.reads_memory = decoded.writes_memory = true;
  decoded.uses_stack = (word >> 5 & 31) == stack_pointer;
  return true;
}

/// Every load's name begins with "ld", every store's with "st"; what does both in one is an atomic operation.
void classify_memory(const cs_insn& instruction, DecodedInstruction& decoded) {
  const std::string_view name = instruction.mnemonic;
  const auto starts = [name](auto... prefixes) { return (name.starts_with(prefixes) || ...); };
  const bool both = starts("swp", "cas", "ldadd", "ldclr", "ldeor", "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin");
  decoded.reads_memory = both || starts("ld");
  decoded.writes_memory = both || starts("st");
  const cs_arm64& detail = instruction.detail->arm64;
  decoded.uses_stack = std::any_of(detail.operands, detail.operands + detail.op_count, [](const cs_arm64_op& operand) {
    return operand.type == ARM64_OP_MEM && operand.mem.base == ARM64_REG_SP;
  });
}

bool is_conditional_branch(const cs_insn& instruction) {
  switch (instruction.id) {
    case ARM64_INS_CBZ:
    case ARM64_INS_CBNZ:
    case ARM64_INS_TBZ:
    case ARM64_INS_TBNZ: return true;
    case ARM64_INS_B: {
      const arm64_cc condition = instruction.detail->arm64.cc;
      return condition != ARM64_CC_INVALID && condition != ARM64_CC_AL && condition != ARM64_CC_NV;
    }
    default: return false;
  }
}

}  // namespace

DecodedInstruction decode_instruction(std::uintptr_t address) {
  static const csh decoder = open_decoder();
  DecodedInstruction decoded{.length = instruction_bytes};
  cs_insn* found = nullptr;
  const auto* const code = reinterpret_cast<const std::uint8_t*>(address);
  const std::size_t count = cs_disasm(decoder, code, instruction_bytes, address, 1, &found);
  const auto release = [count](cs_insn* instructions) { cs_free(instructions, count); };
  const std::unique_ptr<cs_insn, decltype(release)> owner(found, release);
  if (count == 1) {
    classify_memory(*found, decoded);
    decoded.is_conditional_branch = is_conditional_branch(*found);
    return decoded;
  }
  std::uint32_t word = 0;
  std::memcpy(&word, code, sizeof word);
  if (decode_sve(word, decoded) || decode_atomic(word, decoded)) return decoded;
  throw UserError(
      fmt::format("cannot decode the instruction at {:#x}; is the Capstone library too old for it?", address));
}

}  // namespace slidebench
