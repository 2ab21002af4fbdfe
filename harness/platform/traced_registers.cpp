// SPDX-License-Identifier: MIT
#include "harness/platform/traced_registers.hpp"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

namespace slidebench {

bool read_registers(pid_t process, TracedRegisters& registers) {
  iovec place{&registers, sizeof registers};
  return ptrace(PTRACE_GETREGSET, process, NT_PRSTATUS, &place) == 0;
}

bool pass_breakpoint([[maybe_unused]] pid_t process) {
#if defined(__aarch64__)
  TracedRegisters registers{};
  if (!read_registers(process, registers)) return false;
  registers.pc += 4;
  iovec place{&registers, sizeof registers};
  return ptrace(PTRACE_SETREGSET, process, NT_PRSTATUS, &place) == 0;
#else
  return true;
#endif
}

}  // namespace slidebench
