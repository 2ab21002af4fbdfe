// SPDX-License-Identifier: MIT
#include <array>

#include "harness/platform/cpuid.hpp"
#include "harness/plugin/features.hpp"

namespace slidebench {
namespace {

/// Which extended-state components (XCR0 bits) the operating system must save for a feature to be usable.
constexpr std::uint32_t no_state = 0;
constexpr std::uint32_t ymm_state = 0x06;
constexpr std::uint32_t zmm_state = 0xE6;

/// Where CPUID reports a feature: Intel SDM volume 2, CPUID; AMD APM volume 3, appendix E.
struct Feature {
  Isa isa;
  std::uint32_t leaf;
  std::uint32_t CpuidRegisters::*where;
  unsigned bit;
  std::uint32_t needs_state;
};

constexpr Feature features[] = {{Isa::ssse3, 1, &CpuidRegisters::ecx, 9, no_state},
                                {Isa::popcnt, 1, &CpuidRegisters::ecx, 23, no_state},
                                {Isa::lzcnt, 0x80000001, &CpuidRegisters::ecx, 5, no_state},
                                {Isa::bmi1, 7, &CpuidRegisters::ebx, 3, no_state},
                                {Isa::bmi2, 7, &CpuidRegisters::ebx, 8, no_state},
                                {Isa::avx2, 7, &CpuidRegisters::ebx, 5, ymm_state},
                                {Isa::fma, 1, &CpuidRegisters::ecx, 12, ymm_state},
                                {Isa::avx512f, 7, &CpuidRegisters::ebx, 16, zmm_state},
                                {Isa::avx512bw, 7, &CpuidRegisters::ebx, 30, zmm_state},
                                {Isa::avx512dq, 7, &CpuidRegisters::ebx, 17, zmm_state},
                                {Isa::avx512vl, 7, &CpuidRegisters::ebx, 31, zmm_state},
                                {Isa::avx512cd, 7, &CpuidRegisters::ebx, 28, zmm_state},
                                {Isa::avx512vbmi, 7, &CpuidRegisters::ecx, 1, zmm_state},
                                {Isa::avx512vbmi2, 7, &CpuidRegisters::ecx, 6, zmm_state},
                                {Isa::avx512bitalg, 7, &CpuidRegisters::ecx, 12, zmm_state},
                                {Isa::gfni, 7, &CpuidRegisters::ecx, 8, no_state}};

/// The extended state that the operating system saves (XCR0), 0 where it cannot be asked.
std::uint32_t enabled_state() {
  constexpr std::uint32_t osxsave = 1u << 27;
  if ((cpuid(1).ecx & osxsave) == 0) return 0;
  std::uint32_t eax = 0, edx = 0;
  asm volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
  return eax;
}

constexpr Isa of_v2 = Isa::ssse3 | Isa::popcnt;
constexpr Isa of_v3 = of_v2 | Isa::lzcnt | Isa::bmi1 | Isa::bmi2 | Isa::avx2 | Isa::fma;
constexpr Isa of_v4 = of_v3 | Isa::avx512f | Isa::avx512bw | Isa::avx512dq | Isa::avx512vl | Isa::avx512cd;
constexpr std::array levels{IsaLevel{"v1", Isa::none}, IsaLevel{"v2", of_v2}, IsaLevel{"v3", of_v3},
                            IsaLevel{"v4", of_v4}};

}  // namespace

Isa machine_isa() {
  const std::uint32_t state = enabled_state();
  Isa isa = Isa::none;
  for (const Feature& feature : features) {
    const bool has = (cpuid(feature.leaf).*feature.where >> feature.bit & 1) != 0;
    if (has && (state & feature.needs_state) == feature.needs_state) isa = isa | feature.isa;
  }
  return isa;
}

std::span<const IsaLevel> isa_levels() { return levels; }

}  // namespace slidebench
