// SPDX-License-Identifier: MIT
#include "harness/counters/test_memory_reads.hpp"

#include <map>

#include "harness/base/errors.hpp"
#include "harness/counters/single_step.hpp"
#include "harness/counters/zydis_instruction.hpp"

namespace slidebench {
namespace {

/// The value of a 64-bit general register. Addresses are computed from nothing else in 64-bit code.
std::uint64_t value_of(ZydisRegister name, const TracedRegisters& r) {
  const std::map<ZydisRegister, std::uint64_t> values = {
      {ZYDIS_REGISTER_NONE, 0},    {ZYDIS_REGISTER_RAX, r.rax}, {ZYDIS_REGISTER_RBX, r.rbx},
      {ZYDIS_REGISTER_RCX, r.rcx}, {ZYDIS_REGISTER_RDX, r.rdx}, {ZYDIS_REGISTER_RSI, r.rsi},
      {ZYDIS_REGISTER_RDI, r.rdi}, {ZYDIS_REGISTER_RBP, r.rbp}, {ZYDIS_REGISTER_RSP, r.rsp},
      {ZYDIS_REGISTER_R8, r.r8},   {ZYDIS_REGISTER_R9, r.r9},   {ZYDIS_REGISTER_R10, r.r10},
      {ZYDIS_REGISTER_R11, r.r11}, {ZYDIS_REGISTER_R12, r.r12}, {ZYDIS_REGISTER_R13, r.r13},
      {ZYDIS_REGISTER_R14, r.r14}, {ZYDIS_REGISTER_R15, r.r15}, {ZYDIS_REGISTER_RIP, r.rip},
  };
  const auto found = values.find(name);
  if (found == values.end())
    throw UserError("cannot tell the address of a read: it does not stand in a 64-bit register");
  return found->second;
}

std::uintptr_t address_of(const ZydisInstruction& instruction, const ZydisDecodedOperand& operand,
                          const TracedRegisters& registers) {
  std::uint64_t address =
      value_of(operand.mem.base, registers) + value_of(operand.mem.index, registers) * operand.mem.scale;
  if (operand.mem.disp.has_displacement != 0) address += static_cast<std::uint64_t>(operand.mem.disp.value);
  if (operand.mem.base == ZYDIS_REGISTER_RIP) address += instruction.decoded.length;
  if (operand.mem.segment == ZYDIS_REGISTER_FS) address += registers.fs_base;
  if (operand.mem.segment == ZYDIS_REGISTER_GS) address += registers.gs_base;
  return address;
}

}  // namespace

std::vector<MemoryRead> memory_reads(const std::function<void()>& work) {
  std::vector<MemoryRead> reads;
  std::map<std::uintptr_t, ZydisInstruction> known;
  single_step(work, [&](const TracedRegisters& registers) {
    const ZydisInstruction& instruction = known.try_emplace(registers.rip, registers.rip).first->second;
    for (const ZydisDecodedOperand& operand : instruction.memory()) {
      if (!is_read(operand)) continue;
      reads.push_back({address_of(instruction, operand, registers), operand.size / 8u, registers.rip});
    }
  });
  return reads;
}

}  // namespace slidebench
