// SPDX-License-Identifier: MIT
//
// CPUID, which only x86 has.
#pragma once

#include <cstdint>

namespace slidebench {

struct CpuidRegisters {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// What CPUID says; all zeros for a leaf that this processor does not know, and on other architectures.
CpuidRegisters cpuid(std::uint32_t leaf, std::uint32_t subleaf = 0);

}  // namespace slidebench
