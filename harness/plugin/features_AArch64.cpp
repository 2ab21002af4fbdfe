// SPDX-License-Identifier: MIT
#include <asm/hwcap.h>
#include <sys/auxv.h>

#include <array>

#include "harness/plugin/features.hpp"

namespace slidebench {
namespace {

constexpr std::array levels{IsaLevel{"a64", Isa::neon}, IsaLevel{"sve2", Isa::neon | Isa::sve2},
                            IsaLevel{"sve2-bitperm", Isa::neon | Isa::sve2 | Isa::sve2_bitperm}};

}  // namespace

/// As the kernel tells every process. Source: Linux, Documentation/arch/arm64/elf_hwcaps.rst.
Isa machine_isa() {
  const unsigned long first = getauxval(AT_HWCAP);
  const unsigned long second = getauxval(AT_HWCAP2);
  Isa isa = Isa::none;
  if ((first & HWCAP_ASIMD) != 0) isa = isa | Isa::neon;
  if ((second & HWCAP2_SVE2) != 0) isa = isa | Isa::sve2;
  if ((second & HWCAP2_SVEBITPERM) != 0) isa = isa | Isa::sve2_bitperm;
  return isa;
}

std::span<const IsaLevel> isa_levels() { return levels; }

}  // namespace slidebench
