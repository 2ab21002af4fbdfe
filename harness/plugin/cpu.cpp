// SPDX-License-Identifier: MIT
#include "harness/plugin/cpu.hpp"

#include <cpuid.h>

#include <array>
#include <cstdlib>
#include <sstream>

#include "harness/trace/errors.hpp"

namespace slidebench {
namespace {

enum class Register { ebx, ecx };

/// Which extended-state components (XCR0 bits) the operating system must save for a feature to be usable.
constexpr std::uint32_t no_state = 0;
constexpr std::uint32_t ymm_state = 0x06;
constexpr std::uint32_t zmm_state = 0xE6;

/// Where CPUID reports a feature: Intel SDM volume 2, CPUID; AMD APM volume 3, appendix E.
struct Feature {
  const char* name;
  Isa isa;
  std::uint32_t leaf;
  Register where;
  unsigned bit;
  std::uint32_t needs_state;
};

constexpr std::array features{
    Feature{"ssse3", Isa::ssse3, 1, Register::ecx, 9, no_state},
    Feature{"popcnt", Isa::popcnt, 1, Register::ecx, 23, no_state},
    Feature{"lzcnt", Isa::lzcnt, 0x80000001, Register::ecx, 5, no_state},
    Feature{"bmi1", Isa::bmi1, 7, Register::ebx, 3, no_state},
    Feature{"bmi2", Isa::bmi2, 7, Register::ebx, 8, no_state},
    Feature{"avx2", Isa::avx2, 7, Register::ebx, 5, ymm_state},
    Feature{"fma", Isa::fma, 1, Register::ecx, 12, ymm_state},
    Feature{"avx512f", Isa::avx512f, 7, Register::ebx, 16, zmm_state},
    Feature{"avx512bw", Isa::avx512bw, 7, Register::ebx, 30, zmm_state},
    Feature{"avx512dq", Isa::avx512dq, 7, Register::ebx, 17, zmm_state},
    Feature{"avx512vl", Isa::avx512vl, 7, Register::ebx, 31, zmm_state},
    Feature{"avx512cd", Isa::avx512cd, 7, Register::ebx, 28, zmm_state},
    Feature{"avx512vbmi", Isa::avx512vbmi, 7, Register::ecx, 1, zmm_state},
    Feature{"avx512bitalg", Isa::avx512bitalg, 7, Register::ecx, 12, zmm_state},
    Feature{"gfni", Isa::gfni, 7, Register::ecx, 8, no_state},
};

/// The extended state that the operating system saves (XCR0), 0 where it cannot be asked.
std::uint32_t enabled_state() {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr std::uint32_t osxsave = 1u << 27;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & osxsave) == 0) return 0;
  asm volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
  return eax;
}

bool has(const Feature& feature, std::uint32_t state) {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(feature.leaf, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  const std::uint32_t word = feature.where == Register::ebx ? ebx : ecx;
  return (word >> feature.bit & 1) != 0 && (state & feature.needs_state) == feature.needs_state;
}

Isa parse_features(const std::string& list, const char* where) {
  Isa set = Isa::none;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) {
    Isa found = Isa::none;
    for (const Feature& feature : features) {
      if (name == feature.name) found = feature.isa;
    }
    if (found == Isa::none)
      throw UserError(std::string(where) + ": unknown feature '" + name +
                      "'; known are bmi2, avx2 and so on, separated by commas");
    set = set | found;
  }
  return set;
}

}  // namespace

Isa host_isa() {
  const std::uint32_t state = enabled_state();
  Isa isa = Isa::none;
  for (const Feature& feature : features) {
    if (has(feature, state)) isa = isa | feature.isa;
  }
  constexpr const char* variable = "SLIDEBENCH_WITHOUT_ISA";
  if (const char* without = std::getenv(variable)) isa = isa & ~parse_features(without, variable);
  return isa;
}

Isa isa_of_level(std::uint32_t level) {
  Isa isa = Isa::none;
  if (level >= 2) isa = isa | Isa::ssse3 | Isa::popcnt;
  if (level >= 3) isa = isa | Isa::lzcnt | Isa::bmi1 | Isa::bmi2 | Isa::avx2 | Isa::fma;
  if (level >= 4) isa = isa | Isa::avx512f | Isa::avx512bw | Isa::avx512dq | Isa::avx512vl | Isa::avx512cd;
  return isa;
}

std::vector<std::string> isa_names(Isa set) {
  std::vector<std::string> names;
  for (const Feature& feature : features) {
    if ((set & feature.isa) != Isa::none) names.emplace_back(feature.name);
  }
  return names;
}

}  // namespace slidebench
