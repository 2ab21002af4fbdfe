// SPDX-License-Identifier: MIT
#include "harness/platform/cpuid.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace slidebench {

CpuidRegisters cpuid([[maybe_unused]] std::uint32_t leaf, [[maybe_unused]] std::uint32_t subleaf) {
  CpuidRegisters r;
#if defined(__x86_64__)
  constexpr std::uint32_t hypervisor_leaves = 0x40000000, extended_leaves = 0x80000000;
  if (leaf >= hypervisor_leaves && leaf < extended_leaves) {
    __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);  // their greatest leaf is not told where others are
  } else {
    __get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
  }
#endif
  return r;
}

}  // namespace slidebench
