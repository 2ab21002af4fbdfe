// SPDX-License-Identifier: MIT
//
// The registers of a traced process, and the breakpoint that it stops at.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>

namespace slidebench {

using TracedRegisters = user_regs_struct;

/// Where the instruction lies that comes next.
inline std::uintptr_t next_instruction(const TracedRegisters& registers) {
#if defined(__x86_64__)
  return registers.rip;
#elif defined(__aarch64__)
  return registers.pc;
#else
#error "harness/platform/traced_registers.hpp knows x86-64 and AArch64: name this architecture's program counter"
#endif
}

/// Stops the process, if it is traced, before the instruction that follows, or at this one (past_breakpoint).
inline void breakpoint() {
#if defined(__x86_64__)
  asm volatile("int3" ::: "memory");
#else
  asm volatile("brk #0" ::: "memory");
#endif
}

/// Whether a breakpoint() lies here, in a copy of this process.
inline bool is_breakpoint(std::uintptr_t address) {
#if defined(__x86_64__)
  return *reinterpret_cast<const std::uint8_t*>(address) == 0xCC;
#else
  return *reinterpret_cast<const std::uint32_t*>(address) == 0xD4200000;
#endif
}

/// Reads the registers of a stopped process. False, with errno, if the system refuses.
bool read_registers(pid_t process, TracedRegisters& registers);

/// Lets a process that has stopped at a breakpoint go on behind it: on AArch64 it stops before it, not after it. False,
/// with errno, if the system refuses.
bool pass_breakpoint(pid_t process);

}  // namespace slidebench
